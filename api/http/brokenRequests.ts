/** Malformed HTTP requests, which Node refuses before Koa sees them, get a problem+json too. */
import { type Server, STATUS_CODES } from 'node:http';
import { newId } from '../../infra/ids.ts';

const STATUS_OF: Readonly<Record<string, readonly [status: number, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The request line and headers are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};
const MALFORMED = [400, 'This is not a well-formed HTTP request.'] as const;

export const answerBrokenRequests = (server: Server): void => {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const [status, detail] = STATUS_OF[error.code ?? ''] ?? MALFORMED;
    const title = STATUS_CODES[status] ?? 'Bad Request';
    const code = title.toLowerCase().replaceAll(' ', '_');
    const body = JSON.stringify({ type: `/errors/${code}`, title, status, code, detail, request_id: newId() });
    socket.end(
      [
        `HTTP/1.1 ${status} ${title}`,
        'content-type: application/problem+json',
        `content-length: ${Buffer.byteLength(body)}`,
        'x-service: platform',
        'x-response-time-ms: 0.0',
        'x-content-type-options: nosniff',
        'connection: close',
        '',
        body,
      ].join('\r\n'),
    );
  });
};
