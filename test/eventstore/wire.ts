/** Calls of the `Streams` service below the client: messages as bytes, and what the client never sends. */
import { Client, type ClientDuplexStream, credentials, Metadata } from '@grpc/grpc-js';
import { encode, Fields, message, type Part, text, uint } from '../../eventstore/embedded/protobuf.ts';

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

/** A UUID as two halves of 64 bits. */
export const structured = (uuid: string): Part => {
  const digits = uuid.replaceAll('-', '');
  return message(1, uint(1, BigInt(`0x${digits.slice(0, 16)}`)), uint(2, BigInt(`0x${digits.slice(16)}`)));
};

interface Proposal {
  readonly correlationId: Part;
  readonly stream: string;
  readonly id?: Part;
  /** Seconds since 1970. */
  readonly deadline?: number;
  readonly isFinal?: boolean;
}

/** A `BatchAppendReq` with at most one event, at any revision. */
export const batchAppend = ({ correlationId, stream, id, deadline, isFinal = true }: Proposal): Buffer => {
  const property = (key: string, value: string) => message(2, text(1, key), text(2, value));
  const limit = deadline === undefined ? [] : [message(6, uint(1, deadline))];
  const event = id && message(3, message(1, id), property('type', 'Happened'), property('content-type', 'x'));
  return encode(
    message(1, correlationId),
    message(2, message(1, text(3, stream)), message(4), ...limit),
    ...(event ? [event] : []),
    uint(4, isFinal ? 1 : 0),
  );
};

/** What a `BatchAppendResp` says: the name of its error, or `written`. */
export const answerOf = (reply: Buffer): string => new Fields(reply).message(2)?.text(2) ?? 'written';
