/** The read models of friends. */
import type { ReadModel } from '../engine/readModel.ts';
import { friendInvitations } from './friendInvitations.ts';
import { friendships } from './friendships.ts';

export const readModels: readonly ReadModel[] = [friendships, friendInvitations];
