/** The read models of this module. */
import type { ReadModel } from '../engine/readModel.ts';
import { supportTickets } from './tickets.ts';

export const readModels: readonly ReadModel[] = [supportTickets];
