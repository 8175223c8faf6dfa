/** The read models of favourites. */
import type { ReadModel } from '../engine/readModel.ts';
import { favorites } from './favorites.ts';

export const readModels: readonly ReadModel[] = [favorites];
