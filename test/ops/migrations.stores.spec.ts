/** The schema `ops` over releases: fresh and upgraded databases end up the same, incompatible ones are refused. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { IncompatibleData } from '../../infra/incompatible.ts';
import { createLogger } from '../../infra/log.ts';
import { type Migrations, migrateOps, migrationScript, migrations } from '../../infra/migrations.ts';
import { createPool, type Pool } from '../../infra/postgres.ts';
import { allMigrations } from '../../ops/tables.ts';
import { freshDatabase } from '../kit/databases.ts';

const SCHEMA = path.resolve(import.meta.dirname, 'schema');
const releases = readdirSync(SCHEMA).map((file) => path.basename(file, '.sql'));

const log = createLogger({ level: 'silent' });
const databases: { pool: Pool; drop(): Promise<void> }[] = [];

afterAll(async () => {
  for (const { pool, drop } of databases) {
    await pool.end();
    await drop();
  }
});

/** A new database, with what `script` puts into it. */
const aDatabase = async (script = 'select 1'): Promise<Pool> => {
  const { url, drop } = await freshDatabase({ isEmpty: true });
  const pool = createPool(url, { max: 3, applicationName: 'test', log });
  databases.push({ pool, drop });
  await pool.query(script);
  return pool;
};

/** Columns, constraints, indexes and triggers of both schemas. */
const schemaOf = async (pool: Pool): Promise<unknown> => {
  const { rows: columns } = await pool.query(
    `select table_schema, table_name, column_name, data_type, udt_name, is_nullable, column_default, is_identity
     from information_schema.columns where table_schema in ('ops', 'read') order by 1, 2, 3`,
  );
  const { rows: constraints } = await pool.query(
    `select conrelid::regclass::text as on, conname, pg_get_constraintdef(oid) as definition
     from pg_constraint where connamespace::regnamespace::text in ('ops', 'read') order by 1, 2`,
  );
  const { rows: indexes } = await pool.query(
    `select indexdef from pg_indexes where schemaname in ('ops', 'read') order by 1`,
  );
  const { rows: triggers } = await pool.query(
    `select tgrelid::regclass::text as on, pg_get_triggerdef(t.oid) as definition, regexp_replace(prosrc, '\\s+', ' ', 'g') as body
     from pg_trigger t join pg_proc p on p.oid = tgfoid where not tgisinternal order by 1, 2`,
  );
  return { columns, constraints, indexes, triggers };
};
const applied = async (pool: Pool): Promise<string[]> =>
  (await pool.query<{ name: string }>('select name from ops.migrations order by name')).rows.map(({ name }) => name);

describe('a database of release', () => {
  it.each(releases)('%s is upgraded to the schema of a fresh one', async (release) => {
    const [old, fresh] = [
      await aDatabase(readFileSync(path.join(SCHEMA, `${release}.sql`), 'utf8')),
      await aDatabase(),
    ];
    await migrateOps(old, allMigrations);
    await migrateOps(fresh, allMigrations);
    expect(await schemaOf(old)).toEqual(await schemaOf(fresh));
    expect(await applied(old)).toEqual(await applied(fresh));
  });
});

const released: Migrations[] = [
  migrations('stock', { '0001_items': 'create table ops.items (id int primary key)' }),
  migrations('shop', { '0001_sales': 'create table ops.sales (id int); insert into ops.sales values (7)' }),
];
const next: Migrations[] = [
  ...released,
  migrations('shop', { '0002_totals': 'alter table ops.sales add total int not null default 5' }),
  // Sorts before steps that the database already has.
  migrations('cash', { '0001_tills': 'create table ops.tills (id int)' }),
];

describe('an upgrade', () => {
  it('runs only the new steps, whichever module they belong to, and keeps the rows', async () => {
    const [old, fresh] = [await aDatabase(migrationScript(released)), await aDatabase()];
    await migrateOps(old, next);
    await migrateOps(fresh, next);
    expect((await old.query('select * from ops.sales')).rows).toEqual([{ id: 7, total: 5 }]);
    expect(await schemaOf(old)).toEqual(await schemaOf(fresh));
  });

  it('runs once when several processes start together', async () => {
    const pool = await aDatabase();
    await Promise.all([migrateOps(pool, next), migrateOps(pool, next), migrateOps(pool, next)]);
    expect((await pool.query('select * from ops.sales')).rows).toEqual([{ id: 7, total: 5 }]);
  });

  it('that fails changes nothing, and names the failed step', async () => {
    const pool = await aDatabase(migrationScript(released));
    const broken = migrations('shop', { '0002_totals': 'drop table ops.items; alter table ops.nowhere add total int' });
    await expect(migrateOps(pool, [...released, broken])).rejects.toThrow('the migration 0002_shop_totals failed');
    expect(await applied(pool)).toHaveLength(2);
    expect((await pool.query(`select to_regclass('ops.items') is not null as there`)).rows).toEqual([{ there: true }]);
    await migrateOps(pool, next);
    expect(await applied(pool)).toHaveLength(4);
  });

  it('makes the tables of the schema `read` again after it was dropped', async () => {
    const pool = await aDatabase();
    const channels: Migrations = { steps: {}, everyStart: 'create table if not exists read.channels (id int)' };
    await migrateOps(pool, [...released, channels]);
    await pool.query('drop schema read cascade');
    await migrateOps(pool, [...released, channels]);
    expect((await pool.query('select count(*) from read.channels')).rows).toEqual([{ count: 0 }]);
  });
});

describe('samples of the planner', () => {
  const table = `
    create table ops.guests (id uuid primary key, first_name text not null, place double precision, day date not null);
    create index guests_name on ops.guests (lower(first_name));
    create table ops.stays (day date not null, notes text) partition by range (day);
    create table ops.stays_2026 partition of ops.stays for values from ('2026-01-01') to ('2027-01-01');
  `;
  const samplesIn = async (pool: Pool): Promise<string[]> => {
    await pool.query('analyze ops.guests, ops.stays');
    const { rows } = await pool.query<{ name: string }>(
      `select distinct tablename || '.' || attname as name from pg_stats where schemaname = 'ops' and tablename ~ '^(guests|stays)' order by 1`,
    );
    return rows.map(({ name }) => name);
  };

  it('that an earlier release has taken of what is about people are deleted', async () => {
    const pool = await aDatabase(migrationScript([migrations('inn', { '0001_guests': table })]));
    await pool.query(
      `insert into ops.guests select gen_random_uuid(), 'Anna', n, '2026-01-01' from generate_series(1, 50) n`,
    );
    await pool.query(`insert into ops.stays select '2026-01-01', 'allergic' from generate_series(1, 50)`);
    expect(await samplesIn(pool)).toEqual([
      ...['guests.day', 'guests.first_name', 'guests.id', 'guests.place', 'guests_name.lower'],
      ...['stays.day', 'stays.notes', 'stays_2026.day', 'stays_2026.notes'],
    ]);
    const why = { purpose: 'let guests in', basis: 'contract', seenBy: ['self'] } as const;
    const data = { whose: 'id', exported: [], erased: 'deleted', why, retention: { until: 'they leave' } } as const;
    const personalData = { 'ops.guests': data, 'ops.stays': data };
    const declared = migrations('inn', { '0001_guests': table, personalData });
    for (let starts = 0; starts < 2; starts += 1) {
      await migrateOps(pool, [declared]);
      expect(await samplesIn(pool)).toEqual(['guests.day', 'guests.id', 'stays.day', 'stays_2026.day']);
    }
    expect((await pool.query('select count(*) from ops.guests')).rows).toEqual([{ count: 50 }]);
  });
});

describe('a database is refused', () => {
  it('when it was made before release 0.1.0', async () => {
    const pool = await aDatabase('create schema ops; create table ops.leases (name text primary key)');
    const refused = migrateOps(pool, allMigrations);
    await expect(refused).rejects.toThrow(IncompatibleData);
    await expect(refused).rejects.toThrow(/^This database was made before release 0\.1\.0 .* empty data folder .*\.$/);
    expect((await pool.query(`select to_regclass('ops.migrations') as made`)).rows).toEqual([{ made: null }]);
  });

  it('when a newer release has upgraded it', async () => {
    const pool = await aDatabase(migrationScript(next));
    const refused = migrateOps(pool, released);
    await expect(refused).rejects.toThrow(IncompatibleData);
    await expect(refused).rejects.toThrow(/newer release, which added 000\d_(cash_tills|shop_totals)/);
  });
});
