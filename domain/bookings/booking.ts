/** One booking from its hold to its end. Who may do what in which state is one table. */
import type { Static } from '@sinclair/typebox';
import { type Decider, Rejected } from '../decider.ts';
import { differences } from '../differences.ts';
import { type BookingEvent, bookingEvents, type Deal } from './bookingEvents.ts';
import { type CancellationQuote, type Canceller, quoteCancellation } from './cancellation.ts';

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

type Created = Static<typeof bookingEvents.BookingCreated.data>;

export interface OpenBooking extends Readonly<Created> {
  readonly status: BookingStatus;
  /** The payment that is under way. */
  readonly openPayment: string | null;
  /** The payment that paid for it. */
  readonly paymentId: string | null;
  /** How it was cancelled or rejected. */
  readonly ending: BookingEnding | null;
}

export interface BookingEnding extends CancellationQuote {
  readonly by: Party;
  readonly reason: string | null;
}
export type Booking = { readonly status: 'none' } | OpenBooking;

/** Who acts, seen from the booking. */
export type Party = Canceller;

export type BookingCommand =
  | ({ readonly type: 'CreateBooking' } & Created)
  | ({ readonly type: 'Reschedule'; readonly by: Party; readonly at: string } & Deal)
  | { readonly type: 'ChangeNotes'; readonly by: Party; readonly notes: string | null }
  | {
      readonly type: 'StartPayment';
      readonly by: Party;
      readonly paymentId: string;
      /** The hold is kept until then. */
      readonly holdExpiresAt: string;
    }
  | { readonly type: 'ExtendHold'; readonly by: Party; readonly holdExpiresAt: string }
  | { readonly type: 'EndPayment'; readonly by: Party; readonly paymentId: string }
  | {
      readonly type: 'MarkPaid';
      readonly by: Party;
      readonly paymentId: string;
      readonly amountMinor: number;
      /** The hold that was committed for it. */
      readonly holdId: string;
    }
  | { readonly type: 'Confirm'; readonly by: Party }
  | { readonly type: 'Complete'; readonly by: Party }
  | { readonly type: 'MarkNoShow'; readonly by: Party }
  | { readonly type: 'Expire'; readonly by: Party }
  /** `receivedMinor`: what was paid and not given back. */
  | {
      readonly type: 'Cancel' | 'Reject';
      readonly by: Party;
      readonly reason: string | null;
      readonly receivedMinor: number;
      readonly at: string;
    };

export type Transition = Exclude<BookingCommand['type'], 'CreateBooking'>;

interface Rule {
  readonly from: readonly BookingStatus[];
  readonly by: readonly Party[];
  /** None: it stays as it was. */
  readonly to?: BookingStatus;
}

/** Command → the states it may come in, who may give it, and the state it leads to. */
export const transitions: Readonly<Record<Transition, Rule>> = {
  Reschedule: { from: ['pending_payment'], by: ['guest', 'admin'] },
  ChangeNotes: { from: ['pending_payment', 'paid', 'confirmed'], by: ['guest', 'admin'] },
  StartPayment: { from: ['pending_payment'], by: ['guest'] },
  ExtendHold: { from: ['pending_payment'], by: ['system'] },
  EndPayment: { from: bookingStatuses, by: ['system'] },
  /** From `expired` too: money that comes late takes the places again, if they are still free. */
  MarkPaid: { from: ['pending_payment', 'expired'], by: ['system'], to: 'paid' },
  Confirm: { from: ['paid'], by: ['provider', 'admin'], to: 'confirmed' },
  Complete: { from: ['confirmed'], by: ['system'], to: 'completed' },
  MarkNoShow: { from: ['confirmed'], by: ['provider', 'admin'], to: 'no_show' },
  Expire: { from: ['pending_payment'], by: ['system'], to: 'expired' },
  Cancel: { from: ['pending_payment', 'paid', 'confirmed'], by: ['guest', 'provider', 'admin'], to: 'cancelled' },
  Reject: { from: ['pending_payment', 'paid'], by: ['provider', 'admin'], to: 'rejected' },
};

type Assert = (type: Transition, state: Booking, by: Party) => asserts state is OpenBooking;

const assertParty: Assert = (type, state, by) => {
  if (state.status === 'none') throw new Rejected('not_found', 'There is no such booking.');
  if (!transitions[type].by.includes(by))
    throw new Rejected('forbidden', 'This is for someone else to do with this booking.');
};

/** @throws Rejected `not_found`, `forbidden` or `invalid_transition` as the table says */
export const assertAllowed: Assert = (type, state, by) => {
  assertParty(type, state, by);
  const { status } = state;
  if (!transitions[type].from.includes(status))
    throw new Rejected('invalid_transition', `This is not possible while the booking is ${status}.`, { status });
};

/** True when the command has led where it leads before. */
const isAlready = (command: Exclude<BookingCommand, { type: 'CreateBooking' }>, state: OpenBooking): boolean => {
  const { to } = transitions[command.type];
  if (command.type === 'MarkPaid') return state.paymentId === command.paymentId;
  return to !== undefined && state.status === to;
};

const decide = (command: BookingCommand, state: Booking): BookingEvent[] => {
  if (command.type === 'CreateBooking') {
    const { type, ...data } = command;
    return state.status === 'none' ? [{ type: 'BookingCreated', data }] : [];
  }
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
      if (Date.parse(command.holdExpiresAt) <= Date.parse(state.holdExpiresAt)) return [];
      return [{ type: 'BookingHoldExtended', data: { holdExpiresAt: command.holdExpiresAt } }];
    case 'EndPayment':
      if (state.openPayment !== command.paymentId) return [];
      return [{ type: 'BookingPaymentEnded', data: { paymentId: command.paymentId } }];
    case 'MarkPaid':
      if (command.holdId !== state.holdId) throw new Rejected('conflict', 'The booking has moved to other places.');
      return [{ type: 'BookingPaid', data: { paymentId: command.paymentId, amountMinor: command.amountMinor } }];
    case 'Confirm':
      return [{ type: 'BookingConfirmed', data: {} }];
    case 'Complete':
      return [{ type: 'BookingCompleted', data: {} }];
    case 'MarkNoShow':
      return [{ type: 'BookingNoShow', data: {} }];
    case 'Expire':
      return [{ type: 'BookingExpired', data: {} }];
    case 'Cancel': {
      const { by, reason, at, receivedMinor } = command;
      const quote = quoteCancellation(state, receivedMinor, at, by);
      return [{ type: 'BookingCancelled', data: { userId: state.userId, by, reason, ...quote } }];
    }
    case 'Reject': {
      const { by, reason, at, receivedMinor } = command;
      const quote = quoteCancellation(state, receivedMinor, at, by);
      return [{ type: 'BookingRejected', data: { userId: state.userId, by, reason, ...quote } }];
    }
  }
};

const refuseIfPaying = ({ openPayment }: OpenBooking): void => {
  if (openPayment !== null)
    throw new Rejected('payment_open', 'A payment for this booking is under way.', { payment_id: openPayment });
};

const reschedule = (
  { type, by, at, ...deal }: Extract<BookingCommand, { type: 'Reschedule' }>,
  state: OpenBooking,
): BookingEvent[] => {
  if (Object.keys(differences(state, deal)).length === 0) return [];
  refuseIfPaying(state);
  if (Date.parse(state.holdExpiresAt) <= Date.parse(at))
    throw new Rejected('hold_expired', 'The time to pay for this booking has run out.');
  return [{ type: 'BookingRescheduled', data: { ...deal, formerHoldId: state.holdId } }];
};

const startPayment = (
  { paymentId, holdExpiresAt }: Extract<BookingCommand, { type: 'StartPayment' }>,
  state: OpenBooking,
): BookingEvent[] => {
  if (state.openPayment === paymentId) return [];
  refuseIfPaying(state);
  return [{ type: 'BookingPaymentStarted', data: { paymentId, holdExpiresAt } }];
};

const evolve = (state: Booking, event: BookingEvent): Booking => {
  if (event.type === 'BookingCreated')
    return { ...event.data, status: 'pending_payment', openPayment: null, paymentId: null, ending: null };
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'BookingRescheduled': {
      const { formerHoldId, ...deal } = event.data;
      return { ...state, ...deal };
    }
    case 'BookingNotesChanged':
      return { ...state, notes: event.data.notes };
    case 'BookingPaymentStarted':
      return { ...state, openPayment: event.data.paymentId, holdExpiresAt: event.data.holdExpiresAt };
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
    case 'BookingNoShow':
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
