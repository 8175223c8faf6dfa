/** The domain manifest of this module. */

import { reviewsPurpose } from './purpose.ts';
import { review } from './review.ts';

export const reviews = { aggregates: [review], purpose: reviewsPurpose } as const;
