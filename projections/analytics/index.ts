/** The read models of analytics. */
import type { ReadModel } from '../engine/readModel.ts';
import { bookingMilestones } from './milestones.ts';
import { revenueLines } from './revenueLines.ts';

export const readModels: readonly ReadModel[] = [bookingMilestones, revenueLines];
