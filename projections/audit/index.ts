/** The read models of audit. */
import type { ReadModel } from '../engine/readModel.ts';
import { auditEvents } from './auditEvents.ts';
import { contentReads } from './contentReads.ts';

export const readModels: readonly ReadModel[] = [auditEvents, contentReads];
