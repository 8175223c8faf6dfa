/** Money for bookings that have ended, or end while they are paid; and refunds. */

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { cancelBooking, cancellationQuote, rejectBooking } from '../../commands/bookings/bookings.ts';
import { parkedJobs } from '../../commands/core/jobs.ts';
import { refundPayment } from '../../commands/payments/refunds.ts';
import { Contended } from '../../domain/core/decider.ts';
import { addMs, HOUR_MS } from '../../domain/core/instants.ts';
import { refundableMinor } from '../../domain/payments/payment.ts';
import { interruptedBefore } from '../bookings/stage.ts';
import { contextOf } from '../kit/context.ts';
import { changed } from '../kit/deps.ts';
import { until } from '../kit/until.ts';
import { begin, notify, onlyHold, paid, refundsOf, setUpPaying, stage, started, untilRefunded } from './payingStage.ts';

setUpPaying();

describe('the payment page of an expired booking', () => {
  it('is closed at the provider', async () => {
    await begin({ holdTtlMs: 300 });
    const { bookingId, paymentId } = await started();
    stage.work();
    await stage.untilBooking(bookingId, 'expired');
    await until(() => stage.provider.statusOf(paymentId) === 'cancelled');
    await until(async () => (await stage.booking(bookingId)).openPayment === null);
  });

  it('is not closed when the payer is faster: the money counts', async () => {
    await begin({ holdTtlMs: 300 });
    const { bookingId, paymentId } = await started();
    const { cancel } = stage.provider;
    const payerIsFaster = (id: string) => {
      stage.provider.says(paymentId, 'succeeded');
      return cancel(id);
    };
    Object.assign(stage.provider, { cancel: payerIsFaster });
    stage.work();
    await stage.untilBooking(bookingId, 'paid');
    expect((await onlyHold())?.expiresAt).toBeNull();
  });
});

describe('late money', () => {
  it('takes the room again when it is still free', async () => {
    await begin({ units: 1, holdTtlMs: 400 });
    const { bookingId, paymentId } = await started();
    stage.work();
    await stage.untilBooking(bookingId, 'expired');
    stage.provider.says(paymentId, 'succeeded');
    await notify(paymentId);
    await stage.untilBooking(bookingId, 'paid');
    expect((await onlyHold())?.expiresAt).toBeNull();
  });

  it('is fully refunded when the room is booked by another guest', async () => {
    await begin({ units: 1, holdTtlMs: 400 });
    const { bookingId, paymentId } = await started();
    stage.work();
    await stage.untilBooking(bookingId, 'expired');
    const patient = changed(stage.node, { settings: { holdTtlMs: 60_000 } });
    await stage.book(randomUUID(), patient);
    stage.provider.says(paymentId, 'succeeded');
    await notify(paymentId);
    await untilRefunded(paymentId);
    expect(await refundsOf(paymentId)).toEqual([{ amountMinor: 20_000, status: 'succeeded' }]);
    expect((await stage.booking(bookingId)).status).toBe('expired');
  });

  it('is fully refunded for a cancelled booking', async () => {
    await begin();
    stage.work();
    const { guest, bookingId, paymentId } = await started();
    stage.provider.says(paymentId, 'succeeded'); // no notification has arrived yet
    await stage.cancel(bookingId, guest);
    await untilRefunded(paymentId); // found out when the payment was to be ended
    expect(await refundsOf(paymentId)).toEqual([{ amountMinor: 20_000, status: 'succeeded' }]);
    await until(async () => (await stage.stock()).holds.size === 0);
  });

  it('keeps its places while the provider processes the payment', async () => {
    await begin({ units: 1, paymentTtlMs: 2 * HOUR_MS });
    // Its hold is over when the worker begins, and is then kept for a minute from now.
    const guest = randomUUID();
    const then = contextOf(guest, 'tourist', addMs(new Date().toISOString(), -HOUR_MS));
    const { bookingId } = await stage.book(guest, stage.node, then);
    const { paymentId } = await stage.pay(bookingId, guest);
    stage.provider.says(paymentId, 'processing');
    const before = Date.parse((await stage.booking(bookingId)).holdExpiresAt);
    stage.work();
    await until(async () => Date.parse((await stage.booking(bookingId)).holdExpiresAt) > before);
    await expect(stage.book()).rejects.toMatchObject({ code: 'sold_out' });
    stage.provider.says(paymentId, 'succeeded'); // its notification is lost: the next look finds it
    await until(async () => {
      await stage.node.pool.query(`update ops.jobs set run_at = now() where kind = 'hold_expiry'`);
      await stage.node.pool.query(`notify jobs`);
      return (await stage.booking(bookingId)).status === 'paid';
    });
  });

  it('is not waited for longer than a day', async () => {
    await begin({ paymentTtlMs: 400 });
    const { bookingId, paymentId } = await started();
    stage.work();
    await until(async () => (await stage.payment(paymentId)).status === 'cancelled');
    await until(async () => (await stage.booking(bookingId)).openPayment === null);
    expect(stage.provider.calls).toContain('cancel');
  });
});

it('money that came in time is kept when others are faster at the places each time', async () => {
  await begin();
  const contended = interruptedBefore(stage.node, 'CommitHold', () => Promise.reject(new Contended()));
  stage.work(contended);
  const { bookingId, paymentId } = await started();
  stage.provider.says(paymentId, 'succeeded');
  await notify(paymentId);
  await stage.untilBooking(bookingId, 'paid');
  await until(() => stage.handledAll());
  expect(await refundsOf(paymentId)).toEqual([]);
});

describe('ending a paid booking', () => {
  it('by its guest refunds what was quoted, and releases the places', async () => {
    await begin({ cancellationPolicy: 'non_refundable' });
    stage.work();
    const { guest, bookingId, paymentId } = await paid();
    const quote = await cancellationQuote(stage.node, contextOf(guest), bookingId);
    expect(quote).toMatchObject({ penaltyPercent: 100, refundMinor: 0 });
    expect((await stage.cancel(bookingId, guest)).booking.ending).toMatchObject({ refundMinor: 0 });
    await until(async () => (await stage.stock()).holds.size === 0);
    await until(() => stage.handledAll());
    expect(await refundsOf(paymentId)).toEqual([]);
  });

  it('in time refunds everything', async () => {
    await begin();
    stage.work();
    const { guest, bookingId, paymentId } = await paid();
    expect((await stage.cancel(bookingId, guest)).booking.ending).toMatchObject({
      penaltyPercent: 0,
      refundMinor: 20_000,
    });
    await untilRefunded(paymentId);
    expect(stage.provider.refunded.map(({ amountMinor }) => amountMinor)).toEqual([20_000]);
  });

  it('by its seller refunds everything, whatever the policy', async () => {
    await begin({ cancellationPolicy: 'non_refundable', confirmation: 'on_request' });
    stage.work();
    const { bookingId, paymentId } = await paid();
    await rejectBooking(stage.node, stage.owner(), bookingId, null);
    await untilRefunded(paymentId);
    expect(await refundsOf(paymentId)).toEqual([{ amountMinor: 20_000, status: 'succeeded' }]);
  });

  it('counts earlier refunds by the owner', async () => {
    await begin();
    stage.work();
    const { guest, bookingId, paymentId } = await paid();
    await refundPayment(stage.node, stage.owner(), { paymentId, amount: 50 });
    expect((await stage.cancel(bookingId, guest)).booking.ending).toMatchObject({ refundMinor: 15_000 });
    await until(async () => (await refundsOf(paymentId)).filter(({ status }) => status === 'succeeded').length === 2);
    expect(refundableMinor(await stage.payment(paymentId), bookingId)).toBe(0);
  });
});

describe('ending a booking that is being paid', () => {
  it.each(['rejectBooking', 'cancelBooking'] as const)('by %s refunds money that comes meanwhile', async (end) => {
    await begin({ confirmation: 'on_request' });
    stage.work();
    const { bookingId, paymentId } = await started();
    const pay = async () => {
      stage.provider.says(paymentId, 'succeeded');
      await notify(paymentId);
      await stage.untilBooking(bookingId, 'paid');
    };
    const node = interruptedBefore(stage.node, end === 'rejectBooking' ? 'Reject' : 'Cancel', pay);
    const { booking } = await { rejectBooking, cancelBooking }[end](node, stage.owner(), bookingId, null);
    expect(booking.ending).toMatchObject({ by: 'provider', refundMinor: 20_000 });
    await untilRefunded(paymentId);
  });

  it('counts a refund that comes meanwhile', async () => {
    await begin({ cancellationPolicy: 'strict' });
    stage.work();
    const { guest, bookingId, paymentId } = await paid();
    const late = { ...contextOf(guest), at: `${stage.day(22)}T12:00:00Z` }; // 50 % penalty
    const refund = () => refundPayment(stage.node, stage.owner(), { paymentId, amount: 60 });
    await cancelBooking(interruptedBefore(stage.node, 'Cancel', refund), late, bookingId, null);
    await until(async () => (await refundsOf(paymentId)).filter(({ status }) => status === 'succeeded').length === 2);
    expect(refundableMinor(await stage.payment(paymentId), bookingId)).toBe(10_000);
  });
});

describe('a refund', () => {
  it('can be requested by the owner, and is never more than what is left', async () => {
    await begin();
    stage.work();
    const { guest, paymentId } = await paid();
    await expect(refundPayment(stage.node, contextOf(guest), { paymentId })).rejects.toMatchObject({
      code: 'not_found',
    });
    await refundPayment(stage.node, stage.owner(), { paymentId, amount: 150 });
    await expect(refundPayment(stage.node, stage.owner(), { paymentId, amount: 50.01 })).rejects.toMatchObject({
      code: 'refund_too_large',
    });
    const admin = contextOf(randomUUID(), 'admin');
    await refundPayment(stage.node, admin, { paymentId });
    await until(async () => (await refundsOf(paymentId)).every(({ status }) => status === 'succeeded'));
  });

  it('is retried while the provider does not respond, and carried out once', async () => {
    await begin();
    stage.work();
    const { paymentId } = await paid();
    stage.provider.away = true;
    await refundPayment(stage.node, stage.owner(), { paymentId });
    await until(async () => {
      const { rows } = await stage.node.pool.query(
        `select 1 from ops.jobs where kind = 'refund' and attempts > 0 and last_error is not null`,
      );
      return rows.length > 0;
    });
    stage.provider.away = false;
    await untilRefunded(paymentId);
    expect(stage.provider.refunded).toHaveLength(1);
  });

  it.each(['refused', 'failed'] as const)('that is %s by the provider is left to an operator', async (outcome) => {
    await begin();
    stage.work();
    const { guest, bookingId, paymentId } = await paid();
    stage.provider.refunds = outcome;
    await stage.cancel(bookingId, guest);
    await untilRefunded(paymentId, 'manual_review');
    expect(await parkedJobs(stage.node.pool)).toEqual([]);
  });
});
