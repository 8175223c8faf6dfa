import { expect, it } from 'vitest';
import { alignIndexes } from '../../projections/engine/declaredIndexes.ts';
import type { ReadModel } from '../../projections/engine/readModel.ts';
import { ensureTables } from '../../projections/engine/tableVersions.ts';
import { groups, models } from '../../projections/modules.ts';
import { counterModel, withTables } from './counters.ts';
import { useWorld, world } from './world.ts';

useWorld();

const never = new AbortController().signal;
const withIndexes = (...indexes: string[]): ReadModel => ({ ...counterModel(), indexes });
const formsOf = async (): Promise<string[]> =>
  (
    await world.pool.query<{ form: string }>(
      `select regexp_replace(indexdef, ' INDEX .* USING', '') as form from pg_indexes
       where schemaname = 'read' and tablename = 'counters' and indexname <> 'counters_pkey'`,
    )
  ).rows
    .map(({ form }) => form)
    .toSorted();
it('a live table gets the indexes that its model declares and loses those that it does not declare any more', async () => {
  await withTables(world, withIndexes('total', 'events'));
  await alignIndexes(world, [withIndexes('events', 'unique labels, id', 'counted_at desc')], never);
  expect(await formsOf()).toEqual([
    'CREATE UNIQUE btree (labels, id)',
    'CREATE btree (counted_at DESC)',
    'CREATE btree (events)',
  ]);
});

it('an index whose making was interrupted is made again', async () => {
  await withTables(world, withIndexes());
  await world.pool.query(`create index broken on read.counters (total);
    update pg_index set indisvalid = false where indexrelid = 'read.broken'::regclass;
    comment on table read.counters is null`);
  await alignIndexes(world, [withIndexes('total')], never);
  const { rows } = await world.pool.query(
    `select indisvalid from pg_index where indrelid = 'read.counters'::regclass and not indisprimary`,
  );
  expect(rows).toEqual([{ indisvalid: true }]);
});

it('indexes that are as declared are left alone, those of every read model', async () => {
  await ensureTables(world.pool, groups);
  const files = async () =>
    (
      await world.pool.query(
        `select relname, relfilenode from pg_class where relkind = 'i' and relnamespace = 'read'::regnamespace order by 1`,
      )
    ).rows;
  const before = await files();
  expect(before.length).toBeGreaterThan(models.length);
  await alignIndexes(world, models, never);
  expect(await files()).toEqual(before);
  // Nor are those of an earlier release, of whose tables nothing is known.
  for (const { name } of models) await world.pool.query(`comment on table read.${name} is null`);
  await alignIndexes(world, models, never);
  expect(await files()).toEqual(before);
});

it('a table of an earlier release is planned for as new ones are', async () => {
  await ensureTables(world.pool, groups);
  const options = async () =>
    (
      await world.pool.query(
        `select attrelid::regclass::text as name, attname, attoptions from pg_attribute where attoptions is not null order by 1, 2`,
      )
    ).rows;
  const made = await options();
  expect(made).toContainEqual({ name: 'read.bookings', attname: 'provider_id', attoptions: ['n_distinct=-0.01'] });
  await world.pool.query(
    'alter table read.bookings alter column provider_id reset (n_distinct); comment on table read.bookings is null',
  );
  await alignIndexes(world, models, never);
  expect(await options()).toEqual(made);
});

it('a table of another version is left to its rebuild', async () => {
  await withTables(world, withIndexes('total'));
  await alignIndexes(world, [{ ...withIndexes('events'), version: 2 }], never);
  expect(await formsOf()).toEqual(['CREATE btree (total)']);
});
