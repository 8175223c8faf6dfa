/** The read models of content. */
import type { ReadModel } from '../engine/readModel.ts';
import { attendances } from './attendances.ts';
import { posts } from './posts.ts';

export const readModels: readonly ReadModel[] = [posts, attendances];
