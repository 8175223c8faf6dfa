/** Refuses a log that this release cannot read, before anything works on it. */
import { IncompatibleData } from '../infra/incompatible.ts';
import type { EventStore, StoredEvent } from './client/index.ts';
import { knownMetadata, LOG_FORMAT } from './metadata.ts';
import { eventsOf } from './pages.ts';

/** Enough to find an event of ours, should others use the same server. Records of the server itself do not count. */
const LOOK_AT = 500;

/** The format of an event of this platform, 0 before release 0.1.0; undefined for an event of somebody else. */
const formatOf = (event: StoredEvent): number | undefined => {
  const { commandId, at } = knownMetadata(event);
  if (commandId === undefined || at === undefined) return undefined;
  const { format } = event.metadata as { readonly format?: unknown };
  return typeof format === 'number' ? format : 0;
};

/** One event in the format of this release shows that the log is ours, whatever others have written into it. */
const assertFormat = (events: readonly StoredEvent[]): void => {
  const formats = events.map(formatOf).filter((format) => format !== undefined);
  const [other] = formats;
  if (other === undefined || formats.includes(LOG_FORMAT)) return;
  throw new IncompatibleData(
    other > LOG_FORMAT
      ? `This log was written by a newer release, in format ${other}: start that release.`
      : 'This log was written before release 0.1.0 and cannot be read: start with an empty data folder (DATA_DIR) or an empty event store (ESDB_CONNECTION_STRING).',
  );
};

/**
 * The events of a log from its beginning. The first ones stand for all: a log never changes its format.
 * @throws IncompatibleData when this release cannot read the log
 */
export async function* inOurFormat(events: AsyncIterable<StoredEvent>): AsyncGenerator<StoredEvent> {
  let first: StoredEvent[] | undefined = [];
  for await (const event of events) {
    first?.push(event);
    if (first && first.length < LOOK_AT && formatOf(event) !== LOG_FORMAT) continue;
    if (first) assertFormat(first);
    yield* first ?? [event];
    first = undefined;
  }
  if (!first) return;
  assertFormat(first);
  yield* first;
}

/**
 * Checks the format of a log: see `inOurFormat`.
 * @throws IncompatibleData when this release cannot read the log
 * @throws StoreUnavailable when the log cannot be reached
 */
export const assertLogFormat = async (store: Pick<EventStore, 'readAll'>): Promise<void> => {
  await inOurFormat(eventsOf(store, undefined, LOOK_AT)).next();
};
