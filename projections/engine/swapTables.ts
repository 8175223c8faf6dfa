/** Puts rebuilt tables in the place of the live ones. */
import { inTransaction, type PoolClient } from '../../infra/postgres.ts';
import { createBackoff, sleep } from '../../infra/retry.ts';
import { isLocked } from '../../infra/storeFaults.ts';
import { startEpoch } from './changes.ts';
import { livePositions } from './checkpoint.ts';
import { quoted, tableName } from './readDb.ts';
import { saveProgress } from './rebuildRuns.ts';
import { applyUpTo, Cancelled, type Filling, type Job } from './replay.ts';
import { lockModels, tellModels } from './tableVersions.ts';

const SWAP_ATTEMPTS = 20;

/**
 * Applies the last events and swaps the tables while the projector waits: all together, so that realtime clients start over
 * once. Returns them as they are then.
 * @throws what keeps one of them from being swapped in: then none was
 */
export const swapIn = async (job: Job, fillings: readonly Filling[]): Promise<readonly Filling[]> => {
  const backoff = createBackoff(50, 1_000);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await swapOnce(job, fillings);
    } catch (error) {
      // A long query locks a table. Let it finish, so that other readers do not queue behind this swap.
      if (!isLocked(error) || attempt === SWAP_ATTEMPTS) throw error;
      await sleep(backoff.next(), job.signal);
      if (job.signal.aborted) throw new Cancelled();
    }
  }
};

/** Those of these tables that were not dropped by hand. */
const liveTables = async (client: PoolClient, names: readonly string[]): Promise<string[]> => {
  const { rows } = await client.query<{ found: string }>(
    'select found from unnest($1::text[]) as found where to_regclass(found) is not null order by 1',
    [names.map(tableName)],
  );
  return rows.map(({ found }) => found);
};

/** Fails soon while a query uses a live table. No lock is kept: readers need not wait for what comes first. */
const tryLocks = async (client: PoolClient, tables: readonly string[]): Promise<void> => {
  for (const table of tables) {
    await client.query('savepoint unlocked');
    await client.query(`lock table ${table} in access exclusive mode`);
    await client.query('rollback to savepoint unlocked');
  }
};

/**
 * Keeps readers out until the transaction ends. A query that joins two of the tables and this may wait for each other: this
 * gives up long before PostgreSQL looks for deadlocks (after a second), so that no reader is ever ended for one.
 */
const lockAll = async (client: PoolClient, tables: readonly string[]): Promise<void> => {
  await client.query(`set local lock_timeout = '200ms'`);
  if (tables.length > 0) await client.query(`lock table ${tables.join()} in access exclusive mode`);
};

const putInPlace = async (client: PoolClient, { model: { name, version }, table }: Filling): Promise<void> => {
  await client.query(`drop table if exists ${tableName(name)}`);
  await client.query(`alter table ${tableName(table)} rename to ${quoted(name)}`);
  await client.query('update ops.read_models set version = $2, epoch = epoch + 1, rebuilt_at = now() where name = $1', [
    name,
    version,
  ]);
  await client.query('delete from ops.parked where model = $1', [name]);
  await client.query('update ops.parked set model = $1 where model = $2', [name, table]);
};

/** @throws TakenOver if another process has moved a run: the last events would be applied twice */
const swapOnce = (job: Job, fillings: readonly Filling[]): Promise<readonly Filling[]> =>
  inTransaction(job.pool, async (client) => {
    const models = fillings.map(({ model }) => model);
    await client.query(`set local lock_timeout = '1s'`);
    await lockModels(client, models);
    const names = models.map(({ name }) => name);
    const tables = await liveTables(client, names);
    await tryLocks(client, tables);
    const live = await livePositions(client, names);
    const reached = fillings.map(({ model: { name }, run }) => ({
      run: { ...run, position: live.get(name) ?? run.position },
    }));
    await saveProgress(client, fillings, reached);
    const filled = await applyUpTo(job, client, fillings, live);
    if (job.signal.aborted) throw new Cancelled();
    await lockAll(client, tables);
    for (const filling of filled) await putInPlace(client, filling);
    await tellModels(client);
    if (models.some(({ publishTo }) => publishTo.length > 0)) await startEpoch(client);
    return filled;
  });
