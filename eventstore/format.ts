/** Refuses a log that this release cannot read, before anything works on it. */
import { IncompatibleData } from '../infra/incompatible.ts';
import type { EventStore, StoredEvent } from './client/index.ts';
import { LOG_FORMAT } from './metadata.ts';
import { readPages } from './pages.ts';

/** Enough to find an event of ours, should others use the same server. Records of the server itself do not count. */
const LOOK_AT = 500;

/** The format of an event of this platform, 0 before release 0.1.0; undefined for an event of somebody else. */
const formatOf = ({ metadata }: StoredEvent): number | undefined => {
  const { commandId, format } = (metadata ?? {}) as { commandId?: unknown; format?: unknown };
  if (commandId === undefined) return undefined;
  return typeof format === 'number' ? format : 0;
};

/** @throws IncompatibleData for an event that another format of the log was written in */
export const assertReadable = (event: StoredEvent): void => {
  const format = formatOf(event);
  if (format === undefined || format === LOG_FORMAT) return;
  throw new IncompatibleData(
    format > LOG_FORMAT
      ? `This log was written by a newer release, in format ${format}: start that release.`
      : 'This log was written before release 0.1.0 and cannot be read: start with an empty data folder (DATA_DIR) or an empty event store (ESDB_CONNECTION_STRING).',
  );
};

/**
 * Checks the first events of the log, which stand for all: a log never changes its format.
 * @throws IncompatibleData when this release cannot read the log
 * @throws StoreUnavailable when the log cannot be reached
 */
export const assertLogFormat = async (store: Pick<EventStore, 'readAll'>): Promise<void> => {
  let looked = 0;
  for await (const { events } of readPages(store, null, LOOK_AT)) {
    for (const event of events) assertReadable(event);
    looked += events.length;
    if (looked >= LOOK_AT) return;
  }
};
