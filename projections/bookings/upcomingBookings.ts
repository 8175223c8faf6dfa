/** Bookings that have not ended. */
import { transitions } from '../../domain/bookings/transitions.ts';
import { idPages } from '../engine/idPages.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { bookings } from './bookings.ts';

/** The column of the guest or of the seller. */
export type Side = 'user_id' | 'provider_id';

/**
 * The ids of the bookings of a person that can be cancelled and end later than `at`, the first to end first.
 */
export const bookingsAhead = (db: ReadDb, side: Side, person: string, at: string): AsyncGenerator<readonly string[]> =>
  idPages((limit, last: { readonly id: string; readonly ends_at: string } | undefined) =>
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
      .limit(limit)
      .execute(),
  );
