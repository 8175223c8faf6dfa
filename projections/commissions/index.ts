/** The read models of commissions. */
import type { ReadModel } from '../engine/readModel.ts';
import { commissionRules } from './commissionRules.ts';

export const readModels: readonly ReadModel[] = [commissionRules];
