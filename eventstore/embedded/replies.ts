/** Replies of EventStoreDB's `Streams`, `Gossip` and `ServerFeatures` services. */
import { encode, LEADER } from '../messages.ts';
import type { Expected } from './requests.ts';

const positionAt = (commit: number, prepare = commit) => ({ commitPosition: commit, preparePosition: prepare });
const NOTHING = {};

/** Where an append ended: the stream's last revision (−1: no stream) and the position of its last event, if any. */
export interface Written {
  readonly revision: number;
  readonly position: number | undefined;
}

const success = ({ revision, position }: Written) => ({
  ...(revision < 0 ? { noStream: NOTHING } : { currentRevision: revision }),
  ...(position === undefined ? { noPosition: NOTHING } : { position: positionAt(position) }),
});

export const appended = (written: Written): Buffer => encode('AppendResp', { success: success(written) });

/** A condition other than an exact revision, which each message names in its own way. */
export const expectedCondition = (expected: Expected) => ({
  ...(expected === 'any' && { expectedAny: NOTHING }),
  ...(expected === 'stream_exists' && { expectedStreamExists: NOTHING }),
  ...(expected === 'no_stream' && { expectedNoStream: NOTHING }),
});

export const appendConflict = (expected: Expected, current: number): Buffer =>
  encode('AppendResp', {
    wrongExpectedVersion: {
      ...(current < 0 ? { currentNoStream: NOTHING } : { currentRevision: current }),
      ...(typeof expected === 'number' ? { expectedRevision: expected } : expectedCondition(expected)),
    },
  });

const batchReply = (correlationId: Uint8Array, streamName: string, result: object): Buffer =>
  encode('BatchAppendResp', { correlationId, streamIdentifier: { streamName }, ...result });

export const batchAppended = (correlationId: Uint8Array, stream: string, written: Written): Buffer =>
  batchReply(correlationId, stream, { success: success(written) });

/** @param error a `Status` */
export const batchRefused = (correlationId: Uint8Array, stream: string, error: object): Buffer =>
  batchReply(correlationId, stream, { error });

/** `DeleteResp` and `TombstoneResp`. */
export const deleted = (at: number): Buffer => encode('DeleteResp', { position: positionAt(at) });

export const subscriptionConfirmed = (subscriptionId: string): Buffer =>
  encode('ReadResp', { confirmation: { subscriptionId } });
export const checkpoint = (commit: number, prepare = commit): Buffer =>
  encode('ReadResp', { checkpoint: positionAt(commit, prepare) });
export const streamNotFound = (streamName: string): Buffer =>
  encode('ReadResp', { streamNotFound: { streamIdentifier: { streamName } } });
export const caughtUp = (): Buffer => encode('ReadResp', { caughtUp: NOTHING });

/** `ClusterInfo` of the Gossip service: this node alone, which is its own leader. */
export const clusterOfOne = ({
  id,
  host,
  port,
  now,
}: {
  id: string;
  host: string;
  port: number;
  now: number;
}): Buffer => {
  const itself = { state: LEADER, isAlive: true, httpEndPoint: { address: host, port } };
  return encode('ClusterInfo', { members: [{ instanceId: { string: id }, timeStamp: now * 10_000, ...itself }] });
};

/** `SupportedMethods` of the ServerFeatures service. */
export const supportedMethods = (
  version: string,
  methods: readonly { service: string; method: string; features: readonly string[] }[],
): Buffer =>
  encode('SupportedMethods', {
    methods: methods.map(({ service, method, features }) => ({ methodName: method, serviceName: service, features })),
    eventStoreServerVersion: version,
  });
