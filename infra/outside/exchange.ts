/**
 * Requests to systems outside over HTTP/1.1: the only place that sends them. Redirects are not followed, because they lead
 * to somebody whom nobody has set up. How long an answer may take, its body included, and how large it may be is limited.
 * It costs a fraction of `fetch`, which matters for thousands of push messages a second.
 */
import { Agent, type IncomingHttpHeaders, request as overHttp, type RequestOptions } from 'node:http';
import { request as overTls, Agent as TlsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { TimedOut } from '../retry.ts';

/** What came back, whoever wrote it: `answers.ts` tells whether it was the system that was asked. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface OutsideRequest {
  /** By default `GET`. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | number>>;
  readonly body?: string | Buffer;
  /** How long all of it may take, the connection and the whole answer included. */
  readonly timeoutMs: number;
  /** Of the answer's body; by default 1 MiB. */
  readonly mostBytes?: number;
}

/** The body has more bytes than the system asked ever sends. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
  constructor(mostBytes: number) {
    super(`the answer has more than ${mostBytes} bytes`);
  }
}

const MOST_BYTES = 1024 * 1024;
/** Connections to one host, which are kept for some seconds: servers close idle ones. */
const CONNECTIONS = { keepAlive: true, maxSockets: 100, maxFreeSockets: 100, timeout: 4_000 };

/** Keeps connections. @param lookup finds the address of a host */
export const agentsWith = (lookup?: LookupFunction) => {
  const options = { ...CONNECTIONS, ...(lookup && { lookup }) };
  return { plain: new Agent(options), tls: new TlsAgent(options) };
};
const ordinary = agentsWith();

/** @throws TimedOut, AnswerTooLarge, or Node's error: no whole answer came, and the request may have had an effect */
export const exchange = (
  address: string | URL,
  { method = 'GET', headers = {}, body, timeoutMs, mostBytes = MOST_BYTES }: OutsideRequest,
  agents = ordinary,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const url = new URL(address);
    const isTls = url.protocol === 'https:';
    const options: RequestOptions = {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
      agent: isTls ? agents.tls : agents.plain,
    };
    const fail = (error: Error): void => {
      clearTimeout(timer);
      reject(error);
      request.destroy();
    };
    const request = (isTls ? overTls : overHttp)(url, options, (response) => {
      const parts: Buffer[] = [];
      let size = 0;
      response.on('data', (part: Buffer) => {
        size += part.length;
        if (size > mostBytes) fail(new AnswerTooLarge(mostBytes));
        else parts.push(part);
      });
      response.on('error', fail);
      response.on('end', () => {
        clearTimeout(timer);
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) });
      });
    });
    const timer = setTimeout(() => fail(new TimedOut(`no answer from ${url.host} within ${timeoutMs} ms`)), timeoutMs);
    request.on('error', fail);
    request.end(body);
  });
