/** What metrics and the funnel of a period say is a plain count of it, and what they cost depends on the period alone. */
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addMs, DAY_MS, HOUR_MS, isBefore } from '../../domain/core/instants.ts';
import { readModels as analytics } from '../../projections/analytics/index.ts';
import { answersOf, bookingsByDay, paidOfBooked } from '../../projections/analytics/milestones.ts';
import { revenueByDay } from '../../projections/analytics/revenue.ts';
import { bookings } from '../../projections/bookings/bookings.ts';
import { funnelOf } from '../../projections/bookings/funnel.ts';
import { type ReadDb, readDb } from '../../projections/engine/readDb.ts';
import { ensureTables } from '../../projections/engine/tableVersions.ts';
import { ledgerEntries } from '../../projections/ledger/entries.ts';
import { groups } from '../../projections/modules.ts';
import { paymentItems } from '../../projections/payments/paymentItems.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { costsMore, createCosts } from '../growth/costsOf.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { fateOf, project, soldBooking } from './salesHistory.ts';

let stores: Stores;
let db: ReadDb;
const models = [bookings, paymentItems, ledgerEntries, ...analytics];
beforeAll(async () => {
  stores = await freshStores();
  db = readDb(stores.pool);
  await ensureTables(stores.pool, groups);
});
beforeEach(() => stores.pool.query(`truncate ${models.map(({ name }) => `read.${name}`).join(', ')}`));

const SELLERS = [id(3_000), id(3_001)];
const START = '2026-03-01T00:00:00.000Z';
const afterHours = (hours: number): string => addMs(START, hours * HOUR_MS);
const periodOf = (from: number, to: number, timezone = 'Asia/Kathmandu') => ({
  ...{ from: afterHours(from), to: afterHours(to), timezone },
});

interface Sold {
  readonly seller: number;
  readonly hour: number;
}
const sold: fc.Arbitrary<Sold> = fc.record({ seller: fc.nat(1), hour: fc.nat(96) });

it('says of any period what a plain count of its bookings says', async () => {
  const some = fc.tuple(fc.array(sold, { maxLength: 30 }), fc.nat(96), fc.nat(96));
  await fc.assert(
    fc.asyncProperty(some, async ([all, one, other]) => {
      await stores.pool.query(`truncate ${models.map(({ name }) => `read.${name}`).join(', ')}`);
      const events = all.flatMap(({ seller, hour }, n) => soldBooking(n, SELLERS[seller] as string, afterHours(hour)));
      await project(stores.pool, models, events);
      const [from, to] = [Math.min(one, other), Math.max(one, other)];
      const period = periodOf(from, to);
      const isIn = (at: string) => !isBefore(at, period.from) && isBefore(at, period.to);
      for (const seller of [undefined, 0, 1]) {
        const sellerId = seller === undefined ? undefined : SELLERS[seller];
        const theirs = all
          .map((each, n) => ({ ...each, fate: fateOf(n) }))
          .filter((each) => (seller ?? each.seller) === each.seller);
        const made = theirs.filter(({ hour }) => hour >= from && hour < to);
        const paid = made.filter(({ fate }) => fate.isPaid).length;
        expect(await paidOfBooked(db, period, sellerId)).toEqual({ booked: made.length, paid });

        const count = (
          of: readonly { readonly [N in 'booked' | 'paid' | 'cancelled' | 'expired']: number }[],
          name: 'booked' | 'paid' | 'cancelled' | 'expired',
        ) => of.reduce((sum, row) => sum + row[name], 0);
        const days = await bookingsByDay(db, period, sellerId);
        const when = (is: (fate: ReturnType<typeof fateOf>) => boolean, minutes: number) =>
          theirs.filter(({ fate, hour }) => is(fate) && isIn(addMs(afterHours(hour), minutes * 60_000))).length;
        expect(count(days, 'booked')).toBe(made.length);
        expect(count(days, 'paid')).toBe(when(({ isPaid }) => isPaid, 2));
        expect(count(days, 'cancelled')).toBe(when(({ isCancelled }) => isCancelled, 60));
        expect(count(days, 'expired')).toBe(when(({ isExpired }) => isExpired, 60));
        expect((await answersOf(db, period, sellerId)).asked).toBe(when(({ isPaid, isAsked }) => isPaid && isAsked, 2));

        const money = await revenueByDay(db, period, sellerId);
        const total = (name: 'captured_minor' | 'refunded_minor' | 'revenue_minor') =>
          money.reduce((sum, row) => sum + Number(row[name]), 0);
        const refunded = when(({ isCancelled }) => isCancelled, 120);
        expect(total('captured_minor')).toBe(20_000 * count(days, 'paid'));
        expect(total('refunded_minor')).toBe(20_000 * refunded);
        expect(total('revenue_minor')).toBe(2_000 * (count(days, 'paid') - refunded));
      }
      const made = all
        .map(({ hour }, n) => ({ hour, fate: fateOf(n) }))
        .filter(({ hour }) => hour >= from && hour < to);
      const which = (is: (fate: ReturnType<typeof fateOf>) => boolean) => made.filter(({ fate }) => is(fate)).length;
      const [row] = await funnelOf(db, period);
      expect(row?.created_count ?? 0).toBe(made.length);
      expect(row?.payment_started_count ?? 0).toBe(which(({ isStarted }) => isStarted));
      expect(row?.payment_started_minor ?? 0).toBe(20_000 * which(({ isStarted }) => isStarted));
      expect(row?.captured_count ?? 0).toBe(which(({ isPaid }) => isPaid));
      expect(row?.refunded_minor ?? 0).toBe(20_000 * which(({ isCancelled }) => isCancelled));
      expect(row?.released_count ?? 0).toBe(which(({ isPaid, isCancelled }) => isPaid && !isCancelled));
    }),
    { numRuns: 20 },
  );
});

describe('what is asked of a month', () => {
  const [month, empty] = [periodOf(0, 31 * 24), periodOf(-31 * 24, 0)];
  const asked = {
    bookings: (on: ReadDb, period: typeof month, seller?: string) => bookingsByDay(on, period, seller),
    conversion: (on: ReadDb, period: typeof month, seller?: string) => paidOfBooked(on, period, seller),
    answers: (on: ReadDb, period: typeof month, seller?: string) => answersOf(on, period, seller),
    money: (on: ReadDb, period: typeof month, seller?: string) => revenueByDay(on, period, seller),
    funnel: (on: ReadDb, period: typeof month, seller?: string) => (seller ? Promise.resolve() : funnelOf(on, period)),
  };

  it('costs no more when more has happened in other months, or to other sellers', async () => {
    let n = 0;
    const sell = (count: number, seller: string, firstDay: number, days: number) => {
      const events = Array.from({ length: count }, () => {
        n += 1;
        return soldBooking(n, seller, addMs(START, (firstDay + (n % days)) * DAY_MS));
      });
      return project(stores.pool, models, events.flat());
    };
    const [seller, other] = SELLERS as [string, string];
    const costOf = await createCosts(stores);
    const costs = async () => {
      await stores.pool.query('vacuum analyze');
      const found: (readonly [string, Awaited<ReturnType<typeof costOf>>])[] = [];
      for (const [name, ask] of Object.entries(asked))
        for (const [when, period] of [
          ['month', month],
          ['empty month', empty],
        ] as const)
          for (const of of [undefined, seller])
            found.push([
              `${name} of the ${when}${of ? ' of a seller' : ''}`,
              await costOf((on) => ask(on, period, of)),
            ]);
      return new Map(found);
    };
    await sell(60, seller, 0, 30);
    await sell(200, seller, 40, 300);
    await sell(200, other, -400, 300);
    const before = await costs();
    await sell(1_500, seller, 40, 300);
    await sell(1_500, other, -400, 300);
    const elsewhere = await costs();
    const grown = (one: typeof before, two: typeof before) =>
      [...one].flatMap(([name, cost]) => {
        const now = two.get(name) ?? cost;
        return costsMore(cost, now) ? [`${name}: ${JSON.stringify(cost)}, then ${JSON.stringify(now)}`] : [];
      });
    expect(grown(before, elsewhere)).toEqual([]);
    await sell(1_000, other, 0, 30);
    expect(grown(elsewhere, await costs()).filter((each) => each.includes('seller') || each.includes('empty'))).toEqual(
      [],
    );
  });
});
