/**
 * Decides writes one after the other on top of the log, as EventStoreDB 23.10 and 24.x do, and collects the records of
 * one flush. There is no rollback: a batch that cannot be written ends the node.
 */
import type { Fault } from './faults.ts';
import type { Batch, Log, LogEntry, StreamHead } from './log.ts';
import {
  isMetadataStream,
  isSoftDeleted,
  LAST_REVISION,
  METADATA_EVENT,
  metadataStreamOf,
  originalStreamOf,
  parseMetadata,
  recreatedFrom,
  SOFT_DELETE,
  TOMBSTONE_EVENT,
} from './metadata.ts';
import type { RecentIds } from './recentIds.ts';
import { encodeRecord, StoredRecord } from './record.ts';
import type { Written } from './replies.ts';
import type { Expected, ProposedEvent } from './requests.ts';
import { readableWindow } from './window.ts';

interface Target {
  readonly stream: string;
  readonly expected: Expected;
}
export type Write =
  | (Target & {
      readonly kind: 'append';
      readonly events: readonly ProposedEvent[];
      readonly size: number;
      readonly deadline: number;
    })
  | (Target & { readonly kind: 'delete' | 'tombstone'; readonly eventId: string });

export type Outcome = ({ readonly kind: 'written' } & Written) | Fault;

type Decision = 'append' | 'deleted' | 'conflict' | { readonly alreadyWrittenUpTo: number };

const NOTHING = new Uint8Array();

export class Transaction implements Batch {
  readonly entries: LogEntry[] = [];
  readonly heads = new Map<string, StreamHead>();
  readonly #log: Log;
  readonly #recentIds: RecentIds;
  /** Milliseconds since 1970. */
  readonly #now: number;
  readonly #newId: () => string;
  #position: number;

  constructor(log: Log, recentIds: RecentIds, now: number, newId: () => string) {
    this.#log = log;
    this.#recentIds = recentIds;
    this.#now = now;
    this.#newId = newId;
    this.#position = log.end;
  }

  apply(write: Write): Outcome {
    if (write.kind === 'append' && write.deadline < this.#now) return { kind: 'timeout' };
    const ids = write.kind === 'append' ? write.events.map(({ id }) => id) : [write.eventId];
    const head = this.#head(write.stream);
    const decision = this.#decide(write, head, ids);
    if (decision === 'deleted') return { kind: 'stream_deleted' };
    if (decision === 'conflict') return this.#conflict(write, head);
    if (decision !== 'append') return this.#alreadyWritten(write.stream, decision.alreadyWrittenUpTo);
    switch (write.kind) {
      case 'append':
        return this.#append(write.stream, head, write.events);
      case 'delete':
        return this.#softDelete(write, head);
      case 'tombstone':
        return this.#tombstone(write, head);
    }
  }

  #head(stream: string): StreamHead {
    return this.heads.get(stream) ?? this.#log.head(stream);
  }

  #record(stream: string, revision: number): Buffer | undefined {
    const isWrittenHere = this.heads.has(stream);
    const entry = isWrittenHere && this.entries.find((entry) => entry.revision === revision && entry.stream === stream);
    return entry ? entry.bytes : this.#log.record(stream, revision);
  }

  #idAt(stream: string, revision: number): string | undefined {
    const bytes = this.#record(stream, revision);
    return bytes && new StoredRecord(bytes).id;
  }

  #conflict({ expected }: Target, head: StreamHead): Outcome {
    return { kind: 'wrong_expected_version', expected, current: head.revision };
  }

  #decide({ stream, expected }: Target, head: StreamHead, ids: readonly string[]): Decision {
    if (head.tombstoned) return 'deleted';
    if (expected === 'stream_exists') {
      if (isSoftDeleted(head.metadata)) return 'deleted';
      if (head.revision < 0 && this.#head(metadataStreamOf(stream)).revision < 0) return 'conflict';
    }
    if (expected === 'any' || expected === 'stream_exists') return this.#decideByRecentIds(stream, ids);
    const revision = expected === 'no_stream' ? -1 : expected;
    if (revision > head.revision) return 'conflict';
    if (revision === head.revision) return 'append';
    return this.#decideByLog(stream, revision, head, ids);
  }

  /** Without an exact revision, a retry is recognised only while its event ids are in memory. */
  #decideByRecentIds(stream: string, ids: readonly string[]): Decision {
    const revisions = ids.map((id) => this.#recentIds.revision(stream, id));
    const last = revisions.at(-1);
    if (revisions[0] === undefined) return 'append';
    return last === undefined || revisions.includes(undefined) ? 'conflict' : { alreadyWrittenUpTo: last };
  }

  /**
   * The stream is beyond the expected revision: the same events at the same revisions are a retry, anything else is a
   * conflict.
   */
  #decideByLog(stream: string, revision: number, head: StreamHead, ids: readonly string[]): Decision {
    let matching = 0;
    while (matching < ids.length && this.#idAt(stream, revision + 1 + matching) === ids[matching]) matching++;
    if (ids.length > 0 && matching === ids.length) return { alreadyWrittenUpTo: revision + matching };
    const recreates = revision === -1 && matching === 0 && isSoftDeleted(head.metadata);
    return recreates ? 'append' : 'conflict';
  }

  #alreadyWritten(stream: string, revision: number): Outcome {
    const { first } = readableWindow(this.#log, stream, this.#head(stream), this.#now);
    const bytes = revision < first ? undefined : this.#record(stream, revision);
    return { kind: 'written', revision, position: bytes && new StoredRecord(bytes).position };
  }

  #append(stream: string, head: StreamHead, events: readonly ProposedEvent[]): Outcome {
    const last = events.at(-1);
    if (!last) return { kind: 'written', revision: head.revision, position: this.#position };
    const written = this.#write(stream, events);
    if (isSoftDeleted(head.metadata)) this.#recreate(stream, head.revision + 1);
    if (isMetadataStream(stream)) this.#applyMetadata(originalStreamOf(stream), last);
    return { kind: 'written', ...written };
  }

  /** Appends without checking the revision. */
  #write(stream: string, events: readonly ProposedEvent[]): Written {
    const head = this.#head(stream);
    let revision = head.revision;
    let position: number | undefined;
    for (const event of events) {
      position = this.#enter(stream, ++revision, event);
      this.#recentIds.add(stream, event.id, revision);
    }
    this.heads.set(stream, { ...head, revision });
    return { revision, position };
  }

  #enter(stream: string, revision: number, event: ProposedEvent): number {
    const position = this.#position;
    const bytes = encodeRecord(event, { stream, revision, position, created: this.#now });
    return this.#keep({ position, stream, revision, bytes });
  }

  #keep(entry: LogEntry): number {
    this.entries.push(entry);
    this.#position += entry.bytes.length;
    return entry.position;
  }

  /** Writing metadata restores a soft-deleted stream, as writing events does. */
  #applyMetadata(stream: string, event: ProposedEvent): void {
    const head = this.#head(stream);
    const json = Buffer.from(event.data).toString('utf8');
    this.heads.set(stream, { ...head, metadata: parseMetadata(json) });
    if (isSoftDeleted(head.metadata)) this.#writeMetadata(stream, recreatedFrom(json, head.revision + 1));
  }

  #recreate(stream: string, revision: number): void {
    const metadataStream = metadataStreamOf(stream);
    const current = this.#record(metadataStream, this.#head(metadataStream).revision);
    this.#writeMetadata(stream, recreatedFrom(current ? new StoredRecord(current).data : '{}', revision));
  }

  #writeMetadata(stream: string, json: Buffer, id = this.#newId()): Written {
    const event = { id, type: METADATA_EVENT, isJson: true, data: json, metadata: NOTHING };
    const written = this.#write(metadataStreamOf(stream), [event]);
    // The metadata of a metadata stream is fixed: whatever is written about it, it shows its newest event.
    if (!isMetadataStream(stream))
      this.heads.set(stream, { ...this.#head(stream), metadata: parseMetadata(json.toString('utf8')) });
    return written;
  }

  #softDelete(write: Target & { readonly eventId: string }, head: StreamHead): Outcome {
    const neverWritten = head.revision < 0 && this.#head(metadataStreamOf(write.stream)).revision < 0;
    if (neverWritten) return this.#conflict(write, head);
    return { kind: 'written', ...this.#writeMetadata(write.stream, SOFT_DELETE, write.eventId) };
  }

  #tombstone({ stream, eventId }: Target & { readonly eventId: string }, head: StreamHead): Outcome {
    const position = this.#position;
    const event = { id: eventId, type: TOMBSTONE_EVENT, isJson: false, data: NOTHING, metadata: NOTHING };
    const bytes = encodeRecord(event, { stream, revision: LAST_REVISION, position, created: this.#now });
    this.#keep({ position, stream, revision: undefined, bytes });
    const metadataStream = metadataStreamOf(stream);
    this.heads.set(stream, { ...head, tombstoned: true });
    this.heads.set(metadataStream, { ...this.#head(metadataStream), tombstoned: true });
    return { kind: 'written', revision: head.revision, position };
  }
}
