/**
 * Rebuild: fills a shadow table from history beside the live one, catches up with it and swaps it in atomically.
 * Verify: replays into a scratch table, compares it with the live one row by row at one position, and drops it.
 * Reads and writes continue meanwhile. A failure leaves the live table as it is. Neither sends realtime messages nor
 * runs policies.
 */
import { Rejected } from '../../domain/core/decider.ts';
import { assertSameLog } from '../../eventstore/identity.ts';
import { inTransaction, type PoolClient, unbounded } from '../../infra/postgres.ts';
import { createBackoff, linkSignals, sleep } from '../../infra/retry.ts';
import { startEpoch } from './changes.ts';
import { livePosition } from './checkpoint.ts';
import { compareWithLive } from './compare.ts';
import { quoted, READ_SCHEMA, tableName } from './readDb.ts';
import type { ReadModel } from './readModel.ts';
import { exclusively, finishRun, loadRun, type Mode, type Run, saveProgress, startRun } from './rebuildRuns.ts';
import { applyBetween, Cancelled, type Job, type RebuildDeps, replay } from './replay.ts';
import { createIndexes, createTable } from './tables.ts';
import { lockModel, outdatedModels, tellModels } from './tableVersions.ts';

export interface RebuildOptions {
  readonly mode: Mode;
  /** Cancels the run. The next one continues where this one stopped. */
  readonly signal: AbortSignal;
  /** Called once it has started; `position` is where it continues from. */
  readonly onStart?: (run: Run) => void;
  /** Called after every page. The next page waits for it. */
  readonly onProgress?: (run: Run) => void | Promise<void>;
  /** The number of events read from the log at a time; 5,000 by default. */
  readonly page?: number;
}

export interface RebuildResult {
  readonly events: number;
  /** The number of rows that differed between live and rebuilt; null if the two have different versions. */
  readonly differences: number | null;
}

const PAGE = 5_000;
const SWAP_ATTEMPTS = 20;

/**
 * @throws Rejected `conflict` when the model is being rebuilt or verified already, and when it is cancelled
 * @throws IncompatibleData when the log is not the one that this database follows
 * @throws what a handler throws, naming the event. The shadow table stays, so that a repaired program resumes.
 */
export const rebuild = (deps: RebuildDeps, model: ReadModel, options: RebuildOptions): Promise<RebuildResult> =>
  exclusively(deps.pool, model.name, options.mode, async (lost) => {
    const { mode, page = PAGE, onProgress = () => undefined } = options;
    const { signal, end } = linkSignals(options.signal, lost);
    const job: Job = { ...deps, mode, model, table: `${model.name}__${mode}`, signal, page, onProgress };
    await assertSameLog(deps.pool, deps.store);
    const run = await begin(job);
    options.onStart?.(run);
    try {
      const result = mode === 'rebuild' ? await build(job, run) : await verify(job, run);
      await finishRun(deps.pool, run, 'done', describe(result));
      return result;
    } catch (error) {
      const cancelled = error instanceof Cancelled;
      if (lost.aborted && cancelled)
        throw new Error(`the ${mode} of ${model.name} lost its lock: another process may continue it`);
      const detail = cancelled ? null : (error as Error).message;
      await finishRun(deps.pool, run, cancelled ? 'cancelled' : 'failed', detail).catch((err: unknown) =>
        deps.log.warn({ err, model: model.name }, 'the end of a rebuild could not be recorded'),
      );
      if (cancelled)
        throw new Rejected('conflict', `The ${mode} of ${model.name} was cancelled. Start it again to continue.`);
      throw error;
    } finally {
      end();
    }
  });

const describe = ({ differences }: RebuildResult): string | null =>
  differences === null ? null : `${differences} rows differed`;

/** Starts a run with an empty table, or continues an interrupted rebuild. */
const begin = async ({ pool, store, log, mode, model, table }: Job): Promise<Run> => {
  const target = (await store.head())?.commit ?? 0n;
  const earlier = await loadRun(pool, model.name, mode);
  const shadow = await pool.query('select 1 where to_regclass($1) is not null', [tableName(table)]);
  const unfinished = earlier && earlier.status !== 'done' && earlier.version === model.version && shadow.rowCount === 1;
  if (unfinished && mode === 'rebuild') {
    log.info({ model: model.name, events: earlier.events }, 'resuming an interrupted rebuild');
    return startRun(pool, { ...earlier, target });
  }
  return inTransaction(pool, async (client) => {
    await client.query(`drop table if exists ${tableName(table)}`);
    await client.query(createTable(model, table));
    await client.query('delete from ops.parked where model = $1', [table]);
    return startRun(client, { model: model.name, mode, version: model.version, position: null, events: 0, target });
  });
};

const build = async (job: Job, begun: Run): Promise<RebuildResult> => {
  const filled = await replay(job, begun);
  await inTransaction(job.pool, (client) => addIndexes(client, job));
  const run = await replay(job, filled); // the events that arrived meanwhile
  const differences = await compareWithLive(job, run);
  const events = run.events + (await swapIn(job, run));
  return { events, differences };
};

const addIndexes = async (client: PoolClient, { model, table }: Job): Promise<void> => {
  const { rowCount } = await client.query('select 1 from pg_indexes where schemaname = $1 and tablename = $2', [
    READ_SCHEMA,
    table,
  ]);
  const missing = rowCount === 1 ? createIndexes(model, table) : []; // a resumed rebuild may have them already
  for (const statement of [...missing, `analyze ${tableName(table)}`]) await unbounded(client, statement);
};

const verify = async (job: Job, begun: Run): Promise<RebuildResult> => {
  try {
    const run = await replay(job, begun);
    return { events: run.events, differences: await compareWithLive(job, run) };
  } finally {
    await job.pool.query(`drop table ${tableName(job.table)}`);
    await job.pool.query('delete from ops.parked where model = $1', [job.table]);
  }
};

/** Applies the last events and swaps the tables while the projector waits. Returns the number of those events. */
const swapIn = async (job: Job, run: Run): Promise<number> => {
  const backoff = createBackoff(50, 1_000);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await swapOnce(job, run);
    } catch (error) {
      // A long query locks the table. Let it finish, so that other readers do not queue behind this swap.
      if ((error as { code?: string }).code !== '55P03' || attempt === SWAP_ATTEMPTS) throw error;
      await sleep(backoff.next(), job.signal);
      if (job.signal.aborted) throw new Cancelled();
    }
  }
};

/** Fails at once while a query uses the live table. The lock is not kept: readers need not wait for what comes first. */
const tryLock = async (client: PoolClient, name: string): Promise<void> => {
  const { rowCount } = await client.query('select 1 where to_regclass($1) is not null', [tableName(name)]);
  if (rowCount === 0) return; // dropped by hand
  await client.query('savepoint unlocked');
  await client.query(`lock table ${tableName(name)} in access exclusive mode`);
  await client.query('rollback to savepoint unlocked');
};

/** @throws Error if another process has moved the run: the last events would be applied twice */
const swapOnce = (job: Job, run: Run): Promise<number> =>
  inTransaction(job.pool, async (client) => {
    const { model, table } = job;
    await client.query(`set local lock_timeout = '1s'`);
    await lockModel(client, model);
    await tryLock(client, model.name);
    const live = await livePosition(client);
    await saveProgress(client, run, { ...run, position: live ?? run.position });
    const events = await applyBetween(job, client, run.position, live);
    if (job.signal.aborted) throw new Cancelled();
    await client.query(`drop table if exists ${tableName(model.name)}`);
    await client.query(`alter table ${tableName(table)} rename to ${quoted(model.name)}`);
    await client.query(
      `insert into ops.read_models as m (name, version, rebuilt_at) values ($1, $2, now())
       on conflict (name) do update set version = excluded.version, epoch = m.epoch + 1, rebuilt_at = now()`,
      [model.name, model.version],
    );
    await client.query('delete from ops.parked where model = $1', [model.name]);
    await client.query('update ops.parked set model = $1 where model = $2', [model.name, table]);
    await tellModels(client);
    if (model.publishTo.length > 0) await startEpoch(client);
    return events;
  });

const UPGRADE_EVERY_MS = 60_000;

/** Rebuilds every model whose live table has another version, until `signal` fires. Never throws: it tries again. */
export const rebuildOutdated = async (
  deps: RebuildDeps,
  models: readonly ReadModel[],
  signal: AbortSignal,
): Promise<void> => {
  const failed = (err: unknown) => {
    if (!signal.aborted) deps.log.error({ err }, 'rebuild for a new version failed');
  };
  while (!signal.aborted) {
    const outdated = await outdatedModels(deps.pool, models).catch(failed);
    for (const model of outdated ?? []) {
      deps.log.info({ model: model.name, version: model.version }, 'rebuilding for a new version');
      await rebuild(deps, model, { mode: 'rebuild', signal }).catch(failed);
    }
    await sleep(UPGRADE_EVERY_MS, signal);
  }
};
