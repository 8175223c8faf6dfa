/** The hub's plain HTTP answers. Every one says who answered and how long it took, and errors are problem+json. */
import type { HttpResponse } from 'uWebSockets.js';

export const SERVICE = 'realtime';

const STATUS = {
  200: 'OK',
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  426: 'Upgrade Required',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;
export type Status = keyof typeof STATUS;

export interface Answer {
  readonly status: Status;
  readonly contentType: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const json = (status: Status, body: object): Answer => ({
  status,
  contentType: 'application/json',
  body: JSON.stringify(body),
});

/** RFC 9457 problem details, in the shape of the REST API. */
export const problem = (
  status: Status,
  code: string,
  detail: string,
  headers: Record<string, string> = {},
): Answer => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ type: `/errors/${code}`, title: STATUS[status], status, code, detail }),
  headers,
});

/** Headers of every answer, the upgrade included. */
export const stamp = (res: HttpResponse, startedAt: number): HttpResponse =>
  res.writeHeader('x-service', SERVICE).writeHeader('x-response-time-ms', (performance.now() - startedAt).toFixed(1));

/** Writes an answer. Must not be called once the request was aborted. `head`: everything but the body. */
export const send = (res: HttpResponse, answer: Answer, startedAt: number, head = false): void => {
  res.cork(() => {
    res.writeStatus(`${answer.status} ${STATUS[answer.status]}`);
    stamp(res, startedAt).writeHeader('content-type', answer.contentType).writeHeader('cache-control', 'no-store');
    for (const [name, value] of Object.entries(answer.headers ?? {})) res.writeHeader(name, value);
    if (head) res.endWithoutBody(Buffer.byteLength(answer.body));
    else res.end(answer.body);
  });
};
