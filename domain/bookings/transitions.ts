/** The states of a booking, and the table that says who may do what in which of them. */
import type { Party, Transition } from './bookingCommands.ts';

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

interface Rule {
  readonly from: readonly BookingStatus[];
  readonly by: readonly Party[];
  /** Absent: the state does not change. */
  readonly to?: BookingStatus;
}

/**
 * Command → the states in which it is allowed, who may give it, and the state it leads to. An instant booking counts as
 * `confirmed` once it is paid.
 */
export const transitions: Readonly<Record<Transition, Rule>> = {
  Reschedule: { from: ['pending_payment'], by: ['guest', 'admin'] },
  ChangeGuest: { from: ['pending_payment', 'paid', 'confirmed'], by: ['guest', 'admin'] },
  ChangeNotes: { from: ['pending_payment', 'paid', 'confirmed'], by: ['guest', 'admin'] },
  ProposeChange: { from: ['paid', 'confirmed'], by: ['guest', 'admin'] },
  /** Once it has begun. */
  Shorten: { from: ['confirmed'], by: ['provider', 'admin'] },
  MakeChange: { from: ['paid', 'confirmed'], by: ['system'] },
  WithdrawChange: { from: bookingStatuses, by: ['guest', 'admin', 'system'] },
  /** Of a paid booking: for a change with a higher price. */
  StartPayment: { from: ['pending_payment', 'paid', 'confirmed'], by: ['guest'] },
  ExtendHold: { from: ['pending_payment', 'paid', 'confirmed'], by: ['system'] },
  EndPayment: { from: bookingStatuses, by: ['system'] },
  /** Also from `expired`: late money takes the places again if they are still free. */
  MarkPaid: { from: ['pending_payment', 'expired'], by: ['system'], to: 'paid' },
  NotifySeller: { from: ['paid', 'confirmed'], by: ['system'] },
  Confirm: { from: ['paid'], by: ['provider', 'admin'], to: 'confirmed' },
  Complete: { from: ['confirmed'], by: ['system'], to: 'completed' },
  MarkNoShow: { from: ['confirmed'], by: ['provider', 'admin'], to: 'no_show' },
  WithdrawNoShow: { from: ['no_show'], by: ['provider', 'admin'], to: 'confirmed' },
  Expire: { from: ['pending_payment'], by: ['system'], to: 'expired' },
  /** By the system when a paid booking has lost its places. */
  Cancel: {
    from: ['pending_payment', 'paid', 'confirmed'],
    by: ['guest', 'provider', 'admin', 'system'],
    to: 'cancelled',
  },
  /** By the system when the seller has not answered in time. */
  Reject: { from: ['pending_payment', 'paid'], by: ['provider', 'admin', 'system'], to: 'rejected' },
};
