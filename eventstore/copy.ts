/**
 * Copies a log into another one, raw: same ids, types, data, metadata and order. Every append has its exact expected
 * revision, so that an interrupted copy resumes where it stopped and never duplicates an event.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Position } from '../domain/core/decider.ts';
import { type EventStore, type StoredEvent, WrongExpectedRevision } from './client/index.ts';
import { readPages } from './pages.ts';
import { isAfter } from './subscribe.ts';

/** The two logs differ, and copying cannot make them equal. */
export class LogsDiffer extends Error {
  override readonly name = 'LogsDiffer';
}

/** Limits of one append: fewer events than a server accepts, and far less than its maximum of one megabyte. */
const MAX_EVENTS = 500;
const MAX_BYTES = 500_000;

const sizeOf = ({ data, metadata }: StoredEvent): number =>
  JSON.stringify(data).length + JSON.stringify(metadata).length;

/** Groups consecutive events of one stream; each group is one append. */
async function* runsOf(events: AsyncIterable<StoredEvent>): AsyncGenerator<StoredEvent[]> {
  let run: StoredEvent[] = [];
  let bytes = 0;
  for await (const event of events) {
    const size = sizeOf(event);
    if (run.length > 0 && (run[0]?.stream !== event.stream || run.length === MAX_EVENTS || bytes + size > MAX_BYTES)) {
      yield run;
      [run, bytes] = [[], 0];
    }
    run.push(event);
    bytes += size;
  }
  if (run.length > 0) yield run;
}

/** All events of a log, up to and including a position. */
export async function* eventsOf(store: EventStore, until?: Position): AsyncGenerator<StoredEvent> {
  for await (const page of readPages(store))
    for (const event of page.events) {
      if (until && isAfter(event.position, until)) return;
      yield event;
    }
}

/** Finds the newest event of a log, skipping system records. */
const lastEvent = async (store: EventStore): Promise<StoredEvent | undefined> => {
  for await (const { events } of readPages(store, null, 100, 'backwards')) if (events[0]) return events[0];
  return undefined;
};

/**
 * The events after the one with this id.
 * @throws LogsDiffer when there is no such event
 */
async function* eventsAfter(events: AsyncIterable<StoredEvent>, id: string): AsyncGenerator<StoredEvent> {
  let found = false;
  for await (const event of events) {
    if (found) yield event;
    else found = event.id === id;
  }
  if (!found) throw new LogsDiffer('the target has events that the source does not have');
}

const append = async (target: EventStore, run: readonly StoredEvent[], first: StoredEvent): Promise<void> => {
  const expected = first.revision === 0n ? 'no_stream' : first.revision - 1n;
  const events = run.map(({ id, type, data, metadata }) => ({ id, type, data, metadata }));
  try {
    await target.append(first.stream, events, expected);
  } catch (error) {
    if (!(error instanceof WrongExpectedRevision)) throw error;
    throw new LogsDiffer(
      `${first.stream} is not at revision ${expected} in the target: the target was truncated or written to`,
    );
  }
};

/**
 * Appends the events that the target does not have yet, and returns their number.
 * @throws LogsDiffer when the target has other events
 */
export const copyEvents = async (
  source: AsyncIterable<StoredEvent>,
  target: EventStore,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (copied: number, at: Position) => void } = {},
): Promise<number> => {
  const last = await lastEvent(target);
  let copied = 0;
  for await (const run of runsOf(last ? eventsAfter(source, last.id) : source)) {
    const [first] = run;
    if (!first || signal?.aborted) break;
    await append(target, run, first);
    copied += run.length;
    onProgress?.(copied, run.at(-1)?.position ?? first.position);
  }
  return copied;
};

const sameEvent = (a: StoredEvent, b: StoredEvent): boolean =>
  a.id === b.id &&
  a.stream === b.stream &&
  a.revision === b.revision &&
  a.type === b.type &&
  isDeepStrictEqual(a.data, b.data) &&
  isDeepStrictEqual(a.metadata, b.metadata);

/**
 * Compares every event of two logs. Positions differ between servers: `marks` are positions in the first log, and are
 * returned as the positions of the same events in the second.
 * @throws LogsDiffer at the first event that differs
 */
export const matchLogs = async (
  source: AsyncIterable<StoredEvent>,
  target: AsyncIterable<StoredEvent>,
  marks: ReadonlyMap<string, Position> = new Map(),
): Promise<{ events: number; marks: ReadonlyMap<string, Position> }> => {
  const moved = new Map<string, Position>();
  const others = target[Symbol.asyncIterator]();
  let events = 0;
  for await (const event of source) {
    const other = await others.next();
    if (other.done || !sameEvent(event, other.value))
      throw new LogsDiffer(`event ${events + 1}, ${event.stream} revision ${event.revision}, differs`);
    for (const [name, mark] of marks) if (!isAfter(event.position, mark)) moved.set(name, other.value.position);
    events += 1;
  }
  if (!(await others.next()).done) throw new LogsDiffer(`the target has more than these ${events} events`);
  return { events, marks: moved };
};
