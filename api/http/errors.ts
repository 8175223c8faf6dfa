/** One catalogue of what can go wrong, and how it is said: `application/problem+json` with `detail` always a text. */
import { ProviderError } from '../../commands/payments/port.ts';
import { type Actor, Rejected } from '../../domain/core/decider.ts';
import { type RejectionCode, type RejectionKind, rejections } from '../../domain/core/rejections.ts';
import { EventTooLarge, StoreUnavailable } from '../../eventstore/client/index.ts';
import { Overloaded } from '../../infra/turns.ts';

const STATUS_OF_KIND: Readonly<Record<RejectionKind, number>> = {
  not_found: 404,
  conflict: 409,
  invalid: 422,
  forbidden: 403,
  unauthenticated: 401,
  limited: 429,
  unavailable: 503,
};

/** What only HTTP knows. The domain's own codes are in `domain/rejections.ts`. */
export const httpErrors = {
  malformed_json: { status: 400, title: 'Body is not JSON' },
  bad_request: { status: 400, title: 'Bad request' },
  unauthenticated: { status: 401, title: 'Sign in first' },
  insufficient_rights: { status: 403, title: 'Not allowed for this role or key' },
  origin_not_allowed: { status: 403, title: 'Origin not allowed for this key' },
  bad_signature: { status: 403, title: 'Sender not verified' },
  no_such_path: { status: 404, title: 'No such path' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  in_flight: { status: 409, title: 'The same request is still running' },
  too_large: { status: 413, title: 'Too large' },
  unsupported_media_type: { status: 415, title: 'Content type not supported' },
  validation_failed: { status: 422, title: 'Invalid request' },
  key_reused: { status: 422, title: 'Idempotency key used for another request' },
  provider_refused: { status: 409, title: 'Refused by the payment provider' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Internal error' },
  overloaded: { status: 503, title: 'Too busy' },
  unavailable: { status: 503, title: 'A store is away' },
  provider_away: { status: 503, title: 'The payment provider is away' },
} as const;

export type ErrorCode = keyof typeof httpErrors | RejectionCode;

export interface FieldError {
  /** JSON Pointer into the part named first: `/body/check_in`, `/query/page`. */
  readonly pointer: string;
  readonly detail: string;
  readonly code: string;
}

export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly code: keyof typeof httpErrors;
  readonly headers: Readonly<Record<string, string>>;
  readonly errors: readonly FieldError[] | undefined;
  constructor(
    code: keyof typeof httpErrors,
    detail: string,
    extra: { headers?: Readonly<Record<string, string>>; errors?: readonly FieldError[] } = {},
  ) {
    super(detail);
    this.code = code;
    this.headers = extra.headers ?? {};
    this.errors = extra.errors;
  }
}

/** Refuses a field of the query for more than its form. */
export const refuseQuery = (field: string, code: string, detail: string): never => {
  throw new HttpError('validation_failed', `${field} ${detail}`, {
    errors: [{ pointer: `/query/${field}`, detail, code }],
  });
};

/** RFC 9457 problem details. */
export interface Problem {
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

/** Database errors that pass: connection lost, server starting or stopping, no connection to be had in time. */
const DATABASE_AWAY = /^(08|57P0|53300)|ECONN|ETIMEDOUT|EPIPE/;
const isDatabaseAway = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message?: string };
  return (
    (code !== undefined && DATABASE_AWAY.test(code)) ||
    /Connection terminated|timeout exceeded when trying to connect|Query read timeout/.test(message ?? '')
  );
};

/** What HTTP wants said beside a refusal's status. */
const headersOf = ({ code, facts }: Rejected): Record<string, string> => {
  if (rejections[code].kind === 'unauthenticated') return { 'www-authenticate': 'Bearer realm="resort"' };
  return typeof facts.retry_after_s === 'number' ? { 'retry-after': String(facts.retry_after_s) } : {};
};

const RETRY_AFTER = { 'retry-after': '2' };

/** What the caller is told of any error, and whether it is one that we have to look at. */
export const toProblem = (
  error: unknown,
  requestId: string,
): { problem: Problem; headers: Readonly<Record<string, string>>; unexpected: boolean } => {
  if (error instanceof HttpError) {
    const more = error.errors ? { errors: error.errors } : {};
    return { problem: problem(error.code, error.message, requestId, more), headers: error.headers, unexpected: false };
  }
  if (error instanceof Rejected)
    return {
      problem: problem(error.code, error.message, requestId, error.facts),
      headers: headersOf(error),
      unexpected: false,
    };
  if (error instanceof EventTooLarge)
    return {
      problem: problem('too_large', 'this is more than can be stored at once', requestId),
      headers: {},
      unexpected: false,
    };
  if (error instanceof ProviderError) {
    const away = error.kind === 'away';
    return {
      problem: away
        ? problem('provider_away', 'the payment provider does not answer, try again shortly', requestId)
        : problem('provider_refused', 'the payment provider does not do this', requestId, { reason: error.reason }),
      headers: away ? RETRY_AFTER : {},
      unexpected: true,
    };
  }
  if (error instanceof Overloaded)
    return {
      problem: problem('overloaded', 'too many are waiting for this, try again shortly', requestId),
      headers: RETRY_AFTER,
      unexpected: true,
    };
  if (error instanceof StoreUnavailable || isDatabaseAway(error))
    return {
      problem: problem('unavailable', 'a store is away, try again shortly', requestId),
      headers: RETRY_AFTER,
      unexpected: true,
    };
  return { problem: problem('internal', 'something went wrong on our side', requestId), headers: {}, unexpected: true };
};

/** Who may be named in a log line: never more than kind and id. */
export const actorForLog = ({ kind, id }: Actor) => ({ kind, id });
