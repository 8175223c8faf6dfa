/** The read models of calls. */
import type { ReadModel } from '../engine/readModel.ts';
import { callParties } from './callParties.ts';
import { calls } from './calls.ts';

export const readModels: readonly ReadModel[] = [calls, callParties];
