/** The read models of voice rooms. */
import type { ReadModel } from '../engine/readModel.ts';
import { voiceRecordings } from './recordings.ts';
import { voiceRooms } from './rooms.ts';

export const readModels: readonly ReadModel[] = [voiceRooms, voiceRecordings];
