/** Sums beyond 2^53: of amounts that were posted before there was a limit, and of very many of today. */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { funnelRoutes } from '../../api/bookings/funnel.ts';
import { ledgerRoutes } from '../../api/ledger/ledger.ts';
import { exactSum, toMajor } from '../../domain/core/money.ts';
import { account } from '../../domain/ledger/ledger.ts';
import { settlement } from '../../domain/ledger/settlement.ts';
import { jsonOf } from '../../infra/jsonText.ts';
import { inTransaction } from '../../infra/postgres.ts';
import { revenueByDay, spentBy } from '../../projections/analytics/revenue.ts';
import { revenueLines } from '../../projections/analytics/revenueLines.ts';
import { paidOutIn } from '../../projections/bookings/funnel.ts';
import { applyBatch } from '../../projections/engine/applyEvents.ts';
import { readDb } from '../../projections/engine/readDb.ts';
import { ensureTables } from '../../projections/engine/tableVersions.ts';
import { balances, balancesOf } from '../../projections/ledger/balances.ts';
import { ledgerDays } from '../../projections/ledger/days.ts';
import { ledgerEntries, statementOf } from '../../projections/ledger/entries.ts';
import { groups } from '../../projections/modules.ts';
import { payments } from '../../projections/payments/payments.ts';
import { GUEST, id, PROVIDER, paymentTerms } from '../bookings/bookingFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { happened } from '../kit/projected.ts';
import { freshStores, type Stores } from '../kit/stores.ts';

let stores: Stores;
beforeAll(async () => {
  stores = await freshStores();
  await ensureTables(stores.pool, groups);
});

/** 90 trillion roubles and a kopeck: a number holds it exactly, and no sum of two of them. */
const LARGE = 9_000_000_000_000_001;
const AT = '2026-03-01T00:00:00.000Z';

let commit = 0n;
const apply = (unplaced: readonly ReturnType<typeof happened>[]) =>
  inTransaction(stores.pool, async (client) => {
    const events = unplaced.map((event) => {
      commit += 1n;
      return { ...event, position: { commit, prepare: commit } };
    });
    for (const model of [payments, ledgerEntries, ledgerDays, revenueLines, balances]) {
      const refuse = (_: unknown, reason: string) => Promise.reject(new Error(reason));
      const target = { model, table: model.name, publishes: false };
      await applyBatch(client, target, events, new Map(), refuse);
    }
  });
/** What an operation of an admin answers, as it is sent. */
const answer = async (routes: readonly { readonly id: string }[], name: string, params = {}, query = {}) => {
  const { handle } = routes.find((each) => each.id === name) as never as { handle: (...of: unknown[]) => unknown };
  const context = contextOf(id(1), 'admin');
  return jsonOf(await handle({ params, query, context, caller: { id: PROVIDER } }, { db: readDb(stores.pool) }));
};

it('are carried exactly from the events of before to every reply', async () => {
  const posted = [1, 2, 3].flatMap((n) =>
    settlement
      .decide(
        {
          ...{ type: 'PostSettlement', provider: 'yookassa', currency: 'RUB', feeMinor: 0 },
          ...{ amountMinor: LARGE, reference: `R-${n}` },
        },
        null,
      )
      .map((event) => happened('settlement', id(n), event as never, AT)),
  );
  // In batches: the second adds to what the database has, the third to what no number holds.
  for (const event of posted) await apply([event]);
  const text = await answer(ledgerRoutes, 'listLedgerBalances');
  expect(text).toContain('"account":"bank","currency":"RUB","owner_id":null,"balance_minor":27000000000000003,');
  expect(text).toContain('"balance_minor":-27000000000000003');
  expect(JSON.parse(text).sums).toEqual([{ currency: 'RUB', sum: 0, sum_minor: 0 }]);
});

it('are exact for sellers, in statements, funnels and metrics', async () => {
  const paid = [1, 2, 3].map((n) => {
    const item = { id: id(300 + n), kind: 'booking', ownerId: PROVIDER, amountMinor: LARGE, commissionMinor: 0 };
    const postings = (from: string, to: string) => [
      { account: from, amountMinor: LARGE, itemId: item.id },
      { account: to, amountMinor: -LARGE, itemId: item.id },
    ];
    const event = (type: string, data: object) =>
      happened('payment', id(400 + n), { type, data: { currency: 'RUB', ...data } }, AT);
    const [clearing, held] = [account.clearing('yookassa'), account.held(PROVIDER)];
    return [
      event('PaymentCreated', { ...paymentTerms, items: [{ ...item, service: null }], amountMinor: LARGE }),
      event('PaymentSucceeded', { providerPaymentId: 'p', amountMinor: LARGE, postings: postings(clearing, held) }),
      event('EscrowReleased', {
        ...{ itemId: item.id, ownerId: PROVIDER, amountMinor: LARGE, postings: postings(held, 'nominal:yookassa') },
      }),
    ];
  });
  const released = paid.flatMap((events) => events.slice(2));
  await apply([...paid.flatMap((events) => events.slice(0, 2)), ...released]);
  const db = readDb(stores.pool);
  const [sum, three] = [27_000_000_000_000_003n, '27000000000000003'];
  expect(await balancesOf(db, PROVIDER)).toMatchObject([{ held_minor: 0, paid_out_minor: sum }]);
  expect(await answer(ledgerRoutes, 'getOwnBalance')).toContain(`"paid_out_minor":${three}`);
  const held = { ownerId: PROVIDER, currency: 'RUB', account: account.held(PROVIDER), page: 1, perPage: 10 };
  const { rows, closingMinor } = await statementOf(db, { ...held, to: '2026-03-02T00:00:00Z' });
  const two = 2n * BigInt(LARGE);
  expect(rows.map((row) => row.balance_minor)).toEqual([LARGE, two, sum, two, LARGE, 0]);
  expect(closingMinor).toBe(0);
  expect(await answer(ledgerRoutes, 'getOwnStatement', {}, { currency: 'RUB', account: 'held' })).toContain(
    `"balance_minor":${three}`,
  );
  const period = { from: '2026-02-01T00:00:00Z', to: '2026-04-01T00:00:00Z' };
  expect(await paidOutIn(db, period)).toEqual([{ currency: 'RUB', count: 3, amount_minor: sum }]);
  expect(await answer(funnelRoutes, 'getLedgerFunnel', {}, period)).toContain(`"amount_minor":${three}`);
  expect(await spentBy(db, GUEST)).toEqual([{ currency: 'RUB', amount_minor: sum }]);
  const [revenue] = await revenueByDay(db, { ...period, timezone: 'UTC' });
  expect(revenue).toMatchObject({ captured_minor: sum, earned_minor: sum });
});

it('are those of exact arithmetic, whatever is added in whatever order', () => {
  const amount = fc.oneof(
    fc.integer({ min: -1e12, max: 1e12 }),
    fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, LARGE),
    fc.bigInt({ min: -(2n ** 60n), max: 2n ** 60n }),
  );
  fc.assert(
    fc.property(fc.array(amount), (amounts) => {
      const sum = exactSum(amounts);
      expect(BigInt(sum)).toBe(amounts.reduce<bigint>((total, each) => total + BigInt(each), 0n));
      expect(typeof sum === 'bigint').toBe(!Number.isSafeInteger(Number(sum)));
      expect(exactSum(amounts.toReversed())).toBe(sum);
      expect(jsonOf({ sum, none: null, text: 'digits' })).toBe(`{"sum":${sum},"none":null,"text":"digits"}`);
      expect(Number.isFinite(toMajor(sum, 'RUB'))).toBe(true);
    }),
  );
});
