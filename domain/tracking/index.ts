/** The domain manifest of this module. */
import { reportedDay } from './reportedDay.ts';
import { trackingSession } from './session.ts';
import { trackingTargets } from './target.ts';

export const tracking = { aggregates: [trackingSession, reportedDay, trackingTargets] } as const;
