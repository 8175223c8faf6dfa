/** Purchases whose last day is not over. */
import { addDays, todayIn } from '../../domain/core/dates.ts';
import { cancellableStatuses } from '../../domain/purchases/purchase.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { purchases } from './purchases.ts';

/**
 * The ids of the purchases of a person that can be cancelled and may not be over at `at`, the first to end first. Rows do
 * not have the zone of their dates: one that ended less than a day ago can be among them.
 */
export const purchasesAhead = async (db: ReadDb, person: string, at: string, limit: number): Promise<string[]> => {
  const rows = await tables(db, purchases)
    .selectFrom('purchases')
    .select('id')
    .where('user_id', '=', person)
    .where('status', 'in', cancellableStatuses)
    .where('valid_to', '>=', addDays(todayIn('UTC', at), -1))
    .orderBy('valid_to')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
};
