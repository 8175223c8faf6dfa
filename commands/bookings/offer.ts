/** What the catalog offers for a request, and the terms that are quoted for it. */
import type { BookingTerms } from '../../domain/bookings/bookingEvents.ts';
import type { CancellationPolicyName } from '../../domain/catalog/cancellation.ts';

/** Terms without the hold and the commission. */
export type Offer = Omit<BookingTerms, 'holdId' | 'commission'>;
/** Terms without the hold. */
export type QuotedTerms = Omit<BookingTerms, 'holdId'>;

/** What the catalog has for a request. */
export interface Found {
  /** Who sells it. */
  readonly ownerId: string;
  readonly cancellationPolicy: CancellationPolicyName;
  /** At least one, the best first. Several where any of a listing's tables or vehicles will do. */
  readonly offers: readonly Offer[];
}
