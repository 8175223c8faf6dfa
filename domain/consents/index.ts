/** The domain manifest of this module. */
import { consent } from './consent.ts';
import { consentPolicies } from './policy.ts';
import { consentsPurpose } from './purpose.ts';

export const consents = { aggregates: [consent, consentPolicies], purpose: consentsPurpose } as const;
