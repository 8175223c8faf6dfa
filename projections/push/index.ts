/** The read models of push messages. */
import type { ReadModel } from '../engine/readModel.ts';
import { pushBroadcasts } from './broadcasts.ts';

export const readModels: readonly ReadModel[] = [pushBroadcasts];
