/** The read models of promotions. */
import type { ReadModel } from '../engine/readModel.ts';
import { promoCodes, promoUses } from './promoCodes.ts';

export const readModels: readonly ReadModel[] = [promoCodes, promoUses];
