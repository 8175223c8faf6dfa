/** Requests of EventStoreDB's `Streams` service: what they ask for, and whether it can be understood. */
import { NIL_ID } from '../../infra/ids.ts';
import {
  type AllOptions,
  decode,
  type FilterOptions,
  type StreamIdentifier,
  type StreamOptions,
  type Uuid,
  type WriteOptions,
} from '../messages.ts';

/** The expected revision of a write: an exact last revision, or one of three conditions. */
export type Expected = number | 'any' | 'no_stream' | 'stream_exists';

export interface ProposedEvent {
  readonly id: string;
  readonly type: string;
  readonly isJson: boolean;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/** A request that cannot be understood; the caller gets INVALID_ARGUMENT with this message. */
export class InvalidRequest extends Error {}

const required = <T>(value: T | null | undefined, name: string): T => {
  if (value === undefined || value === null) throw new InvalidRequest(`${name} is missing`);
  return value;
};

/** The longest stream name that fits into a key of the log. */
const LONGEST_NAME = 1000;

const streamName = (identifier: StreamIdentifier | null): string => {
  const name = required(identifier?.streamName, 'the stream name');
  if (name === '') throw new InvalidRequest('the stream name is empty');
  if (Buffer.byteLength(name) > LONGEST_NAME)
    throw new InvalidRequest(`a stream name has at most ${LONGEST_NAME} bytes`);
  return name;
};

const writableName = (identifier: StreamIdentifier | null): string => {
  const name = streamName(identifier);
  if (name === '$$' || name.startsWith('$$$$')) throw new InvalidRequest(`'${name}' cannot be written to`);
  return name;
};

/** Appends, deletes and tombstones all carry these five fields. */
const target = (options: WriteOptions): { stream: string; expected: Expected } => ({
  stream: writableName(options.streamIdentifier),
  expected: options.noStream
    ? 'no_stream'
    : options.any
      ? 'any'
      : options.streamExists
        ? 'stream_exists'
        : exactRevision(BigInt(options.revision.toString())),
});

export type StreamTarget = ReturnType<typeof target>;

/** `DeleteReq` and `TombstoneReq`. */
export const decodeTarget = (request: Buffer): StreamTarget =>
  target(required(decode('DeleteReq', request).options, 'options'));

const LAST_REVISION = 2n ** 63n - 1n;

const exactRevision = (revision: bigint): number => {
  if (revision > LAST_REVISION) throw new InvalidRequest(`${revision} is not a revision: the last one is 2^63-1`);
  return Number(revision);
};

/** The forms in which .NET reads a UUID: 32 digits, with hyphens, and those in braces or in parentheses. */
const PLAIN = /^[0-9a-f]{32}$/;
const HYPHENATED = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ENCLOSED = /^(?:\{(.*)\}|\((.*)\))$/;

const hyphenated = (digits: string): string => digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** @returns undefined when the text is not a UUID */
const parseUuid = (text: string): string | undefined => {
  const lower = text.toLowerCase();
  const [, braced, parenthesised] = ENCLOSED.exec(lower) ?? [];
  const inner = braced ?? parenthesised ?? lower;
  if (HYPHENATED.test(inner)) return inner;
  return PLAIN.test(lower) ? hyphenated(lower) : undefined;
};

/** `UUID`: two halves of 64 bits, or text. */
const uuid = (message: Uuid | null, name: string): string => {
  if (message?.structured) {
    const { mostSignificantBits, leastSignificantBits } = message.structured;
    const halves = [mostSignificantBits, leastSignificantBits].map((half) => BigInt.asUintN(64, BigInt(`${half}`)));
    return hyphenated(halves.map((half) => half.toString(16).padStart(16, '0')).join(''));
  }
  const text = required(message?.string, name);
  const id = parseUuid(text);
  if (id === undefined) throw new InvalidRequest(`'${text}' is not ${name}: a UUID is needed`);
  return id;
};

const proposedEvent = (source: Uint8Array): ProposedEvent => {
  const { id: given, metadata: properties, customMetadata, data } = decode('ProposedMessage', source);
  const id = uuid(given, 'an event id');
  if (id === NIL_ID) throw new InvalidRequest('the nil UUID is not an event id');
  const type = required(properties.type, "the event's property 'type'");
  if (type === '') throw new InvalidRequest('the event type is empty');
  return {
    id,
    type,
    isJson: required(properties['content-type'], "the event's property 'content-type'") === 'application/json',
    metadata: customMetadata ?? new Uint8Array(),
    data: data ?? new Uint8Array(),
  };
};

/** `AppendReq`: the first message of a call names the stream, each of the others proposes one event. */
export const decodeAppend = (request: Buffer): { target?: StreamTarget; event?: ProposedEvent } => {
  const { options, proposedMessage } = decode('AppendReq', request);
  return {
    ...(options && { target: target(options) }),
    ...(proposedMessage && { event: proposedEvent(proposedMessage) }),
  };
};

/** `BatchAppendReq`: one append may come in several messages with the same correlation id; the first has the target. */
export interface BatchAppendRequest {
  /** The `UUID` message as it was sent: replies repeat it in the caller's form. */
  readonly correlationId: Buffer;
  /** `deadline` in milliseconds since 1970. */
  readonly options?: { readonly deadline: number; readonly target: () => StreamTarget };
  /** Decoded on demand, so that one malformed event fails only its own append. */
  readonly events: () => ProposedEvent[];
  readonly isFinal: boolean;
}

export const decodeBatchAppend = (request: Buffer): BatchAppendRequest => {
  const { correlationId, options, proposedMessages, isFinal } = decode('BatchAppendReq', request);
  return {
    correlationId: Buffer.from(required(correlationId, 'the correlation id')),
    ...(options && { options: { deadline: milliseconds(options.deadline), target: () => target(options) } }),
    events: () => proposedMessages.map(proposedEvent),
    isFinal,
  };
};

/** A `google.protobuf.Timestamp`. */
const milliseconds = (timestamp: WriteOptions['deadline']): number =>
  timestamp ? timestamp.seconds.toNumber() * 1000 + timestamp.nanos / 1e6 : Number.POSITIVE_INFINITY;

/** Where a read begins: a revision in a stream, or a commit position in $all. */
export type From = number | 'start' | 'end';

export interface ReadFilter {
  readonly on: 'stream' | 'type';
  readonly regex: string | undefined;
  readonly prefixes: readonly string[];
  /** Events that may be looked at between two checkpoints. */
  readonly checkpointInterval: number;
}

export interface ReadRequest {
  /** `undefined` is $all. */
  readonly stream: string | undefined;
  readonly from: From;
  readonly direction: 'forwards' | 'backwards';
  readonly resolveLinks: boolean;
  /** `undefined` is a subscription. */
  readonly count: number | undefined;
  readonly filter: ReadFilter | undefined;
  /** As the caller's header `requires-leader` says. */
  readonly requiresLeader: boolean;
}

export const decodeRead = (request: Buffer, requiresLeader: boolean): ReadRequest => {
  const options = required(decode('ReadReq', request).options, 'options');
  const { stream, all, filter } = options;
  return {
    stream: stream ? streamName(stream.streamIdentifier) : undefined,
    from: stream ? streamFrom(stream) : allFrom(required(all, 'the stream to read')),
    direction: options.readDirection === 1 ? 'backwards' : 'forwards',
    resolveLinks: options.resolveLinks,
    count: options.subscription ? undefined : options.count.toNumber(),
    filter: filter ? readFilter(filter) : undefined,
    requiresLeader,
  };
};

const streamFrom = ({ start, end, revision }: StreamOptions): From =>
  start ? 'start' : end ? 'end' : revision.toNumber();

const allFrom = ({ start, end, position }: AllOptions): From =>
  start ? 'start' : end ? 'end' : (position?.commitPosition.toNumber() ?? 0);

/** The window that EventStoreDB uses when none is asked for. */
const SEARCH_WINDOW = 32;

const readFilter = ({ streamIdentifier, eventType, max, checkpointIntervalMultiplier }: FilterOptions): ReadFilter => {
  const { regex, prefix } = required(streamIdentifier ?? eventType, 'the filter expression');
  return {
    on: streamIdentifier ? 'stream' : 'type',
    regex: regex ?? undefined,
    prefixes: prefix,
    checkpointInterval: (max ?? SEARCH_WINDOW) * Math.max(1, checkpointIntervalMultiplier),
  };
};
