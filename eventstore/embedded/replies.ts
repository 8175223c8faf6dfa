/**
 * Replies of EventStoreDB's `Streams` service. Field numbers are those of streams.proto and shared.proto, which the
 * client package carries in compiled form.
 */
import { bytes, encode, message, type Part, text, uint } from './protobuf.ts';
import type { Expected } from './requests.ts';

const position = (field: number, commit: number, prepare = commit): Part =>
  message(field, uint(1, commit), uint(2, prepare));
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

const batchReply = (correlationId: Uint8Array, stream: string, result: Part): Buffer =>
  encode(bytes(1, correlationId), result, streamIdentifier(4, stream));

export const batchAppended = (correlationId: Uint8Array, stream: string, written: Written): Buffer =>
  batchReply(correlationId, stream, success(written, { success: 3, revision: 1, noStream: 2 }));

/** `error` is a `google.rpc.Status`. */
export const batchRefused = (correlationId: Uint8Array, stream: string, error: Part): Buffer =>
  batchReply(correlationId, stream, message(2, error));

/** `DeleteResp` and `TombstoneResp`. */
export const deleted = (at: number): Buffer => encode(position(1, at));

export const subscriptionConfirmed = (id: string): Buffer => encode(message(2, text(1, id)));
export const checkpoint = (commit: number, prepare = commit): Buffer => encode(position(3, commit, prepare));
export const streamNotFound = (stream: string): Buffer => encode(message(4, streamIdentifier(1, stream)));
export const caughtUp = (): Buffer => encode(message(8));

const LEADER = 8;

/** `ClusterInfo` of the Gossip service: this node alone, which is its own leader. */
export const clusterOfOne = (node: { id: string; host: string; port: number; now: number }): Buffer =>
  encode(
    message(
      1,
      message(1, text(2, node.id)),
      uint(2, node.now * 10_000),
      uint(3, LEADER),
      uint(4, 1),
      message(5, text(1, node.host), uint(2, node.port)),
    ),
  );

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
