/** A promo code as it comes out of the ordinary: 10 % off everything, once for each person, borne by the platform. */
import type { PromoTerms } from '../../domain/promotions/terms.ts';

export const promoTerms: PromoTerms = {
  currency: 'RUB',
  percentBps: 1_000,
  amountMinor: null,
  mostMinor: null,
  bearer: 'platform',
  sellerId: null,
  types: [],
  listingIds: [],
  usableFrom: null,
  usableUntil: null,
  startsFrom: null,
  startsTo: null,
  leastTotalMinor: 0,
  uses: 3,
  usesPerPerson: 1,
  firstBookingOnly: false,
};
