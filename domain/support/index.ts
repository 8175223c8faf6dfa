/** The domain manifest of this module. */

import { supportDesk } from './supportDesk.ts';

/** Why this module holds personal data. */
export const supportPurpose = {
  purpose: 'answer requests for help',
  basis: 'contract',
  seenBy: ['self', 'support', 'admins'],
} as const;

export const support = { aggregates: [supportDesk], purpose: supportPurpose } as const;
