/** Malformed HTTP requests, which Node refuses before Koa sees them, get a problem+json too. */
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import { newId } from '../../infra/ids.ts';
import { HttpError } from './errors.ts';

const STATUS_OF: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The request line and headers are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};
const MALFORMED = [400, 'This is not a well-formed HTTP request.'] as const;

/** An answer that ends its connection. */
const answerOf = (status: number, detail: string) => {
  const title = STATUS_CODES[status] ?? 'Bad Request';
  const code = title.toLowerCase().replaceAll(' ', '_');
  const body = JSON.stringify({ type: `/errors/${code}`, title, status, code, detail, request_id: newId() });
  const headers = {
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(body)),
    'x-service': 'platform',
    'x-response-time-ms': '0.0',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  };
  return { title, headers, body };
};

export const answerBrokenRequests = (server: Server): void => {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const [status, detail] = STATUS_OF[error.code ?? ''] ?? MALFORMED;
    const { title, headers, body } = answerOf(status, detail);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    socket.end([`HTTP/1.1 ${status} ${title}`, ...lines, '', body].join('\r\n'));
  });
  server.on('checkExpectation', (_, res) => {
    const { headers, body } = answerOf(417, 'Only 100-continue can be expected. Leave out the Expect header.');
    res.writeHead(417, headers).end(body);
  });
};

/** For the HTTP server: it answers a request without `Host` without a body, so that we do it (`refuseWrongHost`). */
export const ANSWERS_WITHOUT_HOST = { requireHostHeader: false } as const;

/**
 * A request has exactly one `Host` (RFC 9112, 3.2): of two, a proxy and we could take different ones. HTTP/1.0 has none.
 * @throws HttpError 400
 */
export const refuseWrongHost = ({ rawHeaders, httpVersion }: IncomingMessage): void => {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts === 1 || (hosts === 0 && httpVersion === '1.0')) return;
  throw new HttpError('bad_request', hosts === 0 ? 'Send a Host header.' : 'Send one Host header, not several.');
};
