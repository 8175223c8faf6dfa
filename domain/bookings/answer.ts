/** The seller's answer to a paid booking: whether it is awaited, and until when. */
import type { Confirmation } from '../catalog/confirmation.ts';
import type { BookingStatus } from './transitions.ts';

interface Answered {
  readonly status: BookingStatus;
  readonly confirmation: Confirmation;
  readonly startsAt: string;
  /** Set when it was paid; null for bookings that were paid before 0.2.0. */
  readonly answerBy: string | null;
}

/**
 * The state by which commands are allowed. An instant booking stays `paid`, but nobody has to answer it any more: it
 * counts as confirmed.
 */
export const standingOf = ({ status, confirmation }: Pick<Answered, 'status' | 'confirmation'>): BookingStatus =>
  status === 'paid' && confirmation === 'instant' ? 'confirmed' : status;

/** Until when the seller has to answer; null when no answer is awaited. */
export const answerAwaitedBy = (booking: Answered): string | null =>
  standingOf(booking) === 'paid' ? (booking.answerBy ?? booking.startsAt) : null;
