/**
 * How far the consumers of the log are behind it: the head of the log minus their checkpoints. Measured apart from the
 * consumers, so that one that has stopped is seen.
 */
import type { Position } from '../domain/core/decider.ts';
import type { Queryable } from '../infra/postgres.ts';
import { formatPosition, listCheckpoints } from './checkpoints.ts';
import type { EventStore, LogPage } from './client/index.ts';
import { knownMetadata } from './metadata.ts';

export interface ConsumerLag {
  readonly name: string;
  /** Null: it has handled nothing yet. */
  readonly position: Position | null;
  /** The number of events that it has not handled, counted up to `max`. */
  readonly events: number;
  /** The age of the oldest of them; 0 if there is none. */
  readonly seconds: number;
}

const ageOf = ({ events }: LogPage): number => {
  const at = Date.parse((events[0] && knownMetadata(events[0]).at) ?? '');
  return Number.isNaN(at) ? 0 : Math.max(0, (Date.now() - at) / 1_000);
};

/** The next page that has events: a server can write thousands of records of its own between two of ours. */
const nextEvents = async (
  store: Pick<EventStore, 'readAll'>,
  position: Position | null,
  max: number,
): Promise<LogPage> => {
  for (let after = position; ; ) {
    const page = await store.readAll({ ...(after && { after }), max });
    if (page.events.length > 0 || page.last === null) return page;
    after = page.last;
  }
};

/** @param max the count of events stops here */
export const consumerLags = async (
  { pool, store }: { pool: Queryable; store: Pick<EventStore, 'readAll'> },
  names: readonly string[],
  max: number,
): Promise<ConsumerLag[]> => {
  const checkpoints = await listCheckpoints(pool);
  const pages = new Map<string, Promise<LogPage>>();
  /** Consumers that are up to date share a position: it is read once. */
  const pageAfter = (position: Position | null): Promise<LogPage> => {
    const at = position === null ? '' : formatPosition(position);
    const page = pages.get(at) ?? nextEvents(store, position, max);
    pages.set(at, page);
    return page;
  };
  return Promise.all(
    names.map(async (name) => {
      const position = checkpoints.get(name) ?? null;
      const page = await pageAfter(position);
      return { name, position, events: page.events.length, seconds: Math.round(ageOf(page) * 10) / 10 };
    }),
  );
};
