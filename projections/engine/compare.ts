/** Compares a rebuilt table with the live one, row by row. */
import { inTransaction, type PoolClient, unbounded } from '../../infra/postgres.ts';
import { livePosition } from './checkpoint.ts';
import { tableName } from './readDb.ts';
import type { ReadModel } from './readModel.ts';
import type { Run } from './rebuildRuns.ts';
import { applyBetween, type Job } from './replay.ts';
import { columnsOf } from './tables.ts';
import { tableVersions } from './tableVersions.ts';

/** The number of rows that only one of the two tables has. */
const countDifferences = async (client: PoolClient, model: ReadModel, a: string, b: string): Promise<number> => {
  const columns = columnsOf(model.row)
    .map((column) => `"${column}"`)
    .join(', ');
  const only = (one: string, other: string) =>
    `(select ${columns} from ${tableName(one)} except all select ${columns} from ${tableName(other)})`;
  const { rows } = await unbounded<{ differences: number }>(
    client,
    `select count(*) as differences from (${only(a, b)} union all ${only(b, a)}) as d`,
  );
  return rows[0]?.differences ?? 0;
};

/**
 * The number of rows that differ, with both tables at the same position; null if the live table has another version. It
 * works on a snapshot, so that nobody waits for it, and undoes what it applies for the comparison.
 */
export const compareWithLive = (job: Job, run: Run): Promise<number | null> =>
  inTransaction(job.pool, async (client) => {
    await client.query('set transaction isolation level repeatable read');
    const live = await livePosition(client);
    if ((await tableVersions(client)).get(job.model.name)?.version !== job.model.version) return null;
    await client.query('savepoint before');
    await applyBetween(job, client, run.position, live);
    const differences = await countDifferences(client, job.model, job.table, job.model.name);
    await client.query('rollback to savepoint before');
    return differences;
  });
