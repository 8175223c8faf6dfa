/** The domain manifest of this module. */
import { commissionRules } from './commissionRules.ts';

export const commissions = { aggregates: [commissionRules] } as const;
