/**
 * Reasons to refuse a request, and how EventStoreDB reports them: in the trailers of the call or in a BatchAppend
 * reply.
 */
import { Metadata, type StatusObject, status } from '@grpc/grpc-js';
import { encode } from '../messages.ts';
import { expectedCondition } from './replies.ts';
import type { Expected } from './requests.ts';

/** EventStoreDB's default limit for one append: data, metadata and type names of all its events together. */
export const MAX_APPEND_BYTES = 1024 * 1024;

export type Fault =
  /** `current` −1: there is no stream. */
  | { readonly kind: 'wrong_expected_version'; readonly expected: Expected; readonly current: number }
  | { readonly kind: 'stream_deleted' }
  | { readonly kind: 'append_too_large' }
  /** The caller's deadline passed before the write began: nothing was written. */
  | { readonly kind: 'timeout' }
  /** A retry came while its first attempt was still being written: the outcome is unknown. */
  | { readonly kind: 'not_ready' }
  /** A live subscription fell behind. */
  | { readonly kind: 'too_slow' }
  | { readonly kind: 'invalid'; readonly detail: string }
  | { readonly kind: 'unknown'; readonly detail: string }
  /** The node is stopping: nothing was written. */
  | { readonly kind: 'unavailable' };

/** Ends a whole call; BatchAppend replies with the fault instead and goes on. */
export class Refused extends Error {
  readonly fault: Fault;
  readonly stream: string;
  constructor(fault: Fault, stream: string) {
    super(`${fault.kind}: ${stream}`);
    this.fault = fault;
    this.stream = stream;
  }
}

export type CallError = Pick<StatusObject, 'code' | 'details'> & { readonly metadata?: Metadata };

const withTrailers = (code: status, details: string, trailers: Readonly<Record<string, string>>): CallError => {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries(trailers)) metadata.set(key, asciiOnly(value));
  return { code, details, metadata };
};

/** Header values must be ASCII; stream names need not be. */
const asciiOnly = (value: string): string => (/^[ -~]*$/.test(value) ? value : encodeURI(value));

/** EventStoreDB's numbers for expected revisions that are not exact. */
const expectedNumber = (expected: Expected): number =>
  expected === 'no_stream' ? -1 : expected === 'any' ? -2 : expected === 'stream_exists' ? -4 : expected;

/** The status of a whole call. The client makes its error class from the trailer `exception`. */
export const callError = (fault: Fault, stream: string): CallError => {
  switch (fault.kind) {
    case 'wrong_expected_version':
      return withTrailers(
        status.FAILED_PRECONDITION,
        `WrongExpectedVersion. Stream: ${stream}, expected: ${fault.expected}, actual: ${fault.current}`,
        {
          exception: 'wrong-expected-version',
          'stream-name': stream,
          'expected-version': String(expectedNumber(fault.expected)),
          'actual-version': String(fault.current),
        },
      );
    case 'stream_deleted':
      return withTrailers(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
        exception: 'stream-deleted',
        'stream-name': stream,
      });
    case 'append_too_large':
      return withTrailers(status.INVALID_ARGUMENT, `Maximum Append Size of ${MAX_APPEND_BYTES} Exceeded.`, {
        exception: 'maximum-append-size-exceeded',
        'maximum-append-size': String(MAX_APPEND_BYTES),
      });
    case 'timeout':
      return { code: status.DEADLINE_EXCEEDED, details: 'The deadline passed before the write began.' };
    case 'not_ready':
      return { code: status.ABORTED, details: 'Operation timed out.' };
    case 'too_slow':
      return {
        code: status.ABORTED,
        details: 'Operation timed out: Consumer too slow to handle event while live. Client resubscription required.',
      };
    case 'invalid':
      return { code: status.INVALID_ARGUMENT, details: fault.detail };
    case 'unknown':
      return { code: status.UNKNOWN, details: fault.detail };
    case 'unavailable':
      return { code: status.UNAVAILABLE, details: 'The event node is stopping.' };
  }
};

/** Faults that a BatchAppend call answers and survives. */
type BatchFault = Exclude<Fault, { kind: 'unavailable' | 'too_slow' | 'unknown' }>;

export const endsBatch = (fault: Fault): fault is Exclude<Fault, BatchFault> =>
  fault.kind === 'unavailable' || fault.kind === 'too_slow' || fault.kind === 'unknown';

/** The `Status` inside a BatchAppend reply. */
export const batchError = (fault: BatchFault, streamName: string): object => {
  switch (fault.kind) {
    case 'wrong_expected_version': {
      const { current, expected } = fault;
      return rpcStatus(status.ALREADY_EXISTS, 'WrongExpectedVersion', {
        ...(current < 0 ? { currentNoStream: {} } : { currentStreamRevision: current }),
        ...(typeof expected === 'number' ? { expectedStreamPosition: expected } : expectedCondition(expected)),
      });
    }
    case 'stream_deleted':
      return rpcStatus(status.NOT_FOUND, 'StreamDeleted', { streamIdentifier: { streamName } });
    case 'append_too_large':
      return rpcStatus(status.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', { maxAppendSize: MAX_APPEND_BYTES });
    case 'timeout':
    case 'not_ready':
      return rpcStatus(status.DEADLINE_EXCEEDED, 'Timeout', {});
    case 'invalid':
      return rpcStatus(status.INVALID_ARGUMENT, 'BadRequest', { message: fault.detail });
  }
};

/** A `Status` whose details are a message of this name. */
const rpcStatus = (code: status, name: string, details: Readonly<Record<string, unknown>>) => ({
  code,
  message: name,
  details: { typeUrl: `type.googleapis.com/event_store.client.${name}`, value: encode(`Details.${name}`, details) },
});
