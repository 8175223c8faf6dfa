/** The read models of files. */
import type { ReadModel } from '../engine/readModel.ts';
import { files } from './files.ts';

export const readModels: readonly ReadModel[] = [files];
