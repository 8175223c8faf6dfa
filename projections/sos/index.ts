/** The read models of people in need. */
import type { ReadModel } from '../engine/readModel.ts';
import { sosIncidents } from './sosIncidents.ts';

export const readModels: readonly ReadModel[] = [sosIncidents];
