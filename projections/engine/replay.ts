/**
 * Replays history into tables beside the live ones, page by page, so that it can stop and continue. Each page is read and
 * decoded once, while the one before it is written, and applied to every table.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Position, Recorded } from '../../domain/core/decider.ts';
import type { EventStore, StoredEvent } from '../../eventstore/client/index.ts';
import type { Codec, Decoded } from '../../eventstore/codec.ts';
import { type Page, readPages } from '../../eventstore/pages.ts';
import { isAfter, laterOf } from '../../eventstore/subscribe.ts';
import type { Logger } from '../../infra/log.ts';
import { metrics } from '../../infra/metrics.ts';
import { inTransaction, type Pool, type PoolClient } from '../../infra/postgres.ts';
import { decodeFor, isEventsFault, type OnPoison, type SetAside, shareOut, type Target } from './applyEvents.ts';
import { livePositions } from './checkpoint.ts';
import { applyEach, applyTogether, parkedAmong, streamsOf } from './parked.ts';
import { erasedBy, forgetPeople } from './personalRows.ts';
import { cancelledAmong, type Mode, type Run, saveProgress, TakenOver } from './rebuildRuns.ts';
import { inTurn } from './statementsInTurn.ts';
import { BY_KEY } from './tables.ts';

export interface RebuildDeps {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly codec: Codec;
  readonly log: Logger;
}

/** The table of one read model that is being filled, and how far it is. */
export interface Filling extends Target {
  readonly run: Run;
}

/** Rebuilds or verifications in progress that share each pass over the log. */
export interface Job extends RebuildDeps {
  readonly mode: Mode;
  readonly signal: AbortSignal;
  readonly onProgress: (runs: readonly Run[]) => void | Promise<void>;
  /** Ends the run of one model. The others go on. */
  readonly giveUp: (filling: Filling, error: Error) => Promise<void>;
  /** The number of events read from the log at a time. */
  readonly page: number;
}

/** The run was cancelled. Its table stays, so that the next run continues. */
export class Cancelled extends Error {}

/** An event that a model cannot apply. */
class Stuck extends Error {
  readonly filling: Filling;
  constructor(filling: Filling, message: string) {
    super(message);
    this.filling = filling;
  }
}

const earlier = (a: Position, b: Position): Position => (isAfter(a, b) ? b : a);

/** Where the least advanced table is; null: at the start of the log. */
const leastOf = (fillings: readonly Filling[]): Position | null =>
  fillings.map(({ run }) => run.position).reduce((a, b) => (a === null || b === null ? null : earlier(a, b)));

/** Model → how far its table is to be filled: to the position of its group. None: the table stays empty. */
export type Ends = ReadonlyMap<string, Position>;

const endOf = ({ model }: Filling, ends: Ends): Position | null => ends.get(model.name) ?? null;

/** The tables that are not filled as far as they are to be. */
const unfinished = (fillings: readonly Filling[], ends: Ends): readonly Filling[] =>
  fillings.filter((filling) => {
    const end = endOf(filling, ends);
    return end !== null && isAfter(end, filling.run.position);
  });

/** What a table does not have yet, and is to have: others may be behind it, or go further. */
const missing = <T>(filling: Filling, ends: Ends, items: readonly T[], at: (item: T) => Position): readonly T[] => {
  const [{ position }, end] = [filling.run, endOf(filling, ends)];
  const [first, last] = [items.at(0), items.at(-1)];
  if (first === undefined || last === undefined || end === null) return [];
  if (isAfter(at(first), position) && !isAfter(at(last), end)) return items;
  return items.filter((item) => isAfter(at(item), position) && !isAfter(at(item), end));
};

/**
 * The streams that are left out: those that this table parked, and in a verification also those that are parked in live;
 * otherwise the tables would always differ.
 */
const leftOut = (
  { mode }: Job,
  { model, table }: Filling,
  parked: (table: string) => ReadonlyMap<string, bigint>,
): SetAside => new Map([...(mode === 'verify' ? parked(model.name) : []), ...parked(table)]);

/**
 * Applies events to all tables. Streams of events that cannot be read are parked for the table.
 * @param one by one, to find the event that a model cannot apply: slower
 * @throws Stuck if `one by one`; otherwise what the model or its table throws
 */
const apply = async (
  job: Job,
  client: PoolClient,
  fillings: readonly Filling[],
  ends: Ends,
  decoded: Decoded,
  oneByOne: boolean,
): Promise<void> => {
  const parked = await parkedAmong(client, streamsOf(decoded));
  const unreadableFor = (filling: Filling) => missing(filling, ends, decoded.unreadable, ({ event }) => event.position);
  const missingIn = (filling: Filling, events: readonly Recorded[]) =>
    missing(filling, ends, events, (one) => one.position);
  const erased = erasedBy(decoded.events);
  for (const filling of fillings) await forgetPeople(client, filling, erased);
  if (!oneByOne) {
    const models = fillings.map(({ model }) => model);
    const shareOf = shareOut(models, decoded.events);
    await inTurn(client, fillings, (filling, db) => {
      const { events, erased } = shareOf(filling.model);
      const share = { events: missingIn(filling, events), erased };
      return applyTogether(db, filling, share, unreadableFor(filling), leftOut(job, filling, parked));
    });
    return;
  }
  for (const filling of fillings) {
    const due = { events: missingIn(filling, decoded.events), unreadable: unreadableFor(filling) };
    const onPoison: OnPoison = async ({ type, revision, stream }, reason) => {
      throw new Stuck(filling, `${type} at revision ${revision} of ${stream}: ${reason}`);
    };
    await applyEach(client, filling, due, leftOut(job, filling, parked), onPoison);
  }
};

const modelsOf = (fillings: readonly Filling[]) => fillings.map(({ model }) => model);

/** The events of a page that some table is to have. */
const dueOf = ({ events }: Page, fillings: readonly Filling[], ends: Ends): readonly StoredEvent[] => {
  const last = fillings.map((filling) => endOf(filling, ends)).reduce(laterOf, null);
  return events.filter(({ position }) => last !== null && !isAfter(position, last));
};

/** A page with the events that some table is to have. */
interface DecodedPage {
  readonly last: Position;
  readonly due: readonly StoredEvent[];
  readonly decoded: Decoded;
}

/** So many are decoded at once. In between, the database gets its next statement. */
const SLICE = 250;

const decodePage = async (
  { codec }: Job,
  page: Page,
  fillings: readonly Filling[],
  ends: Ends,
): Promise<DecodedPage> => {
  const [due, models] = [dueOf(page, fillings, ends), modelsOf(fillings)];
  const slices: Decoded[] = [];
  for (let from = 0; from < due.length; from += SLICE) {
    await nextTurn();
    slices.push(await decodeFor(codec, models, due.slice(from, from + SLICE)));
  }
  const decoded = {
    events: slices.flatMap(({ events }) => events),
    unreadable: slices.flatMap(({ unreadable }) => unreadable),
  };
  return { last: page.last, due, decoded };
};

/** The pages after the least advanced table; the next one is decoded while the current one is written. */
async function* decodedPages(job: Job, fillings: readonly Filling[], ends: Ends): AsyncGenerator<DecodedPage> {
  let decoding: Promise<DecodedPage> | undefined;
  for await (const page of readPages(job.store, leastOf(fillings), job.page)) {
    const next = decodePage(job, page, fillings, ends);
    next.catch(() => undefined); // it is awaited one page later, see `readPages`
    if (decoding) yield await decoding;
    decoding = next;
  }
  if (decoding) yield await decoding;
}

/** The table after a page. */
const moved = (filling: Filling, ends: Ends, due: readonly StoredEvent[], to: Position): Filling => {
  const { run } = filling;
  const end = endOf(filling, ends);
  if (end === null) return filling;
  const read = missing(filling, ends, due, ({ position }) => position).length;
  return { ...filling, run: { ...run, position: laterOf(run.position, earlier(to, end)), events: run.events + read } };
};

/**
 * Applies the events that are missing up to the ends in the caller's transaction. Returns the tables as they are then.
 * @throws Stuck
 */
export const applyUpTo = async (
  job: Job,
  client: PoolClient,
  fillings: readonly Filling[],
  ends: Ends,
): Promise<readonly Filling[]> => {
  let filled = fillings;
  if (unfinished(filled, ends).length === 0) return filled;
  for await (const page of readPages(job.store, leastOf(unfinished(filled, ends)), job.page)) {
    const behind = unfinished(filled, ends);
    const due = dueOf(page, behind, ends);
    await apply(job, client, behind, ends, await decodeFor(job.codec, modelsOf(behind), due), true);
    filled = filled.map((filling) => moved(filling, ends, due, page.last));
    if (unfinished(filled, ends).length === 0) break;
  }
  return filled;
};

/** Whose run cannot go on. */
const culprit = (fillings: readonly Filling[], error: unknown): Filling | undefined => {
  if (error instanceof Stuck) return error.filling;
  return error instanceof TakenOver ? fillings.find(({ run }) => run.model === error.model) : undefined;
};

/** Does work for all tables at once. If one cannot go on, its run ends, and the work is repeated for the others. */
export const forThoseThatGoOn = async <Result>(
  { giveUp }: Job,
  all: readonly Filling[],
  work: (fillings: readonly Filling[]) => Promise<Result>,
): Promise<Result> => {
  for (let fillings = all; ; ) {
    try {
      return await work(fillings);
    } catch (error) {
      const failed = culprit(fillings, error);
      if (!failed) throw error;
      await giveUp(failed, error as Error);
      fillings = fillings.filter((each) => each !== failed);
    }
  }
};

/** Applies a page up to the ends, with its progress, in one transaction. Returns the tables that could go on. */
const applyPage = (
  job: Job,
  all: readonly Filling[],
  { last, due, decoded }: DecodedPage,
  ends: Ends,
): Promise<readonly Filling[]> =>
  forThoseThatGoOn(job, all, async (fillings) => {
    const next = fillings.map((filling) => moved(filling, ends, due, last));
    const write = (oneByOne: boolean) =>
      inTransaction(
        job.pool,
        async (client) => {
          await apply(job, client, fillings, ends, decoded, oneByOne);
          await saveProgress(client, fillings, next);
        },
        // A crash of the database may undo the last pages, each with its progress. The swap makes all of them durable.
        [...BY_KEY, 'set local synchronous_commit = off'],
      );
    await write(false).catch((error: unknown) => {
      if (!isEventsFault(error)) throw error;
      return write(true);
    });
    return next;
  });

/** Gives up the runs that someone has asked to stop. Returns the others. */
export const stopCancelled = async (job: Job, fillings: readonly Filling[]): Promise<readonly Filling[]> => {
  if (job.signal.aborted) throw new Cancelled();
  const names = fillings.map(({ model }) => model.name);
  const cancelled = await cancelledAmong(job.pool, names, job.mode);
  for (const filling of fillings) if (cancelled.has(filling.model.name)) await job.giveUp(filling, new Cancelled());
  return fillings.filter(({ model }) => !cancelled.has(model.name));
};

/** Replays up to the ends. */
const replayTo = async (job: Job, begun: readonly Filling[], ends: Ends): Promise<readonly Filling[]> => {
  let fillings = begun;
  const behind = unfinished(fillings, ends);
  if (behind.length === 0) return fillings;
  for await (const page of decodedPages(job, behind, ends)) {
    fillings = await applyPage(job, await stopCancelled(job, fillings), page, ends);
    for (const { run } of fillings) metrics.rebuildEvents.set({ model: run.model }, run.events);
    if (fillings.length > 0) await job.onProgress(fillings.map(({ run }) => run));
    if (unfinished(fillings, ends).length === 0) break;
  }
  return fillings;
};

/** Replays until less than a page is missing, even while live moves on. */
export const replay = async (job: Job, begun: readonly Filling[]): Promise<readonly Filling[]> => {
  let fillings = begun;
  while (fillings.length > 0) {
    const ends = await livePositions(
      job.pool,
      fillings.map(({ model }) => model.name),
    );
    const before = new Map(fillings.map(({ run }) => [run.model, run.events]));
    fillings = await replayTo(job, fillings, ends);
    if (!fillings.some(({ run }) => run.events - (before.get(run.model) ?? 0) >= job.page)) break;
  }
  return fillings;
};
