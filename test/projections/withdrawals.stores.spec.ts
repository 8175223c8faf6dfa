/** What former changes show once their row was edited or deleted: which are found, and what finding them reads. */
import fc from 'fast-check';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { derivedId } from '../../infra/ids.ts';
import { inTransaction, type Pool, type PoolClient } from '../../infra/postgres.ts';
import { appendChanges, type Change, changesMigrations } from '../../projections/engine/changes.ts';
import { freshStores } from '../kit/stores.ts';

let pool: Pool;
beforeAll(async () => {
  ({ pool } = await freshStores());
});
beforeEach(async () => {
  await pool.query('truncate read.changes, read.channels');
});

const at = '2026-01-01T00:00:00Z';
const rowId = (n: number) => derivedId('row', String(n));
const account = derivedId('account', 'leaving');

/** A message that says something of its row, and may quote another one. */
const said = (channel: string, entity: string, row: number, text: string, quotes: number | null = null): Change => ({
  channel,
  type: `${entity}.updated`,
  data: JSON.stringify({ id: rowId(row), text, reply_to: quotes === null ? null : { id: rowId(quotes), text } }),
  at,
  ofRow: rowId(row),
});
const withdrawing = (change: Change, row: number): Change => ({
  ...change,
  withdraws: { id: rowId(row), instead: JSON.stringify({ id: rowId(row), text: null }) },
});

const append = (changes: readonly Change[]) => inTransaction(pool, (client) => appendChanges(client, changes));
/** The release before did not say which row a change shows. */
const asBefore = (channel: string, offsets: 'all' | 'odd') =>
  pool.query(`update read.changes set of_row = '' where channel = $1 and ($2 = 'all' or "offset" % 2 = 1)`, [
    channel,
    offsets,
  ]);
const shownOn = async (channel: string): Promise<string[]> =>
  (
    await pool.query<{ data: string }>('select data from read.changes where channel = $1 order by "offset"', [channel])
  ).rows.map(({ data }) => data);

const steps = fc.record({
  entity: fc.constantFrom('message', 'topic'),
  row: fc.integer({ min: 1, max: 4 }),
  quotes: fc.option(fc.integer({ min: 1, max: 4 })),
  withdraws: fc.boolean(),
  endsAccess: fc.boolean(),
});

type Step = typeof steps extends fc.Arbitrary<infer S> ? S : never;

it('the changes of a row are found by its name as those that do not say it are found by their text', async () => {
  let histories = 0;
  const check = async (batches: readonly (readonly Step[])[]) => {
    histories += 1;
    const channels = (['named', 'former', 'mixed'] as const).map((kind) => ({ kind, channel: `${kind}_${histories}` }));
    for (const [n, batch] of batches.entries()) {
      for (const { kind, channel } of channels) {
        const changes = batch.map(({ entity, row, quotes, withdraws, endsAccess }, m) => {
          const change = said(channel, entity, row, `${n}.${m}`, quotes);
          const ending = endsAccess ? { ...change, endsFor: account } : change;
          return withdraws ? withdrawing(ending, row) : ending;
        });
        await append(changes);
        if (kind !== 'named') await asBefore(channel, kind === 'former' ? 'all' : 'odd');
      }
    }
    const [named, ...others] = await Promise.all(channels.map(({ channel }) => shownOn(channel)));
    for (const other of others) expect(other).toEqual(named);
  };
  const batches = fc.array(fc.array(steps, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 });
  await fc.assert(fc.asyncProperty(batches, check), { numRuns: 40 });
});

/** Withdraws what was said of a row, and counts the blocks that the statement for this reads. */
const blocksToWithdraw = async (change: Change): Promise<number> => {
  let blocks = 0;
  await inTransaction(pool, async (client) => {
    const explained = async (text: string, values?: unknown[]) => {
      if (!text.startsWith('update read.changes')) return client.query(text, values);
      const { rows } = await client.query(`explain (analyze, buffers, format json) ${text}`, values);
      const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
      blocks = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      return { rows: [] };
    };
    await appendChanges({ query: explained } as unknown as PoolClient, [change]);
  });
  return blocks;
};

it.each([
  ['changes', {}],
  ['people who joined', { startsFor: account }],
  ['people who left before', { endsFor: account }],
] as const)('an edit reads as little where its channel had many %s as where it had few', async (_, access) => {
  const blocks: number[] = [];
  for (const [channel, count] of [
    ['few', 100],
    ['many', 20_000],
  ] as const) {
    const leaving = 'endsFor' in access;
    const edited = withdrawing(said(channel, 'message', count, 'edited'), count);
    if (!leaving) await append([said(channel, 'message', count, 'first')]);
    for (let n = 0; n < count; n += 1_000)
      await append(
        Array.from({ length: Math.min(1_000, count) }, (_, m) => ({
          ...said(channel, 'message', n + m, `text ${n + m}`, n),
          ...access,
        })),
      );
    if (leaving) await append([said(channel, 'message', count, 'first')]);
    await pool.query('vacuum analyze read.changes');
    await blocksToWithdraw(edited);
    blocks.push(await blocksToWithdraw(edited));
  }
  const [few, most] = blocks as [number, number];
  expect(few).toBeGreaterThan(0);
  // Reading what the channel had takes 840 blocks and more.
  expect(most).toBeLessThanOrEqual(few + 100);
});

it('the changes of the release before stay as they lie when the database is upgraded, and are withdrawn, too', async () => {
  await pool.query('alter table read.changes drop column of_row');
  const writtenBefore = (offset: number) =>
    pool.query(
      `insert into read.changes (channel, "offset", type, data, at) values ('old', $1, 'message.created', $2, now())`,
      [offset, said('old', 'message', 1, 'former').data],
    );
  await writtenBefore(1);
  const file = async () => (await pool.query(`select pg_relation_filenode('read.changes') as file`)).rows;
  const before = await file();
  await pool.query(changesMigrations.everyStart ?? '');
  expect(await file()).toEqual(before);
  await writtenBefore(2); // a process of that release goes on for a while
  await pool.query(`insert into read.channels values ('old', 2)`);
  const edited = withdrawing(said('old', 'message', 1, 'edited'), 1);
  await append([edited]);
  expect(await shownOn('old')).toEqual([1, 2, 3].map(() => edited.data));
});
