/** The read models of flags. */
import type { ReadModel } from '../engine/readModel.ts';
import { featureFlags } from './flags.ts';
import { flagSegments } from './segments.ts';

export const readModels: readonly ReadModel[] = [flagSegments, featureFlags];
