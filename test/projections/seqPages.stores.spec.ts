/** Pages of what is numbered: the cursors say truly whether there is more on either side, wherever a page lies. */

import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../infra/log.ts';
import { createPool, type Pool } from '../../infra/postgres.ts';
import { readDb, tables } from '../../projections/engine/readDb.ts';
import { type Cursor, type SeqPage, seqPageOf } from '../../projections/engine/seqPages.ts';
import { type Database, freshDatabase } from '../kit/databases.ts';

const numbered = { name: 'numbered', row: Type.Object({ seq: Type.Integer(), list: Type.Integer() }) };
let database: Database;
let pool: Pool;
let lists = 0;

beforeAll(async () => {
  database = await freshDatabase();
  pool = createPool(database.url, { max: 3, applicationName: 'pages', log: createLogger({ level: 'silent' }) });
  await pool.query('create schema if not exists read');
  await pool.query('create table read.numbered (list int not null, seq bigint not null, primary key (list, seq))');
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** A list with these numbers. */
const listOf = async (
  numbers: readonly number[],
): Promise<(cursor: Cursor, limit: number) => Promise<SeqPage<{ seq: number }>>> => {
  lists += 1;
  const list = lists;
  await pool.query('insert into read.numbered select $1, n from unnest($2::bigint[]) n', [list, numbers]);
  return (cursor, limit) =>
    seqPageOf(
      tables(readDb(pool), numbered).selectFrom('numbered').selectAll().where('list', '=', list),
      cursor,
      limit,
    );
};
const seqs = ({ rows }: SeqPage<{ seq: number }>): number[] => rows.map(({ seq }) => Number(seq));

describe('a list of 130 messages', () => {
  const all = Array.from({ length: 130 }, (_, n) => n + 1);

  it('has older ones before the empty page after the newest', async () => {
    const page = await listOf(all);
    const empty = await page({ after: 130 }, 50);
    expect([seqs(empty), empty.before, empty.after]).toEqual([[], 131, null]);
    expect(seqs(await page({ before: 131 }, 50))).toEqual(all.slice(-50));
  });

  it.each<[string, Cursor, number | null, number | null]>([
    ['the newest page', {}, 81, null],
    ['a page in the middle', { before: 81 }, 31, 80],
    ['a page before the end', { after: 100 }, 101, null],
    ['the oldest page', { after: 0 }, null, 50],
    ['an empty page before the oldest', { before: 1 }, null, 0],
    ['a page around one', { around: 60 }, 35, 84],
    ['a page around what does not exist yet', { around: 500 }, 106, null],
    ['an empty page far beyond the newest', { after: 500 }, 501, null],
  ])('%s says what is older and newer', async (_, cursor, before, after) => {
    const found = await (await listOf(all))(cursor, 50);
    expect([found.before, found.after]).toEqual([before, after]);
  });
});

it('an empty list has nothing on either side, whatever is asked for', async () => {
  const page = await listOf([]);
  for (const cursor of [{}, { before: 5 }, { before: 0 }, { after: 0 }, { after: 7 }, { around: 3 }])
    expect(await page(cursor, 10)).toEqual({ rows: [], before: null, after: null });
});

it('any page has those next to its cursor, and its cursors lead to exactly the others', async () => {
  const place = fc.integer({ min: 0, max: 40 });
  const cursor = fc.oneof(
    fc.constant({}),
    place.map((before) => ({ before })),
    place.map((after) => ({ after })),
    place.map((around) => ({ around })),
  );
  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 38 }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(numbers, cursor, fc.integer({ min: 1, max: 8 }), async (unordered, asked, limit) => {
      const all = unordered.toSorted((a, b) => a - b);
      const page = await listOf(all);
      /** All that follow in one direction, page by page. */
      const follow = async (side: 'before' | 'after', from: number | null): Promise<number[]> => {
        if (from === null) return [];
        const next = await page({ [side]: from }, limit);
        expect(next.rows, `a cursor that is there leads to something: ${side} ${from}`).not.toEqual([]);
        const rest = await follow(side, next[side]);
        return side === 'before' ? [...rest, ...seqs(next)] : [...seqs(next), ...rest];
      };
      const found = await page(asked, limit);
      expect(found.rows.length).toBeLessThanOrEqual(limit);
      expect([
        ...(await follow('before', found.before)),
        ...seqs(found),
        ...(await follow('after', found.after)),
      ]).toEqual(all);
    }),
    { numRuns: 60 },
  );
});
