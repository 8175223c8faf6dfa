/** What follows from money: bookings become paid, refunds go out, payments that nobody makes are ended. */
import { booking, type OpenBooking, transitions } from '../../domain/bookings/booking.ts';
import { placesOf } from '../../domain/bookings/bookingEvents.ts';
import { inventory } from '../../domain/bookings/inventory.ts';
import { isDead, payment, refundableMinor } from '../../domain/bookings/payment.ts';
import type { refundCauses } from '../../domain/bookings/paymentEvents.ts';
import { type Recorded, Rejected } from '../../domain/decider.ts';
import type { EventOf } from '../../domain/events.ts';
import { derivedId } from '../../ops/base/ids.ts';
import { loadBooking } from '../bookings.ts';
import { followUp } from '../handle.ts';
import { cancelPayment, capturePayment, submitRefund, syncPayment } from '../payments/atProvider.ts';
import { policy } from './policy.ts';
import { type Tools, timer } from './timers.ts';

/** A refund that is under way at the provider is asked about this often. */
const REFUND_POLL_MS = 60_000;
/** So often the provider is asked before a refund goes to a person: with the backoff some eight hours. */
const MAX_REFUND_ATTEMPTS = 20;

const now = (): string => new Date().toISOString();

/** Older than `PAYMENT_TTL`: nobody will make it any more. The id is the payment's. */
export const paymentTtl = timer('payment_ttl', async ({ id }, { deps, context }) => {
  const { status } = await syncPayment(deps, followUp(context, 'sync'), id);
  if (!isDead(status) && status !== 'succeeded')
    await cancelPayment(deps, followUp(context, 'cancel'), id, 'pending_too_long');
  return undefined;
});

/** Ends the payment of a booking that has ended. The id is the payment's. */
export const paymentCancel = timer('payment_cancel', async ({ id }, { deps, context }) => {
  await cancelPayment(deps, context, id, 'booking_ended');
  return undefined;
});

/** Takes what is reserved. The id is the payment's. */
export const capture = timer('capture', async ({ id }, { deps, context }) => {
  await capturePayment(deps, context, id);
  return undefined;
});

/** Has the provider give back what was asked for, and asks until it has. The id is the refund's. */
export const refund = timer<{ paymentId: string }>('refund', async ({ id, data, attempt }, { deps, context }) => {
  const { status } = await submitRefund(deps, context, data.paymentId, id, attempt >= MAX_REFUND_ATTEMPTS);
  return status === 'pending' ? { againAt: new Date(Date.now() + REFUND_POLL_MS).toISOString() } : undefined;
});

const giveBack = async (
  { deps, context }: Tools,
  paymentId: string,
  most: number,
  cause: (typeof refundCauses)[number],
): Promise<void> => {
  const amountMinor = Math.min(most, refundableMinor((await deps.aggregates.load(payment, paymentId)).state));
  if (amountMinor <= 0) return;
  const refundId = derivedId(context.commandId, 'refund');
  const command = { type: 'RequestRefund', refundId, amountMinor, cause } as const;
  await deps.aggregates.handle(payment, paymentId, command, followUp(context, 'refund'));
};

/** Why this money can't pay for the booking any more; undefined when it can. */
const unfit = (state: OpenBooking, amountMinor: number): 'double_payment' | 'late_payment' | undefined => {
  if (state.paymentId !== null) return 'double_payment';
  const fits = transitions.MarkPaid.from.includes(state.status) && amountMinor === state.totalMinor;
  return fits ? undefined : 'late_payment';
};

/** Money has come: takes the places for good, then the booking is paid. Or, where that can't be, it goes back whole. */
const settle = async (event: Recorded<EventOf<'PaymentSucceeded'>>, tools: Tools): Promise<void> => {
  const { deps, context } = tools;
  const { streamId: paymentId, data } = event;
  const { bookingId, amountMinor } = data;
  const state = await loadBooking(deps, bookingId);
  if (state.paymentId === paymentId) return;
  const cause = unfit(state, amountMinor);
  if (cause) return giveBack(tools, paymentId, amountMinor, cause);

  const { holdId } = state;
  const { itemId, ...places } = placesOf(state.subject);
  const commit = { type: 'CommitHold', holdId, bookingId, ...places, at: context.at } as const;
  try {
    await deps.aggregates.handle(inventory, itemId, commit, followUp(context, 'commit'));
  } catch (error) {
    if (error instanceof Rejected) return giveBack(tools, paymentId, amountMinor, 'late_payment');
    throw error;
  }
  const paid = { type: 'MarkPaid', by: 'system', paymentId, amountMinor, holdId } as const;
  try {
    await deps.aggregates.handle(booking, bookingId, paid, followUp(context, 'paid'));
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    const release = { type: 'ReleaseHold', holdId, reason: 'refused' } as const;
    await deps.aggregates.handle(inventory, itemId, release, followUp(context, 'release'));
    throw error; // the booking has moved on meanwhile: decided anew on what it is now
  }
};

const ended = async (
  { streamId: paymentId, data }: Recorded<EventOf<'PaymentFailed' | 'PaymentCancelled' | 'PaymentExpired'>>,
  { deps, context }: Tools,
): Promise<void> => {
  await paymentTtl.cancel(deps.pool, paymentId);
  await deps.aggregates.handle(booking, data.bookingId, { type: 'EndPayment', by: 'system', paymentId }, context);
};

/** A booking has ended: what was paid goes back as far as was promised, what is under way is stopped. */
const unwind =
  (cause: 'cancelled' | 'rejected') =>
  async (event: Recorded<EventOf<'BookingCancelled' | 'BookingRejected'>>, tools: Tools): Promise<void> => {
    const { deps } = tools;
    const { paymentId, openPayment } = await loadBooking(deps, event.streamId);
    if (paymentId !== null) await giveBack(tools, paymentId, event.data.refundMinor, cause);
    if (openPayment !== null)
      await paymentCancel.set(deps.pool, event.meta, { id: openPayment, dueAt: now(), data: {} });
  };

export const paymentPolicy = policy('payments', {
  PaymentCreated: ({ streamId: id, at, meta }, { deps }) => {
    const dueAt = new Date(Date.parse(at) + deps.settings.paymentTtlMs).toISOString();
    return paymentTtl.set(deps.pool, meta, { id, dueAt, data: {} });
  },
  PaymentAuthorized: ({ streamId: id, meta }, { deps }) => capture.set(deps.pool, meta, { id, dueAt: now(), data: {} }),
  PaymentSucceeded: async (event, tools) => {
    await paymentTtl.cancel(tools.deps.pool, event.streamId);
    await settle(event, tools);
  },
  PaymentFailed: ended,
  PaymentCancelled: ended,
  PaymentExpired: ended,
  RefundRequested: ({ streamId: paymentId, data, meta }, { deps }) =>
    refund.set(deps.pool, meta, { id: data.refundId, dueAt: now(), data: { paymentId } }),
  BookingCancelled: unwind('cancelled'),
  BookingRejected: unwind('rejected'),
});
