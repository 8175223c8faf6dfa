/** Answers that a system outside did not write: of proxies, gateways and captive portals between it and us. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createServer2, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

export interface Foreign {
  readonly name: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** How the body goes on for ever: as fast as it is read, or a byte now and then. */
  readonly goesOn?: 'fast' | 'slowly';
}

const html = { 'content-type': 'text/html; charset=utf-8' };
const json = { 'content-type': 'application/json' };
const page = '<!doctype html><html><head><title>Oops</title></head><body>nginx</body></html>';

/** Where redirects lead: a page with 200. */
const ELSEWHERE = '/elsewhere';

export const foreignAnswers: readonly Foreign[] = [
  ...[200, 400, 401, 403, 404, 410, 422, 500, 502, 503].map((status) => ({
    name: `a page with ${status}`,
    status,
    headers: html,
    body: page,
  })),
  ...[200, 400, 401, 403, 404, 410, 422, 502].map((status) => ({
    name: `JSON of another with ${status}`,
    status,
    headers: json,
    body: '{"message":"no route matched with those values"}',
  })),
  { name: 'JSON of a framework', status: 404, headers: json, body: '{"status":404,"error":"Not Found","path":"/"}' },
  { name: 'a list of another', status: 200, headers: json, body: '[]' },
  ...[200, 400, 403, 404, 410, 502].map((status) => ({ name: `nothing with ${status}`, status })),
  ...[301, 302, 303, 307, 308].map((status) => ({
    name: `a redirect with ${status}`,
    status,
    headers: { ...html, location: ELSEWHERE },
    body: page,
  })),
  { name: 'a page that says that it is JSON', status: 200, headers: json, body: page },
  { name: 'half of a JSON', status: 200, headers: json, body: '{"id":"1","status":"succ' },
  { name: 'half of a JSON with 400', status: 400, headers: json, body: '{"type":"error","id":"1","co' },
  {
    name: 'what is no gzip',
    status: 200,
    headers: { ...json, 'content-encoding': 'gzip' },
    body: Buffer.from('1f8b0000ffee', 'hex'),
  },
  {
    name: 'a page in gzip',
    status: 404,
    headers: { ...html, 'content-encoding': 'gzip' },
    body: gzipSync(page),
  },
  { name: 'an endless page', status: 200, headers: html, body: page, goesOn: 'fast' },
  { name: 'an endless JSON with 404', status: 404, headers: json, body: '{"a":"', goesOn: 'fast' },
  { name: 'a slow JSON', status: 200, headers: json, body: '{"a":"', goesOn: 'slowly' },
  { name: 'a slow page with 400', status: 400, headers: html, body: page, goesOn: 'slowly' },
];

type Out = Pick<ServerResponse | ServerHttp2Stream, 'write' | 'end' | 'once'>;
const FAST = Buffer.alloc(65_536, 'x');

const send = (out: Out, { body = '', goesOn }: Foreign): void => {
  if (!goesOn) return void out.end(body);
  out.write(body as string);
  if (goesOn === 'slowly') {
    const timer = setInterval(() => out.write('x'), 100);
    out.once('close', () => clearInterval(timer));
    return;
  }
  const more = (): void => {
    if (out.write(FAST as never)) setImmediate(more);
    else out.once('drain', more);
  };
  let isOver = false;
  out.once('close', () => (isOver = true));
  const write = out.write.bind(out);
  Object.assign(out, { write: (part: never) => (isOver ? false : write(part)) });
  more();
};

/** Answers a request in place of the one that was asked. */
export const answerInPlace = (request: IncomingMessage, response: ServerResponse, foreign: Foreign): void => {
  request.resume();
  response.on('error', () => undefined);
  const isElsewhere = request.url === ELSEWHERE;
  const answer = isElsewhere ? { name: '', status: 200, headers: html, body: page } : foreign;
  response.writeHead(answer.status, answer.headers ?? {});
  send(response, answer);
};

export interface ForeignServer {
  readonly url: string;
  stop(): void;
}
const listening = async (server: Server | Http2Server): Promise<ForeignServer> => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};

/** Whatever is asked, it answers this. @param own answers what is not foreign: true when it has */
export const foreignServer = (
  foreign: Foreign,
  own: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
): Promise<ForeignServer> =>
  listening(
    createServer((request, response) => {
      if (!own(request, response)) answerInPlace(request, response, foreign);
    }),
  );

/** The same over HTTP/2 in the clear. */
export const foreignServer2 = (foreign: Foreign): Promise<ForeignServer> => {
  const server = createServer2();
  server.on('session', (session) => session.on('error', () => undefined));
  server.on('stream', (stream) => {
    stream.on('error', () => undefined);
    stream.respond({ ':status': foreign.status, ...foreign.headers });
    send(stream, foreign);
  });
  return listening(server);
};
