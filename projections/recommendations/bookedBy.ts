/** What people have booked, read for recommendations. */
import { paidStatuses } from '../../domain/bookings/booking.ts';
import type { Visit } from '../../domain/recommendations/score.ts';
import { bookings } from '../bookings/bookings.ts';
import { consents } from '../consents/consents.ts';
import { versionsInForce } from '../consents/policies.ts';
import { isAnyOf, type ReadDb, tables } from '../engine/readDb.ts';
import { statement } from '../engine/statements.ts';
import { type CountedBooking, MAX_BOOKINGS_OF_ONE } from './bookingCounts.ts';

/** A booking that is made or waits for its payment: nobody has to be shown it again. */
const STANDING = [...paidStatuses, 'pending_payment'] as const;
/** Of one person, the newest. */
const MAX_HISTORY = 200;

export interface OwnBookings {
  /** Listings that need not be recommended any more. */
  readonly booked: ReadonlySet<string>;
  /** What was paid for: it says what the person likes. The newest first. */
  readonly history: readonly Visit[];
}

const newestOf = statement((db, { person }: { readonly person: string }) =>
  tables(db, bookings)
    .selectFrom('bookings')
    .select(['listing_id', 'status', 'created_at'])
    .where('user_id', '=', person)
    .where('status', 'in', STANDING)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(MAX_HISTORY),
);

export const bookingsOf = async (db: ReadDb, person: string): Promise<OwnBookings> => {
  const rows = await newestOf(db, { person });
  const paid = rows.filter(({ status }) => paidStatuses.includes(status));
  return {
    booked: new Set(rows.map(({ listing_id }) => listing_id)),
    history: paid.map(({ listing_id, created_at }) => ({ itemId: listing_id, at: created_at })),
  };
};

/**
 * A page of the people who consent to recommendations, those with the newest accounts first.
 * @param before the last id of the page before; undefined for the first page
 */
export const consentingPeople = async (
  db: ReadDb,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<string[]> => {
  const { recommendations } = await versionsInForce(db);
  const rows = await tables(db, consents)
    .selectFrom('consents')
    .select('account_id')
    .where('purpose', '=', 'recommendations')
    .where('granted', '=', true)
    .where('policy_version', '=', recommendations.version)
    .$if(before !== undefined, (q) => q.where('account_id', '<', before ?? ''))
    .orderBy('account_id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ account_id }) => account_id);
};

/** What these people booked since a day, for counting. Whoever booked nothing is missing. @param since RFC 3339 */
export const countedBookings = async (
  db: ReadDb,
  people: readonly string[],
  since: string,
): Promise<ReadonlyMap<string, readonly CountedBooking[]>> => {
  const found = new Map<string, CountedBooking[]>();
  if (people.length === 0) return found;
  const rows = await tables(db, bookings)
    .selectFrom('bookings')
    .select(['user_id', 'listing_id', 'created_at', 'starts_on'])
    .where(isAnyOf('user_id', people))
    .where('status', 'in', paidStatuses)
    .where('created_at', '>=', since)
    .orderBy('user_id')
    .orderBy('created_at', 'desc')
    .execute();
  for (const { user_id, listing_id, created_at, starts_on } of rows) {
    const of = found.get(user_id) ?? [];
    if (of.length < MAX_BOOKINGS_OF_ONE) of.push({ itemId: listing_id, at: created_at, startsOn: starts_on });
    found.set(user_id, of);
  }
  return found;
};
