/** The hub's plain HTTP answers. Every one says who answered and how long it took, and errors are problem+json. */
import type { Duplex } from 'node:stream';
import type { Logger } from '../../infra/log.ts';
import { retryAfterS } from '../../infra/retry.ts';

const SERVICE = 'realtime';

export const STATUS = {
  101: 'Switching Protocols',
  200: 'OK',
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  426: 'Upgrade Required',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
} as const;
export type Status = keyof typeof STATUS;

export interface Answer {
  readonly status: Status;
  readonly contentType: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that opens no WebSocket. */
export interface PlainRequest {
  readonly method: string;
  readonly path: string;
}

type Headers = readonly (readonly [name: string, value: string])[];

const json = (status: Status, body: object): Answer => ({
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
  // By chance, so that not all who were refused come back at once.
  headers: { ...(status === 503 && { 'retry-after': String(retryAfterS()) }), ...headers },
});

export const upgradeRequired = (): Answer =>
  problem(426, 'upgrade_required', 'This address is a WebSocket. Open it with a WebSocket client.', {
    upgrade: 'websocket',
  });

/** Headers of every answer, the upgrade included. `startedAt` as `performance.now()` gives it. */
export const stampHeaders = (startedAt: number): Headers => [
  ['x-service', SERVICE],
  ['x-response-time-ms', (performance.now() - startedAt).toFixed(1)],
];

/** All headers of an answer but its length. */
export const answerHeaders = (answer: Answer, startedAt: number): Headers => [
  ...stampHeaders(startedAt),
  ['content-type', answer.contentType],
  ['cache-control', 'no-store'],
  ['x-content-type-options', 'nosniff'],
  ...Object.entries(answer.headers ?? {}),
];

/** An answer as the bytes of HTTP/1.1, for connections that no HTTP server handles any more. They close after it. */
export const rawAnswer = (answer: Answer, startedAt: number, head = false): string =>
  [
    `HTTP/1.1 ${answer.status} ${STATUS[answer.status]}`,
    ...answerHeaders(answer, startedAt).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(answer.body)}`,
    'connection: close',
    '',
    head ? '' : answer.body,
  ].join('\r\n');

/** How long a client may take to read the last answer and close. */
const LINGER_MS = 5_000;

/** Sends the last bytes of a connection. What the client still sends is discarded; a client that does not close is cut. */
export const endWith = (connection: Duplex, bytes: string | Buffer): void => {
  const timer = setTimeout(() => connection.destroy(), LINGER_MS);
  connection.on('close', () => clearTimeout(timer));
  connection.resume().end(bytes);
};

/** Paths of the WebSocket: `/ws` and everything below it. */
export const isWebSocketPath = (path: string): boolean => path === '/ws' || path.startsWith('/ws/');

export interface AnswerOptions {
  readonly version: string;
  /** The AsyncAPI document. */
  readonly document: object;
  readonly isHealthy: () => boolean;
  /** What an operator should know although it is healthy. */
  readonly remarks: () => readonly string[];
  readonly log: Logger;
}

/** Answers every request that is no upgrade. Never rejects. */
export const createAnswers = ({ version, document, isHealthy, remarks, log }: AnswerOptions) => {
  const text = JSON.stringify(document);
  const health = (): Answer => {
    const healthy = isHealthy();
    const faults = remarks();
    if (healthy && faults.length > 0) return json(200, { service: SERVICE, version, status: 'degraded', faults });
    return json(healthy ? 200 : 503, { service: SERVICE, version, status: healthy ? 'ok' : 'unavailable' });
  };
  const answers: Readonly<Record<string, () => Answer | Promise<Answer>>> = {
    '/health': health,
    '/ready': health,
    '/asyncapi.json': () => ({ status: 200, contentType: 'application/json', body: text }),
  };
  const find = (path: string) => {
    if (isWebSocketPath(path)) return upgradeRequired;
    return Object.hasOwn(answers, path) ? answers[path] : undefined;
  };
  return async ({ method, path }: PlainRequest): Promise<Answer> => {
    const answer = method === 'GET' || method === 'HEAD' ? find(path) : undefined;
    if (!answer) return problem(404, 'no_such_path', 'Nothing exists at this address.');
    try {
      return await answer();
    } catch (err) {
      log.error({ err, path }, 'request failed');
      return problem(500, 'internal', 'The server failed to answer this request. Try again.');
    }
  };
};
