/**
 * One event as the log stores it: the bytes of the `ReadResp` message that readers get, so that reading is copying.
 * Field numbers are those of EventStoreDB's streams.proto.
 */
import { asText, bytes, encode, Fields, fields, message, type Part, text, uint } from './protobuf.ts';
import type { ProposedEvent } from './requests.ts';

/** Where and when an event is written. */
export interface Place {
  readonly stream: string;
  /** From 0; a tombstone has the highest possible revision. */
  readonly revision: number | bigint;
  readonly position: number;
  /** Milliseconds since 1970. */
  readonly created: number;
}

const EVENT = 1;
const READ_EVENT = { event: 1, link: 2, commitPosition: 3 };
const RECORDED = { id: 1, stream: 2, revision: 3, prepare: 4, commit: 5, properties: 6, metadata: 7, data: 8 };
const UUID_TEXT = 2;
const STREAM_NAME = 3;
/** EventStoreDB counts time in .NET ticks of 100 ns: four more digits than milliseconds have. */
const TICKS_IN_A_MS = '0000';

/** A `map<string, string>` entry. */
const property = (field: number, key: string, value: string): Part => message(field, text(1, key), text(2, value));

export const encodeRecord = (event: ProposedEvent, place: Place): Buffer =>
  encode(
    message(
      EVENT,
      message(
        READ_EVENT.event,
        message(RECORDED.id, text(UUID_TEXT, event.id)),
        message(RECORDED.stream, text(STREAM_NAME, place.stream)),
        uint(RECORDED.revision, place.revision),
        uint(RECORDED.prepare, place.position),
        uint(RECORDED.commit, place.position),
        property(RECORDED.properties, 'type', event.type),
        property(RECORDED.properties, 'created', `${place.created}${TICKS_IN_A_MS}`),
        property(RECORDED.properties, 'content-type', event.isJson ? 'application/json' : 'application/octet-stream'),
        bytes(RECORDED.metadata, event.metadata),
        bytes(RECORDED.data, event.data),
      ),
      uint(READ_EVENT.commitPosition, place.position),
    ),
  );

/** Reads fields of stored bytes; each getter decodes only what it needs. */
export class StoredRecord {
  /** The `RecordedEvent` message. */
  readonly recorded: Uint8Array;
  readonly #fields: Fields;

  constructor(stored: Uint8Array) {
    const recorded = new Fields(stored).message(EVENT)?.bytes(READ_EVENT.event);
    if (!recorded) throw new Error('the log holds a record that is not an event');
    this.recorded = recorded;
    this.#fields = new Fields(recorded);
  }

  get id(): string {
    return this.#fields.message(RECORDED.id)?.text(UUID_TEXT) ?? '';
  }
  get stream(): string {
    return this.#fields.message(RECORDED.stream)?.text(STREAM_NAME) ?? '';
  }
  get revision(): number {
    return this.#fields.uint(RECORDED.revision) ?? 0;
  }
  get position(): number {
    return this.#fields.uint(RECORDED.commit) ?? 0;
  }
  get type(): string {
    return this.#property('type');
  }
  /** Milliseconds since 1970. */
  get created(): number {
    return Number(this.#property('created').slice(0, -TICKS_IN_A_MS.length));
  }
  get data(): string {
    return asText(this.#fields.bytes(RECORDED.data) ?? new Uint8Array());
  }

  #property(key: string): string {
    for (const entry of this.#fields.all(RECORDED.properties)) {
      const fields = new Fields(entry);
      if (fields.text(1) === key) return fields.text(2) ?? '';
    }
    return '';
  }
}

/** The `ReadResp` of a link event, with the linked event if it can still be read. */
export const encodeResolvedLink = (link: StoredRecord, target: StoredRecord | undefined): Buffer =>
  encode(
    message(
      EVENT,
      target ? bytes(READ_EVENT.event, target.recorded) : fields(),
      bytes(READ_EVENT.link, link.recorded),
      uint(READ_EVENT.commitPosition, link.position),
    ),
  );
