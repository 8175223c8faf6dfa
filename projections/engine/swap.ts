/** Puts a rebuilt table in the place of the live one. */
import { inTransaction, type PoolClient } from '../../infra/postgres.ts';
import { createBackoff, sleep } from '../../infra/retry.ts';
import { startEpoch } from './changes.ts';
import { livePositions } from './checkpoint.ts';
import { quoted, tableName } from './readDb.ts';
import { saveProgress } from './rebuildRuns.ts';
import { applyUpTo, Cancelled, type Filling, type Job } from './replay.ts';
import { lockModel, tellModels } from './tableVersions.ts';

const SWAP_ATTEMPTS = 20;

/** Applies the last events and swaps the tables while the projector waits. Returns the number of those events. */
export const swapIn = async (job: Job, filling: Filling): Promise<number> => {
  const backoff = createBackoff(50, 1_000);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await swapOnce(job, filling);
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

/** @throws TakenOver if another process has moved the run: the last events would be applied twice */
const swapOnce = (job: Job, filling: Filling): Promise<number> =>
  inTransaction(job.pool, async (client) => {
    const { model, table, run } = filling;
    await client.query(`set local lock_timeout = '1s'`);
    await lockModel(client, model);
    await tryLock(client, model.name);
    const live = await livePositions(client, [model.name]);
    await saveProgress(client, [filling], [{ run: { ...run, position: live.get(model.name) ?? run.position } }]);
    const events = await applyUpTo(job, client, [filling], live);
    if (job.signal.aborted) throw new Cancelled();
    await client.query(`drop table if exists ${tableName(model.name)}`);
    await client.query(`alter table ${tableName(table)} rename to ${quoted(model.name)}`);
    await client.query(
      'update ops.read_models set version = $2, epoch = epoch + 1, rebuilt_at = now() where name = $1',
      [model.name, model.version],
    );
    await client.query('delete from ops.parked where model = $1', [model.name]);
    await client.query('update ops.parked set model = $1 where model = $2', [model.name, table]);
    await tellModels(client);
    if (model.publishTo.length > 0) await startEpoch(client);
    return events;
  });
