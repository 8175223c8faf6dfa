/** The domain manifest of this module. */
import { promoCode } from './promoCode.ts';
import { promotionsPurpose } from './purpose.ts';

export const promotions = { aggregates: [promoCode], purpose: promotionsPurpose } as const;
