/** The read models of stories. */
import type { ReadModel } from '../engine/readModel.ts';
import { stories } from './stories.ts';

export const readModels: readonly ReadModel[] = [stories];
