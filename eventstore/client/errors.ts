/** Maps the client's errors to ours, by what a caller can do about them. */
import { ErrorType } from '@eventstore/db-client';
import { Overloaded } from '../../infra/keyedQueue.ts';
import { TimedOut } from '../../infra/retry.ts';
import { EventTooLarge, StoreUnavailable, WrongExpectedRevision } from '../store.ts';

const GRPC = { CANCELLED: 1, INTERNAL: 13, UNAVAILABLE: 14 };
/** How grpc-js reports a connection that broke during a call. */
const CONNECTION_BROKE = /RST_STREAM|Session closed/;

/** Transient errors: a retry can succeed. */
const PASSING = new Set<string>([
  ErrorType.UNAVAILABLE,
  ErrorType.CANCELLED,
  ErrorType.TIMEOUT,
  ErrorType.DEADLINE_EXCEEDED,
  ErrorType.NOT_LEADER,
  ErrorType.UNKNOWN,
]);

export const asStoreError = (error: unknown): Error => {
  if (error instanceof TimedOut || error instanceof Overloaded) return new StoreUnavailable(error.message);
  const { type, code, message } = error as { type?: string; code?: number; message?: string };
  if (type === ErrorType.WRONG_EXPECTED_VERSION) return new WrongExpectedRevision(message);
  if (type === ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED) return new EventTooLarge(message);
  const passing =
    (type !== undefined && PASSING.has(type)) ||
    code === GRPC.UNAVAILABLE ||
    code === GRPC.CANCELLED ||
    (code === GRPC.INTERNAL && CONNECTION_BROKE.test(message ?? ''));
  if (passing) return new StoreUnavailable(message);
  return error instanceof Error ? error : new Error(String(error));
};
