/** Requests to the push services and their answers, whichever protocol carries them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { Readable } from 'node:stream';

interface PushRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}
export interface PushReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: object | string;
}
/** undefined: no answer at all. */
export type Handle = (request: PushRequest) => Promise<PushReply | undefined>;

const MOST_BYTES = 65_536;

const bodyOf = async (from: Readable): Promise<Buffer> => {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of from as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MOST_BYTES) throw new Error('the body is too large');
    parts.push(part);
  }
  return Buffer.concat(parts);
};

const textOf = ({ body = '' }: PushReply): string => (typeof body === 'string' ? body : JSON.stringify(body));
const headersOf = ({ headers = {}, body }: PushReply): Record<string, string> => ({
  ...headers,
  ...(body !== undefined && { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json' }),
});
const pathOf = (url: string): string => url.split('?')[0] ?? '';

export const overHttp1 =
  (handle: Handle) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const { method = '', url = '', headers } = request;
      const reply = await handle({ method, path: pathOf(url), headers, body: await bodyOf(request) });
      if (reply) response.writeHead(reply.status, headersOf(reply)).end(textOf(reply));
    } catch {
      response.destroy();
    }
  };

export const overHttp2 =
  (handle: Handle) =>
  async (stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> => {
    stream.on('error', () => undefined);
    try {
      const path = pathOf(headers[':path'] ?? '');
      const reply = await handle({ method: headers[':method'] ?? '', path, headers, body: await bodyOf(stream) });
      if (!reply || stream.destroyed) return;
      stream.respond({ ':status': reply.status, ...headersOf(reply) });
      stream.end(textOf(reply));
    } catch {
      stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    }
  };
