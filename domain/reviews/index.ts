/** The domain manifest of this module. */
import { review } from './review.ts';

export const reviews = { aggregates: [review] } as const;
