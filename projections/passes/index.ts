/** The read models of passes. */
import type { ReadModel } from '../engine/readModel.ts';
import { skiPassTariffs } from './tariffs.ts';

export const readModels: readonly ReadModel[] = [skiPassTariffs];
