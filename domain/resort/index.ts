/** The domain manifest of this module. */
import { lift } from './lift.ts';
import { resortPurpose } from './purpose.ts';
import { liftQueue } from './queue.ts';
import { resortReport } from './report.ts';
import { slope } from './slope.ts';
import { liftTold, slopeTold } from './told.ts';
import { webcam } from './webcam.ts';

export const resort = {
  aggregates: [lift, slope, liftQueue, liftTold, slopeTold, resortReport, webcam],
  purpose: resortPurpose,
} as const;
