/** Export and erasure find what concerns a person by an index, in every table, however much there is about others. */
import { beforeAll, expect, it } from 'vitest';
import { createLogger } from '../../infra/log.ts';
import { deletingColumns, tablesAboutPeople } from '../../infra/personalData.ts';
import { createPool, type Pool } from '../../infra/postgres.ts';
import { allMigrations } from '../../ops/tables.ts';
import { READ_SCHEMA } from '../../projections/engine/readDb.ts';
import { createIndexes, createTable } from '../../projections/engine/tables.ts';
import { models } from '../../projections/modules.ts';
import { freshDatabase } from '../kit/databases.ts';
import { endsWithSpec } from '../kit/ending.ts';

/** Table → why reading it as a whole costs little. */
const SMALL: Readonly<Record<string, string>> = {
  'read.call_parties': 'has the calls that last now',
};

/** Table → the columns by which it is asked for what concerns a person. */
const asked = new Map<string, ReadonlySet<string>>([
  ...tablesAboutPeople(allMigrations).map(
    ([table, about]) => [table, new Set([about.whose, ...deletingColumns(about)])] as const,
  ),
  ...models.flatMap(({ name, personalData }) =>
    personalData?.whose
      ? [[`${READ_SCHEMA}.${name}`, new Set([personalData.whose, ...deletingColumns(personalData)])] as const]
      : [],
  ),
]);

let pool: Pool;
beforeAll(async () => {
  const { url, drop } = await freshDatabase();
  pool = createPool(url, { max: 1, applicationName: 'test', log: createLogger({ level: 'silent' }) });
  endsWithSpec(async () => {
    await pool.end();
    await drop();
  });
  await pool.query(`create schema if not exists ${READ_SCHEMA}`);
  for (const model of models)
    for (const statement of [createTable(model, model.name), ...createIndexes(model, model.name)])
      await pool.query(statement);
});

/** The columns with which an index begins that has all rows with a value. */
const indexed = async (table: string): Promise<ReadonlySet<string>> => {
  const { rows } = await pool.query<{ column: string }>(
    `select attname as column from pg_index join pg_attribute on attrelid = indrelid and attnum = indkey[0]
     where indrelid = $1::regclass and indisvalid
       and coalesce(pg_get_expr(indpred, indrelid), '') in ('', format('(%I IS NOT NULL)', attname))`,
    [table],
  );
  return new Set(rows.map(({ column }) => column));
};
const notIndexed = async (table: string, columns: ReadonlySet<string>): Promise<string[]> => {
  const found = await indexed(table);
  return [...columns].filter((column) => !found.has(column));
};

it('of every person', async () => {
  const found: string[] = [];
  for (const [table, columns] of asked)
    if (!(table in SMALL)) for (const column of await notIndexed(table, columns)) found.push(`${table} (${column})`);
  expect(found).toEqual([]);
});

it('or reads a table that is small, for as long as it needs to be named', async () => {
  for (const table of Object.keys(SMALL))
    expect(await notIndexed(table, asked.get(table) ?? new Set())).not.toEqual([]);
});
