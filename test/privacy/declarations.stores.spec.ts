/** With any durable table's declaration taken out of the erasure, what the table holds about the person is found. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eraseRows } from '../../commands/core/erasure.ts';
import { createLogger } from '../../infra/log.ts';
import type { Migrations } from '../../infra/migrations.ts';
import { tablesAboutPeople } from '../../infra/personalData.ts';
import { createPool, type Pool } from '../../infra/postgres.ts';
import { allMigrations } from '../../ops/tables.ts';
import { type Database, freshDatabase } from '../kit/databases.ts';

const MARK = `mark ${randomUUID()}`;
const person = randomUUID();
const deleted = tablesAboutPeople(allMigrations).filter(([, { erased }]) => erased === 'deleted');

let database: Database;
let pool: Pool;
beforeAll(async () => {
  database = await freshDatabase();
  pool = createPool(database.url, { max: 1, applicationName: 'test', log: createLogger({ level: 'silent' }) });
  await dropRules();
  for (const [table, { whose: column }] of deleted) await insertMarked(table, column);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Rules on values and references would ask for rows that mean something. */
const dropRules = async (): Promise<void> => {
  const { rows } = await pool.query<{ statement: string }>(
    `select format('alter table %s drop constraint if exists %I cascade', conrelid::regclass, conname) as statement
     from pg_constraint where contype in ('c', 'f') and connamespace = 'ops'::regnamespace and conislocal`,
  );
  for (const { statement } of rows) await pool.query(statement);
};

/** A value with a mark for every type that has room for one, else any. */
const VALUES: Readonly<Record<string, string>> = {
  text: '$2',
  jsonb: `jsonb_build_object('text', $2::text)`,
  bytea: `convert_to($2, 'utf8')`,
  uuid: 'gen_random_uuid()',
  boolean: 'true',
  date: 'current_date',
  'timestamp with time zone': 'now()',
  'text[]': 'array[$2]',
  'uuid[]': 'array[gen_random_uuid()]',
};

const insertMarked = async (table: string, column: string): Promise<void> => {
  const { rows } = await pool.query<{ name: string; type: string }>(
    `select attname as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = ''`,
    [table],
  );
  const values = rows.map(({ name, type }) =>
    name === column ? `$1::${type}` : (VALUES[type] ?? (type.endsWith('[]') ? `'{}'` : '0')),
  );
  // A parameter that no column takes still needs a type.
  await pool.query(
    `insert into ${table} (${rows.map(({ name }) => name).join(', ')})
     select ${values.join(', ')} from (select $1::text, $2::text) as given (person, mark)`,
    [person, MARK],
  );
};

/** The tables that show the person or the mark. */
const found = async (): Promise<string[]> => {
  const searches = deleted.map(
    ([table]) => `select '${table}' as name where exists (select from ${table} t where t::text ~ $1)`,
  );
  const { rows } = await pool.query<{ name: string }>(searches.join(' union all '), [`${MARK}|${person}`]);
  return rows.map(({ name }) => name).toSorted();
};

const without = (table: string): Migrations[] =>
  allMigrations.map((each) => {
    const { [table]: _, ...personalData } = each.personalData ?? {};
    return { ...each, personalData };
  });

describe('a durable table', () => {
  it('is searched where a person has rows', async () => {
    expect(await found()).toEqual(deleted.map(([table]) => table).toSorted());
  });

  it.each(deleted)('%s is erased because it is declared', async (table) => {
    await pool.query('begin');
    await eraseRows(pool, without(table), person, randomUUID());
    expect(await found()).toEqual([table]);
    await pool.query('rollback');
  });

  it('has nothing left when all are declared', async () => {
    await eraseRows(pool, allMigrations, person, randomUUID());
    expect(await found()).toEqual([]);
  });
});
