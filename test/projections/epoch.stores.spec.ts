/** The numbers of changes: the order in which they commit, and what happens to them when the database went back in time. */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLogger } from '../../infra/log.ts';
import { migrateOps } from '../../infra/migrations.ts';
import { createPool, inTransaction, type Pool, type PoolClient } from '../../infra/postgres.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../ops/postgres/server.ts';
import {
  appendChanges,
  type Change,
  changesMigrations,
  deleteForgotten,
  forgetChanges,
  isForgetting,
} from '../../projections/engine/changes.ts';
import { ephemeralMigrations } from '../../projections/engine/ephemeral.ts';
import { until } from '../kit/until.ts';

const log = createLogger({ level: 'silent' });
let dataDir: string;
let server: EmbeddedPostgres;
let pool: Pool;
const connect = async () => {
  server = await startEmbeddedPostgres({ dataDir, log });
  pool = createPool(server.url, { max: 3, applicationName: 'spec', log });
};
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'resort-epoch-'));
  await connect();
  await migrateOps(pool, [changesMigrations, ephemeralMigrations]);
});
afterAll(async () => {
  await pool.end();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const change = (channel: string): Change => ({ channel, type: 'test', data: '{}', at: '2026-01-01T00:00:00Z' });
const append = (...channels: string[]) => inTransaction(pool, (client) => appendChanges(client, channels.map(change)));
const epoch = async (): Promise<string> => (await pool.query('select epoch from read.epoch')).rows[0]?.epoch;

it('changes commit in the order of their ids, whoever writes them', async () => {
  let second: Promise<void> | undefined;
  await inTransaction(pool, async (client: PoolClient) => {
    await appendChanges(client, [change('one')]);
    second = append('two');
    await until(async () => {
      const waiting = await pool.query(`select 1 from pg_stat_activity where wait_event_type = 'Lock'`);
      return waiting.rowCount === 1;
    });
  });
  await second;
  const { rows } = await pool.query('select channel from read.changes order by id');
  expect(rows).toEqual([{ channel: 'one' }, { channel: 'two' }]);
});

it('an erasure forgets what was told of the person, and nothing else, while others append some', async () => {
  await pool.query('truncate read.changes');
  const before = await epoch();
  const person = randomUUID();
  await pool.query(
    `insert into read.ephemeral (id, message) values (gen_random_uuid(), $1), (gen_random_uuid(), 'b')`,
    [`by ${person}`],
  );
  const shown = { ...change('of many'), data: JSON.stringify({ author: { id: person } }) };
  await append('of many', 'of another before');
  let other: Promise<void> | undefined;
  await inTransaction(pool, async (client: PoolClient) => {
    await appendChanges(client, [
      shown,
      change(`user_${person}`),
      { ...change('of many'), ofPeople: [randomUUID(), person] },
    ]);
    other = append('of another');
    await until(async () => {
      const waiting = await pool.query(`select 1 from pg_stat_activity where wait_event_type = 'Lock'`);
      return waiting.rowCount === 1;
    });
    // Of a release that did not say whom it shows.
    await client.query(
      `insert into read.changes (channel, "offset", type, data, at) values ('of a former release', 1, 'test', '{}', now())`,
    );
    await forgetChanges(client, [person]);
  });
  await other;
  expect(await isForgetting(pool)).toBe(true);
  expect(await isForgetting(pool, '2025-12-31T00:00:00Z'), 'of an erasure before').toBe(false);
  await deleteForgotten(pool);
  expect(await isForgetting(pool)).toBe(false);
  const { rows } = await pool.query('select channel, "offset" from read.changes order by id');
  expect(rows.map(({ channel }) => channel)).toEqual(['of many', 'of another before', 'of another']);
  expect((await pool.query('select message from read.ephemeral')).rows).toEqual([{ message: 'b' }]);
  expect(await epoch(), 'the numbers go on').toBe(before);
});

it('the numbers go on after a crash of the database, which loses nothing that was committed', async () => {
  await append('a');
  const before = await epoch();
  await pool.end();
  process.kill(server.pid, 'SIGKILL');
  await until(async () => {
    const again = await startEmbeddedPostgres({ dataDir, log }).catch(() => undefined);
    if (again) server = again;
    return again !== undefined;
  });
  pool = createPool(server.url, { max: 3, applicationName: 'spec', log });
  await migrateOps(pool, [changesMigrations]);
  await append('a');
  expect(await epoch()).toBe(before);
});

it('a new epoch begins when the database was recovered from a backup, and only once', async () => {
  await append('a');
  const before = await epoch();
  await append('a');
  expect(await epoch()).toBe(before);
  await pool.query(`alter system set restore_command = 'false'`);
  await pool.end();
  await server.stop();
  // As after the recovery of a base backup, or after a replica took over: the database goes on under a new timeline.
  await writeFile(join(dataDir, 'postgres', 'recovery.signal'), '', { mode: 0o644 });
  await connect();
  await until(async () => !(await pool.query('select pg_is_in_recovery() as still')).rows[0]?.still);
  expect(await epoch()).toBe(before);
  await append('a');
  const after = await epoch();
  expect(after).not.toBe(before);
  await append('a');
  expect(await epoch()).toBe(after);
});
