/** The read models of reviews. A review shows its answer and its author. */
import type { ReadModel } from '../engine/readModel.ts';
import { reviewAnswers } from './answers.ts';
import { reviewAuthors } from './authors.ts';
import { reviews } from './reviews.ts';

export const readModels: readonly ReadModel[] = [reviewAuthors, reviewAnswers, reviews];
