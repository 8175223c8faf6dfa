/** Queries that are built once for each shape, on a database that records what it is sent. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { exactly } from '../../infra/paging.ts';
import { titles } from '../../projections/catalog/titles.ts';
import { pageStatement, USUAL_PER_PAGE } from '../../projections/engine/paging.ts';
import { isAnyOf, type ReadDb, readDbIn, tables } from '../../projections/engine/readDb.ts';
import { computed, rowsById, statement } from '../../projections/engine/statements.ts';

interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
}

const recording = (rows: readonly object[] = []): { db: ReadDb; sent: Sent[] } => {
  const sent: Sent[] = [];
  const query = async (text: string, values: unknown[]) => {
    sent.push({ text, values });
    return { command: 'SELECT', rowCount: rows.length, rows };
  };
  return { db: readDbIn({ query: query as never }), sent };
};

const titlesIn = (db: ReadDb) => tables(db, titles).selectFrom('titles').select(['id', 'title']);

it('builds a query once for the values that are given and for its shape, and puts the values into it', async () => {
  const { db, sent } = recording();
  let built = 0;
  const find = statement(
    (on, { city, near }: { city?: string; near?: { lat: number } }, { first }: { first: boolean }) => {
      built += 1;
      return titlesIn(on)
        .$if(city !== undefined, (q) => q.where('city', '=', city ?? ''))
        .$if(near !== undefined, (q) => q.where(sql<boolean>`lat > ${near?.lat}`))
        .orderBy('title', first ? 'asc' : 'desc');
    },
  );
  const order = { first: true };
  await find(db, { city: 'Sochi' }, order);
  await find(db, { city: 'Adler' }, order);
  expect(built).toBe(1);
  expect(sent[0]?.text).toBe(sent[1]?.text);
  expect(sent.map(({ values }) => values)).toEqual([['Sochi'], ['Adler']]);
  await find(db, { city: 'Sochi', near: { lat: 43 } }, order);
  await find(db, { near: { lat: 44 } }, order);
  await find(db, { near: { lat: 45 } }, { first: false });
  await find(db, {}, order);
  await find(db, { near: { lat: 46 } }, order);
  expect(built).toBe(5);
  expect(sent.map(({ values }) => values).slice(2)).toEqual([['Sochi', 43], [44], [45], [], [46]]);
});

it('computes with values each time that the query is run, and refuses to do so while it is built', async () => {
  const { db, sent } = recording();
  const prefix = (text: string): string => `${text}:*`;
  const search = statement((on, { q }: { q: string }) => titlesIn(on).where('title', '=', computed(q, prefix)));
  await search(db, { q: 'edel' });
  await search(db, { q: 'lod' });
  expect(sent.map(({ values }) => values)).toEqual([['edel:*'], ['lod:*']]);
  expect(computed('edel', prefix)).toBe('edel:*');
  const careless = statement((on, { q }: { q: string }) => titlesIn(on).where('title', '=', `${q}:*`));
  await expect(careless(db, { q: 'edel' })).rejects.toThrow('built without its values');
});

it('reads another page with the same text', async () => {
  const { db, sent } = recording([{ all_rows: 7, is_row: true, id: 'a', title: 'A' }]);
  const list = pageStatement((on, { city }: { city: string }) =>
    titlesIn(on).where('city', '=', city).orderBy('title'),
  );
  expect(await list(db, { city: 'Sochi' }, {}, { page: 1, perPage: 5 })).toMatchObject({
    total: exactly(7),
    rows: [{ id: 'a' }],
  });
  await list(db, { city: 'Adler' }, {}, { page: 3, perPage: 5 });
  expect(sent[0]?.text).toBe(sent[1]?.text);
  expect(sent[1]?.values).toEqual(['Adler', 'Adler', 5, 10]);
});

it('says how few rows are wanted in the text of a usual page that is planned once', async () => {
  const { db, sent } = recording();
  const list = pageStatement((on) => titlesIn(on).orderBy('title'), { isPlannedOnce: true });
  for (const page of [1, 2]) await list(db, {}, {}, { page, perPage: USUAL_PER_PAGE });
  await list(db, {}, {}, { page: 1, perPage: 5 });
  await pageStatement((on) => titlesIn(on).orderBy('title'))(db, {}, {}, { page: 1, perPage: USUAL_PER_PAGE });
  expect(sent.map(({ text }) => text.match(/limit .*?(?=\)|$)/g)?.at(-1))).toEqual([
    'limit 20',
    'limit $1 offset $2',
    'limit $1 offset $2',
    'limit $1 offset $2',
  ]);
  expect(sent.map(({ values }) => values)).toEqual([[], [20, 20], [5, 0], [20, 0]]);
});

it('has no rows past the last page', async () => {
  const { db } = recording([{ all_rows: 7, is_row: null, id: null, title: null }]);
  const list = pageStatement((on) => titlesIn(on).orderBy('title'));
  expect(await list(db, {}, {}, { page: 9, perPage: 5 })).toEqual({ total: exactly(7), rows: [] });
});

it('counts no further than 1,000 rows, and says so', async () => {
  const totalOf = async (counted: number) => {
    const { db, sent } = recording([{ all_rows: counted, is_row: null, id: null, title: null }]);
    const { total } = await pageStatement((on) => titlesIn(on).orderBy('title'))(db, {}, {}, { page: 1, perPage: 5 });
    expect(sent[0]?.text).toContain('limit 1001) as');
    return total;
  };
  expect(await totalOf(1_000)).toEqual({ count: 1_000, isAtLeast: false });
  expect(await totalOf(1_001)).toEqual({ count: 1_000, isAtLeast: true });
});

it('reads rows by id in one statement for all who ask within one turn', async () => {
  const { db, sent } = recording([
    { id: 'a', title: 'A' },
    { id: 'b', title: 'B' },
  ]);
  const byId = rowsById((on, ids) => titlesIn(on).where(isAnyOf('id', ids)));
  const [one, two] = await Promise.all([byId(db, ['a', 'b']), byId(db, ['b', 'c']), byId(db, [])]);
  expect([one.get('a'), two.get('b'), two.get('c')]).toEqual([
    { id: 'a', title: 'A' },
    { id: 'b', title: 'B' },
    undefined,
  ]);
  expect(sent.map(({ values }) => values)).toEqual([[['a', 'b', 'c']]]);
  await byId(db, ['a']);
  expect(sent).toHaveLength(2);
});
