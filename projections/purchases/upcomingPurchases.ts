/** Purchases whose last day may not be over. */
import { addDays, todayIn } from '../../domain/core/dates.ts';
import { cancellableStatuses } from '../../domain/purchases/purchase.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { purchases } from './purchases.ts';

const IDS_AT_ONCE = 100;

/**
 * The ids of the purchases of a person that can be cancelled and may not be over at `at`, the last to end first. Rows do
 * not have the zone of their dates, nor the dates that were added later: some that are over can be among them.
 * They are read some at a time, each time as the table is then.
 * @param added how many dates can have been added to one
 */
export const purchasesAhead = async function* (
  db: ReadDb,
  person: string,
  { at, added }: { readonly at: string; readonly added: number },
): AsyncGenerator<readonly string[]> {
  const page = (last?: { readonly id: string; readonly valid_to: string }) =>
    tables(db, purchases)
      .selectFrom('purchases')
      .select(['id', 'valid_to'])
      .where('user_id', '=', person)
      .where('status', 'in', cancellableStatuses)
      .where('valid_to', '>=', addDays(todayIn('UTC', at), -1 - added))
      .$if(last !== undefined, (query) =>
        query.where((eb) => eb(eb.refTuple('valid_to', 'id'), '<', eb.tuple(last?.valid_to ?? '', last?.id ?? ''))),
      )
      .orderBy('valid_to', 'desc')
      .orderBy('id', 'desc')
      .limit(IDS_AT_ONCE)
      .execute();
  for (let rows = await page(); rows.length > 0; rows = await page(rows.at(-1))) yield rows.map(({ id }) => id);
};
