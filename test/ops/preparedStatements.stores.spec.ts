/** Statements stay prepared on their connections, and callers notice nothing of it. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLogger } from '../../infra/log.ts';
import { createPool, inTransaction, kysely, type Pool } from '../../infra/postgres.ts';
import { type Database, freshDatabase } from '../kit/databases.ts';

const log = createLogger({ level: 'silent' });
let database: Database;
let pool: Pool;
const open = (prepares = true) => createPool(database.url, { max: 1, applicationName: 'spec', log, prepares });

beforeAll(async () => {
  database = await freshDatabase({ isEmpty: true });
});
afterAll(() => database.drop());
beforeEach(async () => {
  pool = open();
  await pool.query('create table t (id int primary key, name text); insert into t values (1, $$one$$)');
});
afterEach(async () => {
  await pool.query('drop table t');
  await pool.end();
});

/** The text of each prepared statement, with the number of its executions. */
const prepared = async (of = pool): Promise<Record<string, number>> => {
  const { rows } = await of.query<{ statement: string; executions: number }>(
    'select statement, generic_plans + custom_plans as executions from pg_prepared_statements',
  );
  return Object.fromEntries(rows.map(({ statement, executions }) => [statement, executions]));
};
/** Another table takes the place of `t`, as at the end of a rebuild. */
const swap = (columns: string) =>
  pool.query(`drop table t; create table new_t (${columns}); alter table new_t rename to t`);

test('prepares a statement once and executes it many times, through the pool and through the query builder', async () => {
  for (let n = 0; n < 7; n += 1) {
    expect((await pool.query('select name from t where id = $1', [1])).rows).toEqual([{ name: 'one' }]);
    const built = kysely<{ t: { id: number; name: string } }>(pool)
      .selectFrom('t')
      .select('id')
      .where('name', '=', 'one');
    expect(await built.execute()).toEqual([{ id: 1 }]);
  }
  expect(await prepared()).toEqual({
    'select name from t where id = $1': 7,
    'select "id" from "t" where "name" = $1': 7,
  });
});
test('does not prepare what has no parameters, nor anything when it is switched off', async () => {
  await pool.query('select 1; select 2');
  expect(await prepared()).toEqual({});
  const unprepared = open(false);
  await unprepared.query('select name from t where id = $1', [1]);
  expect(await prepared(unprepared)).toEqual({});
  await unprepared.end();
});
test('prepares a bounded number of statements on a connection, and executes the others all the same', async () => {
  for (let n = 0; n < 510; n += 1)
    expect((await pool.query(`select ${n} as n where $1`, [true])).rows).toEqual([{ n }]);
  expect(Object.keys(await prepared())).toHaveLength(500);
});
test('survives tables of other columns that take the place of the former ones', async () => {
  const read = async () => (await pool.query('select * from t where id >= $1', [0])).rows;
  expect(await read()).toEqual([{ id: 1, name: 'one' }]);
  for (const columns of ['id int, name text, more int', 'id bigint', 'name text, id int']) {
    await swap(columns);
    expect(await read()).toEqual([]);
  }
  await read();
  expect((await prepared())['select * from t where id >= $1']).toBeGreaterThan(0);
});
test('survives it inside a transaction too, where nothing can be repeated', async () => {
  const read = () => inTransaction(pool, (client) => client.query('select t.* from t where id >= $1', [0]));
  await pool.query('select t.* from t where id >= $1', [0]);
  expect((await read()).rowCount).toBe(1);
  await swap('id int, more int');
  expect((await read()).rowCount).toBe(0);
});
test('prepares inside a transaction what selects all columns of given values, which are those of the statement', async () => {
  const ids = 'with given as (select * from unnest($1::int[]) as given (id)) select id from given';
  const rows = 'select * from json_to_recordset($1::json) as given (id int)';
  await inTransaction(pool, async (client) => {
    await client.query(ids, [[1]]);
    await client.query(rows, ['[]']);
  });
  expect(await prepared()).toEqual({ [ids]: 1, [rows]: 1 });
});
test('fails one transaction when the type of a column changes, and not the next', async () => {
  const read = () => inTransaction(pool, (client) => client.query('select id from t where id >= $1', [0]));
  await read();
  await swap('id bigint');
  await expect(read()).rejects.toMatchObject({ code: '0A000' });
  expect((await read()).rowCount).toBe(0);
});
test('survives a pooler that loses prepared statements', async () => {
  const read = async () => (await pool.query('select name from t where id = $1', [1])).rows;
  await read();
  await pool.query('deallocate all');
  expect(await read()).toEqual([{ name: 'one' }]);
  expect(await read()).toEqual([{ name: 'one' }]);
});
test('reports the errors of a prepared statement, and goes on', async () => {
  const insert = (id: number) => pool.query('insert into t values ($1, $2)', [id, 'x']);
  await expect(insert(1)).rejects.toMatchObject({ code: '23505' });
  await expect(pool.query('select no_such_column from t where id = $1', [1])).rejects.toMatchObject({ code: '42703' });
  await insert(2);
  expect((await pool.query('select count(*) as n from t')).rows).toEqual([{ n: 2 }]);
});
