/** A booking as something to pay for: its places are held while it is paid, and committed once the money is there. */

import {
  assertAllowed,
  assertHeld,
  assertOutstanding,
  booking,
  type OpenBooking,
  type Outstanding,
  outstandingOf,
  transitions,
  wholePrice,
} from '../../domain/bookings/booking.ts';
import { isTooLateFor } from '../../domain/bookings/outstandingPayment.ts';
import { referenceOf } from '../../domain/bookings/reference.ts';
import { inventoryDemand } from '../../domain/catalog/bookableItem.ts';
import { inventory } from '../../domain/catalog/inventory.ts';
import { type Actor, notFound, Rejected } from '../../domain/core/decider.ts';
import { instantOf } from '../../domain/core/instants.ts';
import type { PaymentItem } from '../../domain/payments/payment.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { isAccepted } from '../core/refusals.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import { giveBack } from '../payments/giveBack.ts';
import type { Payable, PayableDeclaration, Payees } from '../payments/payables.ts';
import { endPaymentOf } from '../payments/policy.ts';
import { withdrawUnavailable } from './freeChanges.ts';
import { extendedUntil } from './holds.ts';
import { loadBooking, partyOf } from './loadBooking.ts';
import { offeredItem, titleOf } from './offeredItem.ts';
import { commitPlaces, dropPlaces } from './places.ts';
import { bookingUses } from './promoUses.ts';
import { unpaidOf } from './trips.ts';

/** @throws Rejected `not_found` for a trip of somebody else, `invalid_transition` when nothing of it is left to pay */
const payees = async (deps: PaymentDeps, actor: Actor, field: string, id: string): Promise<Payees> =>
  field === 'trip_id' ? { things: await unpaidOf(deps, actor, id), tripId: id } : { things: [{ kind: 'booking', id }] };

/**
 * What is to be paid of a booking: the whole price, or the difference of its proposed change.
 * @throws Rejected `not_found` unless the actor made the booking, `invalid_transition`
 */
const find = async (deps: PaymentDeps, actor: Actor, bookingId: string): Promise<Payable> => {
  const { aggregates, settings } = deps;
  const state = await loadBooking(deps, bookingId);
  const { userId, sellerId, currency, openPayment } = state;
  if (userId !== actor.id) throw notFound('booking');
  assertAllowed('StartPayment', state, partyOf(state, actor, 'StartPayment'));
  const waiting = assertOutstanding(state);
  const { item, holdId, amountMinor, commissionMinor, promotionMinor } = waiting;
  const price = { amountMinor, commissionMinor, ...(promotionMinor > 0 && { promotionMinor }) };
  return {
    item: { kind: 'booking', id: bookingId, ownerId: sellerId, ...price },
    currency,
    serviceType: null,
    openPayment,
    start: async (context, paymentId) => {
      const { at } = context;
      assertHeld(waiting, at); // before its hold is extended
      const holdExpiresAt = extendedUntil(waiting, at, settings);
      if (holdExpiresAt === null)
        throw new Rejected('hold_expired', 'The hold on these places has expired. Book or change again.');
      const to = { paymentId, holdId, amountMinor, at, holdExpiresAt };
      const start = { type: 'StartPayment', by: 'guest', ...to } as const;
      const extend = { type: 'ExtendHold', holdId, expiresAt: holdExpiresAt, at } as const;
      await aggregates.handle(inventory, inventoryDemand(item).unitId, extend, followUp(context, 'extend'));
      await aggregates.handle(booking, bookingId, start, followUp(context, 'start'));
    },
  };
};

/** What a payment can still pay for: the booking, or the change that it was started for. */
const paidWith = (state: OpenBooking, paymentId: string): Outstanding | null => {
  if (transitions.MarkPaid.from.includes(state.status)) return wholePrice(state);
  const change = outstandingOf(state);
  return change && state.supplements[paymentId] === change.holdId ? change : null;
};

type Unfit = 'double_payment' | 'late_payment';

/** What this money pays for, or why it cannot. */
const useOf = (
  state: OpenBooking,
  paymentId: string,
  amountMinor: number,
  at: string,
): { readonly due: Outstanding } | { readonly cause: Unfit } => {
  const due = paidWith(state, paymentId);
  if (due?.amountMinor === amountMinor && !isTooLateFor(due, at)) return { due };
  const isSecond = state.paymentIds.length > 0 && state.supplements[paymentId] === undefined;
  return { cause: isSecond ? 'double_payment' : 'late_payment' };
};

/** Holds the places for as long as those of a new booking. @returns false when they are no longer available */
const keep = async (
  deps: PaymentDeps,
  context: CommandContext,
  paymentId: string,
  { id: bookingId, amountMinor }: PaymentItem,
): Promise<boolean> => {
  const { at } = context;
  const state = await loadBooking(deps, bookingId);
  if (state.paymentIds.includes(paymentId)) return true;
  const use = useOf(state, paymentId, amountMinor, at);
  if ('cause' in use) return false;
  const { holdId, item, payableUntil } = use.due;
  const { unitId, ...places } = inventoryDemand(item);
  const usual = Date.parse(at) + deps.settings.holdTtlMs;
  const expiresAt = instantOf(Math.min(usual, Date.parse(payableUntil)));
  const place = { type: 'PlaceHold', holdId, bookingId, ...places, expiresAt, again: true, at } as const;
  return isAccepted(async () => {
    await deps.aggregates.handle(inventory, unitId, place, followUp(context, 'place'));
    await deps.aggregates.handle(inventory, unitId, { ...place, type: 'ExtendHold' }, followUp(context, 'extend'));
  });
};

/** Takes the promo code's use, commits the places, then records the payment. Where that is no longer possible, all the money goes back. */
const settle = async (
  deps: PaymentDeps,
  context: CommandContext,
  paymentId: string,
  { id: bookingId, amountMinor }: PaymentItem,
  paidAt: string,
): Promise<void> => {
  const state = await loadBooking(deps, bookingId);
  if (state.paymentIds.includes(paymentId)) return;
  const refuse = async (cause: Unfit): Promise<void> => {
    // An earlier attempt may have died after it committed them. Of an expired booking, another payment may do so now.
    if (state.status !== 'expired') await dropPlaces(deps, context, bookingId, state);
    await giveBack({ deps, context }, [paymentId], { itemId: bookingId, cause });
  };
  const use = useOf(state, paymentId, amountMinor, paidAt);
  if ('cause' in use) return refuse(use.cause);

  const { due } = use;
  const { holdId } = due;
  const isChange = holdId !== state.holdId;
  if (!isChange && !(await bookingUses.take(deps, context, bookingId, state))) return refuse('late_payment');
  if (await commitPlaces(deps, context, bookingId, due)) {
    if (isChange) await withdrawUnavailable(deps, context, bookingId, holdId);
    return refuse('late_payment');
  }
  const type = isChange ? 'MakeChange' : 'MarkPaid';
  const paid = { type, by: 'system', paymentId, amountMinor, holdId, at: paidAt, knownAt: context.at } as const;
  try {
    await deps.aggregates.handle(booking, bookingId, paid, followUp(context, 'paid'));
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    // The booking has changed meanwhile, so the event is handled again on its new state.
    await dropPlaces(deps, context, bookingId, due);
    throw error;
  }
  // This payment was given up but then paid: end the one that was opened after it.
  const { openPayment: other } = state;
  if (other !== paymentId) await endPaymentOf(deps, context, bookingId, { openPayment: other });
};

export const bookingPayable: PayableDeclaration<PaymentDeps> = {
  kind: 'booking',
  fields: ['booking_id', 'trip_id'],
  bind: (deps) => ({
    payees: (actor, field, id) => payees(deps, actor, field, id),
    find: (actor, id) => find(deps, actor, id),
    end: async (context, paymentId, id) => {
      const end = { type: 'EndPayment', by: 'system', paymentId } as const;
      await deps.aggregates.handle(booking, id, end, followUp(context, 'end'));
    },
    keep: (context, paymentId, item) => keep(deps, context, paymentId, item),
    settle: (context, paymentId, item, paidAt) => settle(deps, context, paymentId, item, paidAt),
    title: async ({ id }, language) => {
      const { item } = await loadBooking(deps, id);
      return `${titleOf(await offeredItem(deps, item), language)} (${referenceOf(id)})`;
    },
    describe: ({ items, tripId }) => {
      if (tripId !== null) return `Trip ${tripId}`;
      return items.length === 1 ? `Booking ${items[0]?.id}` : undefined;
    },
  }),
};
