/** The domain manifest of this module. */
import { lift } from './lift.ts';
import { resortReport } from './mountainReport.ts';
import { resortPurpose } from './purpose.ts';
import { liftQueue } from './queue.ts';
import { slope } from './slope.ts';
import { liftTold, slopeTold } from './toldState.ts';
import { webcam } from './webcam.ts';

export const resort = {
  aggregates: [lift, slope, liftQueue, liftTold, slopeTold, resortReport, webcam],
  purpose: resortPurpose,
} as const;
