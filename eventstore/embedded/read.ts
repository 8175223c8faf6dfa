/** Answers `Read`: a bounded read, or a subscription that follows the log. */
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Cursor, openCursor, type Page } from './cursors.ts';
import { Refused } from './faults.ts';
import type { Log } from './log.ts';
import { isSoftDeleted } from './metadata.ts';
import type { Outlet } from './outlet.ts';
import { StoredRecord } from './record.ts';
import { caughtUp, checkpoint, streamNotFound, subscriptionConfirmed } from './replies.ts';
import type { ReadRequest } from './requests.ts';
import { LIVE_BUFFER, STALE_MS, type Traits } from './traits.ts';

/** Events fetched from the log at once. */
const PAGE = 256;

interface Reading {
  readonly log: Log;
  readonly request: ReadRequest;
  readonly outlet: Outlet;
  readonly traits: Traits;
}

/** Resolves when everything is sent or the call is over. Throws `Refused` and `InvalidRequest`. */
export const read = async (reading: Reading): Promise<void> => {
  const { log, request, outlet, traits } = reading;
  refuseTombstoned(log, request.stream);
  if (traits.has('strict-positions')) refuseBetweenRecords(log, request);
  if (request.count === undefined) return await subscribe(reading, openCursor(log, request));
  const isStale = traits.has('stale-reads') && !request.requiresLeader;
  const cursor = openCursor(log, request, isStale ? isOld : undefined);
  if (request.stream !== undefined && isMissing(log, request.stream)) outlet.post(streamNotFound(request.stream));
  else await readUpTo(request.count, cursor, outlet);
};

const isOld = (bytes: Buffer): boolean => new StoredRecord(bytes).created < Date.now() - STALE_MS;

const refuseTombstoned = (log: Log, stream: string | undefined): void => {
  if (stream !== undefined && log.head(stream).tombstoned) throw new Refused({ kind: 'stream_deleted' }, stream);
};

const refuseBetweenRecords = (log: Log, { stream, from }: ReadRequest): void => {
  if (stream !== undefined || typeof from !== 'number' || from === 0 || from >= log.end || log.startsAt(from)) return;
  throw new Refused({ kind: 'unknown', detail: 'Exception was thrown by handler.' }, '');
};

const isMissing = (log: Log, stream: string): boolean => {
  const { revision, metadata } = log.head(stream);
  return revision < 0 || isSoftDeleted(metadata);
};

const readUpTo = async (count: number, cursor: Cursor, outlet: Outlet): Promise<void> => {
  for (let remaining = count; remaining > 0 && outlet.open; ) {
    const page = cursor(Math.min(PAGE, remaining));
    for (const response of page.responses) await outlet.send(response);
    if (page.isLast) return;
    remaining -= page.responses.length;
    await nextTurn();
  }
};

const subscribe = async (reading: Reading, cursor: Cursor): Promise<void> => {
  const { log, outlet } = reading;
  const stopListening = log.onCommit(() => outlet.wake());
  try {
    await outlet.send(subscriptionConfirmed(randomUUID()));
    await follow(reading, cursor);
  } finally {
    stopListening();
  }
};

/**
 * Sends all existing events, then "caught up" once, then waits for commits. Events are read from the log when they can
 * be sent: nothing is buffered per subscriber.
 */
const follow = async (reading: Reading, cursor: Cursor): Promise<void> => {
  const { log, outlet } = reading;
  const { stream, filter, from } = reading.request;
  const interval = filter?.checkpointInterval ?? Number.POSITIVE_INFINITY;
  let sinceCheckpoint = 0;
  const start = typeof from === 'number' ? { commit: from, prepare: 0 } : undefined;
  let position = start;
  let isLive = false;
  while (outlet.open) {
    if (!isLive) refuseTombstoned(log, stream);
    const end = log.end;
    const tombstone = stream === undefined ? undefined : log.tombstone(stream);
    const page = cursor(Math.min(PAGE, interval - sinceCheckpoint), isLive);
    if (isLive) dropIfSlow(reading, page);
    for (const response of page.responses) await outlet.send(response);
    if (page.isLast && tombstone) await endWith(tombstone, reading);

    sinceCheckpoint += page.looked;
    if (page.position !== undefined) position = { commit: page.position, prepare: page.position };
    const repeatsStart = position === start && reading.traits.has('checkpoint-at-start');
    const becomesLive = page.isLast && !isLive;
    const isDue = sinceCheckpoint >= interval || (becomesLive && (sinceCheckpoint > 0 || repeatsStart));
    if (filter && position && isDue) {
      await outlet.send(checkpoint(position.commit, position.prepare));
      sinceCheckpoint = 0;
    }
    if (becomesLive && !isQuiet(reading)) await outlet.send(caughtUp());
    isLive ||= page.isLast;
    if (page.isLast) await outlet.until(() => log.end !== end);
    await nextTurn();
  }
};

const isQuiet = ({ log, request, traits }: Reading): boolean =>
  traits.has('quiet-missing-streams') && request.stream !== undefined && log.head(request.stream).revision < 0;

/** Some of the events that a server could still buffer are sent before the error, as on a server. */
const dropIfSlow = ({ outlet, traits }: Reading, page: Page): void => {
  if (!traits.has('drop-slow-subscribers') || page.responses.length <= LIVE_BUFFER) return;
  for (const response of page.responses.slice(0, LIVE_BUFFER / 2)) outlet.post(response);
  throw new Refused({ kind: 'too_slow' }, '');
};

/** A live subscriber sees that its stream was deleted before it is told so. */
const endWith = async (tombstone: Buffer, { outlet, request }: Reading): Promise<never> => {
  await outlet.send(tombstone);
  throw new Refused({ kind: 'stream_deleted' }, request.stream ?? '');
};
