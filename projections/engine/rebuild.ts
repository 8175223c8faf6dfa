/**
 * Rebuild: fills a shadow table from history beside the live one, catches up with it and swaps it in atomically.
 * Verify: replays into a scratch table, compares it with the live one row by row at one position, and drops it.
 * Reads and writes continue meanwhile. A failure leaves the live table as it is. Neither sends realtime messages nor
 * runs policies. Any number of models share one pass over the log; each has its own run, and can fail by itself.
 */
import { Rejected } from '../../domain/core/decider.ts';
import { MINUTE_MS } from '../../domain/core/instants.ts';
import { assertSameLog } from '../../eventstore/identity.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { inTransaction, type Pool, type PoolClient, unbounded } from '../../infra/postgres.ts';
import { linkSignals, sleep } from '../../infra/retry.ts';
import { compareWithLive } from './compareTables.ts';
import { alignIndexes } from './declaredIndexes.ts';
import { READ_SCHEMA, tableName } from './readDb.ts';
import type { ReadModel } from './readModel.ts';
import { type Claim, exclusively, finishRun, loadRun, type Mode, type Run, startRun } from './rebuildRuns.ts';
import {
  Cancelled,
  type Filling,
  forThoseThatGoOn,
  type Job,
  type RebuildDeps,
  replay,
  stopCancelled,
} from './replay.ts';
import { swapIn } from './swapTables.ts';
import { createIndexes, createTable, finishTable, keepNoSamples } from './tables.ts';
import { outdatedModels } from './tableVersions.ts';

export interface RebuildOptions {
  readonly mode: Mode;
  /** Cancels the runs. The next ones continue where these stopped. */
  readonly signal: AbortSignal;
  /** Called once they have started; `position` is where each continues from. Not called if none can start. */
  readonly onStart?: (runs: readonly Run[]) => void;
  /** Called after every page with the runs that go on. The next page waits for it. */
  readonly onProgress?: (runs: readonly Run[]) => void | Promise<void>;
  /** The number of events read from the log at a time; 5,000 by default. */
  readonly page?: number;
}

export interface RebuildResult {
  readonly events: number;
  /** The number of rows that differed between live and rebuilt; null if the two have different versions. */
  readonly differences: number | null;
}

/** How the run of a model ended: a run that failed says why. */
export type Outcome = RebuildResult | Error;

const PAGE = 5_000;

/**
 * Rebuilds or verifies models in one pass over the log, and resolves to how each run ended, by model:
 * - Rejected `conflict` when the model is being rebuilt or verified already, and when it was cancelled
 * - what a handler throws, naming the event. The shadow table stays, so that a repaired program resumes.
 * @throws IncompatibleData when the log is not the one that this database follows
 */
export const rebuildAll = (
  deps: RebuildDeps,
  models: readonly ReadModel[],
  options: RebuildOptions,
): Promise<ReadonlyMap<string, Outcome>> =>
  exclusively(
    deps.pool,
    models.map(({ name }) => name),
    options.mode,
    async (claim) => {
      await assertSameLog(deps.pool, deps.store);
      const { signal, end } = linkSignals(options.signal, claim.lost);
      const { mode, page = PAGE, onProgress = () => undefined } = options;
      const outcomes = new Map<string, Outcome>();
      const settle: Settle = async (filling, outcome) => {
        outcomes.set(filling.model.name, await recordEnd(deps, claim, filling, outcome));
        await claim.release(filling.model.name);
      };
      const job: Job = { ...deps, mode, signal, page, onProgress, giveUp: settle };
      const begun: Filling[] = [];
      try {
        for (const { name } of models) if (!claim.models.includes(name)) outcomes.set(name, isRunning(mode, name));
        for (const model of models.filter(({ name }) => claim.models.includes(name))) {
          if (signal.aborted) throw new Cancelled();
          begun.push(await begin(job, model));
        }
        if (begun.length > 0) options.onStart?.(begun.map(({ run }) => run));
        await (mode === 'rebuild' ? build(job, begun, settle) : verify(job, begun, settle));
      } catch (error) {
        for (const filling of begun) if (!outcomes.has(filling.model.name)) await settle(filling, error as Error);
        for (const { name } of models)
          if (!outcomes.has(name))
            outcomes.set(name, error instanceof Cancelled ? isCancelled(mode, name) : (error as Error));
      } finally {
        end();
      }
      return outcomes;
    },
  );

/** One model. @throws what `rebuildAll` gives as the outcome */
export const rebuild = async (
  deps: RebuildDeps,
  model: ReadModel,
  {
    onStart,
    onProgress,
    ...options
  }: Omit<RebuildOptions, 'onStart' | 'onProgress'> & {
    readonly onStart?: (run: Run) => void;
    readonly onProgress?: (run: Run) => void | Promise<void>;
  },
): Promise<RebuildResult> => {
  const outcomes = await rebuildAll(deps, [model], {
    ...options,
    onStart: ([run]) => run && onStart?.(run),
    onProgress: ([run]) => run && onProgress?.(run),
  });
  const outcome = outcomes.get(model.name);
  if (!outcome) throw new Error(`the ${options.mode} of ${model.name} has no outcome`);
  if (outcome instanceof Error) throw outcome;
  return outcome;
};

/** Ends the run of one model. */
type Settle = (filling: Filling, outcome: Outcome) => Promise<void>;

const isRunning = (mode: Mode, model: string): Rejected =>
  new Rejected('conflict', `The ${mode} of ${model} is already running. Wait until it is done, or cancel it.`);
const isCancelled = (mode: Mode, model: string): Rejected =>
  new Rejected('conflict', `The ${mode} of ${model} was cancelled. Start it again to continue.`);

/** Records how a run ended, and returns it as its caller sees it. */
const recordEnd = async (
  { pool, log }: RebuildDeps,
  { lost }: Claim,
  { run, table }: Filling,
  outcome: Outcome,
): Promise<Outcome> => {
  const { model, mode } = run;
  const stopped = outcome instanceof Cancelled;
  if (stopped && lost.aborted)
    return new Error(`the ${mode} of ${model} lost its lock: another process may continue it`);
  try {
    if (mode === 'verify') await dropScratch(pool, table);
    if (stopped) await finishRun(pool, run, 'cancelled', null);
    else if (outcome instanceof Error) await finishRun(pool, run, 'failed', outcome.message);
    else await finishRun(pool, run, 'done', describe(outcome));
  } catch (err) {
    log.warn({ err, model }, `the end of a ${mode} could not be recorded`);
  }
  return stopped ? isCancelled(mode, model) : outcome;
};

const describe = ({ differences }: RebuildResult): string | null =>
  differences === null ? null : `${differences} rows differed`;

const dropScratch = async (pool: Pool, table: string): Promise<void> => {
  await pool.query(`drop table if exists ${tableName(table)}`);
  await pool.query('delete from ops.parked where model = $1', [table]);
};

/** Starts a run with an empty table, or continues an interrupted rebuild. */
const begin = async ({ pool, store, log, mode }: Job, model: ReadModel): Promise<Filling> => {
  const table = `${model.name}__${mode}`;
  const target = (await store.head())?.commit ?? 0n;
  const earlier = await loadRun(pool, model.name, mode);
  const shadow = await pool.query('select 1 where to_regclass($1) is not null', [tableName(table)]);
  const unfinished = earlier && earlier.status !== 'done' && earlier.version === model.version && shadow.rowCount === 1;
  if (unfinished && mode === 'rebuild') {
    log.info({ model: model.name, events: earlier.events }, 'resuming an interrupted rebuild');
    return { model, table, run: await startRun(pool, { ...earlier, target }) };
  }
  return inTransaction(pool, async (client) => {
    await client.query(`drop table if exists ${tableName(table)}`);
    for (const statement of [createTable(model, table), ...keepNoSamples(model, table)]) await client.query(statement);
    await client.query('delete from ops.parked where model = $1', [table]);
    const fresh = { model: model.name, mode, version: model.version, position: null, events: 0, target };
    return { model, table, run: await startRun(client, fresh) };
  });
};

/** Does work for each table by itself. A failure ends the run of that model only. Returns the others. */
const forEachAlone = async (
  { signal, giveUp }: Job,
  fillings: readonly Filling[],
  work: (filling: Filling) => Promise<void>,
  atOnce = 1,
): Promise<readonly Filling[]> => {
  const done = new Set<Filling>();
  await concurrentEach(fillings, atOnce, async (filling) => {
    if (signal.aborted) throw new Cancelled();
    try {
      await work(filling);
      done.add(filling);
    } catch (error) {
      await giveUp(filling, error as Error);
    }
  });
  return fillings.filter((filling) => done.has(filling));
};

/** How many tables get their indexes at the same time. */
const INDEXED_AT_ONCE = 2;

const build = async (job: Job, begun: readonly Filling[], settle: Settle): Promise<void> => {
  const filled = await replay(job, begun);
  const index = (filling: Filling) => inTransaction(job.pool, (client) => addIndexes(client, filling));
  const indexed = await forEachAlone(job, filled, index, INDEXED_AT_ONCE);
  const { compared, differences } = await compareAll(job, await replay(job, indexed));
  const caughtUp = await replay(job, await stopCancelled(job, compared)); // with the events that arrived meanwhile
  const done = async (swapped: readonly Filling[]) => {
    for (const filling of swapped) {
      const { model, run } = filling;
      await settle(filling, { events: run.events, differences: differences.get(model.name) ?? null });
    }
  };
  const together = caughtUp.length > 1 ? await swapTogether(job, caughtUp) : undefined;
  if (together) await done(together);
  else await forEachAlone(job, caughtUp, async (filling) => done(await swapIn(job, [filling])));
};

/** Returns undefined where that is not possible: swapped one by one, what is at fault ends its own run only. */
const swapTogether = (job: Job, fillings: readonly Filling[]): Promise<readonly Filling[] | undefined> =>
  swapIn(job, fillings).catch((err: unknown) => {
    job.log.warn({ err }, 'the rebuilt tables could not be swapped in together, and are one by one');
    return undefined;
  });

const compareAll = (job: Job, fillings: readonly Filling[]) =>
  forThoseThatGoOn(job, fillings, async (compared) => ({
    compared,
    differences: await compareWithLive(job, compared),
  }));

const addIndexes = async (client: PoolClient, { model, table }: Filling): Promise<void> => {
  const { rowCount } = await client.query('select 1 from pg_indexes where schemaname = $1 and tablename = $2', [
    READ_SCHEMA,
    table,
  ]);
  const missing = rowCount === 1 ? createIndexes(model, table) : []; // a resumed rebuild may have them already
  const done = [...finishTable(model, table), ...keepNoSamples(model, table)];
  for (const statement of [...missing, ...done, `analyze ${tableName(table)}`]) await unbounded(client, statement);
};

const verify = async (job: Job, begun: readonly Filling[], settle: Settle): Promise<void> => {
  const { compared, differences } = await compareAll(job, await replay(job, begun));
  for (const filling of compared)
    await settle(filling, {
      events: filling.run.events,
      differences: differences.get(filling.model.name) ?? null,
    });
};

const UPGRADE_EVERY_MS = MINUTE_MS;

/**
 * Rebuilds every model whose live table has another version, and gives the others the indexes that they declare, until
 * `signal` fires. Never throws: it tries again.
 */
export const rebuildOutdated = async (
  deps: RebuildDeps,
  models: readonly ReadModel[],
  signal: AbortSignal,
): Promise<void> => {
  const { log, pool } = deps;
  let isAligned = false;
  while (!signal.aborted) {
    try {
      const outdated = await outdatedModels(pool, models);
      for (const { name, version } of outdated) log.info({ model: name, version }, 'rebuilding for a new version');
      const outcomes = outdated.length > 0 ? await rebuildAll(deps, outdated, { mode: 'rebuild', signal }) : new Map();
      for (const [model, err] of outcomes)
        if (err instanceof Error && !signal.aborted) log.error({ err, model }, 'rebuild for a new version failed');
      if (!isAligned) await alignIndexes(deps, models, signal);
      isAligned = true;
    } catch (err) {
      if (!signal.aborted) log.error({ err }, 'rebuild for a new version failed');
    }
    await sleep(UPGRADE_EVERY_MS, signal);
  }
};
