/** The read models of the resort. */
import type { ReadModel } from '../engine/readModel.ts';
import { resortChanges } from './changes.ts';
import { resortLifts, resortSlopes } from './facilities.ts';
import { resortReports } from './mountainReport.ts';
import { liftStates, slopeStates } from './states.ts';
import { liftQueueQuarters } from './typicalWaits.ts';
import { webcams } from './webcams.ts';

export const readModels: readonly ReadModel[] = [
  resortLifts,
  resortSlopes,
  resortChanges,
  liftStates,
  slopeStates,
  liftQueueQuarters,
  resortReports,
  webcams,
];
