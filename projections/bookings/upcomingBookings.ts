/** Bookings that have not ended. */
import { transitions } from '../../domain/bookings/transitions.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { bookings } from './bookings.ts';

/** The column of the guest or of the seller. */
export type Side = 'user_id' | 'provider_id';

/** The ids of the bookings of a person that can be cancelled and end later than `at`, the first to end first. */
export const bookingsAhead = async (db: ReadDb, side: Side, person: string, at: string): Promise<string[]> => {
  const rows = await tables(db, bookings)
    .selectFrom('bookings')
    .select('id')
    .where(side, '=', person)
    .where('status', 'in', transitions.Cancel.from)
    .where('ends_at', '>', at)
    .orderBy('ends_at')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
};
