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
test('repeats a transaction whose tables have other columns now, or columns of other types', async () => {
  let runs = 0;
  const read = (columns: string) =>
    inTransaction(pool, async (client) => {
      runs += 1;
      await client.query('insert into u values ($1)', [runs]);
      return client.query(`select ${columns} from t where id >= $1`, [0]);
    });
  await pool.query('create table u (run int)');
  await Promise.all([read('t.*'), read('id')]);
  await swap('id bigint, more int');
  expect((await read('t.*')).fields).toHaveLength(2);
  expect((await read('id')).rowCount).toBe(0);
  // What ran in vain was rolled back; it ran once, for all statements of the connection.
  expect((await pool.query('select run from u order by run')).rows).toEqual([1, 2, 4, 5].map((run) => ({ run })));
  expect((await prepared())['select t.* from t where id >= $1']).toBe(1);
  await pool.query('drop table u');
});
test('repeats a transaction once, however many of its statements were prepared for other columns', async () => {
  const statements = [
    'select * from t where id >= $1',
    'select t.* from t where id > $1',
    'select id from t where id = $1',
  ];
  await pool.end();
  pool = createPool(database.url, { max: 3, applicationName: 'spec', log });
  const read = () =>
    inTransaction(pool, async (client) => {
      for (const statement of statements) await client.query(statement, [0]);
      return (await client.query('select $1::int as n', [1])).rows;
    });
  // On each of the connections.
  await Promise.all([read(), read(), read()]);
  await swap('id bigint, more int');
  expect(await Promise.all([read(), read(), read()])).toEqual([[{ n: 1 }], [{ n: 1 }], [{ n: 1 }]]);
});
test('fails a transaction whose statement is refused for another reason, without repeating it', async () => {
  let runs = 0;
  const insert = inTransaction(pool, (client) => {
    runs += 1;
    return client.query('insert into t values ($1)', [1]);
  });
  await expect(insert).rejects.toMatchObject({ code: '23505' });
  expect(runs).toBe(1);
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
