/** Maps the client's errors to ours, by what a caller can do about them. */
import { convertToCommandError, ErrorType, isCommandError } from '@eventstore/db-client';
import { Overloaded } from '../../infra/keyedQueue.ts';
import { TimedOut } from '../../infra/retry.ts';
import { AccessDenied, EventTooLarge, StoreUnavailable, WrongExpectedRevision } from '../store.ts';

const GRPC = { CANCELLED: 1, INTERNAL: 13, UNAVAILABLE: 14 };
/** How grpc-js reports a connection that broke during a call. */
const CONNECTION_BROKE = /RST_STREAM|Session closed/;
/** How a server reports a live subscription that fell behind what it buffers. */
const TOO_SLOW = /too slow/i;

/** Transient errors: a retry can succeed. */
const PASSING = new Set<string>([
  ErrorType.UNAVAILABLE,
  ErrorType.CANCELLED,
  ErrorType.TIMEOUT,
  ErrorType.DEADLINE_EXCEEDED,
  ErrorType.NOT_LEADER,
  ErrorType.UNKNOWN,
]);
/** Errors after which the next call has to go over another connection. */
const LOSING = new Set<string>([ErrorType.UNAVAILABLE, ErrorType.CANCELLED, ErrorType.NOT_LEADER]);

interface Details {
  readonly type?: string | undefined;
  readonly code?: number | undefined;
  readonly message?: string | undefined;
}

export const asClientError = (error: Error): Error => (isCommandError(error) ? error : convertToCommandError(error));

const brokeOff = ({ code, message }: Details): boolean =>
  code === GRPC.UNAVAILABLE ||
  code === GRPC.CANCELLED ||
  (code === GRPC.INTERNAL && CONNECTION_BROKE.test(message ?? ''));

/** Whether the node behind a failed call is gone, or no longer leads. A call that was cancelled here says neither. */
export const isConnectionLost = (error: Error): boolean => {
  const { type, code, message }: Details = error;
  return LOSING.has(type ?? '') || (code !== GRPC.CANCELLED && brokeOff({ code, message }));
};

/** Whether a server ended a live subscription because it fell behind. */
export const isTooSlow = (error: Error): boolean => {
  const { type, message }: Details = error;
  return type === ErrorType.TIMEOUT && TOO_SLOW.test(message ?? '');
};

export const asStoreError = (error: unknown): Error => {
  if (error instanceof StoreUnavailable) return error;
  if (error instanceof TimedOut || error instanceof Overloaded) return new StoreUnavailable(error.message);
  const details = error as Details;
  const { type, message } = details;
  if (type === ErrorType.WRONG_EXPECTED_VERSION) return new WrongExpectedRevision(message);
  if (type === ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED) return new EventTooLarge(message);
  if (type === ErrorType.ACCESS_DENIED) return new AccessDenied(message || 'the event store refused the user');
  if ((type !== undefined && PASSING.has(type)) || brokeOff(details))
    return new StoreUnavailable(message || `the event store answered: ${type}`);
  return error instanceof Error ? error : new Error(String(error));
};
