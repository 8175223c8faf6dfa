/** A booking as something to pay for: its places are held while it is paid, and committed once the money is there. */
import {
  assertAllowed,
  assertHeld,
  booking,
  type OpenBooking,
  paidStatuses,
  transitions,
} from '../../domain/bookings/booking.ts';
import { holdEnd, isTooLateToPay } from '../../domain/bookings/payingTime.ts';
import { inventoryDemand } from '../../domain/catalog/bookableItem.ts';
import { inventory } from '../../domain/catalog/inventory.ts';
import { type Actor, Rejected } from '../../domain/core/decider.ts';
import type { PaymentItem } from '../../domain/payments/payment.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import { giveBack } from '../payments/giveBack.ts';
import type { Payable, PayableDeclaration, Payees } from '../payments/payable.ts';
import { endPaymentOf } from '../payments/policy.ts';
import { loadBooking, partyOf } from './bookings.ts';
import { extendedUntil } from './holds.ts';
import { unpaidOf } from './trips.ts';

/** @throws Rejected `not_found` for a trip of somebody else, `invalid_transition` when nothing of it is left to pay */
const payees = async (deps: PaymentDeps, actor: Actor, field: string, id: string): Promise<Payees> =>
  field === 'trip_id' ? { things: await unpaidOf(deps, actor, id), tripId: id } : { things: [{ kind: 'booking', id }] };

/** @throws Rejected `not_found` unless the actor made the booking, `invalid_transition` */
const find = async (deps: PaymentDeps, actor: Actor, bookingId: string): Promise<Payable> => {
  const { aggregates, settings } = deps;
  const state = await loadBooking(deps, bookingId);
  const { userId, sellerId, totalMinor, commission, currency, holdId, item, openPayment } = state;
  if (userId !== actor.id) throw new Rejected('not_found', 'This booking does not exist.');
  assertAllowed('StartPayment', state, partyOf(state, actor, 'StartPayment'));
  const { commissionMinor } = commission;
  return {
    item: { kind: 'booking', id: bookingId, ownerId: sellerId, amountMinor: totalMinor, commissionMinor },
    currency,
    serviceType: null,
    openPayment,
    start: async (context, paymentId) => {
      const { at } = context;
      assertHeld(state, at); // before its hold is extended
      const holdExpiresAt = extendedUntil(state, at, settings);
      if (holdExpiresAt === null)
        throw new Rejected('hold_expired', 'The hold of this booking has expired. Book again.');
      const to = { paymentId, holdId, amountMinor: totalMinor, at, holdExpiresAt };
      const start = { type: 'StartPayment', by: 'guest', ...to } as const;
      const extend = { type: 'ExtendHold', holdId, expiresAt: holdExpiresAt, at } as const;
      await aggregates.handle(inventory, inventoryDemand(item).unitId, extend, followUp(context, 'extend'));
      await aggregates.handle(booking, bookingId, start, followUp(context, 'start'));
    },
  };
};

/** Why this money cannot pay for the booking; undefined when it can. */
const unfit = (state: OpenBooking, amountMinor: number, at: string): 'double_payment' | 'late_payment' | undefined => {
  if (state.paymentId !== null) return 'double_payment';
  const fits = transitions.MarkPaid.from.includes(state.status) && amountMinor === state.totalMinor;
  return fits && !isTooLateToPay(state, at) ? undefined : 'late_payment';
};

/** Holds the booking's places for as long as a new booking's. @returns false when they are no longer available */
const keep = async (
  deps: PaymentDeps,
  context: CommandContext,
  paymentId: string,
  { id: bookingId, amountMinor }: PaymentItem,
): Promise<boolean> => {
  const { at } = context;
  const state = await loadBooking(deps, bookingId);
  if (state.paymentId !== paymentId && unfit(state, amountMinor, at)) return false;
  const { holdId } = state;
  const { unitId, ...places } = inventoryDemand(state.item);
  const expiresAt = holdEnd(state, new Date(Date.parse(at) + deps.settings.holdTtlMs).toISOString());
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

/** Releases places that were committed for a payment, unless the booking was paid for with them. */
const dropPlaces = async (
  deps: PaymentDeps,
  context: CommandContext,
  bookingId: string,
  { holdId, item }: Pick<OpenBooking, 'holdId' | 'item'>,
): Promise<void> => {
  const { unitId } = inventoryDemand(item);
  const { state: stock } = await deps.aggregates.load(inventory, unitId);
  if (stock.holds.get(holdId)?.expiresAt !== null) return;
  const now = await loadBooking(deps, bookingId);
  if (paidStatuses.includes(now.status) && now.holdId === holdId) return;
  const release = { type: 'ReleaseHold', holdId, reason: 'refused' } as const;
  await deps.aggregates.handle(inventory, unitId, release, followUp(context, 'release'));
};

/** Commits the places, then marks the booking as paid. Where that is no longer possible, all the money goes back. */
const settle = async (
  deps: PaymentDeps,
  context: CommandContext,
  paymentId: string,
  { id: bookingId, amountMinor }: PaymentItem,
  paidAt: string,
): Promise<void> => {
  const ctx = { deps, context };
  const state = await loadBooking(deps, bookingId);
  if (state.paymentId === paymentId) return;
  const refuse = async (cause: 'double_payment' | 'late_payment'): Promise<void> => {
    // An earlier attempt may have died after it committed them. Of an expired booking, another payment may do so now.
    if (state.status !== 'expired') await dropPlaces(deps, context, bookingId, state);
    await giveBack(ctx, paymentId, { itemId: bookingId, cause });
  };
  const cause = unfit(state, amountMinor, paidAt);
  if (cause) return refuse(cause);

  const { holdId } = state;
  const { unitId, ...places } = inventoryDemand(state.item);
  const commit = { type: 'CommitHold', holdId, bookingId, ...places, at: context.at } as const;
  try {
    await deps.aggregates.handle(inventory, unitId, commit, followUp(context, 'commit'));
  } catch (error) {
    if (error instanceof Rejected) return refuse('late_payment');
    throw error;
  }
  const known = { at: paidAt, knownAt: context.at };
  const paid = { type: 'MarkPaid', by: 'system', paymentId, amountMinor, holdId, ...known } as const;
  try {
    await deps.aggregates.handle(booking, bookingId, paid, followUp(context, 'paid'));
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    // The booking has changed meanwhile, so the event is handled again on its new state.
    await dropPlaces(deps, context, bookingId, state);
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
    describe: ({ items, tripId }) => {
      if (tripId !== null) return `Trip ${tripId}`;
      return items.length === 1 ? `Booking ${items[0]?.id}` : undefined;
    },
  }),
};
