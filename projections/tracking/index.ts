/** The read models of tracking, and its channel. */
import type { ReadModel } from '../engine/readModel.ts';
import { trackPeople } from './people.ts';
import { reportedDays } from './reportedDays.ts';
import { trackReviews } from './reviews.ts';
import { trackingSessions } from './sessions.ts';
import { trackingShares } from './shares.ts';
import { trackingTargetModel } from './targets.ts';

export const readModels: readonly ReadModel[] = [
  trackPeople,
  trackingSessions,
  trackReviews,
  trackingShares,
  reportedDays,
  trackingTargetModel,
];
