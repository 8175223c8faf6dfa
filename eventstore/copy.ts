/**
 * Copies a log into another one, raw: same ids, types, data, metadata and order. Every append has its exact expected
 * revision, so that an interrupted copy resumes where it stopped and never duplicates an event. Many appends are under
 * way at once: a store handles them in the order in which they are sent.
 */
import type { Position } from '../domain/core/decider.ts';
import {
  type Appended,
  type EventStore,
  EventTooLarge,
  type StoredEvent,
  WrongExpectedRevision,
} from './client/index.ts';
import { readPages } from './pages.ts';
import { isAfter } from './subscribe.ts';

/** The two logs differ, and copying cannot make them equal. */
export class LogsDiffer extends Error {
  override readonly name = 'LogsDiffer';
}

/** Limits of one append: fewer events than a server accepts, and far less than its maximum of one megabyte. */
const MAX_EVENTS = 500;
const MAX_BYTES = 500_000;

const sizeOf = ({ data, metadata }: StoredEvent): number => Buffer.byteLength(JSON.stringify([data, metadata]));

/** Limits of what is under way. A store answers this much in far less time than an append may take. */
const AT_ONCE = 128;
const MAX_BYTES_SENT = 8_000_000;

export interface CopyOptions {
  /** Stops it. The appends that are under way are finished. */
  readonly signal?: AbortSignal;
  /** @param at the position in the source */
  readonly onProgress?: (copied: number, at: Position) => void;
  /** How many appends may be under way; 128 by default. */
  readonly atOnce?: number;
}

/** Consecutive events of one stream: one append. */
interface Portion {
  readonly events: readonly StoredEvent[];
  readonly bytes: number;
}

async function* portionsOf(events: AsyncIterable<StoredEvent>): AsyncGenerator<Portion> {
  let portion: StoredEvent[] = [];
  let bytes = 0;
  for await (const event of events) {
    const size = sizeOf(event);
    const isOther = portion[0]?.stream !== event.stream;
    if (portion.length > 0 && (isOther || portion.length === MAX_EVENTS || bytes + size > MAX_BYTES)) {
      yield { events: portion, bytes };
      [portion, bytes] = [[], 0];
    }
    portion.push(event);
    bytes += size;
  }
  if (portion.length > 0) yield { events: portion, bytes };
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

const append = ({ events }: Portion, target: EventStore, options?: { once: true }): Promise<Appended> => {
  const [first] = events as readonly [StoredEvent];
  const expected = first.revision === 0n ? 'no_stream' : first.revision - 1n;
  const copies = events.map(({ id, type, data, metadata }) => ({ id, type, data, metadata }));
  return target.append(first.stream, copies, expected, options);
};

/** An append under way. */
interface Sent {
  readonly portion: Portion;
  /** Undefined: it failed. */
  readonly appended: Promise<Appended | undefined>;
}

/** Appends portions in order, many at once. */
const createSender = (target: EventStore, atOnce: number) => {
  const underWay: Sent[] = [];
  let bytes = 0;
  let failed = false;
  let last: Position | null = null;

  /** Those sent after a failed one may have failed because of it. So it is repeated when all have ended, and then they. */
  const repeat = async ({ portion }: Sent): Promise<Appended> => {
    await Promise.all(underWay.map(({ appended }) => appended));
    try {
      return await append(portion, target);
    } catch (error) {
      const { stream, revision } = portion.events[0] as StoredEvent;
      // Only an event that is alone in its portion can be that large.
      if (error instanceof EventTooLarge)
        throw new EventTooLarge(`revision ${revision} of ${stream} cannot be copied: ${error.message}`);
      if (!(error instanceof WrongExpectedRevision)) throw error;
      throw new LogsDiffer(
        `${stream} does not go on with revision ${revision} in the target: the target was truncated or written to`,
      );
    }
  };

  /** Waits for the oldest append under way. */
  const settleOne = async (): Promise<Portion | undefined> => {
    const sent = underWay.shift();
    if (!sent) return undefined;
    bytes -= sent.portion.bytes;
    const { position } = (await sent.appended) ?? (await repeat(sent));
    if (!isAfter(position, last))
      throw new LogsDiffer('the target has events in another order, after it failed: empty it, and copy again');
    last = position;
    failed &&= underWay.length > 0;
    return sent.portion;
  };

  return {
    settleOne,
    hasRoom: () => !failed && underWay.length < atOnce && bytes < MAX_BYTES_SENT,
    send: (portion: Portion): void => {
      const appended = append(portion, target, { once: true }).catch(() => {
        failed = true;
        return undefined;
      });
      underWay.push({ portion, appended });
      bytes += portion.bytes;
    },
  };
};

/**
 * Appends the events that the target does not have yet, and returns their number.
 * @throws LogsDiffer when the target has other events, or the same in another order
 */
export const copyEvents = async (
  source: AsyncIterable<StoredEvent>,
  target: EventStore,
  { signal, onProgress, atOnce = AT_ONCE }: CopyOptions = {},
): Promise<number> => {
  const found = await lastEvent(target);
  const sender = createSender(target, atOnce);
  let copied = 0;
  const settleOne = async (): Promise<boolean> => {
    const portion = await sender.settleOne();
    const [end] = portion?.events.slice(-1) ?? [];
    if (!portion || !end) return false;
    copied += portion.events.length;
    onProgress?.(copied, end.position);
    return true;
  };
  for await (const portion of portionsOf(found ? eventsAfter(source, found.id) : source)) {
    while (!sender.hasRoom() && (await settleOne()));
    if (signal?.aborted) break;
    sender.send(portion);
    if (copied === 0) await settleOne(); // alone, so that all others find the target connected
  }
  while (await settleOne());
  return copied;
};

const sameEvent = (a: StoredEvent, b: StoredEvent): boolean =>
  a.id === b.id &&
  a.stream === b.stream &&
  a.revision === b.revision &&
  a.type === b.type &&
  // As they are written: JSON has no other zero than this one, and reads -0 as another.
  JSON.stringify([a.data, a.metadata]) === JSON.stringify([b.data, b.metadata]);

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
