/** The read models of reviews. A review shows its answer. */
import type { ReadModel } from '../engine/readModel.ts';
import { reviewAnswers } from './answers.ts';
import { reviews } from './reviews.ts';

export const readModels: readonly ReadModel[] = [reviewAnswers, reviews];
