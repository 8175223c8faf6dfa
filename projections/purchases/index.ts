/** The read models of purchases. */
import type { ReadModel } from '../engine/readModel.ts';
import { insuranceProducts } from './insurance.ts';
import { purchases } from './purchases.ts';

export const readModels: readonly ReadModel[] = [purchases, insuranceProducts];
