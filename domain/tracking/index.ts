/** The domain manifest of this module. */

import { reportedDay } from './reportedDay.ts';
import { trackReview } from './review.ts';
import { trackingSession } from './session.ts';
import { trackingTargets } from './target.ts';

/** Why this module holds personal data. */
export const trackingPurpose = {
  purpose: 'record days on the mountain, and show them to whom the person chooses',
  basis: 'contract',
  seenBy: ['self', 'friends'],
} as const;

export const tracking = {
  aggregates: [trackingSession, trackReview, reportedDay, trackingTargets],
  purpose: trackingPurpose,
} as const;
