/** The read models of badges. */
import type { ReadModel } from '../engine/readModel.ts';
import { badgeAwards } from './awards.ts';
import { badges } from './badges.ts';

export const readModels: readonly ReadModel[] = [badges, badgeAwards];
