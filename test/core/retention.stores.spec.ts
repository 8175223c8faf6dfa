/** Every period that a durable table declares is kept: a row that is over goes, one in its time stays. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { certificateOf } from '../../commands/core/certificateParts.ts';
import { certificateById } from '../../commands/core/certificates.ts';
import { moduleSettings } from '../../commands/modules.ts';
import { instantOf } from '../../domain/core/instants.ts';
import type { Migrations } from '../../infra/migrations.ts';
import { type Period, periodsOf } from '../../infra/personalData.ts';
import { keepPeriods, keptTables, lengthOf, measureAges } from '../../infra/retention.ts';
import { checkErasures } from '../../ops/erasureCheck.ts';
import { allMigrations } from '../../ops/tables.ts';
import { ensureTables } from '../../projections/engine/tableVersions.ts';
import { groups, models } from '../../projections/modules.ts';
import { freshStores, type Stores } from '../kit/stores.ts';

let stores: Stores;
beforeAll(async () => {
  stores = await freshStores();
});

const settings = Object.fromEntries(Object.entries(moduleSettings).map(([name, schema]) => [name, schema.default]));
const declared = keptTables(allMigrations).flatMap(({ table, retention }) =>
  periodsOf(retention).flatMap((period) => (period.by === undefined ? [[table, period] as const] : [])),
);

/** What a row needs beside what its columns allow, by the condition of the period. */
const ROWS: Readonly<Record<string, object>> = {
  'outcome is null': { outcome: null, ended_at: null, content: 'words' },
  'outcome is not null': { outcome: 'sent', ended_at: '2026-01-01', content: null },
  "status = 'done'": { status: 'done' },
  'not open': { open: false },
};
const VALUES: Readonly<Record<string, () => unknown>> = {
  uuid: randomUUID,
  jsonb: () => '{}',
  boolean: () => false,
  bytea: () => Buffer.from(randomUUID()),
  ARRAY: () => '{}',
  text: randomUUID,
  date: () => '2026-01-01',
  'timestamp with time zone': () => '2026-01-01',
};

/** Inserts a row that began its period so many seconds ago. */
const insert = async (table: string, { after, isDay, where = '' }: Period, ageS: number): Promise<void> => {
  const { rows: columns } = await stores.pool.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema || '.' || table_name = $1 and is_nullable = 'NO' and is_generated = 'NEVER'
       and is_identity = 'NO' and column_default is null`,
    [table],
  );
  const at = instantOf(Date.now() - ageS * 1_000);
  const values = {
    ...Object.fromEntries(columns.map(({ name, type }) => [name, (VALUES[type] ?? (() => 1))()])),
    ...ROWS[where],
    [after]: isDay ? at.slice(0, 10) : at,
  };
  const names = Object.keys(values);
  const holders = names.map((_, n) => `$${n + 1}`).join(', ');
  await stores.pool.query(`insert into ${table} (${names.join(', ')}) values (${holders})`, Object.values(values));
};

it.each(declared)('of %s %o', async (table, period) => {
  const lengthS = lengthOf(period, settings);
  await stores.pool.query(`delete from ${table}`);
  // A period that begins with the end of a day is a day longer, as seen from a moment of that day.
  const longer = period.isDay ? 86_400 : 0;
  await insert(table, period, lengthS + 2 * longer + 60);
  await insert(table, period, lengthS - 3_600);
  const ages = async () =>
    (await measureAges(stores.pool, [{ table, retention: [period] }], settings)).map(({ oldest }) => oldest - lengthS);
  expect((await ages())[0]).toBeGreaterThan(0);
  await keepPeriods(stores.pool, allMigrations, settings);
  const { rowCount } = await stores.pool.query(`select 1 from ${table}`);
  expect(rowCount).toBe(1);
  expect((await ages())[0]).toBeLessThanOrEqual(0);
});

it('a table that cannot be cleaned does not keep the others from it', async () => {
  const nowhere = { nothing: 'x', retention: [{ after: 'at' }] };
  const broken: Migrations = { steps: {}, personalData: { 'ops.nowhere': nowhere } };
  const [table, period] = declared.find(([name]) => name === 'ops.oauth_states') ?? [];
  if (!table || !period) throw new Error('not declared');
  await stores.pool.query(`delete from ${table}`);
  await insert(table, period, 60);
  const failed: string[] = [];
  await keepPeriods(stores.pool, [broken, ...allMigrations], settings, (_, name) => void failed.push(name));
  expect(failed).toEqual(['ops.nowhere']);
  expect((await stores.pool.query(`select 1 from ${table}`)).rowCount).toBe(0);
});

it('a table that is not there yet has no age', async () => {
  const retention = [{ after: 'at', days: 1 }];
  expect(await measureAges(stores.pool, [{ table: 'read.nothing', retention }], {})).toEqual([
    { table: 'read.nothing', period: 86_400, oldest: 0 },
  ]);
});

it('what is left of erased people goes, is said beside the certificate, and what others have stays', async () => {
  await ensureTables(stores.pool, groups);
  const [erased, other, post] = [randomUUID(), randomUUID(), randomUUID()];
  const insert = (table: string, row: object) =>
    stores.pool.query(
      `insert into ${table} (${Object.keys(row)}) values (${Object.keys(row).map((_, n) => `$${n + 1}`)})`,
      Object.values(row),
    );
  const at = '2026-01-01T00:00:00Z';
  await insert('ops.erasures', { person_id: erased, requested_at: at, done_at: at });
  await insert('ops.erasure_certificates', { id: certificateOf(stores.vault, erased), requested_at: at, done_at: at });
  const tables = ['read.attendances', 'read.consents', 'ops.story_views', 'ops.friend_pairs'];
  for (const [person, friend] of [
    [erased, other],
    [other, erased],
    [other, post],
  ])
    await insert('ops.friend_pairs', { person_id: person, other_id: friend });
  for (const person of [erased, other]) {
    await insert('read.attendances', { post_id: post, user_id: person, at });
    const answer = { granted: true, policy_version: 1, at, ip: '198.51.100.7', user_agent: null };
    await insert('read.consents', { account_id: person, purpose: 'marketing', ...answer });
    await insert('ops.story_views', { story_id: post, person_id: person, seen_at: at });
  }
  const check = () => checkErasures(stores, { models, tables: allMigrations });
  expect([await check(), await check()]).toEqual([
    { people: 1, rows: 5 },
    { people: 0, rows: 0 },
  ]);
  const counts = await Promise.all(
    tables.map(async (table) => (await stores.pool.query(`select 1 from ${table}`)).rowCount),
  );
  expect(counts).toEqual([1, 2, 1, 1]);
  const certificate = await certificateById(stores.pool, certificateOf(stores.vault, erased));
  expect(certificate?.parts, 'it stays as it was given').toEqual([]);
  const corrected = (certificate?.corrections ?? []).map(({ holder, outcome, count }) => [holder, outcome, count]);
  expect(corrected.toSorted()).toEqual([
    ['ops.friend_pairs', 'deleted', 2],
    ['ops.story_views', 'deleted', 1],
    ['read.attendances', 'deleted', 1],
    ['read.consents', 'anonymised', 1],
  ]);
  expect(certificate?.corrections[0]?.at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
});
