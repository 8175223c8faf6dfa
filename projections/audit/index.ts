/** The read models of audit. */
import type { ReadModel } from '../engine/readModel.ts';
import { auditEvents } from './auditEvents.ts';

export const readModels: readonly ReadModel[] = [auditEvents];
