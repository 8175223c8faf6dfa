/** How a booking gets into each state, and a command for each transition, for specs of its decisions. */
import type {
  Booking,
  BookingCommand,
  BookingEvent,
  bookingStatuses,
  Party,
  Transition,
} from '../../domain/bookings/booking.ts';
import { at, confirmed, created, creation, GUEST, HOLD, id, PAYMENT, paid, paying, terms } from './bookingFixtures.ts';

export const ending = {
  userId: GUEST,
  by: 'provider',
  reason: null,
  penaltyPercent: 0,
  penaltyMinor: 0,
  refundMinor: 0,
} as const;
/** How a booking gets into each state. */
export const historyOf: Readonly<Record<(typeof bookingStatuses)[number], BookingEvent[]>> = {
  pending_payment: [created],
  paid: [created, paying, paid],
  confirmed: [created, paid, confirmed],
  completed: [created, paid, confirmed, { type: 'BookingCompleted', data: {} }],
  expired: [created, { type: 'BookingExpired', data: {} }],
  cancelled: [created, { type: 'BookingCancelled', data: ending }],
  rejected: [created, { type: 'BookingRejected', data: ending }],
  no_show: [created, paid, confirmed, { type: 'BookingNoShowRecorded', data: {} }],
};

const nothing = { paymentIds: [], minor: 0 };
const price = { holdId: HOLD, amountMinor: 20_000, at: at(10) };
export const starting = {
  type: 'StartPayment',
  by: 'guest',
  paymentId: PAYMENT,
  ...price,
  holdExpiresAt: at(40),
} as const;
export const marking = { type: 'MarkPaid', by: 'system', paymentId: PAYMENT, ...price, knownAt: at(20) } as const;
const proposal = {
  type: 'ProposeChange',
  at: at(10),
  former: { holdId: HOLD },
  received: nothing,
  holdExpiresAt: at(40),
  ...terms,
  holdId: id(44),
  guests: 1,
} as const;
const shortening = {
  type: 'Shorten',
  at: creation.startsAt,
  checkOut: '2026-03-09',
  refundMinor: 0,
  received: nothing,
  holdId: id(44),
  holdExpiresAt: at(40),
  timezone: 'Europe/Moscow',
} as const;
const making = {
  type: 'MakeChange',
  holdId: id(44),
  paymentId: null,
  amountMinor: 0,
  at: at(11),
  knownAt: at(12),
} as const;
export const commandOf: Readonly<Record<Transition, (by: Party) => BookingCommand>> = {
  Reschedule: (by) => ({ type: 'Reschedule', by, at: at(1), former: terms, ...terms, guests: 1 }),
  ProposeChange: (by) => ({ ...proposal, by }),
  Shorten: (by) => ({ ...shortening, by }),
  MakeChange: (by) => ({ ...making, by }),
  WithdrawChange: (by) => ({ type: 'WithdrawChange', by, reason: 'withdrawn' }),
  ChangeGuest: (by) => ({ type: 'ChangeGuest', by, guest: { arrivalTime: '18:30' } }),
  ChangeNotes: (by) => ({ type: 'ChangeNotes', by, notes: 'late arrival' }),
  StartPayment: (by) => ({ ...starting, by }),
  ExtendHold: (by) => ({ type: 'ExtendHold', by, holdId: HOLD, holdExpiresAt: at(90) }),
  EndPayment: (by) => ({ type: 'EndPayment', by, paymentId: PAYMENT }),
  MarkPaid: (by) => ({ ...marking, by, paymentId: id(55) }),
  NotifySeller: (by) => ({ type: 'NotifySeller', by, notice: 'paid', sms: true }),
  Confirm: (by) => ({ type: 'Confirm', by }),
  Complete: (by) => ({ type: 'Complete', by }),
  MarkNoShow: (by) => ({ type: 'MarkNoShow', by, at: creation.startsAt }),
  WithdrawNoShow: (by) => ({ type: 'WithdrawNoShow', by, at: creation.startsAt, holdId: id(44) }),
  Expire: (by) => ({ type: 'Expire', by, holdId: HOLD }),
  Cancel: (by) => ({ type: 'Cancel', by, reason: null, received: nothing, at: at(1) }),
  Reject: (by) => ({ type: 'Reject', by, reason: null, received: nothing, at: at(1) }),
};
/** As a caller reads it before the decision. */
export const withMoneyOf = (command: BookingCommand, state: Booking): BookingCommand =>
  'received' in command && state.status !== 'none'
    ? { ...command, received: { paymentIds: state.paymentIds, minor: 0 } }
    : command;
