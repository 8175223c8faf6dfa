/** The categories of the forums, and how many topics they say that each has. */
import { beforeAll, expect, it } from 'vitest';
import type { Pool } from '../../infra/postgres.ts';
import { readDb } from '../../projections/engine/readDb.ts';
import { ensureTables } from '../../projections/engine/tableVersions.ts';
import { listCategories } from '../../projections/forums/categories.ts';
import { groups } from '../../projections/modules.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { blocksRead } from '../kit/blocksRead.ts';
import { freshStores } from '../kit/stores.ts';

const [BUSY, QUIET] = [id(1), id(2)];
const PAGE = { page: 1, perPage: 20 };
let pool: Pool;

beforeAll(async () => {
  ({ pool } = await freshStores());
  await ensureTables(pool, groups);
  await pool.query(
    `insert into read.forum_categories (id, title, description, position, admins_start, created_at)
     values ($1, 'Skiing', '', 1, false, now()), ($2, 'Lost', '', 2, false, now())`,
    [BUSY, QUIET],
  );
});

const setTopics = async (category: string, open: number, removed = 0): Promise<void> => {
  await pool.query('delete from read.forum_activity where category_id = $1', [category]);
  await pool.query(
    `insert into read.forum_activity (id, category_id, author_id, status, pinned, last_seq, last_post_at)
     select gen_random_uuid(), $1, $1, case when n <= $2 then 'open' else 'removed' end, false, 1, now()
     from generate_series(1, $2::int + $3::int) as n`,
    [category, open, removed],
  );
  await pool.query('vacuum analyze read.forum_activity');
};
const counts = async () =>
  (await listCategories(readDb(pool), PAGE)).rows.map(({ topics_count, topics_count_is_at_least }) => [
    topics_count,
    topics_count_is_at_least,
  ]);

it('count the topics that everybody sees, up to a thousand', async () => {
  await setTopics(QUIET, 3, 2);
  await setTopics(BUSY, 1_000, 5);
  expect(await counts()).toEqual([
    [1_000, undefined],
    [3, undefined],
  ]);
  await setTopics(BUSY, 1_001);
  expect(await counts()).toEqual([
    [1_000, true],
    [3, undefined],
  ]);
});

it('cost the same however many topics there are', async () => {
  const list = () => blocksRead(pool, (db) => listCategories(db, PAGE));
  await setTopics(BUSY, 2_000);
  const few = await list();
  await setTopics(BUSY, 20_000);
  expect(await list()).toBeLessThan(few * 1.34 + 10);
});
