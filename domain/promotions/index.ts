/** The domain manifest of this module. */
import { promoCode } from './promoCode.ts';

export const promotions = { aggregates: [promoCode] } as const;
