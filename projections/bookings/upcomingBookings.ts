/** Bookings that have not ended. */
import { transitions } from '../../domain/bookings/transitions.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { bookings } from './bookings.ts';

const IDS_AT_ONCE = 100;

/** The column of the guest or of the seller. */
export type Side = 'user_id' | 'provider_id';

/**
 * The ids of the bookings of a person that can be cancelled and end later than `at`, the first to end first. They are read
 * some at a time, each time as the table is then.
 */
export const bookingsAhead = async function* (
  db: ReadDb,
  side: Side,
  person: string,
  at: string,
): AsyncGenerator<readonly string[]> {
  const page = (last?: { readonly id: string; readonly ends_at: string }) =>
    tables(db, bookings)
      .selectFrom('bookings')
      .select(['id', 'ends_at'])
      .where(side, '=', person)
      .where('status', 'in', transitions.Cancel.from)
      .where('ends_at', '>', at)
      .$if(last !== undefined, (query) =>
        query.where((eb) => eb(eb.refTuple('ends_at', 'id'), '>', eb.tuple(last?.ends_at ?? '', last?.id ?? ''))),
      )
      .orderBy('ends_at')
      .orderBy('id')
      .limit(IDS_AT_ONCE)
      .execute();
  for (let rows = await page(); rows.length > 0; rows = await page(rows.at(-1))) yield rows.map(({ id }) => id);
};
