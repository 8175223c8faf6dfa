/** Calls operations: credentials, retries, timeouts, and reading what was written. */
import { operations } from '../generated/operations.ts';
import type { Operations } from '../generated/types.ts';
import { backoffMs, wait } from '../wait.ts';
import type { Call } from './call.ts';
import { ApiError, askedMs, errorOf, NoAnswer } from './errors.ts';
import type { LastWrite } from './lastWrite.ts';
import { type Input, requestOf } from './request.ts';
import type { IssuedTokens, Session } from './session.ts';

export interface CallOptions {
  /** Ends the call. */
  readonly signal?: AbortSignal;
  /** How long one attempt may take; by default 30 s, or 10 minutes for an upload. */
  readonly timeoutMs?: number;
  /** Makes a repeated call the same command; made for each call by default. */
  readonly idempotencyKey?: string;
  /** Further headers, such as `x-return-url`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called with the answer, for its headers. Its body has been read. */
  readonly onResponse?: (response: Response) => void;
}

type InputOf<O> = O extends { input: infer I } ? I : Record<string, never>;
type ReplyOf<O> = O extends { reply: infer R } ? R : undefined;
type Method<I, R> =
  Record<never, never> extends I
    ? (input?: I, options?: CallOptions) => Promise<R>
    : (input: I, options?: CallOptions) => Promise<R>;

/** A method for each operation: path, query and body are one object. */
export type Api = { readonly [Id in keyof Operations]: Method<InputOf<Operations[Id]>, ReplyOf<Operations[Id]>> };

export interface ApiOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly fetch: typeof fetch;
  readonly session: Session;
  readonly apiKey: string | undefined;
  readonly timeoutMs: number | undefined;
  readonly lastWrite: LastWrite;
}

const TIMEOUT_MS = 30_000;
/** As long as the server takes for a request: a video over a slow connection. */
const UPLOAD_TIMEOUT_MS = 600_000;

const ATTEMPTS = 5;
/** In all about five seconds: a server that restarts is back by then. */
const FIRST_WAIT_MS = 400;
/** A longer wait is left to the caller. */
const LONGEST_WAIT_MS = 10_000;

/** Repeating it does nothing twice. */
const isSafe = ({ method }: Call, key: string | undefined): boolean =>
  ['GET', 'PUT', 'DELETE'].includes(method) || key !== undefined;

/** A server or a proxy that is away for the moment; or the first attempt, which is still running. */
const isPassing = (error: unknown): boolean =>
  error instanceof NoAnswer ||
  (error instanceof ApiError && ([502, 503, 504].includes(error.status) || error.code === 'in_flight'));

/** Visible ASCII. `crypto.randomUUID` is missing in pages without TLS. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

const replyOf = async (response: Response): Promise<unknown> => {
  if (response.status === 204) return undefined;
  const type = response.headers.get('content-type') ?? '';
  if (/\bjson\b/.test(type)) return response.json();
  return type.startsWith('text/plain') ? response.text() : response.blob();
};

const hasTokens = (reply: unknown): reply is IssuedTokens =>
  typeof reply === 'object' && reply !== null && 'access_token' in reply && 'refresh_token' in reply;

/** The methods of the operations. Tokens in a reply, such as those of a sign-in, are used from then on. */
export const createApi = ({ baseUrl, fetch, session, apiKey, timeoutMs, lastWrite }: ApiOptions): Api => {
  const credentials = (call: Call, token: string | undefined): Record<string, string> => {
    if (call.apiKey && apiKey !== undefined) return { 'x-api-key': apiKey };
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  };
  const headersOf = (call: Call, token: string | undefined, options: CallOptions, contentType: string | undefined) => {
    const position = call.method === 'GET' ? lastWrite.position() : undefined;
    return {
      ...credentials(call, token),
      ...(contentType && { 'content-type': contentType }),
      ...(position && { 'x-min-position': position }),
      ...(options.idempotencyKey && { 'idempotency-key': options.idempotencyKey }),
      ...options.headers,
    };
  };

  /** One attempt. @throws ApiError, NoAnswer, or the reason of the caller's signal */
  const attempt = async (call: Call, input: Input, token: string | undefined, options: CallOptions) => {
    const { address, method, body, contentType } = requestOf(call, input);
    const usualMs = call.body === 'form' ? UPLOAD_TIMEOUT_MS : TIMEOUT_MS;
    const timer = AbortSignal.timeout(options.timeoutMs ?? timeoutMs ?? usualMs);
    const signal = options.signal ? AbortSignal.any([options.signal, timer]) : timer;
    const headers = headersOf(call, token, options, contentType);
    try {
      const response = await fetch(baseUrl + address, { method, headers, signal, ...(body !== undefined && { body }) });
      if (!response.ok) throw await errorOf(response);
      const isShown = response.headers.get('x-projected') !== 'false';
      lastWrite.remember(response.headers.get('x-event-position'), isShown);
      const shown = new Headers(headers).get('x-min-position');
      if (shown !== null && isShown) lastWrite.shown(shown);
      return { response, reply: await replyOf(response) };
    } catch (error) {
      if (error instanceof ApiError) throw error;
      options.signal?.throwIfAborted();
      throw new NoAnswer(error);
    }
  };

  /** With a valid token: one that has expired is replaced once. */
  const authorized = async (call: Call, input: Input, options: CallOptions) => {
    const token = await session.token();
    try {
      return await attempt(call, input, token, options);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401 || token === undefined) throw error;
      const usesToken = !(call.apiKey && apiKey !== undefined);
      // What anybody may call can need a sign-in for a part of it. A wrong password is no reason for a new token.
      if (!usesToken || !(call.bearer || error.code === 'unauthenticated')) throw error;
      const next = await session.renew(token);
      if (next === undefined) throw error;
      return attempt(call, input, next, options);
    }
  };

  const run = async (call: Call, input: Input, given: CallOptions): Promise<unknown> => {
    const key = call.idempotent ? (given.idempotencyKey ?? newKey()) : given.idempotencyKey;
    const options = key === undefined ? given : { ...given, idempotencyKey: key };
    for (let tried = 1; ; tried++) {
      try {
        const { response, reply } = await authorized(call, input, options);
        options.onResponse?.(response);
        if (hasTokens(reply)) session.set(reply);
        return reply;
      } catch (error) {
        if (tried === ATTEMPTS || !isPassing(error) || !isSafe(call, key) || askedMs(error) > LONGEST_WAIT_MS)
          throw error;
        // Never earlier than asked, and not together with all who were asked the same.
        await wait(askedMs(error) + backoffMs(tried - 1, FIRST_WAIT_MS, LONGEST_WAIT_MS), given.signal);
      }
    }
  };

  const entries = Object.entries<Call>(operations);
  return Object.fromEntries(
    entries.map(([id, call]) => [id, (input: Input = {}, options: CallOptions = {}) => run(call, input, options)]),
  ) as unknown as Api;
};
