/** What statements and balances say is a plain sum of the lines, and what they cost does not grow with the lines of before. */
import fc from 'fast-check';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { addMs, DAY_MS, HOUR_MS, isBefore } from '../../domain/core/instants.ts';
import {
  account,
  captured,
  escrowReleased,
  ownerAccounts,
  type PaidItem,
  type Posting,
  paidOut,
  payoutRequested,
  released,
} from '../../domain/ledger/ledger.ts';
import { type ReadDb, readDb } from '../../projections/engine/readDb.ts';
import { ensureTables } from '../../projections/engine/tableVersions.ts';
import { balancesOf } from '../../projections/ledger/balances.ts';
import { statementOf } from '../../projections/ledger/entries.ts';
import { readModels } from '../../projections/ledger/index.ts';
import { groups } from '../../projections/modules.ts';
import { project } from '../analytics/salesHistory.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { costsMore, createCosts } from '../growth/costsOf.ts';
import { happened } from '../kit/projected.ts';
import { freshStores, type Stores } from '../kit/stores.ts';

let stores: Stores;
let db: ReadDb;
/** Of lines, sums and payouts. */
const models = readModels.filter(({ handlers }) => handlers.has('EscrowReleased'));
beforeAll(async () => {
  stores = await freshStores();
  db = readDb(stores.pool);
  await ensureTables(stores.pool, groups);
});
const empty = () => stores.pool.query(`truncate ${models.map(({ name }) => `read.${name}`).join(', ')}`);
beforeEach(empty);

const [OWNER, OTHER] = [id(50), id(51)];
const START = '2026-03-01T00:00:00.000Z';
const afterHours = (hours: number): string => addMs(START, hours * HOUR_MS);

const stay = (ownerId: string, amountMinor: number): PaidItem => ({
  ...{ id: id(60), ownerId, service: null, amountMinor, commissionMinor: 0 },
});
/** What moves an owner's money, and how. */
const moves: Readonly<Record<string, (ownerId: string, amountMinor: number) => Posting[]>> = {
  PaymentSucceeded: (ownerId, amountMinor) => captured('fake', [stay(ownerId, amountMinor)]),
  ShareReleased: (ownerId, amountMinor) => released(ownerId, amountMinor),
  PayoutRequested: (ownerId, amountMinor) => payoutRequested(ownerId, amountMinor),
  PayoutPaid: (ownerId, amountMinor) => paidOut(ownerId, amountMinor),
  EscrowReleased: (ownerId, amountMinor) => escrowReleased('fake', ownerId, amountMinor),
};
interface Moved {
  readonly type: string;
  readonly ownerId: string;
  readonly amountMinor: number;
  readonly hour: number;
}
const moved: fc.Arbitrary<Moved> = fc.record({
  type: fc.constantFrom(...Object.keys(moves)),
  ownerId: fc.constantFrom(OWNER, OTHER),
  amountMinor: fc.integer({ min: 1, max: 1_000 }),
  hour: fc.nat(96),
});
const postingsOf = ({ type, ownerId, amountMinor }: Moved): Posting[] => moves[type]?.(ownerId, amountMinor) ?? [];
const post = (all: readonly Moved[]) =>
  project(
    stores.pool,
    models,
    all.map((each) => {
      const data = { ownerId: each.ownerId, currency: 'RUB', postings: postingsOf(each) };
      return happened('payment', id(61), { type: each.type, data }, afterHours(each.hour));
    }),
  );
const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

it('a statement begins and ends with the balances of its period, and each line leads from one to the next', async () => {
  const hour = fc.option(fc.nat(97), { nil: undefined });
  const kind = fc.constantFrom(undefined, ...ownerAccounts);
  await fc.assert(
    fc.asyncProperty(fc.array(moved, { maxLength: 20 }), hour, hour, kind, async (all, from, to, of) => {
      await empty();
      await post(all);
      const mine = all
        .flatMap((each) => postingsOf(each).map((posting) => ({ ...posting, hour: each.hour })))
        .filter(({ account: name }) =>
          ownerAccounts.some((each) => (of ?? each) === each && name === account[each](OWNER)),
        );
      const before = (hours: number) =>
        0 - sum(mine.filter((line) => line.hour < hours).map((line) => line.amountMinor));
      const found = await statementOf(db, {
        ...{ ownerId: OWNER, currency: 'RUB', page: 1, perPage: 100 },
        ...(of && { account: account[of](OWNER) }),
        ...(from !== undefined && { from: afterHours(from) }),
        ...(to !== undefined && { to: afterHours(to) }),
      });
      expect(found.openingMinor).toBe(before(Math.min(from ?? 0, to ?? 1_000)));
      expect(found.closingMinor).toBe(before(to ?? 1_000));
      const shown = found.rows.map(({ at }) => at);
      expect(
        shown.filter((at) => isBefore(at, afterHours(from ?? 0)) || !isBefore(at, afterHours(to ?? 1_000))),
      ).toEqual([]);
      let balance = Number(found.openingMinor);
      for (const line of found.rows) {
        balance += line.amount_minor;
        expect(line.balance_minor).toBe(balance);
      }
      expect(balance).toBe(Number(found.closingMinor));
    }),
    { numRuns: 30 },
  );
});

it('what was paid out is what payouts and escrow have brought to the bank of the owner', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(moved, { maxLength: 20 }), async (all) => {
      await empty();
      await post(all);
      const mine = all.filter(({ ownerId }) => ownerId === OWNER);
      const paid = mine.filter(({ type }) => type === 'PayoutPaid' || type === 'EscrowReleased');
      const [balance] = await balancesOf(db, OWNER);
      expect(balance?.paid_out_minor ?? 0).toBe(sum(paid.map(({ amountMinor }) => amountMinor)));
    }),
    { numRuns: 10 },
  );
});

it('costs no more when more has moved before, on the same days', async () => {
  const costOf = await createCosts(stores);
  const types = Object.keys(moves);
  /** On each of a hundred days. */
  const move = (times: number) =>
    post(
      Array.from({ length: 100 * times }, (_, n) => ({
        ...{ type: types[n % types.length] ?? '', ownerId: OWNER, amountMinor: 100 },
        hour: (n % 100) * 24,
      })),
    );
  const ask = { ownerId: OWNER, currency: 'RUB', page: 1, perPage: 20 };
  const lastDay = { from: addMs(START, 99 * DAY_MS), to: addMs(START, 100 * DAY_MS) };
  const asked: Readonly<Record<string, (on: ReadDb) => Promise<unknown>>> = {
    balance: (on) => balancesOf(on, OWNER),
    'statement of all': (on) => statementOf(on, ask),
    'statement of what came later': (on) => statementOf(on, { ...ask, from: lastDay.to }),
    'statement until a day': (on) => statementOf(on, { ...ask, to: lastDay.from }),
  };
  const costs = async () => {
    await stores.pool.query('vacuum analyze');
    return Promise.all(Object.entries(asked).map(async ([name, query]) => [name, await costOf(query)] as const));
  };
  await move(15);
  const before = await costs();
  await move(60);
  const after = new Map(await costs());
  const grown = before.filter(([name, cost]) => costsMore(cost, after.get(name) ?? cost));
  expect(grown.map(([name, cost]) => [name, cost, after.get(name)])).toEqual([]);
});
