/** The read models of passes. */
import type { ReadModel } from '../engine/readModel.ts';
import { passClosedDates } from './closedDates.ts';
import { passes } from './passes.ts';
import { passScans } from './scans.ts';
import { skiPassTariffs } from './tariffs.ts';

export const readModels: readonly ReadModel[] = [skiPassTariffs, passClosedDates, passes, passScans];
