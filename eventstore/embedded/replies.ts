/**
 * Replies of EventStoreDB's `Streams` service. Field numbers are those of streams.proto and shared.proto, which the
 * client package carries in compiled form.
 */
import { encode, message, type Part, text, uint } from './protobuf.ts';
import type { Expected } from './requests.ts';

const position = (field: number, at: number): Part => message(field, uint(1, at), uint(2, at));
const streamIdentifier = (field: number, name: string): Part => message(field, text(3, name));

/** Where an append ended: the stream's last revision (−1: no stream) and the position of its last event, if any. */
export interface Written {
  readonly revision: number;
  readonly position: number | undefined;
}

const success = (written: Written, field: { success: number; revision: number; noStream: number }): Part =>
  message(
    field.success,
    written.revision < 0 ? message(field.noStream) : uint(field.revision, written.revision),
    written.position === undefined ? message(4) : position(3, written.position),
  );

export const appended = (written: Written): Buffer =>
  encode(success(written, { success: 1, revision: 1, noStream: 2 }));

export const appendConflict = (expected: Expected, current: number): Buffer =>
  encode(
    message(
      2,
      current < 0 ? message(7) : uint(6, current),
      expectation(expected, { revision: 8, any: 9, exists: 10, none: 11 }),
    ),
  );

/** The expected revision that a conflict repeats; each message has its own field numbers for the four cases. */
export const expectation = (
  expected: Expected,
  field: { revision: number; any: number; exists: number; none: number },
): Part => {
  if (expected === 'any') return message(field.any);
  if (expected === 'stream_exists') return message(field.exists);
  if (expected === 'no_stream') return message(field.none);
  return uint(field.revision, expected);
};

const batchReply = (correlationId: string, stream: string, result: Part): Buffer =>
  encode(message(1, text(2, correlationId)), result, streamIdentifier(4, stream));

export const batchAppended = (correlationId: string, stream: string, written: Written): Buffer =>
  batchReply(correlationId, stream, success(written, { success: 3, revision: 1, noStream: 2 }));

/** `error` is a `google.rpc.Status`. */
export const batchRefused = (correlationId: string, stream: string, error: Part): Buffer =>
  batchReply(correlationId, stream, message(2, error));

/** `DeleteResp` and `TombstoneResp`. */
export const deleted = (at: number): Buffer => encode(position(1, at));

export const subscriptionConfirmed = (id: string): Buffer => encode(message(2, text(1, id)));
export const checkpoint = (at: number): Buffer => encode(position(3, at));
export const streamNotFound = (stream: string): Buffer => encode(message(4, streamIdentifier(1, stream)));
export const caughtUp = (): Buffer => encode(message(8));

/** `SupportedMethods` of the ServerFeatures service. */
export const supportedMethods = (
  version: string,
  methods: readonly { service: string; method: string; features: readonly string[] }[],
): Buffer =>
  encode(
    ...methods.map(({ service, method, features }) =>
      message(1, text(1, method), text(2, service), ...features.map((feature) => text(3, feature))),
    ),
    text(2, version),
  );
