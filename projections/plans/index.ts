/** The read models of plans. */
import type { ReadModel } from '../engine/readModel.ts';
import { planConfigRevisions } from './config.ts';

export const readModels: readonly ReadModel[] = [planConfigRevisions];
