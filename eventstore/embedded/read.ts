/** Answers `Read`: a bounded read, or a subscription that follows the log. */
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Cursor, openCursor } from './cursors.ts';
import { Refused } from './faults.ts';
import type { Log } from './log.ts';
import { isSoftDeleted } from './metadata.ts';
import type { Outlet } from './outlet.ts';
import { caughtUp, checkpoint, streamNotFound, subscriptionConfirmed } from './replies.ts';
import type { ReadRequest } from './requests.ts';

/** Events fetched from the log at once. */
const PAGE = 256;

/** Resolves when everything is sent or the call is over. Throws `Refused` and `InvalidRequest`. */
export const read = async (log: Log, request: ReadRequest, outlet: Outlet): Promise<void> => {
  refuseTombstoned(log, request.stream);
  const cursor = openCursor(log, request);
  if (request.count === undefined) return await subscribe(log, request, cursor, outlet);
  if (request.stream !== undefined && isMissing(log, request.stream)) outlet.post(streamNotFound(request.stream));
  else await readUpTo(request.count, cursor, outlet);
};

const refuseTombstoned = (log: Log, stream: string | undefined): void => {
  if (stream !== undefined && log.head(stream).tombstoned) throw new Refused({ kind: 'stream_deleted' }, stream);
};

const isMissing = (log: Log, stream: string): boolean => {
  const { revision, metadata } = log.head(stream);
  return revision < 0 || isSoftDeleted(metadata);
};

const readUpTo = async (count: number, cursor: Cursor, outlet: Outlet): Promise<void> => {
  for (let remaining = count; remaining > 0 && outlet.open; ) {
    const limit = Math.min(PAGE, remaining);
    const page = cursor(limit);
    for (const response of page.responses) await outlet.send(response);
    if (page.looked < limit) return;
    remaining -= page.responses.length;
    await nextTurn();
  }
};

const subscribe = async (log: Log, request: ReadRequest, cursor: Cursor, outlet: Outlet): Promise<void> => {
  const stopListening = log.onCommit(() => outlet.wake());
  try {
    await outlet.send(subscriptionConfirmed(randomUUID()));
    await follow(log, request, cursor, outlet);
  } finally {
    stopListening();
  }
};

/**
 * Sends all existing events, then "caught up" once, then waits for commits. Events are read from the log when they can
 * be sent: nothing is buffered per subscriber.
 */
const follow = async (log: Log, { stream, filter }: ReadRequest, cursor: Cursor, outlet: Outlet): Promise<void> => {
  const interval = filter?.checkpointInterval ?? Number.POSITIVE_INFINITY;
  let sinceCheckpoint = 0;
  let position = 0;
  let isLive = false;
  while (outlet.open) {
    refuseTombstoned(log, stream);
    const end = log.end;
    const limit = Math.min(PAGE, interval - sinceCheckpoint);
    const page = cursor(limit);
    for (const response of page.responses) await outlet.send(response);

    const isAtEnd = page.looked < limit;
    sinceCheckpoint += page.looked;
    position = page.position ?? position;
    if (filter && sinceCheckpoint > 0 && (sinceCheckpoint >= interval || (isAtEnd && !isLive))) {
      await outlet.send(checkpoint(position));
      sinceCheckpoint = 0;
    }
    if (isAtEnd) {
      if (!isLive) await outlet.send(caughtUp());
      isLive = true;
      await outlet.until(() => log.end !== end);
    }
    await nextTurn();
  }
};
