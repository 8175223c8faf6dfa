/**
 * What each read costs when the history has grown: five times as many rows of every table, for one person, one seller, one
 * thread, one night as for all. `GROWTH=300,3000` copies other numbers of rows, and prints all that grows.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { output } from '../../infra/output.ts';
import { type Call, type CallApi, caller } from '../kit/http.ts';
import { addCopies, keepOriginals } from './copies.ts';
import { bounded, notYet } from './grows.ts';
import type { Cost } from './plans.ts';
import { requestsOf } from './requests.ts';
import { described, type Growing, IS_BY_HAND, isMore, LARGE, LONG, SMALL, startGrowth } from './startGrowth.ts';

let growing: Growing;
beforeAll(async () => {
  growing = await startGrowth();
});
afterAll(() => growing?.stop());

const today = new Date().toISOString().slice(0, 10);

interface Asked {
  /** Of the operation. */
  readonly key: string;
  readonly reader: string;
  readonly at: string;
  readonly as: Call;
}

/** Sellers of other kinds than instructors, who see the same of theirs, only in a run by hand. */
const readersOf = ({ cast, world }: Growing): Readonly<Record<string, Call>> => ({
  admin: { token: cast.admin, headers: { 'x-reason': 'what it costs' } },
  guest: { token: cast.guest.token },
  instructor: { token: cast.seller.token },
  staying: { token: cast.staying.token },
  ...(IS_BY_HAND && Object.fromEntries(Object.entries(cast.sellers).map(([role, { token }]) => [role, { token }]))),
  partner: { apiKey: world.demo.partner_key },
});

/** Ids that queries may name. */
const knownIds = ({ cast, writer }: Growing): Map<string, readonly string[]> => {
  const people = [cast.guest.id, cast.seller.id, ...Object.values(cast.sellers).map(({ id }) => id)];
  const of = (noun: string) => [...(writer.ids.get(noun) ?? people)].slice(0, 2);
  return new Map<string, readonly string[]>([
    ['account_id', people.slice(0, 2)],
    ['user_id', people.slice(0, 1)],
    ['owner_id', people.slice(1, 2)],
    ['booking_id', of('bookings')],
    ['pass_id', of('passes')],
    ['purchase_id', of('purchases')],
  ]);
};

/** What is answered, by the first of its ids that a reader may see. */
const answered = async (call: CallApi): Promise<Asked[]> => {
  const asked: Asked[] = [];
  for (const { key, paths } of requestsOf(growing.writer, { ids: knownIds(growing), today })) {
    const seen = new Map<string, string>();
    for (const at of paths)
      for (const [reader, as] of Object.entries(readersOf(growing))) {
        const [where = ''] = at.split('?');
        if ((seen.get(reader) ?? where) !== where) continue;
        if ((await call(`GET ${at}`, as)).status >= 300) continue;
        seen.set(reader, where);
        asked.push({ key, reader, at, as });
      }
  }
  return asked;
};

const measure = async (call: CallApi, asked: readonly Asked[]): Promise<Cost[]> => {
  const costs: Cost[] = [];
  for (const { at, as } of asked) {
    growing.plans.cost();
    await call(`GET ${at}`, as);
    costs.push(growing.plans.cost());
  }
  return costs;
};

it('no read costs more when there is more that it does not show', LONG, async () => {
  const { pool, address } = growing;
  const call = caller(address);
  const tables = await keepOriginals(pool);
  await addCopies(pool, tables, 1, SMALL);
  const asked = await answered(call);
  expect(new Set(asked.map(({ key }) => key)).size).toBeGreaterThan(100);
  const small = await measure(call, asked);
  await addCopies(pool, tables, SMALL + 1, LARGE);
  const large = await measure(call, asked);

  const grown = new Map<string, string>();
  for (const [nth, { key, reader, at }] of asked.entries()) {
    const [before, after] = [small[nth] as Cost, large[nth] as Cost];
    if (!isMore(before, after)) continue;
    const what = `${key} ?${/\?(\w+)/.exec(at)?.[1] ?? ''}`;
    grown.set(what, `${what} (${reader}): ${described(before)}; then ${described(after)}`);
  }
  if (IS_BY_HAND) output.write([...grown.values()].join('\n'));
  const isKnown = (what: string) => [...bounded, ...notYet].some((each) => each.what.test(what));
  expect([...grown].filter(([what]) => !isKnown(what)).map(([, found]) => found)).toEqual([]);
});
