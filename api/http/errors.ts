/** The catalogue of errors, and their form on the wire: `application/problem+json`, `detail` always a sentence. */
import { Contended, Rejected } from '../../domain/core/decider.ts';
import { type InvalidCode, type RejectionCode, type RejectionKind, rejections } from '../../domain/core/rejections.ts';
import { EventTooLarge } from '../../eventstore/client/index.ts';
import { Overloaded } from '../../infra/keyedQueue.ts';
import { retryAfterS } from '../../infra/retry.ts';
import { isStoreAway } from '../../infra/storeFaults.ts';
import { withMajor } from '../../projections/engine/majorUnits.ts';

const STATUS_OF_KIND: Readonly<Record<RejectionKind, number>> = {
  not_found: 404,
  conflict: 409,
  outdated: 412,
  invalid: 422,
  forbidden: 403,
  unauthenticated: 401,
  limited: 429,
  unavailable: 503,
};

/** Errors of the HTTP layer. Those of the domain are in `domain/core/rejections.ts`. */
export const httpErrors = {
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  bad_request: { status: 400, title: 'Bad request' },
  too_slow: { status: 408, title: 'The request did not arrive in time' },
  unauthenticated: { status: 401, title: 'Authentication required' },
  not_signed: { status: 401, title: 'Not signed by the sender' },
  origin_not_allowed: { status: 403, title: 'Origin not allowed for this API key' },
  bad_signature: { status: 403, title: 'Invalid signature' },
  no_such_path: { status: 404, title: 'No such path' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  in_flight: { status: 409, title: 'The first request with this key is still running' },
  link_expired: { status: 410, title: 'The link has expired' },
  too_large: { status: 413, title: 'Request too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  range_not_satisfiable: { status: 416, title: 'The file has no such part' },
  validation_failed: { status: 422, title: 'Validation failed' },
  key_reused: { status: 422, title: 'Idempotency key reused for another request' },
  provider_refused: { status: 409, title: 'Refused by the payment provider' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Internal error' },
  overloaded: { status: 503, title: 'Service overloaded' },
  provider_away: { status: 503, title: 'Payment provider unavailable' },
} as const;

export type ErrorCode = keyof typeof httpErrors | RejectionCode;

export interface FieldError {
  /** JSON Pointer into the part named first: `/body/check_in`, `/query/page`, `/path/id`, `/header/x-reason`. */
  readonly pointer: string;
  readonly detail: string;
  readonly code: string;
}

/** Every 422 says which fields are wrong. */
export type FieldErrors = readonly [FieldError, ...FieldError[]];

/** The codes that are answered with 422. */
export type FieldCode = InvalidCode | 'validation_failed' | 'key_reused';

interface Extra {
  readonly headers?: Readonly<Record<string, string>>;
  readonly errors?: FieldErrors;
  readonly about?: string;
}

/** An expected error: it is answered, never logged, so that it needs no stack, which costs more than the rest of it. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly errors: FieldErrors | undefined;
  /** The account or key that it is about, for the security log; not answered. */
  readonly about: string | undefined;
  constructor(code: Exclude<ErrorCode, FieldCode>, detail: string, extra?: Extra);
  constructor(code: FieldCode, detail: string, extra: Extra & { readonly errors: FieldErrors });
  constructor(code: ErrorCode, detail: string, extra: Extra = {}) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(detail);
    Error.stackTraceLimit = limit;
    this.code = code;
    this.headers = extra.headers ?? {};
    this.errors = extra.errors;
    this.about = extra.about;
  }
}

/** Refuses a field of a query whose value is well-formed but not acceptable. */
export const refuseQuery = (field: string, code: string, detail: string): never => {
  throw new HttpError('validation_failed', `${field} ${detail}`, {
    errors: [{ pointer: `/query/${field}`, detail, code }],
  });
};

/** Refuses a header. @param name in lower case @param detail a sentence that names the header */
export const refuseHeader = (
  name: string,
  code: string,
  detail: string,
  of: 'validation_failed' | 'key_reused' = 'validation_failed',
): never => {
  throw new HttpError(of, detail, { errors: [{ pointer: `/header/${name}`, detail, code }] });
};

/** RFC 9457 problem details. */
interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly request_id: string;
  readonly errors?: readonly FieldError[];
  readonly [fact: string]: unknown;
}

export const statusOf = (code: ErrorCode): number =>
  code in rejections
    ? STATUS_OF_KIND[rejections[code as RejectionCode].kind]
    : httpErrors[code as keyof typeof httpErrors].status;
export const titleOf = (code: ErrorCode): string =>
  code in rejections ? rejections[code as RejectionCode].title : httpErrors[code as keyof typeof httpErrors].title;

const problem = (code: ErrorCode, detail: string, requestId: string, more: object = {}): Problem => ({
  ...more,
  type: `/errors/${code}`,
  title: titleOf(code),
  status: statusOf(code),
  code,
  detail,
  request_id: requestId,
});

/** Headers that HTTP requires with the status of a rejection. */
const headersOf = ({ code, facts }: Rejected): Record<string, string> => {
  if (rejections[code].kind === 'unauthenticated') return { 'www-authenticate': 'Bearer realm="resort"' };
  return typeof facts.retry_after_s === 'number' ? { 'retry-after': String(facts.retry_after_s) } : {};
};

/** How an error is answered. */
export interface MappedError {
  readonly code: ErrorCode;
  readonly detail: string;
  /** Further fields of the problem. */
  readonly facts?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it needs the attention of operators: it is logged as an error. */
  readonly unexpected: boolean;
}

/** Recognises errors and says how they are answered; `undefined` for all others. Modules bring theirs in manifests. */
export type ErrorMapping = (error: unknown) => MappedError | undefined;

/** An error that goes away by itself. */
export const temporary = (code: ErrorCode, detail: string): MappedError => ({
  code,
  detail,
  unexpected: true,
});

const ofHttp: ErrorMapping = (error) =>
  error instanceof HttpError
    ? {
        code: error.code,
        detail: error.message,
        headers: error.headers,
        unexpected: false,
        ...(error.errors && { facts: { errors: error.errors } }),
      }
    : undefined;

/** Amounts among the facts need the fact `currency`: they are answered in major and minor units. */
const factsOf = ({ facts }: Rejected): object =>
  typeof facts.currency === 'string' ? (withMajor(facts, facts.currency) as object) : facts;

const ofDomain: ErrorMapping = (error) =>
  error instanceof Rejected
    ? { code: error.code, detail: error.message, facts: factsOf(error), headers: headersOf(error), unexpected: false }
    : undefined;

const ofContention: ErrorMapping = (error) =>
  error instanceof Contended
    ? {
        code: error.code,
        detail: error.message,
        facts: { retry_after_s: retryAfterS() },
        unexpected: false,
      }
    : undefined;

const ofStores: ErrorMapping = (error) => {
  if (error instanceof EventTooLarge)
    return { code: 'too_large', detail: 'The request is larger than one event can be.', unexpected: false };
  if (error instanceof Overloaded)
    return temporary('overloaded', 'Too many requests are waiting for this resource. Try again shortly.');
  if (isStoreAway(error))
    return temporary('unavailable', 'A data store is temporarily unavailable. Try again shortly.');
  return undefined;
};

const unknown: MappedError = {
  code: 'internal',
  detail: 'An unexpected error occurred on the server.',
  unexpected: true,
};

export interface Answered {
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;
  readonly unexpected: boolean;
}

/** Every 503 says when to try again. */
const againOf = ({ status, ...fields }: Problem): Record<string, string> => {
  if (status !== 503) return {};
  return { 'retry-after': String('retry_after_s' in fields ? fields.retry_after_s : retryAfterS()) };
};

/** The answer to any error. @param mappings those of the modules */
export const toProblem = (error: unknown, requestId: string, mappings: readonly ErrorMapping[] = []): Answered => {
  const known = [ofHttp, ofDomain, ofContention, ...mappings, ofStores].reduce<MappedError | undefined>(
    (found, map) => found ?? map(error),
    undefined,
  );
  const { code, detail, facts, headers = {}, unexpected } = known ?? unknown;
  const answered = problem(code, detail, requestId, facts);
  return { problem: answered, headers: { ...headers, ...againOf(answered) }, unexpected };
};
