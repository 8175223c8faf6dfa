/** Purchases whose last day may not be over. */
import { addDays, todayIn } from '../../domain/core/dates.ts';
import { cancellableStatuses } from '../../domain/purchases/purchase.ts';
import { idPages } from '../engine/idPages.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { purchases } from './purchases.ts';

/**
 * The ids of the purchases of a person that can be cancelled and may not be over at `at`, the last to end first. Rows do
 * not have the zone of their dates, nor the dates that were added later: some that are over can be among them.
 * @param added how many dates can have been added to one
 */
export const purchasesAhead = (
  db: ReadDb,
  person: string,
  { at, added }: { readonly at: string; readonly added: number },
): AsyncGenerator<readonly string[]> =>
  idPages((limit, last: { readonly id: string; readonly valid_to: string } | undefined) =>
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
      .limit(limit)
      .execute(),
  );
