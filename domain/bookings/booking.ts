/** One booking from its hold to its end. One table says who may do what in which state. */

import { type CancellationQuote, quoteCancellation } from '../catalog/cancellation.ts';
import { type Decider, Outdated, Rejected } from '../core/decider.ts';
import { differences } from '../core/differences.ts';
import type { BookingCommand, Created, Party, Transition } from './bookingCommands.ts';
import { type BookingEvent, bookingEvents } from './bookingEvents.ts';
import { holdEnd, isTooLateToPay } from './payingTime.ts';

export type { BookingCommand, Party, Transition } from './bookingCommands.ts';
export { type BookingEvent, bookingEvents } from './bookingEvents.ts';

export const bookingStatuses = [
  'pending_payment',
  'paid',
  'confirmed',
  'completed',
  'expired',
  'cancelled',
  'rejected',
  'no_show',
] as const;
export type BookingStatus = (typeof bookingStatuses)[number];

export interface OpenBooking extends Readonly<Created> {
  readonly status: BookingStatus;
  /** The payment that is open. */
  readonly openPayment: string | null;
  /** When the hold would have expired if no payment had been started; null before the first one. */
  readonly keptFrom: string | null;
  /** The payment that paid for it; none where there was nothing to pay. */
  readonly paymentId: string | null;
  /** How it was cancelled or rejected. */
  readonly ending: BookingEnding | null;
}

export interface BookingEnding extends CancellationQuote {
  readonly by: Party;
  readonly reason: string | null;
}
export type Booking = { readonly status: 'none' } | OpenBooking;

interface Rule {
  readonly from: readonly BookingStatus[];
  readonly by: readonly Party[];
  /** Absent: the state does not change. */
  readonly to?: BookingStatus;
}

/** Command → the states in which it is allowed, who may give it, and the state it leads to. */
export const transitions: Readonly<Record<Transition, Rule>> = {
  Reschedule: { from: ['pending_payment'], by: ['guest', 'admin'] },
  ChangeNotes: { from: ['pending_payment', 'paid', 'confirmed'], by: ['guest', 'admin'] },
  StartPayment: { from: ['pending_payment'], by: ['guest'] },
  ExtendHold: { from: ['pending_payment'], by: ['system'] },
  EndPayment: { from: bookingStatuses, by: ['system'] },
  /** Also from `expired`: late money takes the places again if they are still free. */
  MarkPaid: { from: ['pending_payment', 'expired'], by: ['system'], to: 'paid' },
  Confirm: { from: ['paid'], by: ['provider', 'admin'], to: 'confirmed' },
  Complete: { from: ['confirmed'], by: ['system'], to: 'completed' },
  MarkNoShow: { from: ['confirmed'], by: ['provider', 'admin'], to: 'no_show' },
  Expire: { from: ['pending_payment'], by: ['system'], to: 'expired' },
  Cancel: { from: ['pending_payment', 'paid', 'confirmed'], by: ['guest', 'provider', 'admin'], to: 'cancelled' },
  /** By the system when the booking starts and the seller has not answered. */
  Reject: { from: ['pending_payment', 'paid'], by: ['provider', 'admin', 'system'], to: 'rejected' },
};

type Assert = (type: Transition, state: Booking, by: Party) => asserts state is OpenBooking;

const assertParty: Assert = (type, state, by) => {
  if (state.status === 'none') throw new Rejected('not_found', 'This booking does not exist.');
  if (!transitions[type].by.includes(by))
    throw new Rejected('forbidden', 'Your role in this booking does not allow this.');
};

/** @throws Rejected `not_found`, `forbidden` or `invalid_transition` as the table says */
export const assertAllowed: Assert = (type, state, by) => {
  assertParty(type, state, by);
  const { status } = state;
  if (!transitions[type].from.includes(status))
    throw new Rejected('invalid_transition', `This is not possible while the booking has the status ${status}.`, {
      status,
    });
};

/** The states in which a booking is paid and has its places. */
export const paidStatuses: readonly BookingStatus[] = ['paid', 'confirmed', 'completed', 'no_show'];

/** Whether this command was already applied. */
const isAlready = (command: Exclude<BookingCommand, { type: 'CreateBooking' }>, state: OpenBooking): boolean => {
  const { to } = transitions[command.type];
  if (command.type === 'MarkPaid')
    return command.paymentId === null ? paidStatuses.includes(state.status) : command.paymentId === state.paymentId;
  return to !== undefined && state.status === to;
};

const decide = (command: BookingCommand, state: Booking): BookingEvent[] => {
  if (command.type === 'CreateBooking') return create(command, state);
  assertParty(command.type, state, command.by);
  if (isAlready(command, state)) return [];
  assertAllowed(command.type, state, command.by);
  switch (command.type) {
    case 'Reschedule':
      return reschedule(command, state);
    case 'ChangeNotes':
      if (command.notes === state.notes) return [];
      return [{ type: 'BookingNotesChanged', data: { userId: state.userId, notes: command.notes } }];
    case 'StartPayment':
      return startPayment(command, state);
    case 'ExtendHold':
      if (command.holdId !== state.holdId) return [];
      if (Date.parse(command.holdExpiresAt) <= Date.parse(state.holdExpiresAt)) return [];
      return [{ type: 'BookingHoldExtended', data: { holdExpiresAt: command.holdExpiresAt } }];
    case 'EndPayment':
      if (state.openPayment !== command.paymentId) return [];
      return [{ type: 'BookingPaymentEnded', data: { paymentId: command.paymentId } }];
    case 'MarkPaid':
      return markPaid(command, state);
    case 'Confirm':
      return [{ type: 'BookingConfirmed', data: {} }];
    case 'Complete':
      return [{ type: 'BookingCompleted', data: {} }];
    case 'MarkNoShow':
      if (Date.parse(command.at) < Date.parse(state.startsAt))
        throw new Rejected('invalid_transition', 'A no-show can be recorded only after the booking has started.', {
          starts_at: state.startsAt,
        });
      return [{ type: 'BookingNoShowRecorded', data: {} }];
    case 'Expire':
      if (command.holdId !== state.holdId) return [];
      return [{ type: 'BookingExpired', data: {} }];
    case 'Cancel':
      return [{ type: 'BookingCancelled', data: endingOf(command, state) }];
    case 'Reject':
      return [{ type: 'BookingRejected', data: endingOf(command, state) }];
  }
};

const create = (
  { type, ...data }: Extract<BookingCommand, { type: 'CreateBooking' }>,
  state: Booking,
): BookingEvent[] => {
  if (state.status !== 'none') return [];
  if (data.userId === data.sellerId) throw new Rejected('forbidden', 'You cannot book what you sell yourself.');
  return [{ type: 'BookingCreated', data }];
};

const refuseIfPaying = ({ openPayment }: OpenBooking): void => {
  if (openPayment !== null)
    throw new Rejected('payment_open', 'Another payment for this booking is open. Finish or cancel it first.', {
      payment_id: openPayment,
    });
};

/** @throws Rejected `hold_expired`, also when it is too late to pay */
export const assertHeld = (state: OpenBooking, at: string): void => {
  if (Date.parse(state.holdExpiresAt) <= Date.parse(at) || isTooLateToPay(state, at))
    throw new Rejected('hold_expired', 'The hold of this booking has expired. Book again.');
};

const reschedule = (
  { type, by, at, former, ...terms }: Extract<BookingCommand, { type: 'Reschedule' }>,
  state: OpenBooking,
): BookingEvent[] => {
  if (Object.keys(differences(state, terms)).length === 0) return [];
  if (former.holdId !== state.holdId || former.guests !== state.guests) throw new Outdated();
  refuseIfPaying(state);
  assertHeld(state, at);
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
  if (state.totalMinor === 0)
    throw new Rejected('invalid_transition', 'This booking is free of charge and cannot be paid.');
  refuseIfPaying(state);
  assertHeld(state, at);
  if (holdId !== state.holdId || amountMinor !== state.totalMinor)
    throw new Rejected('conflict', 'The booking was changed in the meantime. Reload it, and pay its new total.', {
      total_minor: state.totalMinor,
      currency: state.currency,
    });
  return [{ type: 'BookingPaymentStarted', data: { paymentId, holdExpiresAt } }];
};

const markPaid = (
  { paymentId, amountMinor, holdId, at }: Extract<BookingCommand, { type: 'MarkPaid' }>,
  state: OpenBooking,
): BookingEvent[] => {
  if (holdId !== state.holdId)
    throw new Rejected('conflict', 'The booking was changed in the meantime and now has another hold.');
  const covered = amountMinor === state.totalMinor && (paymentId !== null || amountMinor === 0);
  if (!covered) throw new Rejected('conflict', 'The amount differs from the total of the booking.');
  if (paymentId !== null && isTooLateToPay(state, at))
    throw new Rejected('conflict', 'The money came after the booking had begun.');
  return [{ type: 'BookingPaid', data: { paymentId, amountMinor } }];
};

/** @throws Outdated when the money was read before the booking was paid */
const endingOf = (
  { by, reason, at, received }: Extract<BookingCommand, { type: 'Cancel' | 'Reject' }>,
  state: OpenBooking,
) => {
  if (received.paymentId !== state.paymentId) throw new Outdated();
  return { userId: state.userId, by, reason, ...quoteCancellation(state, received.minor, at, by) };
};

const evolve = (state: Booking, event: BookingEvent): Booking => {
  if (event.type === 'BookingCreated')
    return {
      ...event.data,
      status: 'pending_payment',
      openPayment: null,
      keptFrom: null,
      paymentId: null,
      ending: null,
    };
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'BookingRescheduled': {
      const { formerHoldId, formerUnitId, ...terms } = event.data;
      return { ...state, ...terms };
    }
    case 'BookingNotesChanged':
      return { ...state, notes: event.data.notes };
    case 'BookingPaymentStarted': {
      const { paymentId, holdExpiresAt } = event.data;
      return { ...state, openPayment: paymentId, holdExpiresAt, keptFrom: state.keptFrom ?? holdExpiresAt };
    }
    case 'BookingHoldExtended':
      return { ...state, holdExpiresAt: event.data.holdExpiresAt };
    case 'BookingPaymentEnded':
      return { ...state, openPayment: state.openPayment === event.data.paymentId ? null : state.openPayment };
    case 'BookingPaid':
      return { ...state, status: 'paid', openPayment: null, paymentId: event.data.paymentId };
    case 'BookingConfirmed':
      return { ...state, status: 'confirmed' };
    case 'BookingCompleted':
      return { ...state, status: 'completed' };
    case 'BookingNoShowRecorded':
      return { ...state, status: 'no_show' };
    case 'BookingExpired':
      return { ...state, status: 'expired' };
    case 'BookingCancelled': {
      const { userId, ...ending } = event.data;
      return { ...state, status: 'cancelled', ending };
    }
    case 'BookingRejected': {
      const { userId, ...ending } = event.data;
      return { ...state, status: 'rejected', ending };
    }
  }
};

export const booking: Decider<Booking, BookingCommand, BookingEvent> = {
  category: 'booking',
  events: bookingEvents,
  initial: { status: 'none' },
  decide,
  evolve,
};
