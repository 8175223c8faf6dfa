/** The read models of partners. */
import type { ReadModel } from '../engine/readModel.ts';
import { apiKeys } from './apiKeys.ts';

export const readModels: readonly ReadModel[] = [apiKeys];
