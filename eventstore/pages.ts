/** Reads the whole log page by page; the next page is read while the current one is processed. */
import type { Position } from '../domain/core/decider.ts';
import type { Direction, EventStore, StoredEvent } from './client/index.ts';
import { isAfter } from './subscribe.ts';

export interface Page {
  readonly events: readonly StoredEvent[];
  /** Position of the last record that was read. */
  readonly last: Position;
}

const DEFAULT_SIZE = 5_000;

/** Pages of domain events after a position (backwards: before it), up to the log's end as it is when it gets there. */
export async function* readPages(
  store: Pick<EventStore, 'readAll'>,
  after: Position | null = null,
  size = DEFAULT_SIZE,
  direction: Direction = 'forwards',
): AsyncGenerator<Page> {
  const read = (from: Position | null) => {
    const page = store.readAll({ ...(from && { after: from }), max: size, direction });
    page.catch(() => undefined); // it is awaited one page later; without this handler, an earlier failure would be an unhandled rejection
    return page;
  };
  for (let next = read(after); ; ) {
    const { events, last } = await next;
    if (last === null) return;
    next = read(last);
    yield { events, last };
  }
}

/** All events of a log, up to and including a position, in pages as they are read. */
export async function* pagesOf(
  store: Pick<EventStore, 'readAll'>,
  until?: Position,
  size?: number,
): AsyncGenerator<readonly StoredEvent[]> {
  for await (const { events, last } of readPages(store, null, size)) {
    const isLast = until !== undefined && isAfter(last, until);
    yield isLast ? events.filter(({ position }) => !isAfter(position, until)) : events;
    if (isLast) return;
  }
}

/** The same one by one. */
export async function* eventsOf(...from: Parameters<typeof pagesOf>): AsyncGenerator<StoredEvent> {
  for await (const page of pagesOf(...from)) yield* page;
}
