/**
 * The durable log: every event in order of position, an index by stream and revision, and the metadata of each stream.
 * It does not know expected revisions or deletes: `transaction.ts` decides, this stores.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open, type RangeOptions, type RootDatabase } from 'lmdb';
import { growingCache } from '../../infra/growingCache.ts';
import { isMetadataStream, type StreamMetadata } from './metadata.ts';

interface StreamState {
  readonly tombstoned: boolean;
  readonly metadata: StreamMetadata;
}

/** The state of a stream that decides on writes and bounds reads. */
export interface StreamHead extends StreamState {
  /** −1 for a stream that was never written to. */
  readonly revision: number;
}

export interface LogEntry {
  readonly position: number;
  readonly stream: string;
  /** `undefined` for a tombstone: found in $all, never in its stream. */
  readonly revision: number | undefined;
  readonly bytes: Buffer;
}

/** A batch that one flush makes durable, completely or not at all. */
export interface Batch {
  readonly entries: readonly LogEntry[];
  readonly heads: ReadonlyMap<string, StreamHead>;
}

export interface PositionedRecord {
  readonly position: number;
  readonly bytes: Buffer;
}

/** Consecutive records, as many as may be held in memory at once. */
export interface Slice<T> {
  readonly records: readonly T[];
  /** There are no further records for now. */
  readonly isLast: boolean;
}

/** Above this, a slice ends early: records can have a megabyte each. */
const SLICE_BYTES = 1024 * 1024;

const slice = <T>(range: Iterable<T>, limit: number, sizeOf: (record: T) => number): Slice<T> => {
  const records: T[] = [];
  let size = 0;
  for (const record of range) {
    records.push(record);
    size += sizeOf(record);
    if (records.length === limit || size >= SLICE_BYTES) return { records, isLast: false };
  }
  return { records, isLast: true };
};

const FORMAT = 1;
/** Positions start above zero, like byte offsets after a file header, so that they are not mistaken for a count. */
const FIRST_POSITION = 128;

const CACHED_HEADS = 50_000;
/** For subscribers that were live when a stream was tombstoned, so the latest ones are enough. */
const CACHED_TOMBSTONES = 1_000;

/** A metadata stream shows only its newest event. */
const initialState = (stream: string): StreamState => ({
  tombstoned: false,
  metadata: isMetadataStream(stream) ? { maxCount: 1 } : {},
});

export class Log {
  readonly #root: RootDatabase<number, string>;
  readonly #records: Database<Buffer, number>;
  readonly #index: Database<number, [string, number]>;
  /** Only of streams that have metadata or a tombstone. */
  readonly #states: Database<StreamState, string>;
  readonly #heads = growingCache<StreamHead>(CACHED_HEADS);
  readonly #tombstones = growingCache<Buffer>(CACHED_TOMBSTONES);
  readonly #listeners = new Set<() => void>();
  #end = FIRST_POSITION;

  /** Creates the directory when there is none. Throws when it holds a log of another format. */
  constructor(directory: string) {
    mkdirSync(directory, { recursive: true });
    this.#root = open({
      path: join(directory, 'events.mdb'),
      noSubdir: true,
      encoding: 'ordered-binary',
      // A commit is only done when its pages are on disk.
      overlappingSync: false,
    });
    this.#records = this.#root.openDB('records', { encoding: 'binary' });
    this.#index = this.#root.openDB('index', { encoding: 'ordered-binary' });
    this.#states = this.#root.openDB('states', { encoding: 'json' });
    const format = this.#root.get('format') ?? FORMAT;
    if (format !== FORMAT)
      throw new Error(`${directory} holds a log of format ${format}, but this node reads format ${FORMAT}`);
    this.#root.putSync('format', FORMAT);
    const [last] = this.allBackwards(Number.MAX_SAFE_INTEGER, 1).records;
    if (last) this.#end = last.position + last.bytes.length;
  }

  /** Position of the next record: above every position in the log. */
  get end(): number {
    return this.#end;
  }

  head(stream: string): StreamHead {
    const cached = this.#heads.get(stream);
    if (cached) return cached;
    const [last] = this.#index.getKeys({ start: [stream, Infinity], end: [stream, -1], reverse: true, limit: 1 });
    const head = { ...(this.#states.get(stream) ?? initialState(stream)), revision: last?.[1] ?? -1 };
    this.#heads.set(stream, head);
    return head;
  }

  record(stream: string, revision: number): Buffer | undefined {
    const position = this.#index.get([stream, revision]);
    return position === undefined ? undefined : this.#records.getBinary(position);
  }

  /** Revisions `first` to `last`, both included. */
  streamForwards(stream: string, first: number, last: number, limit: number): Slice<Buffer> {
    return this.#atPositions({ start: [stream, first], end: [stream, last + 1], limit });
  }

  /** Revisions `last` down to `first`, both included. */
  streamBackwards(stream: string, last: number, first: number, limit: number): Slice<Buffer> {
    return this.#atPositions({ start: [stream, last], end: [stream, first - 1], limit, reverse: true });
  }

  #atPositions(range: RangeOptions & { limit: number }): Slice<Buffer> {
    const bytesAt = ({ value }: { value: number }): Buffer => {
      const bytes = this.#records.getBinary(value);
      if (!bytes) throw new Error(`the log is damaged: there is no record at position ${value}`);
      return bytes;
    };
    return slice(this.#index.getRange(range).map(bytesAt), range.limit, (bytes) => bytes.length);
  }

  /** From `position` on, the record there included. */
  allForwards(position: number, limit: number): Slice<PositionedRecord> {
    return this.#positioned({ start: position, limit });
  }

  /** From below `position` backwards. */
  allBackwards(position: number, limit: number): Slice<PositionedRecord> {
    return this.#positioned({ start: position - 1, limit, reverse: true });
  }

  #positioned(range: RangeOptions & { limit: number }): Slice<PositionedRecord> {
    const records = this.#records.getRange(range).map(({ key, value }) => ({ position: key, bytes: value }));
    return slice(records, range.limit, ({ bytes }) => bytes.length);
  }

  /** Whether a record begins at this position. */
  startsAt(position: number): boolean {
    return this.#records.doesExist(position);
  }

  /** The record of a stream's tombstone, if it was written lately. */
  tombstone(stream: string): Buffer | undefined {
    return this.#tombstones.get(stream);
  }

  /** Resolves when the batch is on disk, then notifies the listeners. It rejects when the disk refuses the write. */
  async commit({ entries, heads }: Batch): Promise<void> {
    const last = entries.at(-1);
    if (!last) return;
    try {
      await this.#root.batch(() => {
        for (const { position, stream, revision, bytes } of entries) {
          this.#records.put(position, bytes);
          if (revision !== undefined) this.#index.put([stream, revision], position);
        }
        for (const [stream, head] of heads) this.#keepState(stream, head);
      });
    } catch (error) {
      throw new Error('the log could not be written', { cause: await commitCause(error) });
    }
    this.#end = last.position + last.bytes.length;
    this.#root.resetReadTxn();
    for (const [stream, head] of heads) this.#heads.set(stream, head);
    for (const { stream, revision, bytes } of entries) if (revision === undefined) this.#tombstones.set(stream, bytes);
    for (const wake of this.#listeners) wake();
  }

  #keepState(stream: string, { tombstoned, metadata }: StreamHead): void {
    const before = this.head(stream);
    if (before.tombstoned !== tombstoned || before.metadata !== metadata)
      this.#states.put(stream, { tombstoned, metadata });
  }

  /**
   * Calls the listener after each commit until the returned function is called. Listeners read the log themselves;
   * nothing is queued for them.
   */
  onCommit(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    await this.#root.close();
  }
}

/** lmdb reports the operating system's error in a second promise. */
const commitCause = async (error: unknown): Promise<unknown> => {
  try {
    if (error instanceof Error && 'commitError' in error) await error.commitError;
  } catch (cause) {
    return cause;
  }
  return error;
};
