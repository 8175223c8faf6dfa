/**
 * Changes of a paid booking. The new places are held first. A higher price is paid before the booking changes; a lower
 * one is refunded after it, less what cancelling that part would cost.
 */
import { guestPenaltyPercent } from '../catalog/cancellation.ts';
import { answerDeadline } from '../catalog/confirmation.ts';
import { Outdated, Rejected } from '../core/decider.ts';
import { hasCome } from '../core/instants.ts';
import { percentage } from '../core/money.ts';
import { isReadFrom } from '../payments/payment.ts';
import type { BookingCommand, Party } from './bookingCommands.ts';
import type { BookingEvent, BookingTerms, changeEnds } from './bookingEvents.ts';
import { inZone, type OpenBooking } from './bookingState.ts';
import { isTooLateFor, outstandingOf, refuseIfPaying } from './outstandingPayment.ts';
import { holdEnd } from './payingTime.ts';

type Of<T extends BookingCommand['type']> = Extract<BookingCommand, { type: T }>;

export interface ChangeQuote {
  /** To be paid before the booking changes. */
  readonly dueMinor: number;
  /** What the guest loses of the part of the price that is no longer needed. */
  readonly penaltyPercent: number;
  readonly penaltyMinor: number;
  readonly refundMinor: number;
}

/**
 * What a change to a price costs. Money that was refunded by hand before counts towards the refund.
 * @param receivedMinor what was paid and has not been given back already
 */
export const quoteChange = (
  state: OpenBooking,
  totalMinor: number,
  receivedMinor: number,
  at: string,
  by: Party,
): ChangeQuote => {
  const penaltyPercent = by === 'guest' ? guestPenaltyPercent(state, at) : 0;
  const lessMinor = Math.max(0, state.totalMinor - totalMinor);
  const penaltyMinor = percentage(lessMinor, penaltyPercent * 100);
  const beyondMinor = Math.max(0, receivedMinor - totalMinor - state.keptMinor - penaltyMinor);
  const refundMinor = Math.min(lessMinor - penaltyMinor, beyondMinor);
  return { dueMinor: Math.max(0, totalMinor - state.totalMinor), penaltyPercent, penaltyMinor, refundMinor };
};

/** @throws Rejected `invalid_transition` once the booking has begun */
export const assertNotBegun = ({ startsAt }: Pick<BookingTerms, 'startsAt'>, at: string): void => {
  if (hasCome(startsAt, at))
    throw new Rejected('invalid_transition', 'This booking has begun and can no longer be changed. Ask the seller.', {
      starts_at: startsAt,
    });
};

/** The event that ends a proposed change; none where there is none. */
export const withdrawn = (
  { change, openPayment: paymentId }: OpenBooking,
  reason: (typeof changeEnds)[number],
): BookingEvent[] => {
  if (change === null) return [];
  const { holdId, item } = change.terms;
  return [{ type: 'BookingChangeWithdrawn', data: { holdId, unitId: item.unitId, paymentId, reason } }];
};

/** @throws Outdated when the terms were derived from another state of the booking */
export const proposeChange = (
  { type, by, at, former, received, holdExpiresAt, ...terms }: Of<'ProposeChange'>,
  state: OpenBooking,
): BookingEvent[] => {
  if (state.change?.terms.holdId === terms.holdId || state.holdId === terms.holdId) return [];
  if (former.holdId !== state.holdId || !isReadFrom(received, state.paymentIds)) throw new Outdated();
  refuseIfPaying(state);
  assertNotBegun(state, at);
  const costs = { by, ...quoteChange(inZone(state, terms.timezone), terms.totalMinor, received.minor, at, by) };
  const until = holdEnd(state, holdEnd(terms, holdExpiresAt));
  return [
    ...withdrawn(state, 'replaced'),
    { type: 'BookingChangeProposed', data: { ...terms, ...costs, holdExpiresAt: until } },
  ];
};

/**
 * The new places are committed, and the difference is paid.
 * @throws Rejected `conflict` when this change is no longer proposed, or the money does not fit it
 */
export const makeChange = (
  { holdId, paymentId, amountMinor, at, knownAt }: Of<'MakeChange'>,
  state: OpenBooking,
): BookingEvent[] => {
  const { change, confirmation } = state;
  if (state.holdId === holdId && (paymentId === null || state.paymentIds.includes(paymentId))) return [];
  if (change?.terms.holdId !== holdId) throw new Rejected('conflict', 'This change is no longer proposed.');
  const { terms, by, penaltyPercent, penaltyMinor, refundMinor, endsEarlier } = change;
  if (amountMinor !== change.dueMinor || (paymentId === null) !== (change.dueMinor === 0))
    throw new Rejected('conflict', 'The amount differs from the difference in price.');
  const due = outstandingOf(state);
  if (due && isTooLateFor(due, at)) throw new Rejected('conflict', 'The money came after the booking had begun.');
  // Whom the guest leaves early has answered long before.
  const isAsked = confirmation === 'on_request' && !endsEarlier;
  const answer = isAsked ? { answerBy: answerDeadline(knownAt, terms.startsAt) } : {};
  const costs = { by, penaltyPercent, penaltyMinor, refundMinor, ...(endsEarlier && { endsEarlier }) };
  const made = { ...costs, paymentId, amountMinor, ...answer };
  const formerly = { formerHoldId: state.holdId, formerUnitId: state.item.unitId };
  return [{ type: 'BookingRescheduled', data: { ...terms, ...formerly, change: made } }];
};

/** The change with this hold, or any, is not made. */
export const withdrawChange = ({ holdId, reason }: Of<'WithdrawChange'>, state: OpenBooking): BookingEvent[] =>
  holdId === undefined || state.change?.terms.holdId === holdId ? withdrawn(state, reason) : [];
