/** The domain manifest of this module. */
import { commissionRules } from './commissionRules.ts';

/** Why this module holds personal data. */
export const commissionsPurpose = {
  purpose: 'compute the commission of a seller',
  basis: 'contract',
  seenBy: ['self', 'admins'],
} as const;

export const commissions = { aggregates: [commissionRules], purpose: commissionsPurpose } as const;
