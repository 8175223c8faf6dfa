/** The domain manifest of this module. */
import { commissionRules } from './commissionRules.ts';
import { commissionsPurpose } from './purpose.ts';

export const commissions = { aggregates: [commissionRules], purpose: commissionsPurpose } as const;
