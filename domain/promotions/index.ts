/** The domain manifest of this module. */
import { promoCode } from './promoCode.ts';

/** Why this module holds personal data. */
export const promotionsPurpose = {
  purpose: 'let promo codes be used as often as they promise',
  basis: 'contract',
  seenBy: ['self', 'admins'],
} as const;

export const promotions = { aggregates: [promoCode], purpose: promotionsPurpose } as const;
