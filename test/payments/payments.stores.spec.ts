/** Money on the real stores: paid, late, twice, given back; with crashes between the streams and a provider that is away. */

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { cancelBooking, cancellationQuote, confirmBooking, rejectBooking } from '../../commands/bookings/bookings.ts';
import type { Aggregates } from '../../commands/core/handle.ts';
import { parkedJobs } from '../../commands/core/jobs.ts';
import { syncPayment } from '../../commands/payments/atProvider.ts';
import { receiveNotification } from '../../commands/payments/inbox.ts';
import { processPayment } from '../../commands/payments/payments.ts';
import { paymentPolicy } from '../../commands/payments/policy.ts';
import { ProviderError } from '../../commands/payments/port.ts';
import { refundPayment } from '../../commands/payments/refunds.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { refundableMinor } from '../../domain/payments/payment.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import {
  createStage,
  dyingBefore,
  interruptedBefore,
  type Node,
  type Settings,
  type Stage,
} from '../bookings/stage.ts';
import { contextOf } from '../kit/context.ts';
import { changed } from '../kit/deps.ts';
import { type StoreServers, startStoreServers } from '../kit/stores.ts';
import { until } from '../kit/until.ts';

let servers: StoreServers;
let stage: Stage;
beforeAll(async () => {
  servers = await startStoreServers();
});
afterAll(() => servers.stop());
afterEach(() => stage.stop());
const begin = async (settings: Settings = {}) => {
  stage = await createStage(await servers.fresh(), settings);
};

const notify = (...about: Parameters<Stage['notify']>) => stage.notify(...about);
const inbox = () => stage.inbox();

const booked = async (guest = randomUUID()) => ({ guest, ...(await stage.book(guest)) });
/** A booking whose payment waits for the payer. */
const started = async () => {
  const { guest, bookingId } = await booked();
  const { paymentId } = await stage.pay(bookingId, guest);
  return { guest, bookingId, paymentId };
};
const paid = async () => {
  const begun = await started();
  stage.provider.says(begun.paymentId, 'succeeded');
  await notify(begun.paymentId);
  await stage.untilBooking(begun.bookingId, 'paid');
  return begun;
};
const refundsOf = async (paymentId: string) =>
  Object.values((await stage.payment(paymentId)).refunds).map(({ amountMinor, status }) => ({ amountMinor, status }));
const untilRefunded = (paymentId: string, status = 'succeeded') =>
  until(async () => (await refundsOf(paymentId)).some((refund) => refund.status === status) || undefined);
const onlyHold = async () => [...(await stage.stock()).holds].map(([, hold]) => hold)[0];

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

const settled = (work: Promise<{ paymentId: string }>): Promise<{ paymentId: string | undefined }> =>
  work.catch((error: { code?: string }) => {
    expect(error.code).toBe('payment_open');
    return { paymentId: undefined };
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

/** Two of its commands of this name wait for each other: what each was decided on has passed when they are given. */
const meetingAt = (node: Node, command: string): Node => {
  const waiting: (() => void)[] = [];
  const aggregates: Aggregates = {
    ...node.aggregates,
    handle: async (decider, id, given, context) => {
      if ((given as { type?: string }).type === command)
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          if (waiting.length >= 2) for (const go of waiting) go();
        });
      return node.aggregates.handle(decider, id, given, context);
    },
  };
  return changed(node, { aggregates });
};

/** What the policy does when a payment succeeded. */
const succeeded = async (deps: Node, paymentId: string): Promise<void> => {
  const events = await deps.codec.decode<Recorded>(await deps.store.read(`payment-${paymentId}`));
  const event = events.find(({ type }) => type === 'PaymentSucceeded');
  await paymentPolicy.handlers.get('PaymentSucceeded')?.(event as never, { deps, context: contextOf('system') });
};

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
    expect((await onlyHold())?.expiresAt).toBeNull();
    stage.work();
    await untilRefunded(paymentId);
    expect((await stage.stock()).holds.size).toBe(0);
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
    expect((await stage.stock()).holds.size).toBe(0);
  });

  it('keeps its places while the provider processes the payment', async () => {
    await begin({ units: 1, holdTtlMs: 1_500 });
    const { bookingId, paymentId } = await started();
    stage.provider.says(paymentId, 'processing');
    const before = Date.parse((await stage.booking(bookingId)).holdExpiresAt);
    stage.work();
    await until(async () => Date.parse((await stage.booking(bookingId)).holdExpiresAt) > before);
    await expect(stage.book()).rejects.toMatchObject({ code: 'sold_out' });
    stage.provider.says(paymentId, 'succeeded'); // its notification is lost: the next look finds it
    await stage.untilBooking(bookingId, 'paid');
  });

  it('is not waited for longer than a day', async () => {
    await begin({ paymentTtlMs: 400 });
    stage.work();
    const { bookingId, paymentId } = await started();
    await until(async () => (await stage.payment(paymentId)).status === 'cancelled');
    await until(async () => (await stage.booking(bookingId)).openPayment === null);
    expect(stage.provider.calls).toContain('cancel');
  });
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
    expect(refundableMinor(await stage.payment(paymentId))).toBe(0);
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
    expect(refundableMinor(await stage.payment(paymentId))).toBe(10_000);
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
    await until(async () => (await inbox())[0]?.status === 'manual_review');
    expect((await inbox())[0]).toMatchObject({ reason: 'payment_mismatch' });
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
