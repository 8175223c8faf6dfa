/**
 * Requests of EventStoreDB's `Streams` service. Field numbers are those of streams.proto and shared.proto, which the
 * client package carries in compiled form.
 */
import { NIL_ID } from '../../infra/ids.ts';
import { asText, Fields } from './protobuf.ts';

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

const required = <T>(value: T | undefined, name: string): T => {
  if (value === undefined) throw new InvalidRequest(`${name} is missing`);
  return value;
};

/** The longest stream name that fits into a key of the log. */
const LONGEST_NAME = 1000;

const streamName = (identifier: Fields | undefined): string => {
  const name = required(identifier?.text(3), 'the stream name');
  if (name === '') throw new InvalidRequest('the stream name is empty');
  if (Buffer.byteLength(name) > LONGEST_NAME)
    throw new InvalidRequest(`a stream name has at most ${LONGEST_NAME} bytes`);
  return name;
};

const writableName = (identifier: Fields | undefined): string => {
  const name = streamName(identifier);
  if (name === '$$' || name.startsWith('$$$$')) throw new InvalidRequest(`'${name}' cannot be written to`);
  return name;
};

/** Appends, deletes and tombstones all carry these five fields. */
const target = (options: Fields): { stream: string; expected: Expected } => ({
  stream: writableName(options.message(1)),
  expected: options.has(3)
    ? 'no_stream'
    : options.has(4)
      ? 'any'
      : options.has(5)
        ? 'stream_exists'
        : exactRevision(options.uint64(2) ?? 0n),
});

export type StreamTarget = ReturnType<typeof target>;

/** `DeleteReq` and `TombstoneReq`. */
export const decodeTarget = (request: Buffer): StreamTarget =>
  target(required(new Fields(request).message(1), 'options'));

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
const uuid = (message: Fields | undefined, name: string): string => {
  const structured = message?.message(1);
  if (structured) {
    const half = (field: number) => (structured.uint64(field) ?? 0n).toString(16).padStart(16, '0');
    return hyphenated(half(1) + half(2));
  }
  const text = required(message?.text(2), name);
  const id = parseUuid(text);
  if (id === undefined) throw new InvalidRequest(`'${text}' is not ${name}: a UUID is needed`);
  return id;
};

/** An entry of a `map<string, string>`. */
const keyAndValue = (source: Uint8Array): [string | undefined, string | undefined] => {
  const entry = new Fields(source);
  return [entry.text(1), entry.text(2)];
};

const proposedEvent = (source: Uint8Array): ProposedEvent => {
  const fields = new Fields(source);
  const properties = new Map(fields.all(2).map(keyAndValue));
  const id = uuid(fields.message(1), 'an event id');
  if (id === NIL_ID) throw new InvalidRequest('the nil UUID is not an event id');
  const type = required(properties.get('type'), "the event's property 'type'");
  if (type === '') throw new InvalidRequest('the event type is empty');
  return {
    id,
    type,
    isJson: required(properties.get('content-type'), "the event's property 'content-type'") === 'application/json',
    metadata: fields.bytes(3) ?? new Uint8Array(),
    data: fields.bytes(4) ?? new Uint8Array(),
  };
};

/** `AppendReq`: the first message of a call names the stream, each of the others proposes one event. */
export const decodeAppend = (request: Buffer): { target?: StreamTarget; event?: ProposedEvent } => {
  const fields = new Fields(request);
  const options = fields.message(1);
  const event = fields.bytes(2);
  return { target: options && target(options), event: event && proposedEvent(event) };
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
  const fields = new Fields(request);
  const options = fields.message(2);
  return {
    correlationId: Buffer.from(required(fields.bytes(1), 'the correlation id')),
    options: options && { deadline: milliseconds(options.message(6)), target: () => target(options) },
    events: () => fields.all(3).map(proposedEvent),
    isFinal: fields.uint(4) === 1,
  };
};

/** A `google.protobuf.Timestamp`. */
const milliseconds = (timestamp: Fields | undefined): number =>
  timestamp ? (timestamp.uint(1) ?? 0) * 1000 + (timestamp.uint(2) ?? 0) / 1e6 : Number.POSITIVE_INFINITY;

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
  const options = required(new Fields(request).message(1), 'options');
  const one = options.message(1);
  const all = options.message(2);
  const filter = options.message(7);
  return {
    stream: one && streamName(one.message(1)),
    from: one ? streamFrom(one) : allFrom(required(all, 'the stream to read')),
    direction: options.uint(3) === 1 ? 'backwards' : 'forwards',
    resolveLinks: options.uint(4) === 1,
    count: options.has(6) ? undefined : (options.uint(5) ?? 0),
    filter: filter && readFilter(filter),
    requiresLeader,
  };
};

const streamFrom = (options: Fields): From =>
  options.has(3) ? 'start' : options.has(4) ? 'end' : (options.uint(2) ?? 0);

const allFrom = (options: Fields): From =>
  options.has(2) ? 'start' : options.has(3) ? 'end' : (options.message(1)?.uint(1) ?? 0);

/** The window that EventStoreDB uses when none is asked for. */
const SEARCH_WINDOW = 32;

const readFilter = (filter: Fields): ReadFilter => {
  const expression = required(filter.message(1) ?? filter.message(2), 'the filter expression');
  return {
    on: filter.has(1) ? 'stream' : 'type',
    regex: expression.text(1),
    prefixes: expression.all(2).map(asText),
    checkpointInterval: (filter.uint(3) ?? SEARCH_WINDOW) * Math.max(1, filter.uint(5) ?? 1),
  };
};
