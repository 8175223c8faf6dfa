/** The domain manifest of this module. */

import { trackingPurpose } from './purpose.ts';
import { reportedDay } from './reportedDay.ts';
import { trackReview } from './review.ts';
import { trackingSession } from './session.ts';
import { trackingTargets } from './target.ts';

export const tracking = {
  aggregates: [trackingSession, trackReview, reportedDay, trackingTargets],
  purpose: trackingPurpose,
} as const;
