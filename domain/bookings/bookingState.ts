/** The state of a booking, folded from its events. */
import type { CancellationQuote } from '../catalog/cancellation.ts';
import { type Confirmation, defaultConfirmation } from '../catalog/confirmation.ts';
import { addMs, DAY_MS } from '../core/instants.ts';
import type { Created, Party } from './bookingCommands.ts';
import type { BookingEvent, BookingTerms, Notice } from './bookingEvents.ts';
import { type Guest, NOBODY } from './guest.ts';
import type { BookingStatus } from './transitions.ts';

export interface OpenBooking extends Readonly<Omit<Created, 'confirmation' | 'guest'>> {
  readonly status: BookingStatus;
  readonly confirmation: Confirmation;
  readonly guest: Guest;
  /** It was made when the days of its policy had 24 hours, whatever the clocks did. */
  readonly countsHours: boolean;
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
  /** The payments that paid for it and its changes, oldest first; none where there was nothing to pay. */
  readonly paymentIds: readonly string[];
  /** The change that waits for its payment, or is about to be made. */
  readonly change: ProposedChange | null;
  /** Payments that were started for changes → the hold of the change. */
  readonly supplements: Readonly<Record<string, string>>;
  /** The most that cancelling has cost when the guest changed the paid booking; it never costs less afterwards. */
  readonly floorPercent: number;
  /** What was kept of former, higher prices, in minor units. */
  readonly keptMinor: number;
  /** How it was cancelled or rejected. */
  readonly ending: BookingEnding | null;
}

/** A change of a paid booking. Its hold identifies it. */
interface ProposedChange extends Omit<Proposed, keyof BookingTerms> {
  readonly terms: BookingTerms;
  /** When its hold would have expired if no payment had been started; null before the first one. */
  readonly keptFrom: string | null;
}
type Proposed = Extract<BookingEvent, { type: 'BookingChangeProposed' }>['data'];

interface BookingEnding extends CancellationQuote {
  readonly by: Party;
  readonly reason: string | null;
}
export type Booking = { readonly status: 'none' } | OpenBooking;

/** A booking with its time zone: that of its listing, where the booking does not say it itself. */
export const inZone = (state: OpenBooking, timezone: string | undefined): OpenBooking =>
  timezone === undefined ? state : { timezone, ...state };

/** A no-show can be taken back for a day. */
export const dayAfter = (at: string): string => addMs(at, DAY_MS);

const withPayment = ({ paymentIds }: OpenBooking, paymentId: string | null): readonly string[] =>
  paymentId === null ? paymentIds : [...paymentIds, paymentId];

/** A change of a booking on request has the seller answer again. */
const rescheduled = (
  state: OpenBooking,
  { formerHoldId, formerUnitId, change, ...terms }: Extract<BookingEvent, { type: 'BookingRescheduled' }>['data'],
): OpenBooking => {
  const after = { ...state, ...terms };
  if (change === undefined) return after;
  const { by, paymentId, penaltyPercent, penaltyMinor, answerBy } = change;
  return {
    ...after,
    ...(answerBy !== undefined && { status: 'paid', answerBy }),
    told: state.told.filter((notice) => notice === 'paid'),
    openPayment: null,
    change: null,
    paymentIds: withPayment(state, paymentId),
    floorPercent: by === 'guest' ? Math.max(state.floorPercent, penaltyPercent) : state.floorPercent,
    keptMinor: state.keptMinor + penaltyMinor,
  };
};

/** The state after an event. */
export const evolve = (state: Booking, event: BookingEvent): Booking => {
  if (event.type === 'BookingCreated')
    return {
      status: 'pending_payment',
      confirmation: defaultConfirmation[event.data.item.type],
      countsHours: event.data.timezone === undefined,
      guest: NOBODY,
      answerBy: null,
      told: [],
      withdrawableUntil: null,
      openPayment: null,
      keptFrom: null,
      paymentIds: [],
      change: null,
      supplements: {},
      floorPercent: 0,
      keptMinor: 0,
      ending: null,
      ...event.data,
    };
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'BookingRescheduled':
      return rescheduled(state, event.data);
    case 'BookingChangeProposed': {
      const { by, penaltyPercent, penaltyMinor, refundMinor, endsEarlier, dueMinor, holdExpiresAt, ...terms } =
        event.data;
      const costs = { by, penaltyPercent, penaltyMinor, refundMinor, ...(endsEarlier && { endsEarlier }), dueMinor };
      return { ...state, change: { terms, ...costs, holdExpiresAt, keptFrom: null } };
    }
    case 'BookingChangeWithdrawn':
      return { ...state, change: null, openPayment: null };
    case 'BookingGuestChanged':
      return { ...state, guest: event.data.guest };
    case 'BookingNotesChanged':
      return { ...state, notes: event.data.notes };
    case 'BookingPaymentStarted': {
      const { paymentId, holdExpiresAt } = event.data;
      const { change } = state;
      if (change === null)
        return { ...state, openPayment: paymentId, holdExpiresAt, keptFrom: state.keptFrom ?? holdExpiresAt };
      const supplements = { ...state.supplements, [paymentId]: change.terms.holdId };
      const kept = { ...change, holdExpiresAt, keptFrom: change.keptFrom ?? holdExpiresAt };
      return { ...state, openPayment: paymentId, supplements, change: kept };
    }
    case 'BookingHoldExtended': {
      const { holdExpiresAt } = event.data;
      if (state.change === null) return { ...state, holdExpiresAt };
      return { ...state, change: { ...state.change, holdExpiresAt } };
    }
    case 'BookingPaymentEnded':
      return { ...state, openPayment: state.openPayment === event.data.paymentId ? null : state.openPayment };
    case 'BookingPaid':
      return {
        ...state,
        status: 'paid',
        openPayment: null,
        paymentIds: withPayment(state, event.data.paymentId),
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
      return {
        ...state,
        status: 'confirmed',
        withdrawableUntil: null,
        holdId: event.data.holdId ?? state.holdId,
      };
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
