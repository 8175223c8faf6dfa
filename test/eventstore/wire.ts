/** Calls of the `Streams` service below the client: messages as bytes, and what the client never sends. */
import { Client, type ClientDuplexStream, credentials, Metadata } from '@grpc/grpc-js';
import { decode, encode } from '../../eventstore/messages.ts';

const asIs = (bytes: Buffer): Buffer => bytes;
const STREAMS = '/event_store.client.streams.Streams';

export const connectWire = (connectionString: string): Client =>
  new Client(new URL(connectionString).host, credentials.createInsecure());

/** What the client sends with every call: the key of the connection string. */
export const keyMetadata = (connectionString: string): Metadata => {
  const metadata = new Metadata();
  metadata.set('connection-name', new URL(connectionString).searchParams.get('connectionName') ?? '');
  return metadata;
};

export const openBatch = (wire: Client, metadata: Metadata): ClientDuplexStream<Buffer, Buffer> =>
  wire.makeBidiStreamRequest(`${STREAMS}/BatchAppend`, asIs, asIs, metadata);

/** A `UUID` of two halves of 64 bits. */
export const structured = (uuid: string) => {
  const digits = uuid.replaceAll('-', '');
  const half = (from: number) => BigInt.asIntN(64, BigInt(`0x${digits.slice(from, from + 16)}`)).toString();
  return { structured: { mostSignificantBits: half(0), leastSignificantBits: half(16) } };
};
type Uuid = ReturnType<typeof structured> | { readonly string: string };

interface Proposal {
  readonly correlationId: Uuid;
  readonly stream: string;
  readonly id?: Uuid;
  /** Seconds since 1970. */
  readonly deadline?: number;
  readonly isFinal?: boolean;
}

/** A `BatchAppendReq` with at most one event, at any revision. */
export const batchAppend = ({ correlationId, stream, id, deadline, isFinal = true }: Proposal): Buffer => {
  const metadata = { type: 'Happened', 'content-type': 'x' };
  return encode('BatchAppendReq', {
    correlationId: encode('UUID', correlationId),
    options: {
      streamIdentifier: { streamName: stream },
      any: {},
      ...(deadline !== undefined && { deadline: { seconds: deadline } }),
    },
    proposedMessages: id ? [encode('ProposedMessage', { id, metadata })] : [],
    isFinal,
  });
};

/** What a `BatchAppendResp` says: the name of its error, or `written`. */
export const answerOf = (reply: Buffer): string => decode('BatchAppendResp', reply).error?.message ?? 'written';
