/** An owner's money from capture to payout, and what the ledger shows of it. */

import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { decideAdjustment, postSettlement, requestCorrection } from '../../commands/ledger/adjustments.ts';
import { commandOwnerAccount } from '../../commands/ledger/ownerAccounts.ts';
import { requestPayout, settlePayout } from '../../commands/ledger/payouts.ts';
import { syncPayment } from '../../commands/payments/askProvider.ts';
import { requestChargeback } from '../../commands/payments/chargebacks.ts';
import { submitRefund } from '../../commands/payments/refundAtProvider.ts';
import { refundPayment, refundReservation, reviewRefund } from '../../commands/payments/refunds.ts';
import { account } from '../../domain/accounts/account.ts';
import { Contended } from '../../domain/core/decider.ts';
import { exactSum } from '../../domain/core/money.ts';
import { exactly } from '../../infra/paging.ts';
import { funnelOf, paidOutIn } from '../../projections/bookings/funnel.ts';
import { readDb } from '../../projections/engine/readDb.ts';
import { listAdjustments } from '../../projections/ledger/adjustments.ts';
import { balancesOf, listBalances } from '../../projections/ledger/balances.ts';
import { listEntries, statementOf } from '../../projections/ledger/entries.ts';
import { listPayouts } from '../../projections/ledger/payouts.ts';
import { groups } from '../../projections/modules.ts';
import { createStage, interruptedBefore, type Stage } from '../bookings/stage.ts';
import { contextOf } from '../kit/context.ts';
import { startProjector } from '../kit/projector.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await createStage(await freshStores(), { cancellationPolicy: 'non_refundable' });
  await startProjector({ ...stage.node, groups });
  stage.work();
});

const admin = () => contextOf(randomUUID(), 'admin');
/** What the owner has, as soon as it is this. */
const untilBalance = (expected: object) =>
  until(async () => {
    const [found] = await balancesOf(readDb(stage.node.pool), stage.ownerId).catch(() => []);
    return Object.entries(expected).every(([name, value]) => found?.[name as 'held_minor'] === value);
  });

it('is held, released, paid out once, and owed after a late refund', async () => {
  const { node, ownerId } = stage;
  const db = readDb(node.pool);
  const guest = randomUUID();
  const { bookingId } = await stage.book(guest);
  const { paymentId } = await stage.pay(bookingId, guest);
  stage.provider.says(paymentId, 'succeeded');
  await syncPayment(node, admin(), paymentId);
  await stage.untilBooking(bookingId, 'paid');
  await untilBalance({ held_minor: 18_000, available_minor: 0 });

  await stage.cancel(bookingId, guest);
  await untilBalance({ held_minor: 0, available_minor: 18_000 });
  const ask = (amount: number) => requestPayout(node, admin(), { ownerId, currency: 'RUB', amount });
  // The account hears of the money from a policy.
  await until(() => ask(180.01).catch(({ facts }) => facts?.available_minor === 18_000));
  const asked = await Promise.allSettled([ask(100), ask(100)]);
  expect(asked.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await untilBalance({ available_minor: 8_000, in_payout_minor: 10_000, paid_out_minor: 0 });
  const [row] = (await listPayouts(db, { ownerId, page: 1, perPage: 10 })).rows;
  const payout = { payoutId: row?.id ?? '', ownerId, currency: 'RUB' };
  await settlePayout(node, admin(), payout, { reference: 'PP-1' });
  await expect(settlePayout(node, admin(), payout, { reason: 'late' })).rejects.toMatchObject({
    code: 'invalid_transition',
  });
  const failing = await requestPayout(node, admin(), { ownerId, currency: 'RUB' });
  expect(failing.amountMinor).toBe(8_000);
  await settlePayout(node, admin(), failing, { reason: 'account closed' });

  await expect(refundPayment(node, stage.owner(), { paymentId })).rejects.toMatchObject({
    code: 'balance_too_low',
    facts: { available_minor: 8_000, currency: 'RUB' },
    message: expect.stringContaining('Only 80 RUB is available'),
  });
  await refundPayment(node, admin(), { paymentId });
  await untilBalance({ held_minor: 0, available_minor: -10_000, in_payout_minor: 0, paid_out_minor: 10_000 });
  await until(() =>
    requestPayout(node, admin(), { ownerId, currency: 'RUB' }).catch(({ facts }) => facts.available_minor === -10_000),
  );

  const accounts = await listBalances(db);
  expect(exactSum(accounts.map(({ balance_minor }) => balance_minor))).toBe(0);
  expect(accounts).toContainEqual({ account: 'commission', currency: 'RUB', owner_id: null, balance_minor: 0 });
  expect(accounts).toContainEqual({ account: 'bank', currency: 'RUB', owner_id: null, balance_minor: -10_000 });
  const { rows, total } = await listEntries(db, { paymentId, page: 1, perPage: 4 });
  expect([rows.length, total]).toEqual([4, exactly(8)]);
  expect(rows[0]).toMatchObject({ type: 'RefundSucceeded', payment_id: paymentId, item_id: bookingId });
});

it('is shown to its owner line by line', async () => {
  const db = readDb(stage.node.pool);
  const available = { ownerId: stage.ownerId, currency: 'RUB', account: `available:${stage.ownerId}` };
  const whole = await statementOf(db, { ...available, page: 1, perPage: 100 });
  expect(whole.rows.map((row) => [row.type, row.amount_minor, row.balance_minor])).toEqual([
    ['ShareReleased', 18_000, 18_000],
    ['PayoutRequested', -10_000, 8_000],
    ['PayoutRequested', -8_000, 0],
    ['PayoutFailed', 8_000, 8_000],
    ['RefundSucceeded', -18_000, -10_000],
  ]);
  expect([whole.openingMinor, whole.closingMinor]).toEqual([0, -10_000]);

  const third = whole.rows[2]?.at ?? '';
  const later = await statementOf(db, { ...available, from: third, page: 2, perPage: 2 });
  expect([later.openingMinor, later.closingMinor, later.total]).toEqual([8_000, -10_000, exactly(3)]);
  expect(later.rows.map((row) => row.balance_minor)).toEqual([-10_000]);
  const all = await statementOf(db, { ...available, account: undefined, page: 1, perPage: 100 });
  expect([all.rows.length, all.closingMinor]).toEqual([11, -10_000]);
});

it('is counted with the bookings it came from', async () => {
  const db = readDb(stage.node.pool);
  await stage.book();
  const period = { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' };
  const [row] = await until(async () => {
    const found = await funnelOf(db, period);
    return found[0]?.created_count === 2 && found;
  });
  expect(row).toEqual({
    type: 'hotel',
    currency: 'RUB',
    created_count: 2,
    created_minor: 40_000,
    payment_started_count: 1,
    payment_started_minor: 20_000,
    captured_count: 1,
    captured_minor: 20_000,
    released_count: 1,
    released_minor: 18_000,
    refunded_count: 1,
    refunded_minor: 20_000,
    commission_count: 0,
    commission_minor: 0,
  });
  expect(await paidOutIn(db, period)).toEqual([{ currency: 'RUB', count: 1, amount_minor: 10_000 }]);
  expect(await funnelOf(db, { ...period, to: '2020-01-02T00:00:00Z' })).toEqual([]);
});

it('is reserved for a refund until the provider has made it', async () => {
  const { node } = stage;
  const guest = randomUUID();
  const { bookingId } = await stage.book(guest);
  const { paymentId } = await stage.pay(bookingId, guest);
  stage.provider.says(paymentId, 'succeeded');
  await syncPayment(node, admin(), paymentId);
  await stage.untilBooking(bookingId, 'paid');
  await stage.cancel(bookingId, guest);
  await untilBalance({ available_minor: 8_000 }); // 18,000 less the 10,000 that were owed
  const ask = (amount: number) => requestPayout(node, admin(), { ownerId: stage.ownerId, currency: 'RUB', amount });
  await until(() => ask(80.01).catch(({ facts }) => facts.available_minor === 8_000));

  // Nothing stays reserved for a refund that others were faster than.
  const contended = interruptedBefore(node, 'RequestRefund', () => Promise.reject(new Contended()));
  await expect(refundPayment(contended, stage.owner(), { paymentId, amount: 60 })).rejects.toThrow(Contended);

  stage.provider.refunds = 'pending';
  const { refundId } = await refundPayment(node, stage.owner(), { paymentId, amount: 60 });
  await untilBalance({ available_minor: 8_000, in_refund_minor: 6_000 });
  await expect(ask(20.01)).rejects.toMatchObject({ code: 'balance_too_low', facts: { available_minor: 2_000 } });
  await until(async () => (await stage.payment(paymentId)).refunds[refundId]?.providerRefundId ?? undefined);
  stage.provider.refunds = 'failed';
  await submitRefund(node, admin(), paymentId, refundId);
  await reviewRefund(node, admin(), { paymentId, refundId, outcome: 'failed' });
  await until(() => ask(80.01).catch(({ facts }) => facts.available_minor === 8_000));
});

it('frees a reservation whose refund was never requested', async () => {
  const { node, ownerId } = stage;
  const [entry] = (await listEntries(readDb(node.pool), { ownerId, page: 1, perPage: 1 })).rows;
  const refund = { refundId: randomUUID(), paymentId: entry?.payment_id ?? '', ownerId, currency: 'RUB' };
  await commandOwnerAccount(node, admin(), refund, {
    type: 'ReserveRefund',
    ...refund,
    amountMinor: 5_000,
    overdraw: false,
  });
  await until(async () => (await stage.jobs()).includes('refund_reservation') || undefined);
  const { refundId, ...data } = refund;
  await refundReservation.run({ id: refundId, data, attempt: 1 }, { deps: node, context: admin() });
  expect(
    (await commandOwnerAccount(node, admin(), refund, { type: 'EndRefundReservation', ...refund })).availableMinor,
  ).toBe(8_000);
});

it('is charged back, corrected and settled, so that clearing is what the provider owes', async () => {
  const { node, ownerId } = stage;
  const db = readDb(node.pool);
  const guest = randomUUID();
  const { bookingId } = await stage.book(guest);
  const { paymentId } = await stage.pay(bookingId, guest);
  stage.provider.says(paymentId, 'succeeded');
  await syncPayment(node, admin(), paymentId);
  await stage.untilBooking(bookingId, 'paid');
  await stage.cancel(bookingId, guest);
  await untilBalance({ held_minor: 0, available_minor: 26_000 });
  const reason = 'the bank of the payer took it back';
  const { adjustmentId } = await requestChargeback(node, admin(), { paymentId, reason });
  await decideAdjustment(node, admin(), adjustmentId, 'approved');
  await untilBalance({ available_minor: 8_000 });
  await expect(refundPayment(node, stage.owner(), { paymentId, amount: 1 })).rejects.toMatchObject({
    code: 'refund_too_large',
  });

  const profile = { firstName: 'O', lastName: 'O', language: 'ru', passwordHash: null };
  const open = {
    type: 'OpenAccount',
    asOf: 0,
    role: 'hotelier',
    email: null,
    phone: '+79000000001',
    ...profile,
  } as const;
  await node.aggregates.handle(account, ownerId, open, admin());
  const terms = { reason: 'the fee was wrong', amountMinor: 3_000, currency: 'RUB' };
  const accounts = { debit: `available:${ownerId}`, credit: 'commission' };
  const correction = await requestCorrection(node, admin(), { ...terms, ...accounts });
  await decideAdjustment(node, admin(), correction.adjustmentId, 'approved');
  await untilBalance({ available_minor: 5_000 });
  await until(() =>
    requestPayout(node, admin(), { ownerId, currency: 'RUB', amount: 50.01 }).catch(
      ({ facts }) => facts.available_minor === 5_000,
    ),
  );
  const clearing = async () =>
    Number((await listBalances(db)).find(({ account }) => account === 'clearing:fake')?.balance_minor ?? 0);
  const owed = await clearing();
  const settlement = { provider: 'fake', currency: 'RUB', amountMinor: owed - 300, feeMinor: 300, reference: 'R-1' };
  await postSettlement(node, admin(), settlement);
  await postSettlement(node, admin(), settlement);
  await until(async () => (await clearing()) === 0 || undefined);
  const all = await listBalances(db);
  expect(exactSum(all.map(({ balance_minor }) => balance_minor))).toBe(0);
  expect(all.find(({ account }) => account === 'fees')?.balance_minor).toBe(300);
  const { rows } = await listAdjustments(db, { status: 'approved', page: 1, perPage: 10 });
  expect(rows.map(({ kind }) => kind)).toEqual(['correction', 'chargeback']);
});

it('is corrected also after the owner was erased, but not for somebody who never was', async () => {
  const { node } = stage;
  const owner = randomUUID();
  const correct = () => {
    const terms = { reason: 'the fee was wrong', amountMinor: 1, currency: 'RUB' };
    return requestCorrection(node, admin(), { ...terms, debit: 'commission', credit: `available:${owner}` });
  };
  await expect(correct()).rejects.toMatchObject({ code: 'not_found' });
  const profile = { firstName: 'O', lastName: 'O', language: 'ru', passwordHash: null };
  const open = {
    type: 'OpenAccount',
    asOf: 0,
    role: 'hotelier',
    email: null,
    phone: '+79000000002',
    ...profile,
  } as const;
  await node.aggregates.handle(account, owner, open, admin());
  await node.aggregates.handle(account, owner, { type: 'ErasePerson' }, admin());
  const { adjustmentId } = await correct();
  const { adjustment } = await decideAdjustment(node, admin(), adjustmentId, 'approved');
  expect(adjustment).toMatchObject({ status: 'approved' });
});
