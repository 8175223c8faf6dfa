/**
 * One event as the log stores it: the bytes of the `ReadResp` message that readers get, so that reading is copying.
 */
import { decode, encode } from '../messages.ts';
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

/** EventStoreDB counts time in .NET ticks of 100 ns: four more digits than milliseconds have. */
const TICKS_IN_A_MS = '0000';

export const encodeRecord = (event: ProposedEvent, { stream, revision, position, created }: Place): Buffer => {
  const recorded = encode('RecordedEvent', {
    id: { string: event.id },
    streamIdentifier: { streamName: stream },
    streamRevision: typeof revision === 'bigint' ? String(revision) : revision,
    preparePosition: position,
    commitPosition: position,
    metadata: {
      type: event.type,
      created: `${created}${TICKS_IN_A_MS}`,
      'content-type': event.isJson ? 'application/json' : 'application/octet-stream',
    },
    customMetadata: event.metadata,
    data: event.data,
  });
  return encode('ReadResp', { event: { event: recorded, commitPosition: position } });
};

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** The fields of stored bytes. */
export class StoredRecord {
  /** The `RecordedEvent` message. */
  readonly recorded: Uint8Array;
  readonly #fields: ReturnType<typeof decode<'RecordedEvent'>>;

  constructor(stored: Uint8Array) {
    const recorded = decode('ReadResp', stored).event?.event;
    if (!recorded) throw new Error('the log holds a record that is not an event');
    this.recorded = recorded;
    this.#fields = decode('RecordedEvent', recorded);
  }

  get id(): string {
    return this.#fields.id?.string ?? '';
  }
  get stream(): string {
    return this.#fields.streamIdentifier?.streamName ?? '';
  }
  get revision(): number {
    return this.#fields.streamRevision.toNumber();
  }
  get position(): number {
    return this.#fields.commitPosition.toNumber();
  }
  get type(): string {
    return this.#fields.metadata.type ?? '';
  }
  /** Milliseconds since 1970. */
  get created(): number {
    return Number(this.#fields.metadata.created?.slice(0, -TICKS_IN_A_MS.length));
  }
  get data(): string {
    return UTF8.decode(this.#fields.data ?? undefined);
  }
}

/** The `ReadResp` of a link event, with the linked event if it can still be read. */
export const encodeResolvedLink = (link: StoredRecord, target: StoredRecord | undefined): Buffer =>
  encode('ReadResp', { event: { event: target?.recorded, link: link.recorded, commitPosition: link.position } });
