/** What follows from money: bookings become paid, refunds go out, payments that nobody makes are ended. */
import { booking, type OpenBooking, transitions } from '../../domain/bookings/booking.ts';
import { inventoryDemand } from '../../domain/catalog/bookableItem.ts';
import { inventory } from '../../domain/catalog/inventory.ts';
import { type Recorded, Rejected } from '../../domain/core/decider.ts';
import type { EventOf } from '../../domain/modules.ts';
import { isDead, type PaymentItem, payment, refundableMinor } from '../../domain/payments/payment.ts';
import type { refundCauses } from '../../domain/payments/paymentEvents.ts';
import { derivedId } from '../../infra/ids.ts';
import { metrics } from '../../infra/metrics.ts';
import { loadBooking } from '../bookings/bookings.ts';
import { followUp } from '../core/handle.ts';
import { defineJob, type PolicyContext } from '../core/jobs.ts';
import { policy } from '../core/policy.ts';
import { loadPurchase, unfitPayment } from '../purchases/purchases.ts';
import { cancelPayment, capturePayment, loadPayment, submitRefund, syncPayment } from './atProvider.ts';
import { releaseLater } from './release.ts';

/** A refund that is under way at the provider is asked about this often. */
const REFUND_POLL_MS = 60_000;
/** So often the provider is asked before a refund goes to a person: with the backoff some eight hours. */
const MAX_REFUND_ATTEMPTS = 20;

/** Older than `PAYMENT_TTL`: nobody will make it any more. The id is the payment's. */
export const paymentTtl = defineJob('payment_ttl', async ({ id }, { deps, context }) => {
  const { status } = await syncPayment(deps, followUp(context, 'sync'), id);
  if (!isDead(status) && status !== 'succeeded')
    await cancelPayment(deps, followUp(context, 'cancel'), id, 'pending_too_long');
  return undefined;
});

/** Ends a payment that its booking has no need of: it has ended, or is paid. The id is the payment's. */
export const paymentCancel = defineJob('payment_cancel', async ({ id }, { deps, context }) => {
  const { state } = await deps.aggregates.load(payment, id);
  if (state.status !== 'none') await cancelPayment(deps, context, id, 'not_needed');
  return undefined;
});

/**
 * Takes what is reserved, once something that it pays for is certain to be had; otherwise the payer gets it back by
 * never having paid. The id is the payment's.
 */
export const capture = defineJob('capture', async ({ id }, { deps, context }) => {
  const { status, items } = await loadPayment(deps, id);
  if (status !== 'authorized') return undefined;
  const kept = await Promise.all(items.map((item) => keep({ deps, context: followUp(context, item.id) }, id, item)));
  if (kept.some(Boolean)) await capturePayment(deps, context, id);
  else await cancelPayment(deps, context, id, 'not_to_be_had');
  return undefined;
});

/** Has the provider give back what was asked for, and asks until it has. The id is the refund's. */
export const refund = defineJob<{ paymentId: string }>('refund', async ({ id, data, attempt }, { deps, context }) => {
  const { status } = await submitRefund(deps, context, data.paymentId, id, attempt >= MAX_REFUND_ATTEMPTS);
  return status === 'pending'
    ? { againAt: new Date(Date.parse(deps.now()) + REFUND_POLL_MS).toISOString() }
    : undefined;
});

/** No more than is left of the item. */
export const giveBack = async (
  { deps, context }: PolicyContext,
  paymentId: string,
  { itemId, most, cause }: { itemId: string; most: number; cause: (typeof refundCauses)[number] },
): Promise<void> => {
  const { state } = await deps.aggregates.load(payment, paymentId);
  const amountMinor = Math.min(most, refundableMinor(state, itemId));
  if (amountMinor <= 0) return;
  const refundId = derivedId(context.commandId, 'refund');
  const command = { type: 'RequestRefund', refundId, itemId, amountMinor, cause } as const;
  await deps.aggregates.handle(payment, paymentId, command, followUp(context, 'refund'));
};

/** Why this money can't pay for the booking any more; undefined when it can. */
const unfit = (state: OpenBooking, amountMinor: number): 'double_payment' | 'late_payment' | undefined => {
  if (state.paymentId !== null) return 'double_payment';
  const fits = transitions.MarkPaid.from.includes(state.status) && amountMinor === state.totalMinor;
  return fits ? undefined : 'late_payment';
};

/** Whether a thing can still be had, before its money is taken. */
const keep = (ctx: PolicyContext, paymentId: string, item: PaymentItem): Promise<boolean> => {
  switch (item.kind) {
    case 'booking':
      return keepPlaces(ctx, paymentId, item);
    case 'purchase':
      return isWanted(ctx, paymentId, item);
  }
};

const isWanted = async (
  { deps }: PolicyContext,
  paymentId: string,
  { id, amountMinor }: PaymentItem,
): Promise<boolean> => {
  const state = await loadPurchase(deps, id);
  return state.paymentId === paymentId || unfitPayment(state, amountMinor) === undefined;
};

/** Holds a booking's places for as long again. False when they are not to be had any more. */
const keepPlaces = async (ctx: PolicyContext, paymentId: string, { id: bookingId, amountMinor }: PaymentItem) => {
  const { deps, context } = ctx;
  const { at } = context;
  const state = await loadBooking(deps, bookingId);
  if (state.paymentId !== paymentId && unfit(state, amountMinor)) return false;
  const { holdId } = state;
  const { unitId, ...places } = inventoryDemand(state.item);
  const expiresAt = new Date(Date.parse(at) + deps.settings.holdTtlMs).toISOString();
  const place = { type: 'PlaceHold', holdId, bookingId, ...places, expiresAt, at } as const;
  try {
    await deps.aggregates.handle(inventory, unitId, place, followUp(context, 'place'));
    await deps.aggregates.handle(inventory, unitId, { ...place, type: 'ExtendHold' }, followUp(context, 'extend'));
    return true;
  } catch (error) {
    if (error instanceof Rejected) return false;
    throw error;
  }
};

/** Money has come: takes the places for good, then the booking is paid. Or, where that can't be, it goes back whole. */
const settleBooking = async (ctx: PolicyContext, paymentId: string, { id: bookingId, amountMinor }: PaymentItem) => {
  const { deps, context } = ctx;
  const state = await loadBooking(deps, bookingId);
  if (state.paymentId === paymentId) return;
  const late = (cause: 'double_payment' | 'late_payment') =>
    giveBack(ctx, paymentId, { itemId: bookingId, most: amountMinor, cause });
  const cause = unfit(state, amountMinor);
  if (cause) return late(cause);

  const { holdId } = state;
  const { unitId, ...places } = inventoryDemand(state.item);
  const commit = { type: 'CommitHold', holdId, bookingId, ...places, at: context.at } as const;
  try {
    await deps.aggregates.handle(inventory, unitId, commit, followUp(context, 'commit'));
  } catch (error) {
    if (error instanceof Rejected) return late('late_payment');
    throw error;
  }
  const paid = { type: 'MarkPaid', by: 'system', paymentId, amountMinor, holdId } as const;
  try {
    await deps.aggregates.handle(booking, bookingId, paid, followUp(context, 'paid'));
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    // The booking has moved on meanwhile: decided anew on what it is now. These places are its own all the same where
    // another payment has paid for them.
    const now = await loadBooking(deps, bookingId);
    const release = { type: 'ReleaseHold', holdId, reason: 'refused' } as const;
    if (now.paymentId === null || now.holdId !== holdId)
      await deps.aggregates.handle(inventory, unitId, release, followUp(context, 'release'));
    throw error;
  }
  // Given up, paid all the same, while another was under way: nobody has to pay that one first and get it back then.
  const { openPayment: other } = state;
  if (other !== null && other !== paymentId)
    await paymentCancel.schedule(deps.pool, context, { id: other, dueAt: deps.now(), data: {} });
};

/**
 * Does the same for each thing of a kind that a payment pays for, each under ids of its own. One that fails keeps
 * nothing from the others; all of them are done again then.
 */
export const eachItem = async (
  { deps, context }: PolicyContext,
  paymentId: string,
  kind: PaymentItem['kind'],
  work: (ctx: PolicyContext, item: PaymentItem) => Promise<unknown>,
): Promise<void> => {
  const { items } = await loadPayment(deps, paymentId);
  const done = await Promise.allSettled(
    items.filter((item) => item.kind === kind).map((item) => work({ deps, context: followUp(context, item.id) }, item)),
  );
  for (const each of done) if (each.status === 'rejected') throw each.reason;
};

const ended = async (
  { streamId: paymentId }: Recorded<EventOf<'PaymentFailed' | 'PaymentCancelled' | 'PaymentExpired'>>,
  ctx: PolicyContext,
): Promise<void> => {
  await paymentTtl.cancel(ctx.deps.pool, paymentId);
  const end = { type: 'EndPayment', by: 'system', paymentId } as const;
  await eachItem(ctx, paymentId, 'booking', ({ deps, context }, { id }) =>
    deps.aggregates.handle(booking, id, end, context),
  );
};

/** A booking has ended: what was paid goes back as far as was promised, then what is kept can be released; what is under way is stopped. */
const unwind =
  (cause: 'cancelled' | 'rejected') =>
  async (event: Recorded<EventOf<'BookingCancelled' | 'BookingRejected'>>, ctx: PolicyContext): Promise<void> => {
    const { deps } = ctx;
    const { paymentId, openPayment } = await loadBooking(deps, event.streamId);
    if (paymentId !== null) {
      const part = { itemId: event.streamId, most: event.data.refundMinor, cause };
      await giveBack(ctx, paymentId, part);
      if (event.data.penaltyMinor > 0) await releaseLater(event, ctx);
    }
    if (openPayment !== null)
      await paymentCancel.schedule(deps.pool, event.meta, { id: openPayment, dueAt: deps.now(), data: {} });
  };

const askForRefund = (
  { streamId: paymentId, data, meta }: Recorded<EventOf<'RefundRequested' | 'RefundRetried'>>,
  { deps }: PolicyContext,
): Promise<void> => refund.schedule(deps.pool, meta, { id: data.refundId, dueAt: deps.now(), data: { paymentId } });

export const paymentPolicy = policy('payments', {
  PaymentCreated: ({ streamId: id, at, meta }, { deps }) => {
    const dueAt = new Date(Date.parse(at) + deps.settings.paymentTtlMs).toISOString();
    return paymentTtl.schedule(deps.pool, meta, { id, dueAt, data: {} });
  },
  PaymentAuthorized: ({ streamId: id, meta }, { deps }) =>
    capture.schedule(deps.pool, meta, { id, dueAt: deps.now(), data: {} }),
  PaymentSucceeded: async (event, ctx) => {
    await paymentTtl.cancel(ctx.deps.pool, event.streamId);
    await eachItem(ctx, event.streamId, 'booking', (own, item) => settleBooking(own, event.streamId, item));
  },
  PaymentFailed: ended,
  PaymentCancelled: ended,
  PaymentExpired: ended,
  RefundRequested: askForRefund,
  RefundReviewRequested: async ({ streamId: paymentId, data: { refundId, code } }, { deps }) => {
    metrics.reviewNeeded.inc({ what: 'refund' });
    deps.log.error({ paymentId, refundId, code }, 'a refund needs a person');
  },
  RefundRetried: askForRefund,
  BookingCancelled: unwind('cancelled'),
  BookingRejected: unwind('rejected'),
  BookingCompleted: releaseLater,
  BookingNoShowRecorded: releaseLater,
});
