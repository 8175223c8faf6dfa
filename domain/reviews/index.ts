/** The domain manifest of this module. */

import { review } from './review.ts';

/** Why this module holds personal data. */
export const reviewsPurpose = {
  purpose: 'show what guests think of what they booked',
  basis: 'contract',
  seenBy: ['public'],
} as const;

export const reviews = { aggregates: [review], purpose: reviewsPurpose } as const;
