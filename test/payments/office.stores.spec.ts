/** Money that moves in the provider's own office, whose notifications are late or lost: found, and never paid out. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { cancelBooking, cancellationQuote, rejectBooking, updateBooking } from '../../commands/bookings/bookings.ts';
import { syncPayment } from '../../commands/payments/askProvider.ts';
import { dismissNotifications, foreignNotifications, notificationsInReview } from '../../commands/payments/inbox.ts';
import { answerMismatch } from '../../commands/payments/mismatches.ts';
import { lookAt, paymentLook } from '../../commands/payments/paymentLook.ts';
import { reconcileNow } from '../../commands/payments/reconciliation.ts';
import { refundPayment, reviewRefund } from '../../commands/payments/refunds.ts';
import { release } from '../../commands/payments/releaseShare.ts';
import { payment } from '../../domain/payments/payment.ts';
import { contextOf } from '../kit/context.ts';
import { until } from '../kit/until.ts';
import { begin, inbox, notify, paid, setUpPaying, stage, started } from './payingStage.ts';

setUpPaying();

const admin = () => contextOf(randomUUID(), 'admin');
const ctx = () => ({ deps: stage.node, context: admin() });
const officeRefunds = (paymentId: string, refundedMinor: number): void =>
  stage.provider.says(paymentId, 'succeeded', { refundedMinor });
const refundsOf = async (paymentId: string) =>
  Object.values((await stage.payment(paymentId)).refunds).map(({ amountMinor, status }) => [amountMinor, status]);
const releaseNow = (bookingId: string, paymentId: string) =>
  release.run({ id: `${bookingId}:${paymentId}`, data: { itemId: bookingId, paymentId }, attempt: 1 }, ctx());

describe('a refund made in the office', () => {
  it('is found by the notification, when somebody looks, and by the reconciliation', async () => {
    await begin({ units: 5 });
    stage.work();
    const [told, seen, found] = [await paid(), await paid(), await paid()];
    for (const { paymentId } of [told, seen, found]) officeRefunds(paymentId, 20_000);
    await notify(told.paymentId, 'refund.succeeded');
    await lookAt(stage.node, contextOf(seen.guest), seen.paymentId);
    // Only a payment that is watched is reconciled.
    const watched = 'select 1 from ops.watched_payments where payment_id = $1';
    await until(async () => (await stage.node.pool.query(watched, [found.paymentId])).rowCount);
    await reconcileNow(stage.node, admin());
    for (const { paymentId, bookingId, guest } of [told, seen, found]) {
      await until(async () => (await refundsOf(paymentId)).length === 1 || undefined);
      expect(await refundsOf(paymentId)).toEqual([[20_000, 'succeeded']]);
      const quote = await cancellationQuote(stage.node, contextOf(guest), bookingId);
      expect(quote).toMatchObject({ refundMinor: 0 });
    }
    expect(stage.provider.refunded).toEqual([]);
  });

  it('is not given back again by what is decided before anybody has told of it', async () => {
    await begin({ units: 5, confirmation: 'on_request' });
    stage.work();
    const decisions: readonly ((of: Awaited<ReturnType<typeof paid>>) => Promise<unknown>)[] = [
      ({ guest, bookingId }) => cancelBooking(stage.node, contextOf(guest), bookingId, null),
      ({ bookingId }) => rejectBooking(stage.node, stage.owner(), bookingId, null),
      ({ paymentId }) => refundPayment(stage.node, stage.owner(), { paymentId }),
    ];
    for (const decide of decisions) {
      const begun = await paid();
      // Somebody else has just asked.
      await lookAt(stage.node, contextOf(begun.guest), begun.paymentId);
      officeRefunds(begun.paymentId, 15_000);
      await decide(begun);
      const ours = () => (stage.provider.refunded.length > 0 ? stage.provider.refunded.splice(0) : undefined);
      expect(await until(async () => ours())).toMatchObject([{ amountMinor: 5_000 }]);
    }
  });

  it('leaves the seller only the rest, however late it is found', async () => {
    await begin();
    const { bookingId, paymentId } = await started();
    stage.provider.says(paymentId, 'succeeded');
    await syncPayment(stage.node, admin(), paymentId);
    officeRefunds(paymentId, 15_000);
    await releaseNow(bookingId, paymentId);
    expect((await stage.payment(paymentId)).parts[bookingId]).toMatchObject({ heldMinor: 0, availableMinor: 3_000 });
    officeRefunds(paymentId, 20_000);
    await syncPayment(stage.node, admin(), paymentId);
    expect((await stage.payment(paymentId)).parts[bookingId]).toMatchObject({ availableMinor: 0, platformMinor: 0 });
  });

  it('is told apart from a refund of ours whose answer was lost', async () => {
    await begin();
    const { paymentId } = await started();
    stage.provider.says(paymentId, 'succeeded');
    await syncPayment(stage.node, admin(), paymentId);
    await refundPayment(stage.node, stage.owner(), { paymentId, amount: 50 });
    officeRefunds(paymentId, 5_000);
    await syncPayment(stage.node, admin(), paymentId);
    expect(await refundsOf(paymentId)).toEqual([[5_000, 'pending']]);
    stage.work();
    await until(async () => (await refundsOf(paymentId))[0]?.[1] === 'succeeded' || undefined);
    officeRefunds(paymentId, 6_000);
    await syncPayment(stage.node, admin(), paymentId);
    expect(await refundsOf(paymentId)).toEqual([
      [5_000, 'succeeded'],
      [1_000, 'succeeded'],
    ]);
  });

  it('of an unknown amount holds the share until an admin says how much', async () => {
    await begin();
    const { bookingId, paymentId } = await started();
    stage.provider.says(paymentId, 'succeeded');
    await syncPayment(stage.node, admin(), paymentId);
    stage.provider.says(paymentId, 'succeeded', { isPartlyRefunded: true });
    expect(await releaseNow(bookingId, paymentId)).toMatchObject({ againAt: expect.any(String) });
    expect(await stage.payment(paymentId)).toMatchObject({ released: [], mismatch: { kind: 'refunds', ours: '0' } });
    const answer = { paymentId, outcome: 'refunded', amount: 30 } as const;
    const answered = await answerMismatch(stage.node, admin(), answer);
    expect(answered.payment.mismatch).toBeNull();
    await releaseNow(bookingId, paymentId);
    expect((await stage.payment(paymentId)).parts[bookingId]).toMatchObject({ heldMinor: 0, availableMinor: 15_000 });
  });

  it('of an unknown amount keeps what is decided meanwhile from the provider until a person has looked', async () => {
    await begin();
    stage.work();
    const { guest, bookingId, paymentId } = await paid();
    stage.provider.says(paymentId, 'succeeded', { isPartlyRefunded: true });
    await cancelBooking(stage.node, contextOf(guest), bookingId, null);
    await until(async () => (await refundsOf(paymentId))[0]?.[1] === 'manual_review' || undefined);
    await until(async () => (await stage.handledAll()) || undefined);
    expect(stage.provider.refunded).toEqual([]);
    const [refundId = ''] = Object.keys((await stage.payment(paymentId)).refunds);
    await answerMismatch(stage.node, admin(), { paymentId, outcome: 'refunded', amount: 30 });
    await reviewRefund(stage.node, admin(), { paymentId, refundId, outcome: 'failed' });
    await refundPayment(stage.node, stage.owner(), { paymentId });
    const ours = () => (stage.provider.refunded.length > 0 ? stage.provider.refunded : undefined);
    expect(await until(async () => ours())).toMatchObject([{ amountMinor: 17_000 }]);
  });

  it('cannot be missed because the provider is away when the share is due', async () => {
    await begin();
    const { bookingId, paymentId } = await started();
    stage.provider.says(paymentId, 'succeeded');
    await syncPayment(stage.node, admin(), paymentId);
    stage.provider.away = true;
    await expect(releaseNow(bookingId, paymentId)).rejects.toMatchObject({ kind: 'away' });
    expect((await stage.payment(paymentId)).released).toEqual([]);
  });
});

describe('a payment whose notification was lost', () => {
  it('is asked about soon after the page was given, although nobody looks', async () => {
    await begin();
    const begun = await started();
    stage.work();
    const look = async () =>
      (await stage.node.pool.query<{ due_at: Date }>(`select due_at from ops.jobs where kind = 'payment_look'`))
        .rows[0];
    const { due_at } = await until(look);
    const inMs = new Date(due_at).getTime() - Date.now();
    expect(inMs).toBeLessThanOrEqual(10_000);
    stage.provider.says(begun.paymentId, 'failed');
    const again = await paymentLook.run(
      { id: begun.paymentId, data: { since: new Date().toISOString() }, attempt: 1 },
      ctx(),
    );
    expect(again).toBeUndefined();
    await until(async () => (await stage.booking(begun.bookingId)).openPayment === null || undefined);
  });

  it('gets a new page when the payer pays again after a decline', async () => {
    await begin();
    const { guest, bookingId, paymentId } = await started();
    stage.provider.says(paymentId, 'failed');
    const again = await stage.pay(bookingId, guest);
    expect(again.paymentId).not.toBe(paymentId);
    expect(again.payment.status).toBe('requires_action');
  });

  it('does not hinder a change of the booking after a decline', async () => {
    await begin();
    const { guest, bookingId, paymentId } = await started();
    const change = () => updateBooking(stage.node, contextOf(guest), bookingId, { guests: 1 });
    await expect(change()).rejects.toMatchObject({ code: 'payment_open' });
    stage.provider.says(paymentId, 'failed');
    await stage.node.pool.query('update ops.watched_payments set asked_at = null');
    expect((await change()).booking).toMatchObject({ guests: 1, openPayment: null });
  });

  it('is asked about once by many who look at the same time', async () => {
    await begin();
    const { guest, paymentId } = await started();
    const before = stage.provider.calls.length;
    const look = () => lookAt(stage.node, contextOf(guest), paymentId);
    await Promise.all([look(), look(), look(), look()]);
    expect(stage.provider.calls.slice(before)).toEqual(['get']);
  });

  it('lets money go that is reserved after the payment has ended', async () => {
    await begin({ paymentCapture: 'manual' });
    const { guest, paymentId } = await started();
    stage.provider.away = true;
    await expect(lookAt(stage.node, contextOf(guest), paymentId)).resolves.toMatchObject({ status: 'requires_action' });
    stage.provider.away = false;
    const giveUp = { type: 'GiveUp', status: 'expired', code: 'too_long' } as const;
    await stage.node.aggregates.handle(payment, paymentId, giveUp, admin());
    stage.provider.says(paymentId, 'authorized');
    await syncPayment(stage.node, admin(), paymentId);
    expect(stage.provider.statusOf(paymentId)).toBe('cancelled');
  });
});

it('payments of another site are counted apart, and dismissed together', async () => {
  await begin();
  stage.work();
  const { paymentId } = await started();
  const own = stage.provider.get(`fake-${paymentId}`);
  const foreign = { ...(await own), paymentId: 'order 17 of the other shop' };
  const get = (id: string) => (id.startsWith('foreign') ? Promise.resolve({ ...foreign, providerPaymentId: id }) : own);
  Object.assign(stage.provider, { get });
  for (let n = 0; n < 3; n += 1) await notify(paymentId, `foreign ${n}`, `foreign-${n}`);
  await until(
    async () => (await inbox()).filter(({ reason }) => reason === 'foreign_payment').length === 3 || undefined,
  );
  expect(await notificationsInReview(stage.node.pool)).toEqual([]);
  expect(await foreignNotifications(stage.node.pool)).toMatchObject({ count: 3, newest: [{}, {}, {}] });
  const before = new Date(Date.now() + 60_000).toISOString();
  expect(await dismissNotifications(stage.node, { reason: 'foreign_payment', before })).toBe(3);
  expect(await foreignNotifications(stage.node.pool)).toEqual({ count: 0, newest: [] });
});
