/** The domain manifest of this module. */
import { lift } from './lift.ts';
import { resortReport } from './mountainReport.ts';
import { liftQueue } from './queue.ts';
import { slope } from './slope.ts';
import { liftTold, slopeTold } from './toldState.ts';
import { webcam } from './webcam.ts';

/** Why this module holds personal data. */
export const resortPurpose = {
  purpose: 'count how many wait at a lift, and tell people when the wait is short',
  basis: 'contract',
  seenBy: ['self'],
} as const;

export const resort = {
  aggregates: [lift, slope, liftQueue, liftTold, slopeTold, resortReport, webcam],
  purpose: resortPurpose,
} as const;
