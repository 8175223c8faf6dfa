/** A promo code as it comes out of the ordinary: 10 % off everything, once for each person, borne by the platform. */
import { type PromoTerms, usualTerms } from '../../domain/promotions/terms.ts';

export const promoTerms: PromoTerms = { ...usualTerms, percentBps: 1_000, uses: 3 };
