/** The read models of accounts, and its channels. */
import type { ReadModel } from '../engine/readModel.ts';
import { accounts } from './accounts.ts';
import { roleRequests } from './roleRequests.ts';

export const readModels: readonly ReadModel[] = [accounts, roleRequests];
