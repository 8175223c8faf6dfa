/** Compares rebuilt tables with the live ones, row by row. */
import { inTransaction, type PoolClient, unbounded } from '../../infra/postgres.ts';
import { livePositions } from './checkpoint.ts';
import { quoted, tableName } from './readDb.ts';
import type { ReadModel } from './readModel.ts';
import { applyUpTo, type Filling, type Job } from './replay.ts';
import { columnsOf, foldedColumns, wireColumns } from './tables.ts';
import { tableVersions } from './tableVersions.ts';

/** Whether a pair of rows differs, as SQL; one of the two may be missing. */
const differs = (model: ReadModel): string => {
  const rowOf = (side: string): string =>
    `row(${[...columnsOf(model), ...foldedColumns(model)].map((column) => `${side}.${quoted(column)}`).join(', ')})`;
  // The text of a wire form depends on the order of the fields of `jsonb` columns, which a table does not keep.
  const forms = wireColumns(model).map((name) => {
    const [one, other] = [`a.${quoted(name)}`, `b.${quoted(name)}`];
    return `(${one} is distinct from ${other} and ${one}::jsonb is distinct from ${other}::jsonb)`;
  });
  return [`${rowOf('a')} is distinct from ${rowOf('b')}`, ...forms].join(' or ');
};

/** With less, PostgreSQL reads both tables in the order of their keys, which takes three times as long. */
const WORK_MEMORY = '64MB';

/** The number of rows that only one of the two tables has. A join by key takes a third of the time of `except all`. */
const countDifferences = async (client: PoolClient, model: ReadModel, a: string, b: string): Promise<number> => {
  const keys = model.key.map(quoted);
  const { rows } = await unbounded<{ differences: number }>(
    client,
    `select count(a.${keys[0]}) + count(b.${keys[0]}) as differences
     from ${tableName(a)} as a full join ${tableName(b)} as b on ${keys.map((key) => `a.${key} = b.${key}`).join(' and ')}
     where ${differs(model)}`,
  );
  return rows[0]?.differences ?? 0;
};

/**
 * Model → the number of rows that differ, with all tables at the same position; none for a live table of another version.
 * It works on a snapshot, so that nobody waits for it, and undoes what it applies for the comparison.
 */
export const compareWithLive = (job: Job, fillings: readonly Filling[]): Promise<ReadonlyMap<string, number>> =>
  inTransaction(job.pool, async (client) => {
    await client.query('set transaction isolation level repeatable read');
    await client.query(`set local work_mem = '${WORK_MEMORY}'`);
    const names = fillings.map(({ model }) => model.name);
    const live = await livePositions(client, names);
    const versions = await tableVersions(client);
    const comparable = fillings.filter(({ model }) => versions.get(model.name)?.version === model.version);
    await client.query('savepoint before');
    await applyUpTo(job, client, comparable, live);
    const found = new Map<string, number>();
    for (const { model, table } of comparable)
      found.set(model.name, await countDifferences(client, model, table, model.name));
    await client.query('rollback to savepoint before');
    return found;
  });
