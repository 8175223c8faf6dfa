/** One booking from its hold to its end. One table says who may do what in which state. */

import { quoteCancellation } from '../catalog/cancellation.ts';
import { answerDeadline } from '../catalog/confirmation.ts';
import { type Decider, Outdated, Rejected, requireExisting } from '../core/decider.ts';
import { differences } from '../core/differences.ts';
import { isAfter, isBefore } from '../core/instants.ts';
import { markOf, saidBefore } from '../core/saidBefore.ts';
import { isReadFrom } from '../payments/payment.ts';
import { answerAwaitedBy, standingOf } from './answer.ts';
import type { BookingCommand, Party, Transition } from './bookingCommands.ts';
import { type BookingEvent, bookingEvents } from './bookingEvents.ts';
import { type Booking, dayAfter, evolve, inZone, type OpenBooking } from './bookingState.ts';
import { makeChange, proposeChange, withdrawChange, withdrawn } from './change.ts';
import { assertHeld, assertOutstanding, outstandingOf, refuseIfPaying, wholePrice } from './outstandingPayment.ts';
import { holdEnd, isTooLateToPay } from './payingTime.ts';
import { shorten } from './shorten.ts';
import { type BookingStatus, transitions } from './transitions.ts';

export type { BookingCommand, Party, Transition } from './bookingCommands.ts';
export type { BookingEvent } from './bookingEvents.ts';
export type { Booking, OpenBooking } from './bookingState.ts';
export { assertHeld, assertOutstanding, type Outstanding, outstandingOf, wholePrice } from './outstandingPayment.ts';
export { type BookingStatus, bookingStatuses, transitions } from './transitions.ts';

type Assert = (type: Transition, state: Booking, by: Party) => asserts state is OpenBooking;

const assertParty: Assert = (type, state, by) => {
  requireExisting(state, 'booking');
  if (!transitions[type].by.includes(by))
    throw new Rejected('forbidden', 'Your role in this booking does not allow this.');
};

/** @throws Rejected `not_found`, `forbidden` or `invalid_transition` as the table says */
export const assertAllowed: Assert = (type, state, by) => {
  assertParty(type, state, by);
  const { status } = state;
  const standing = standingOf(state);
  if (transitions[type].from.includes(standing)) return;
  const detail =
    type === 'Reject' && standing !== status
      ? 'This booking was confirmed by its payment and cannot be rejected. Cancel it instead.'
      : `This is not possible while the booking has the status ${status}.`;
  throw new Rejected('invalid_transition', detail, { status });
};

/** The states of a booking that is paid. */
export const paidStatuses: readonly BookingStatus[] = ['paid', 'confirmed', 'completed', 'no_show'];
/** The states of a booking that is paid and has its places: a no-show has given them up. */
export const hasPaidPlaces = (status: BookingStatus): boolean => status !== 'no_show' && paidStatuses.includes(status);

/** Whether this command was already applied. */
const isAlready = (command: Exclude<BookingCommand, { type: 'CreateBooking' }>, state: OpenBooking): boolean => {
  const { to } = transitions[command.type];
  if (command.type === 'MarkPaid')
    return command.paymentId === null
      ? paidStatuses.includes(state.status)
      : state.paymentIds.includes(command.paymentId);
  return standingOf(state) === to;
};

/** Policies repeat an end without knowing why it came. @throws SaidOtherwise */
const again = (command: BookingCommand, { status, ending }: OpenBooking): [] =>
  (command.type === 'Cancel' || command.type === 'Reject') && command.by !== 'system' && ending
    ? saidBefore(`This booking was ${status} before`, markOf(ending.reason), command.reason, { by: ending.by })
    : [];

const decide = (command: BookingCommand, state: Booking): BookingEvent[] => {
  if (command.type === 'CreateBooking') return create(command, state);
  assertParty(command.type, state, command.by);
  if (isAlready(command, state)) return again(command, state);
  assertAllowed(command.type, state, command.by);
  switch (command.type) {
    case 'Reschedule':
      return reschedule(command, state);
    case 'ProposeChange':
      return proposeChange(command, state);
    case 'Shorten':
      return shorten(command, state);
    case 'MakeChange':
      return makeChange(command, state);
    case 'WithdrawChange':
      return withdrawChange(command, state);
    case 'ChangeGuest':
      if (Object.keys(differences(state.guest, command.guest)).length === 0) return [];
      return [
        { type: 'BookingGuestChanged', data: { userId: state.userId, guest: { ...state.guest, ...command.guest } } },
      ];
    case 'ChangeNotes':
      if (command.notes === state.notes) return [];
      return [{ type: 'BookingNotesChanged', data: { userId: state.userId, notes: command.notes } }];
    case 'StartPayment':
      return startPayment(command, state);
    case 'ExtendHold': {
      const waiting = outstandingOf(state);
      if (command.holdId !== waiting?.holdId) return [];
      if (Date.parse(command.holdExpiresAt) <= Date.parse(waiting.holdExpiresAt)) return [];
      return [{ type: 'BookingHoldExtended', data: { holdExpiresAt: command.holdExpiresAt } }];
    }
    case 'EndPayment':
      if (state.openPayment !== command.paymentId) return [];
      return [{ type: 'BookingPaymentEnded', data: { paymentId: command.paymentId } }];
    case 'MarkPaid':
      return markPaid(command, state);
    case 'NotifySeller':
      if (state.told.includes(command.notice)) return [];
      if (command.notice !== 'paid' && command.notice !== 'changed' && answerAwaitedBy(state) === null) return [];
      return [{ type: 'BookingSellerNotified', data: { notice: command.notice, sms: command.sms } }];
    case 'Confirm':
      return [{ type: 'BookingConfirmed', data: {} }];
    case 'Complete':
      return [...withdrawn(state, 'ended'), { type: 'BookingCompleted', data: {} }];
    case 'MarkNoShow':
      if (isBefore(command.at, state.startsAt))
        throw new Rejected('invalid_transition', 'A no-show can be recorded only after the booking has started.', {
          starts_at: state.startsAt,
        });
      return [
        ...withdrawn(state, 'ended'),
        { type: 'BookingNoShowRecorded', data: { withdrawableUntil: dayAfter(command.at) } },
      ];
    case 'WithdrawNoShow':
      return withdrawNoShow(command, state);
    case 'Expire':
      if (command.holdId !== state.holdId) return [];
      return [{ type: 'BookingExpired', data: {} }];
    case 'Cancel':
      return [...withdrawn(state, 'ended'), { type: 'BookingCancelled', data: endingOf(command, state) }];
    case 'Reject':
      return [...withdrawn(state, 'ended'), { type: 'BookingRejected', data: endingOf(command, state) }];
  }
};

/** @throws Rejected `forbidden` */
export const assertNotOwn = (guestId: string, sellerId: string): void => {
  if (guestId === sellerId) throw new Rejected('forbidden', 'You cannot book what you sell yourself.');
};

const create = (
  { type, ...data }: Extract<BookingCommand, { type: 'CreateBooking' }>,
  state: Booking,
): BookingEvent[] => {
  if (state.status !== 'none') return [];
  assertNotOwn(data.userId, data.sellerId);
  return [{ type: 'BookingCreated', data }];
};

const reschedule = (
  { type, by, at, former, ...terms }: Extract<BookingCommand, { type: 'Reschedule' }>,
  state: OpenBooking,
): BookingEvent[] => {
  if (Object.keys(differences(state, terms)).length === 0) return [];
  if (former.holdId !== state.holdId || former.guests !== state.guests) throw new Outdated();
  refuseIfPaying(state);
  assertHeld(wholePrice(state), at);
  const formerly = { formerHoldId: state.holdId, formerUnitId: state.item.unitId };
  const holdExpiresAt = holdEnd(terms, state.holdExpiresAt);
  const isSooner = holdExpiresAt !== state.holdExpiresAt;
  return [{ type: 'BookingRescheduled', data: { ...terms, ...formerly, ...(isSooner && { holdExpiresAt }) } }];
};

const startPayment = (
  { paymentId, holdId, amountMinor, at, holdExpiresAt }: Extract<BookingCommand, { type: 'StartPayment' }>,
  state: OpenBooking,
): BookingEvent[] => {
  if (state.openPayment === paymentId) return [];
  const waiting = assertOutstanding(state);
  refuseIfPaying(state);
  assertHeld(waiting, at);
  if (holdId !== waiting.holdId || amountMinor !== waiting.amountMinor)
    throw new Rejected('conflict', 'The booking was changed in the meantime. Reload it, and pay its new total.', {
      total_minor: waiting.amountMinor,
      currency: state.currency,
    });
  return [{ type: 'BookingPaymentStarted', data: { paymentId, holdExpiresAt } }];
};

const withdrawNoShow = (
  { at, holdId }: Extract<BookingCommand, { type: 'WithdrawNoShow' }>,
  { withdrawableUntil, holdId: formerHoldId }: OpenBooking,
): BookingEvent[] => {
  if (withdrawableUntil === null || isAfter(at, withdrawableUntil))
    throw new Rejected('invalid_transition', 'A no-show can be withdrawn for a day only. Ask an admin for a refund.', {
      withdrawable_until: withdrawableUntil,
    });
  return [{ type: 'BookingNoShowWithdrawn', data: { holdId, formerHoldId } }];
};

const markPaid = (
  { paymentId, amountMinor, holdId, at, knownAt }: Extract<BookingCommand, { type: 'MarkPaid' }>,
  state: OpenBooking,
): BookingEvent[] => {
  if (holdId !== state.holdId)
    throw new Rejected('conflict', 'The booking was changed in the meantime and now has another hold.');
  const covered = amountMinor === state.totalMinor && (paymentId !== null || amountMinor === 0);
  if (!covered) throw new Rejected('conflict', 'The amount differs from the total of the booking.');
  if (paymentId !== null && isTooLateToPay(state, at))
    throw new Rejected('conflict', 'The money came after the booking had begun.');
  const answer = state.confirmation === 'on_request' ? { answerBy: answerDeadline(knownAt, state.startsAt) } : {};
  return [{ type: 'BookingPaid', data: { paymentId, amountMinor, ...answer } }];
};

/** @throws Outdated when the money was read before the booking was paid */
const endingOf = (
  { by, reason, at, received, timezone }: Extract<BookingCommand, { type: 'Cancel' | 'Reject' }>,
  state: OpenBooking,
) => {
  if (!isReadFrom(received, state.paymentIds)) throw new Outdated();
  const quote = quoteCancellation(inZone(state, timezone), received.minor, at, by);
  return { userId: state.userId, by, reason, ...quote };
};

export const booking: Decider<Booking, BookingCommand, BookingEvent> = {
  category: 'booking',
  short: 'a booking ends',
  events: bookingEvents,
  initial: { status: 'none' },
  decide,
  evolve,
};
