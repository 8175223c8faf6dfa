/** The domain manifest of this module. */
import { consent } from './consent.ts';
import { consentPolicies } from './policy.ts';

/** Why this module holds personal data. */
export const consentsPurpose = {
  purpose: 'prove which consent was given, when and how',
  basis: 'law',
  seenBy: ['self', 'admins'],
} as const;

export const consents = { aggregates: [consent, consentPolicies], purpose: consentsPurpose } as const;
