/** Paying for bookings on the real stores: two at once, crashes, reports that come twice. */

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { confirmBooking } from '../../commands/bookings/bookings.ts';
import { syncPayment } from '../../commands/payments/askProvider.ts';
import { receiveNotification } from '../../commands/payments/inbox.ts';
import { ProviderError } from '../../commands/payments/paymentProvider.ts';
import { processPayment } from '../../commands/payments/payments.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { dyingBefore, interruptedBefore } from '../bookings/stage.ts';
import { contextOf } from '../kit/context.ts';
import { until } from '../kit/until.ts';
import {
  begin,
  booked,
  inbox,
  meetingAt,
  notify,
  onlyHold,
  paid,
  settled,
  setUpPaying,
  stage,
  started,
  succeeded,
  untilRefunded,
} from './payingStage.ts';

setUpPaying();

describe('paying', () => {
  it('marks the booking as paid and commits its places', async () => {
    await begin();
    stage.work();
    const { bookingId, paymentId } = await paid();
    expect(await stage.payment(paymentId)).toMatchObject({ status: 'succeeded', capturedMinor: 20_000 });
    expect((await onlyHold())?.expiresAt).toBeNull();
    await confirmBooking(stage.node, stage.owner(), bookingId);
    await until(async () => (await stage.jobs()).join() === 'booking_due');
  });

  it('is the same payment however often it is requested', async () => {
    await begin();
    const { guest, bookingId } = await booked();
    const [first, second] = await Promise.all([stage.pay(bookingId, guest), stage.pay(bookingId, guest)].map(settled));
    const ids = [first, second].flatMap((each) => (each?.paymentId ? [each.paymentId] : []));
    expect(new Set(ids).size).toBe(1); // the one that lost a race learns that a payment is open
    expect(await stage.pay(bookingId, guest)).toMatchObject({
      paymentId: ids[0],
      payment: { status: 'requires_action' },
    });
  });

  it('by another method replaces a payment that the payer has not acted on', async () => {
    await begin();
    const { guest, bookingId, paymentId } = await started();
    const other = await stage.pay(bookingId, guest, 'sbp');
    expect(other.paymentId).not.toBe(paymentId);
    expect((await stage.payment(paymentId)).status).toBe('cancelled');
    expect((await stage.booking(bookingId)).openPayment).toBe(other.paymentId);
  });

  it('starts again after one that failed', async () => {
    await begin();
    stage.work();
    const { guest, bookingId, paymentId } = await started();
    stage.provider.says(paymentId, 'failed', { reason: 'insufficient_funds' });
    await notify(paymentId);
    await until(async () => (await stage.booking(bookingId)).openPayment === null);
    expect((await stage.pay(bookingId, guest)).paymentId).not.toBe(paymentId);
  });

  it('is refused for another amount, another guest or a foreign return URL', async () => {
    await begin();
    const { guest, bookingId } = await booked();
    const pay = (more: object, who = guest) =>
      processPayment(stage.node, contextOf(who), {
        things: [{ kind: 'booking', id: bookingId }],
        method: 'card',
        ...more,
      });
    await expect(pay({ amount: 199.99 })).rejects.toMatchObject({ code: 'invalid' });
    await expect(pay({}, randomUUID())).rejects.toMatchObject({ code: 'not_found' });
    for (const returnUrl of ['https://evil.test/', 'https://app.test@evil.test/', 'javascript:alert(1)', 'nonsense'])
      await expect(pay({ returnUrl })).rejects.toMatchObject({ code: 'invalid' });
    expect(await pay({ amount: 200, returnUrl: 'https://app.test/back?x=1' })).toMatchObject({
      payment: { status: 'requires_action' },
    });
  });

  it.each(['StartPayment', 'CreatePayment', 'ApplyProviderState'])(
    'goes on where a process died before %s',
    async (step) => {
      await begin();
      const { guest, bookingId } = await booked();
      const dying = dyingBefore(stage.node, step);
      await expect(stage.pay(bookingId, guest, 'card', dying)).rejects.toThrow(StoreUnavailable);
      const again = await stage.pay(bookingId, guest);
      expect(again.payment.status).toBe('requires_action');
      expect((await stage.booking(bookingId)).openPayment).toBe(again.paymentId);
    },
  );

  it('waits for a provider that does not respond', async () => {
    await begin();
    const { guest, bookingId } = await booked();
    stage.provider.away = true;
    await expect(stage.pay(bookingId, guest)).rejects.toThrow(ProviderError);
    stage.provider.away = false;
    expect((await stage.pay(bookingId, guest)).payment.status).toBe('requires_action');
  });

  it('captures reserved money', async () => {
    await begin();
    stage.work();
    const { bookingId, paymentId } = await started();
    stage.provider.says(paymentId, 'authorized');
    await notify(paymentId);
    await stage.untilBooking(bookingId, 'paid');
    expect(stage.provider.calls).toContain('capture');
  });
});

describe('a crash between committing the hold and the booking', () => {
  it('is completed by the next worker', async () => {
    await begin();
    const { bookingId, paymentId } = await started();
    const dying = dyingBefore(stage.newNode(), 'MarkPaid');
    const first = stage.work(dying);
    stage.provider.says(paymentId, 'succeeded');
    await notify(paymentId);
    await until(() => dying.died());
    await first.stop();
    expect((await stage.booking(bookingId)).status).toBe('pending_payment');
    expect((await onlyHold())?.expiresAt).toBeNull();
    stage.work(stage.newNode());
    await stage.untilBooking(bookingId, 'paid');
  });
});

describe('money for a booking that is cancelled while its places are committed', () => {
  it('is refunded, and its places are free, even after a crash', async () => {
    await begin();
    const { guest, bookingId, paymentId } = await started();
    const cancelled = async () => {
      await stage.cancel(bookingId, guest);
      await until(async () => (await stage.stock()).holds.size === 0);
    };
    const dying = dyingBefore(interruptedBefore(stage.node, 'CommitHold', cancelled), 'ReleaseHold', 2);
    const first = stage.work(dying);
    stage.provider.says(paymentId, 'succeeded');
    await notify(paymentId);
    await until(dying.died);
    await first.stop();
    stage.work();
    await untilRefunded(paymentId);
    await until(async () => (await stage.stock()).holds.size === 0);
  });
});

describe('money that arrives twice at once', () => {
  it('pays once: the other payment is refunded, and the places stay taken', async () => {
    await begin({ units: 1 });
    const { guest, bookingId, paymentId: first } = await started();
    const { paymentId: second } = await stage.pay(bookingId, guest, 'sbp');
    for (const paymentId of [first, second]) {
      stage.provider.says(paymentId, 'succeeded');
      await syncPayment(stage.node, contextOf('system'), paymentId);
    }
    // Both are settled on the same state; the one that loses is settled again by the worker.
    const meeting = meetingAt(stage.newNode(), 'CommitHold');
    await Promise.allSettled([first, second].map((paymentId) => succeeded(meeting, paymentId)));
    const worker = stage.work();
    await stage.untilBooking(bookingId, 'paid');
    const [paidBy] = (await stage.booking(bookingId)).paymentIds;
    await untilRefunded(paidBy === first ? second : first);
    await worker.stop();
    expect((await onlyHold())?.expiresAt).toBeNull();
    expect(stage.provider.refunded).toHaveLength(1);
  });
});

describe('notifications', () => {
  it('that come repeatedly, late and early lead to one result', async () => {
    await begin();
    stage.work(stage.newNode());
    stage.work(stage.newNode());
    const { bookingId, paymentId } = await started();
    await notify(paymentId, 'too-early');
    stage.provider.says(paymentId, 'succeeded');
    await Promise.all(Array.from({ length: 10 }, (_, n) => notify(paymentId, `event-${n % 3}`)));
    await stage.untilBooking(bookingId, 'paid');
    await until(async () => (await inbox()).every(({ status }) => status === 'done'));
    expect(await inbox()).toHaveLength(4);
    expect(stage.provider.refunded).toEqual([]);
  });

  it('with another amount change nothing and are left to an operator', async () => {
    await begin();
    stage.work();
    const { bookingId, paymentId } = await started();
    stage.provider.says(paymentId, 'succeeded', { amountMinor: 1 });
    await notify(paymentId);
    await until(async () => (await inbox())[0]?.status === 'done');
    const mismatch = { kind: 'amount', ours: '20000', theirs: '1' };
    expect(await stage.payment(paymentId)).toMatchObject({ status: 'requires_action', capturedMinor: 0, mismatch });
    expect((await stage.booking(bookingId)).status).toBe('pending_payment');
  });

  it('about an unknown payment are left to an operator', async () => {
    await begin();
    stage.work();
    await notify(randomUUID());
    await until(async () => (await inbox())[0]?.status === 'manual_review');
    expect((await inbox())[0]).toMatchObject({ reason: 'not_found' });
  });

  it('wait while the provider does not respond', async () => {
    await begin();
    stage.work();
    const { bookingId, paymentId } = await started();
    stage.provider.says(paymentId, 'succeeded');
    stage.provider.away = true;
    await notify(paymentId);
    await until(
      async () => (await stage.node.pool.query(`select 1 from ops.jobs where last_error is not null`)).rows[0],
    );
    stage.provider.away = false;
    await stage.untilBooking(bookingId, 'paid');
  });

  it('are refused unless they come from the provider', async () => {
    await begin();
    const forged = { headers: {}, rawBody: Buffer.from('{}'), ip: null };
    await expect(receiveNotification(stage.node, contextOf('system'), 'fake', forged)).rejects.toThrow(ProviderError);
    await expect(receiveNotification(stage.node, contextOf('system'), 'other', forged)).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await inbox()).toEqual([]);
  });
});
