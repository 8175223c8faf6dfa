/** The domain manifest of this module. */
import { consent } from './consent.ts';
import { consentPolicies } from './policy.ts';

export const consents = { aggregates: [consent, consentPolicies] } as const;
