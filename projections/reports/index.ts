/** The read models of reports. */
import type { ReadModel } from '../engine/readModel.ts';
import { appeals } from './appeals.ts';
import { reportEvidence } from './evidence.ts';
import { reports } from './reports.ts';

export const readModels: readonly ReadModel[] = [reports, appeals, reportEvidence];
