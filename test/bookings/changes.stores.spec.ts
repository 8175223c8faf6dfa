/** Changes of paid bookings on the real stores: held, paid or refunded, with crashes between any two appends. */

import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { updateBooking } from '../../commands/bookings/bookings.ts';
import { changeQuote, withdrawProposal } from '../../commands/bookings/changes.ts';
import { priceNights } from '../../commands/catalog/rooms.ts';
import { syncPayment } from '../../commands/payments/askProvider.ts';
import { cancelOwnPayment, processPayment } from '../../commands/payments/payments.ts';
import { paymentPolicy } from '../../commands/payments/policy.ts';
import { booking } from '../../domain/bookings/booking.ts';
import { inventory } from '../../domain/catalog/inventory.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { addMs, HOUR_MS } from '../../domain/core/instants.ts';
import type { Posting } from '../../domain/ledger/ledger.ts';
import { contextOf } from '../kit/context.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { createStage, dyingBefore, interruptedBefore, type Node, type Settings, type Stage } from './stage.ts';

let stage: Stage;
const begin = async (settings: Settings = {}) => {
  stage = await createStage(await freshStores(), { units: 1, ...settings });
};

const payFor = async (guest: string, bookingId: string, context = contextOf(guest)): Promise<string> => {
  const things = [{ kind: 'booking', id: bookingId } as const];
  const { paymentId } = await processPayment(stage.node, context, { things, method: 'card' });
  return paymentId;
};
const pays = async (paymentId: string): Promise<void> => {
  stage.provider.says(paymentId, 'succeeded');
  await stage.notify(paymentId);
};
/** Two nights in the only room, paid; nobody works for it any more. */
const paid = async () => {
  const worker = stage.work();
  const guest = randomUUID();
  const { bookingId } = await stage.book(guest);
  const paymentId = await payFor(guest, bookingId);
  await pays(paymentId);
  await stage.untilBooking(bookingId, 'paid');
  await until(async () => (await stage.jobs()).join() === 'booking_due' || undefined);
  await worker.stop();
  return { guest, bookingId, paymentId };
};
/** Nights after the first one, which is 30 days ahead. */
const nights = (n: number) => ({ checkOut: stage.day(30 + n) });
const change = (guest: string, bookingId: string, n: number, deps: Node = stage.node, context = contextOf(guest)) =>
  updateBooking(deps, context, bookingId, nights(n));
/** What is held at that time is over by the clock of the workers, however slow this machine is. */
const longAgo = (guest: string) => contextOf(guest, 'tourist', addMs(new Date().toISOString(), -HOUR_MS));
const holds = async () =>
  [...(await stage.stock()).holds].map(([, { keys, expiresAt }]) => ({
    nights: keys.length,
    kept: expiresAt === null,
  }));
/** They follow on the event of the booking, one hold after the other. */
const untilHolds = async (...expected: Awaited<ReturnType<typeof holds>>): Promise<void> => {
  await until(async () => isDeepStrictEqual(await holds(), expected));
};
const refundsOf = async (paymentId: string) =>
  Object.values((await stage.payment(paymentId)).refunds).map(({ amountMinor, status }) => [amountMinor, status]);
const untilRefunded = (paymentId: string, ...amounts: number[]) =>
  until(async () => {
    const refunds = await refundsOf(paymentId);
    return refunds.join() === amounts.map((each) => [each, 'succeeded']).join() || undefined;
  });
const postingsOf = async (paymentId: string, type: string): Promise<Posting[]> => {
  const events = await stage.node.codec.decode<Recorded>(await stage.node.store.read(`payment-${paymentId}`));
  return events.filter((each) => each.type === type).flatMap(({ data }) => (data as { postings: Posting[] }).postings);
};

describe('a night longer', () => {
  it('changes the booking when the difference is paid, also in the last room', async () => {
    await begin();
    const { guest, bookingId, paymentId } = await paid();
    stage.work();
    expect(await changeQuote(stage.node, contextOf(guest), bookingId, nights(3))).toMatchObject({
      totalMinor: 30_000,
      dueMinor: 10_000,
      refundMinor: 0,
    });
    const { booking: proposed } = await change(guest, bookingId, 3);
    expect(proposed).toMatchObject({ totalMinor: 20_000, status: 'paid', change: { dueMinor: 10_000 } });
    const supplement = await payFor(guest, bookingId);
    expect(await stage.payment(supplement)).toMatchObject({ amountMinor: 10_000, items: [{ commissionMinor: 1_000 }] });
    await expect(change(guest, bookingId, 4)).rejects.toMatchObject({ code: 'payment_open' });
    const { booking: again } = await change(guest, bookingId, 3);
    expect(again.change).toMatchObject({ terms: proposed.change?.terms });
    await pays(supplement);
    await until(async () => (await stage.booking(bookingId)).totalMinor === 30_000 || undefined);
    expect(await stage.booking(bookingId)).toMatchObject({ paymentIds: [paymentId, supplement], change: null });
    await untilHolds({ nights: 3, kept: true });
    // Cancelling refunds both payments.
    await stage.cancel(bookingId, guest);
    await untilRefunded(paymentId, 20_000);
    await untilRefunded(supplement, 10_000);
    await untilHolds();
  });

  it('is withdrawn by the guest; money that comes later goes back', async () => {
    await begin();
    const { guest, bookingId } = await paid();
    stage.work();
    await change(guest, bookingId, 3);
    const late = await payFor(guest, bookingId);
    await withdrawProposal(stage.node, contextOf(guest), bookingId);
    await untilHolds({ nights: 2, kept: true });
    await until(async () => (await stage.payment(late)).status === 'cancelled' || undefined);
    // Asking for what is booked withdraws it, too.
    await change(guest, bookingId, 4);
    expect((await change(guest, bookingId, 2)).booking.change).toBeNull();
    // It does not pay for another change that happens to cost the same.
    await change(guest, bookingId, 3);
    await pays(late);
    await untilRefunded(late, 10_000);
    const waiting = { totalMinor: 20_000, change: { dueMinor: 10_000 }, status: 'paid', openPayment: null };
    expect(await stage.booking(bookingId)).toMatchObject(waiting);
  });

  it('expires with its hold, and the payment page is closed', async () => {
    await begin({ paymentTtlMs: 2 * HOUR_MS });
    const { guest, bookingId } = await paid();
    const then = longAgo(guest);
    await change(guest, bookingId, 3, stage.node, then);
    const unfinished = await payFor(guest, bookingId, contextOf(guest, 'tourist', then.at));
    stage.work();
    await until(async () => (await stage.booking(bookingId)).change === null || undefined);
    await until(async () => (await stage.payment(unfinished)).status === 'cancelled' || undefined);
    await untilHolds({ nights: 2, kept: true });
    await until(async () => (await stage.booking(bookingId)).openPayment === null);
    expect(await stage.booking(bookingId)).toMatchObject({ totalMinor: 20_000, status: 'paid' });
  });

  it('is not made when the booking is cancelled meanwhile', async () => {
    await begin();
    const { guest, bookingId, paymentId } = await paid();
    await change(guest, bookingId, 3);
    const supplement = await payFor(guest, bookingId);
    await stage.cancel(bookingId, guest);
    stage.provider.says(supplement, 'succeeded');
    stage.work();
    await stage.notify(supplement);
    await untilRefunded(paymentId, 20_000);
    await untilRefunded(supplement, 10_000);
    await untilHolds();
  });

  it.each([
    ['CommitHold', 1],
    ['MakeChange', 1],
    ['ReleaseHold', 1],
  ])('is finished by another worker when one dies before %s', async (command, nth) => {
    await begin();
    const { guest, bookingId } = await paid();
    await change(guest, bookingId, 3);
    const supplement = await payFor(guest, bookingId);
    const dying = dyingBefore(stage.newNode(), command, nth);
    const first = stage.work(dying);
    await pays(supplement);
    await until(async () => dying.died() || undefined);
    await first.stop();
    stage.work();
    await until(async () => (await stage.booking(bookingId)).totalMinor === 30_000 || undefined);
    await untilHolds({ nights: 3, kept: true });
    await until(() => stage.handledAll());
    expect(await refundsOf(supplement)).toEqual([]);
  });
});

describe('a night less', () => {
  it('changes the booking at once, and refunds the difference with its commission', async () => {
    await begin();
    const { guest, bookingId, paymentId } = await paid();
    stage.work();
    const { booking: after } = await change(guest, bookingId, 1);
    expect(after).toMatchObject({ totalMinor: 10_000, change: null, paymentIds: [paymentId] });
    await untilRefunded(paymentId, 10_000);
    expect(await postingsOf(paymentId, 'RefundSucceeded')).toEqual([
      { account: 'commission', amountMinor: 1_000, itemId: bookingId },
      { account: `held:${stage.ownerId}`, amountMinor: 9_000, itemId: bookingId },
      { account: 'clearing:fake', amountMinor: -10_000, itemId: bookingId },
    ]);
    await untilHolds({ nights: 1, kept: true });
  });

  it.each(['CommitHold', 'MakeChange'])(
    'is finished by the worker when the request dies before %s',
    async (command) => {
      await begin();
      const { guest, bookingId, paymentId } = await paid();
      const dying = dyingBefore(stage.newNode(), command);
      await expect(change(guest, bookingId, 1, dying)).rejects.toThrow('dead');
      expect((await stage.booking(bookingId)).totalMinor).toBe(20_000);
      stage.work();
      await untilRefunded(paymentId, 10_000);
      await untilHolds({ nights: 1, kept: true });
      expect((await stage.booking(bookingId)).totalMinor).toBe(10_000);
    },
  );

  it('leaves nothing behind when the request dies before it is proposed', async () => {
    await begin();
    const { guest, bookingId } = await paid();
    const dying = dyingBefore(stage.newNode(), 'ProposeChange');
    await expect(change(guest, bookingId, 1, dying, longAgo(guest))).rejects.toThrow('dead');
    expect(await holds()).toHaveLength(2);
    stage.work();
    await untilHolds({ nights: 2, kept: true });
    expect(await stage.booking(bookingId)).toMatchObject({ totalMinor: 20_000, change: null });
  });

  it('takes no places when the booking is cancelled while they are committed, even after a crash', async () => {
    await begin();
    const { guest, bookingId } = await paid();
    const worker = stage.work();
    const cancelled = async () => {
      await stage.cancel(bookingId, guest);
      await until(async () => (await stage.stock()).holds.size === 0 || undefined);
      await worker.stop();
    };
    const dying = dyingBefore(interruptedBefore(stage.newNode(), 'CommitHold', cancelled), 'ReleaseHold');
    await expect(change(guest, bookingId, 1, dying)).rejects.toThrow('dead');
    expect(await holds()).toEqual([{ nights: 1, kept: true }]);
    stage.work();
    await until(async () => (await stage.stock()).holds.size === 0 || undefined);
  });

  it('is decided again when another change was faster', async () => {
    await begin();
    const { guest, bookingId, paymentId } = await paid();
    stage.work();
    const other = () => change(guest, bookingId, 1);
    await change(guest, bookingId, 4, interruptedBefore(stage.newNode(), 'ProposeChange', other));
    expect(await stage.booking(bookingId)).toMatchObject({ totalMinor: 10_000, change: { dueMinor: 30_000 } });
    await untilRefunded(paymentId, 10_000);
  });
});

describe('two payments that settle at once', () => {
  /** What the policy does when a payment succeeded. */
  const succeeded = async (deps: Node, paymentId: string): Promise<void> => {
    const events = await deps.codec.decode<Recorded>(await deps.store.read(`payment-${paymentId}`));
    const event = events.find(({ type }) => type === 'PaymentSucceeded');
    await paymentPolicy.handlers.get('PaymentSucceeded')?.(event as never, { deps, context: contextOf('system') });
  };

  /** The one that lost releases the places that the other one, for a new price, has committed as well. */
  const paidWithoutPlaces = async () => {
    const guest = randomUUID();
    const { bookingId } = await stage.book(guest);
    const first = await payFor(guest, bookingId);
    await cancelOwnPayment(stage.node, contextOf(guest), first);
    const end = { type: 'EndPayment', by: 'system', paymentId: first } as const;
    await stage.node.aggregates.handle(booking, bookingId, end, contextOf('system'));
    stage.provider.says(first, 'succeeded');
    await syncPayment(stage.node, contextOf('system'), first);

    let second = '';
    const repriced = async () => {
      const dearer = [{ from: stage.day(30), to: stage.day(32), price: 150 }];
      await priceNights(stage.node, stage.owner(), stage.roomId, dearer);
      await updateBooking(stage.node, contextOf(guest), bookingId, { guests: 1 });
      second = await payFor(guest, bookingId);
    };
    const secondSettles = async () => {
      stage.provider.says(second, 'succeeded');
      await syncPayment(stage.node, contextOf('system'), second);
      await succeeded(stage.newNode(), second);
      expect((await stage.booking(bookingId)).status).toBe('paid');
    };
    const slow = interruptedBefore(
      interruptedBefore(stage.newNode(), 'ReleaseHold', secondSettles),
      'MarkPaid',
      repriced,
    );
    await expect(succeeded(slow, first)).rejects.toMatchObject({ code: 'conflict' });
    expect(await stage.stock()).toMatchObject({ holds: { size: 0 } });
    return { bookingId, first, second };
  };

  it('leave the booking its places', async () => {
    await begin();
    const { bookingId, first } = await paidWithoutPlaces();
    stage.work();
    await untilHolds({ nights: 2, kept: true });
    await untilRefunded(first, 20_000);
    expect((await stage.booking(bookingId)).status).toBe('paid');
  });

  it('cost it its places where somebody was faster: it is cancelled with a full refund', async () => {
    await begin();
    const { bookingId, first, second } = await paidWithoutPlaces();
    const other = await stage.book();
    stage.work();
    await stage.untilBooking(bookingId, 'cancelled');
    await untilRefunded(first, 20_000);
    await untilRefunded(second, 30_000);
    const { state } = await stage.node.aggregates.load(inventory, stage.roomId);
    expect([...state.holds].map(([, { bookingId }]) => bookingId)).toEqual([other.bookingId]);
  });
});
