/** What the catalog offers for a request, and the terms that are quoted for it. */
import type { BookingTerms } from '../../domain/bookings/bookingEvents.ts';
import type { CancellationPolicyName } from '../../domain/catalog/cancellation.ts';
import { type Confirmation, TOO_LATE_TO_ASK } from '../../domain/catalog/confirmation.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { notSold } from '../core/notSold.ts';

/** Terms without the hold and the commission. */
export type Offer = Omit<BookingTerms, 'holdId' | 'commission'>;
/** Terms without the hold. */
export type QuotedTerms = Omit<BookingTerms, 'holdId'>;

/** Applies the discount of a promo code. @throws Rejected `promo_refused` where it does not apply */
export type Discounting = (offer: Offer, sellerId: string) => Offer;
export const fullPrice: Discounting = (offer) => offer;

/** The promotion of the options of a booking, which all have the same promo code, or none. */
export const promotionOf = ([first]: readonly QuotedTerms[]): Pick<QuotedTerms, 'promotion'> =>
  first?.promotion ? { promotion: first.promotion } : {};

/** Why a stay or a slot is not sold. A guest who came too late to ask the seller is told what to do. */
export const notBookable = <R extends string>(
  what: 'slot' | 'stay',
  reasons: readonly R[],
  known: Parameters<typeof notSold<R>>[2],
): Rejected => {
  const [only, ...more] = reasons;
  return only === 'too_late' && more.length === 0
    ? new Rejected('not_bookable', TOO_LATE_TO_ASK, { reasons })
    : notSold(`This ${what} cannot be booked`, reasons, known);
};

/** What the catalog has for a request. */
export interface Found {
  /** Who sells it. */
  readonly ownerId: string;
  readonly cancellationPolicy: CancellationPolicyName;
  readonly confirmation: Confirmation;
  /** Whether its guest may have another booking of the kind at the same time; absent for kinds that always allow it. */
  readonly allowOverlapping?: boolean;
  /** At least one, in order of preference. There are several when more than one table or vehicle of a listing fits. */
  readonly offers: readonly Offer[];
}
