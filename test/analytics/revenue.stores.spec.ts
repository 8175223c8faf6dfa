/** Money by day and kind, and what a person has spent, against plain sums over random histories of the ledger. */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { addMs, HOUR_MS } from '../../domain/core/instants.ts';
import { exactSum } from '../../domain/core/money.ts';
import type { MinorSum } from '../../domain/core/schema.ts';
import {
  captured,
  chargebackReturned,
  corrected,
  drawn,
  type PaidItem,
  type Parts,
  type Posting,
  partsOf,
  payersMinor,
  refunded,
  released,
} from '../../domain/ledger/ledger.ts';
import { inTransaction } from '../../infra/postgres.ts';
import { bookingMilestones } from '../../projections/analytics/milestones.ts';
import { type RevenueRow, revenueByDay, spentBy } from '../../projections/analytics/revenue.ts';
import { revenueLines } from '../../projections/analytics/revenueLines.ts';
import { applyBatch } from '../../projections/engine/applyEvents.ts';
import { type ReadDb, readDb } from '../../projections/engine/readDb.ts';
import { ensureTables } from '../../projections/engine/tableVersions.ts';
import { balances, listBalances } from '../../projections/ledger/balances.ts';
import { ledgerEntries } from '../../projections/ledger/entries.ts';
import { groups } from '../../projections/modules.ts';
import { payments } from '../../projections/payments/payments.ts';
import { created, creation, GUEST, id, PROVIDER, paymentTerms, terms } from '../bookings/bookingFixtures.ts';
import { happened } from '../kit/projected.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { unexplained } from './unexplained.ts';

let stores: Stores;
let db: ReadDb;
const models = [bookingMilestones, payments, ledgerEntries, revenueLines, balances];
beforeAll(async () => {
  stores = await freshStores();
  db = readDb(stores.pool);
  await ensureTables(stores.pool, groups);
});

const OTHER = id(77);
/** What is paid for: two kinds of booking of two sellers, one with a discount of the platform, and its own ski pass with another. */
const items: readonly (PaidItem & { readonly kind: string })[] = [
  { id: id(100), kind: 'hotel', ownerId: PROVIDER, service: null, amountMinor: 20_000, commissionMinor: 2_000 },
  {
    id: id(101),
    kind: 'instructor',
    ownerId: OTHER,
    service: null,
    amountMinor: 9_999,
    commissionMinor: 333,
    promotionMinor: 1_501,
  },
  {
    id: id(102),
    kind: 'ski_pass',
    ownerId: null,
    service: 'ski_pass',
    amountMinor: 4_000,
    commissionMinor: 0,
    promotionMinor: 700,
  },
];
const booked = [
  happened('booking', id(100), created, '2026-03-01T00:00:00.000Z'),
  happened(
    'booking',
    id(101),
    {
      type: 'BookingCreated' as const,
      data: {
        ...creation,
        ...terms,
        sellerId: OTHER,
        item: {
          type: 'instructor' as const,
          listingId: OTHER,
          unitId: OTHER,
          slotStart: terms.startsAt,
          slotEnd: terms.endsAt,
        },
      },
    },
    '2026-03-01T00:00:00.000Z',
  ),
];

type Amount = keyof typeof nothing;
/** By day and kind: `2026-03-01 hotel`. */
type Sums = Record<string, Record<Amount, number>>;
const nothing = {
  ...{ captured_minor: 0, refunded_minor: 0, revenue_minor: 0, earned_minor: 0 },
  ...{ discounts_minor: 0, losses_minor: 0, corrections_minor: 0 },
};
interface Move {
  readonly item: number;
  readonly hours: number;
  readonly what: 'refund' | 'chargeback' | 'win' | 'release' | 'correct';
  readonly share: number;
  /** Of a correction. */
  readonly between: readonly [debit: string, credit: string];
}
/** Which sum a correction of an account changes, and with which sign. */
const corrections: Readonly<Record<string, readonly [Amount, number]>> = {
  ...{ losses: ['losses_minor', 1], promotions: ['discounts_minor', 1], commission: ['revenue_minor', -1] },
  ...{ bank: ['corrections_minor', 1], fees: ['corrections_minor', 1], 'clearing:yookassa': ['corrections_minor', 1] },
  [`available:${PROVIDER}`]: ['earned_minor', -1],
};
const move: fc.Arbitrary<Move> = fc.record({
  item: fc.nat(items.length - 1),
  hours: fc.integer({ min: 1, max: 96 }),
  what: fc.constantFrom('refund', 'refund', 'chargeback', 'win', 'release', 'correct'),
  share: fc.integer({ min: 1, max: 100 }),
  between: fc
    .shuffledSubarray(Object.keys(corrections), { minLength: 2, maxLength: 2 })
    .map(([a = '', b = '']) => [a, b]),
});
/** The second time, only the commission is left to go back, and the ledger does not name the seller. */
const twice = (share: number): Move => ({ item: 1, hours: share, what: 'refund', share, between: ['bank', 'fees'] });
const less = (parts: Parts, taken: Parts, sign = 1): Parts => ({
  heldMinor: parts.heldMinor - sign * taken.heldMinor,
  availableMinor: parts.availableMinor - sign * taken.availableMinor,
  platformMinor: parts.platformMinor - sign * taken.platformMinor,
  promotionMinor: (parts.promotionMinor ?? 0) - sign * (taken.promotionMinor ?? 0),
});

const timeOf = (hours: number): string => addMs('2026-03-01T00:00:00Z', hours * HOUR_MS);
/** In Moscow, which is three hours ahead. */
const dayOf = (hours: number): string => timeOf(hours + 3).slice(0, 10);

/** The events of a history, and what they come to by day and kind. */
const play = (moves: readonly Move[]) => {
  const sums: Sums = {};
  const add = (hours: number, kind: string, name: Amount, amount: number) => {
    const key = `${dayOf(hours)} ${kind}`;
    const sum = sums[key] ?? nothing;
    sums[key] = { ...sum, [name]: sum[name] + amount };
  };
  const left = items.map((item) => partsOf(item));
  const currency = 'RUB';
  const events: ReturnType<typeof happened>[] = [];
  const post = (n: number, hours: number, type: string, postings: Posting[], more: object = {}) =>
    events.push(happened('payment', id(200 + n), { type, data: { currency, postings, ...more } }, timeOf(hours)));
  for (const [n, item] of items.entries()) {
    const { kind, ownerId, service, ...about } = item;
    const data = { ...paymentTerms, items: [{ kind: 'booking', ownerId, ...about }], amountMinor: item.amountMinor };
    events.push(happened('payment', id(200 + n), { type: 'PaymentCreated', data }, timeOf(0)));
    post(n, 0, 'PaymentSucceeded', captured('yookassa', [item]), {
      providerPaymentId: 'p',
      amountMinor: item.amountMinor,
    });
    const parts = left[n] ?? partsOf(item);
    add(0, item.kind, 'captured_minor', item.amountMinor);
    add(0, item.kind, 'revenue_minor', parts.platformMinor);
    add(0, item.kind, 'earned_minor', parts.heldMinor);
    add(0, item.kind, 'discounts_minor', parts.promotionMinor ?? 0);
  }
  /** Chargebacks that can still be won, by item. */
  const taken: { readonly n: number; readonly draw: Parts; readonly loss: number }[] = [];
  const goesBack = (kind: string, hours: number, draw: Parts, loss: number, sign = 1) => {
    add(hours, kind, 'refunded_minor', sign * (payersMinor(draw) + loss));
    add(hours, kind, 'revenue_minor', -sign * draw.platformMinor);
    add(hours, kind, 'earned_minor', -sign * (draw.heldMinor + draw.availableMinor));
    add(hours, kind, 'discounts_minor', -sign * (draw.promotionMinor ?? 0));
    add(hours, kind, 'losses_minor', sign * loss);
  };
  for (const { item: n, hours, what, share, between } of moves) {
    const item = items[n] as (typeof items)[number];
    const parts = left[n] as (typeof left)[number];
    if (what === 'correct') {
      events.push(
        happened(
          'adjustment',
          id(300 + n),
          {
            type: 'AdjustmentApproved',
            data: { approvedBy: id(1), currency, postings: corrected(...between, share) },
          },
          timeOf(hours),
        ),
      );
      for (const [account, amount] of [
        [between[0], share],
        [between[1], -share],
      ] as const) {
        const [name, sign] = corrections[account] as (typeof corrections)[string];
        add(hours, 'other', name, sign * amount);
      }
    } else if (what === 'win') {
      const index = taken.findIndex((of) => of.n === n);
      const [won] = index < 0 ? [] : taken.splice(index, 1);
      if (!won) continue;
      post(n, hours, 'ChargebackWon', chargebackReturned('yookassa', item, won.draw, won.loss), {
        chargebackId: id(1),
        itemId: item.id,
        amountMinor: payersMinor(won.draw) + won.loss,
      });
      left[n] = less(parts, won.draw, -1);
      goesBack(item.kind, hours, won.draw, won.loss, -1);
    } else if (what === 'release') {
      if (item.ownerId === null || parts.heldMinor === 0) continue;
      post(n, hours, 'ShareReleased', released(item.ownerId, parts.heldMinor, item.id), {
        itemId: item.id,
        ownerId: item.ownerId,
        amountMinor: parts.heldMinor,
      });
      left[n] = { ...parts, heldMinor: 0, availableMinor: parts.availableMinor + parts.heldMinor };
    } else {
      const amount = Math.floor((payersMinor(parts) * share) / 100);
      if (amount === 0) continue;
      const draw = drawn(parts, amount);
      const loss = what === 'chargeback' ? share : 0;
      const postings = refunded('yookassa', item, draw, loss);
      post(n, hours, what === 'refund' ? 'RefundSucceeded' : 'ChargedBack', postings, {
        refundId: id(1),
        chargebackId: id(1),
        itemId: item.id,
        amountMinor: amount + loss,
      });
      left[n] = less(parts, draw);
      goesBack(item.kind, hours, draw, loss);
      if (what === 'chargeback') taken.push({ n, draw, loss });
    }
  }
  return { events, sums };
};

const isSomething = (sum: Readonly<Record<Amount, MinorSum>>): boolean =>
  Object.values(sum).some((amount) => amount !== 0);
const shown = (rows: readonly RevenueRow[]): Record<string, Record<Amount, MinorSum>> =>
  Object.fromEntries(
    rows
      .map(({ day, kind, currency: _, ...sum }) => [`${day} ${kind}`, sum] as const)
      .filter(([, sum]) => isSomething(sum)),
  );

const ALWAYS = { from: '-infinity', to: 'infinity', timezone: 'Europe/Moscow' };

it('equals plain sums over any history, and the balances of the ledger', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 15 }), async (moves) => {
      const { events, sums } = play(moves);
      await stores.pool.query(
        'truncate read.booking_milestones, read.payments, read.ledger_entries, read.revenue_lines, read.balances',
      );
      await inTransaction(stores.pool, async (client) => {
        for (const model of models) {
          const refuse = (_: unknown, reason: string) => Promise.reject(new Error(reason));
          const target = { model, table: model.name, publishes: false };
          await applyBatch(client, target, [...booked, ...events], new Map(), refuse);
        }
      });
      const rows = await revenueByDay(db, ALWAYS);
      expect(shown(rows)).toEqual(Object.fromEntries(Object.entries(sums).filter(([, sum]) => isSomething(sum))));
      const all = await listBalances(db);
      const ofPlatform = all.filter(({ account }) => account === 'commission' || account.startsWith('service:'));
      for (const row of rows) expect(unexplained(row), JSON.stringify(row)).toBe(0);
      const total = (amounts: readonly MinorSum[]): number => Number(exactSum(amounts));
      expect(total(rows.map((row) => row.revenue_minor))).toBe(0 - total(ofPlatform.map((row) => row.balance_minor)));

      const own = shown(await revenueByDay(db, ALWAYS, OTHER));
      expect(own).toEqual(
        Object.fromEntries(Object.entries(shown(rows)).filter(([key]) => key.endsWith('instructor'))),
      );
      const spent = total(rows.map((row) => row.captured_minor)) - total(rows.map((row) => row.refunded_minor));
      expect(await spentBy(db, GUEST)).toEqual([{ currency: 'RUB', amount_minor: spent }]);
    }),
    { numRuns: 15, examples: [[[twice(99), twice(100)]]] },
  );
});
