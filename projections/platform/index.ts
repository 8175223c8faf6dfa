/** The read models of the platform. */
import type { ReadModel } from '../engine/readModel.ts';
import { configRevisions } from './config.ts';
import { platformNotices } from './notices.ts';

export const readModels: readonly ReadModel[] = [configRevisions, platformNotices];
