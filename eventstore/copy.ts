/**
 * A log into another one, raw: same ids, types, data, metadata, order. Every append has its exact expected revision,
 * so that a copy that was cut off goes on where it stopped, and nothing is ever there twice.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Position } from '../domain/core/decider.ts';
import { type EventStore, type StoredEvent, WrongExpectedRevision } from './client/index.ts';
import { readPages } from './pages.ts';
import { isAfter } from './subscribe.ts';

/** The two logs are not, and can't become, the same. */
export class LogsDiffer extends Error {
  override readonly name = 'LogsDiffer';
}

/** Of one append: as many events as a server takes, and far from the megabyte that it takes at most. */
const MAX_EVENTS = 500;
const MAX_BYTES = 500_000;

const sizeOf = ({ data, metadata }: StoredEvent): number =>
  JSON.stringify(data).length + JSON.stringify(metadata).length;

/** Runs of events that follow each other in one stream: each is one append. */
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

/** The newest event of a log, looked for past the records that are none. */
const lastEvent = async (store: EventStore): Promise<StoredEvent | undefined> => {
  for await (const { events } of readPages(store, null, 100, 'backwards')) if (events[0]) return events[0];
  return undefined;
};

/** What comes after an event. Throws when it is not there at all. */
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
    throw new LogsDiffer(`${first.stream} is not at revision ${expected} in the target: was it cut, or written to?`);
  }
};

/**
 * Appends what the target does not have yet. Returns the number of events that it appended.
 * @throws LogsDiffer when the target has something else
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
 * Holds every event of one log against the other's. Positions are a server's own: `marks`, positions in the first log,
 * come back as what they are in the second.
 * @throws LogsDiffer at the first event that is not the same
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
      throw new LogsDiffer(`event ${events + 1}, ${event.stream} revision ${event.revision}, is not the same`);
    for (const [name, mark] of marks) if (!isAfter(event.position, mark)) moved.set(name, other.value.position);
    events += 1;
  }
  if (!(await others.next()).done) throw new LogsDiffer(`the target has more than these ${events} events`);
  return { events, marks: moved };
};
