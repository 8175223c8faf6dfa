/** The state of a booking, folded from its events. */
import type { CancellationQuote } from '../catalog/cancellation.ts';
import { type Confirmation, defaultConfirmation } from '../catalog/confirmation.ts';
import type { Created, Party } from './bookingCommands.ts';
import type { BookingEvent, Notice } from './bookingEvents.ts';
import { type Guest, NOBODY } from './guest.ts';
import type { BookingStatus } from './transitions.ts';

export interface OpenBooking extends Readonly<Omit<Created, 'confirmation' | 'guest'>> {
  readonly status: BookingStatus;
  readonly confirmation: Confirmation;
  readonly guest: Guest;
  /** Until when the seller has to answer, as it was decided with the payment; null before, and for instant bookings. */
  readonly answerBy: string | null;
  /** What the seller was told by SMS. */
  readonly told: readonly Notice[];
  /** Until when a no-show can be taken back; null where none was recorded. */
  readonly withdrawableUntil: string | null;
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

/** How long a no-show can be taken back. */
const WITHDRAWABLE_MS = 24 * 3_600_000;
export const dayAfter = (at: string): string => new Date(Date.parse(at) + WITHDRAWABLE_MS).toISOString();

/** The state after an event. */
export const evolve = (state: Booking, event: BookingEvent): Booking => {
  if (event.type === 'BookingCreated')
    return {
      ...event.data,
      status: 'pending_payment',
      confirmation: event.data.confirmation ?? defaultConfirmation[event.data.item.type],
      guest: event.data.guest ?? NOBODY,
      answerBy: null,
      told: [],
      withdrawableUntil: null,
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
    case 'BookingGuestChanged':
      return { ...state, guest: event.data.guest };
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
      return {
        ...state,
        status: 'paid',
        openPayment: null,
        paymentId: event.data.paymentId,
        answerBy: event.data.answerBy ?? null,
      };
    case 'BookingSellerNotified':
      return { ...state, told: [...state.told, event.data.notice] };
    case 'BookingConfirmed':
      return { ...state, status: 'confirmed' };
    case 'BookingCompleted':
      return { ...state, status: 'completed' };
    case 'BookingNoShowRecorded':
      return {
        ...state,
        status: 'no_show',
        withdrawableUntil: event.data.withdrawableUntil ?? dayAfter(state.endsAt),
      };
    case 'BookingNoShowWithdrawn':
      return { ...state, status: 'confirmed', withdrawableUntil: null };
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
