/** An HTTP server on a free port that records requests and gives the answers of a test. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
}
interface Answer {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Recorder {
  readonly url: string;
  readonly requests: Recorded[];
  /** The answer to the next requests. `silence` never answers. */
  answer: Answer | 'silence';
  stop(): Promise<void>;
}

export const startRecorder = async (answer: Recorder['answer']): Promise<Recorder> => {
  const server = createServer(async (request, response) => {
    const rawBody = Buffer.concat(await request.toArray());
    const { method = '', url: path = '', headers } = request;
    recorder.requests.push({ method, path, headers, rawBody });
    if (recorder.answer === 'silence') return;
    response.writeHead(recorder.answer.status, { 'content-type': 'application/json', ...recorder.answer.headers });
    response.end(recorder.answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const recorder: Recorder = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    answer,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return recorder;
};
