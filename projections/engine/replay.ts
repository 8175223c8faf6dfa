/** Replays history into a table beside the live one, page by page, so that it can stop and continue. */
import type { Position } from '../../domain/core/decider.ts';
import type { EventStore } from '../../eventstore/client/index.ts';
import type { Codec } from '../../eventstore/codec.ts';
import { type Page, readPages } from '../../eventstore/pages.ts';
import { isAfter } from '../../eventstore/subscribe.ts';
import type { Logger } from '../../infra/log.ts';
import { metrics } from '../../infra/metrics.ts';
import { inTransaction, type Pool, type PoolClient } from '../../infra/postgres.ts';
import { livePosition } from './checkpoint.ts';
import { applyReadable, parkedAmong, streamsOf } from './parked.ts';
import type { ReadModel } from './readModel.ts';
import { isCancelled, type Mode, type Run, saveProgress } from './rebuildRuns.ts';

export interface RebuildDeps {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly codec: Codec;
  readonly log: Logger;
}

/** A rebuild or verification in progress. */
export interface Job extends RebuildDeps {
  readonly mode: Mode;
  readonly model: ReadModel;
  /** The table that is being filled. */
  readonly table: string;
  readonly signal: AbortSignal;
  readonly onProgress: (run: Run) => void | Promise<void>;
  /** The number of events read from the log at a time. */
  readonly page: number;
}

/** The run was cancelled. Its table stays, so that the next run continues. */
export class Cancelled extends Error {}

/**
 * The streams that are left out: those that this table parked, and in a verification also those that are parked in live;
 * otherwise the tables would always differ.
 */
const leftOut = async (client: PoolClient, { mode, model, table }: Job, streams: readonly string[]) => {
  const parked = await parkedAmong(client, streams);
  return new Map([...(mode === 'verify' ? parked(model.name) : []), ...parked(table)]);
};

/**
 * Applies the events of a page up to `end`. Streams of events that cannot be read are parked for this table. Throws what a
 * handler throws, and names the event.
 */
const applyPage = async (job: Job, client: PoolClient, page: Page, end: Position): Promise<number> => {
  const due = page.events.filter((event) => !isAfter(event.position, end));
  const decoded = await job.codec.decodeEach(due);
  const aside = await leftOut(client, job, streamsOf(decoded));
  await applyReadable(client, job, decoded, aside, async ({ type, revision, stream }, reason) => {
    throw new Error(`${type} at revision ${revision} of ${stream}: ${reason}`);
  });
  return due.length;
};

const earlier = (a: Position, b: Position): Position => (isAfter(a, b) ? b : a);

/** Applies the events between two positions in the caller's transaction. Returns the number of events read. */
export const applyBetween = async (
  job: Job,
  client: PoolClient,
  after: Position | null,
  end: Position | null,
): Promise<number> => {
  if (end === null || !isAfter(end, after)) return 0;
  let events = 0;
  for await (const page of readPages(job.store, after, job.page)) {
    events += await applyPage(job, client, page, end);
    if (!isAfter(end, page.last)) break;
  }
  return events;
};

/** Replays up to a position. Each page and its progress are one transaction. */
const replayTo = async (job: Job, begun: Run, end: Position): Promise<Run> => {
  let run = begun;
  if (!isAfter(end, run.position)) return run;
  for await (const page of readPages(job.store, run.position, job.page)) {
    if (job.signal.aborted || (await isCancelled(job.pool, run))) throw new Cancelled();
    const from = run;
    run = await inTransaction(job.pool, async (client) => {
      const events = from.events + (await applyPage(job, client, page, end));
      const next = { ...from, position: earlier(page.last, end), events };
      await saveProgress(client, from, next);
      return next;
    });
    metrics.rebuildEvents.set({ model: run.model }, run.events);
    await job.onProgress(run);
    if (!isAfter(end, page.last)) break;
  }
  return run;
};

/** Replays until less than a page is missing, even while live moves on. */
export const replay = async (job: Job, begun: Run): Promise<Run> => {
  let run = begun;
  for (;;) {
    const live = await livePosition(job.pool);
    const next = live ? await replayTo(job, run, live) : run;
    if (next.events - run.events < job.page) return next;
    run = next;
  }
};
