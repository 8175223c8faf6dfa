/** Rebuilt = live, row by row. */
import { inTransaction, type PoolClient, unbounded } from '../../infra/postgres.ts';
import { livePosition } from './checkpoint.ts';
import type { ReadModel } from './readModel.ts';
import type { Run } from './rebuildRuns.ts';
import { applyBetween, type Job } from './replay.ts';
import { columnsOf, tableName } from './tables.ts';
import { tableVersions } from './tableVersions.ts';

/** Rows in one table only, counted both ways. */
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
 * The number of rows that differ, both tables seen at one position: a snapshot, so that nobody waits for it. null when
 * the live table is of another version. What is applied for the snapshot is undone again; the run goes on as it was.
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
