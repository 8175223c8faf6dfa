/**
 * The times of the bookings of an account (`ops.booked_times`): what costs nothing, and what a person can only be at once in
 * one place. They are written when a booking is counted (`unpaid.ts`); this policy keeps them while it is paid, also those
 * of bookings that were made before.
 */
import type { OpenBooking } from '../../domain/bookings/booking.ts';
import type { BookingTerms } from '../../domain/bookings/bookingEvents.ts';
import type { BookableItem } from '../../domain/catalog/bookableItem.ts';
import { instructor } from '../../domain/catalog/instructor.ts';
import { placeOf } from '../../domain/catalog/onePlace.ts';
import { restaurant } from '../../domain/catalog/restaurant.ts';
import { tour } from '../../domain/catalog/tour.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { hasCome } from '../../domain/core/instants.ts';
import type { EventOf } from '../../domain/modules.ts';
import { loadListing } from '../catalog/listings.ts';
import { FOR_QUOTE } from '../core/handle.ts';
import type { PolicyContext } from '../core/jobs.ts';
import { policy } from '../core/policy.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import { loadBooking } from './loadBooking.ts';

export interface BookedTime {
  /** The booking's; of a change that is being made, one of its own. */
  readonly id: string;
  readonly booking: string;
  readonly listing: string;
  readonly kind: string;
  /** null: its guest can be elsewhere at the same time. */
  readonly place: string | null;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly isFree: boolean;
  /** Of the item of a trip. */
  readonly nth: number;
}

type Timed = Pick<BookingTerms, 'item' | 'startsAt' | 'endsAt' | 'totalMinor'>;

/** When a booking is; none where that does not count: it costs something, and its guest can be elsewhere, too. */
export const timesOf = (
  booking: string,
  terms: Timed | undefined,
  { allowOverlapping = false, nth = 0 }: { readonly allowOverlapping?: boolean | undefined; readonly nth?: number },
): BookedTime[] => {
  if (!terms) return [];
  const { item, startsAt, endsAt, totalMinor } = terms;
  const place = allowOverlapping ? null : placeOf(booking, item);
  const isFree = totalMinor === 0;
  if (place === null && !isFree) return [];
  return [{ id: booking, booking, listing: item.listingId, kind: item.type, place, startsAt, endsAt, isFree, nth }];
};

/** Whether its listing lets a guest be elsewhere at the same time. */
export const allowsOverlapping = async (
  deps: Pick<PaymentDeps, 'aggregates'>,
  { type, listingId }: BookableItem,
): Promise<boolean> => {
  switch (type) {
    case 'restaurant':
      return (await loadListing(deps, restaurant, listingId, FOR_QUOTE)).allowOverlapping;
    case 'tour':
      return (await loadListing(deps, tour, listingId, FOR_QUOTE)).allowOverlapping;
    case 'instructor':
      return (await loadListing(deps, instructor, listingId, FOR_QUOTE)).allowOverlapping;
    case 'hotel':
    case 'transfer':
      return true;
  }
};

type Stored = Pick<PaymentDeps, 'pool'>;

/** In the order of their ids, so that two of these statements wait for each other and never deadlock. */
const FORGET = (column: 'id' | 'booking_id') => `
  delete from ops.booked_times where id in (
    select id from ops.booked_times where ${column} = any ($1::uuid[]) order by id for update)`;

export const forgetTimes = async ({ pool }: Stored, ids: readonly string[]): Promise<void> => {
  await pool.query(FORGET('id'), [ids]);
};
/** Those of bookings that have ended, and of changes of them. */
export const forgetTimesOf = async ({ pool }: Stored, bookingIds: readonly string[]): Promise<void> => {
  await pool.query(FORGET('booking_id'), [bookingIds]);
};

const KEEP = `
  with changes as (delete from ops.booked_times where booking_id = $1 and id <> $1)
  insert into ops.booked_times (id, booking_id, user_id, listing_id, kind, place, starts_at, ends_at, is_free, until)
  values ($1, $1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict (id) do update set listing_id = excluded.listing_id, place = excluded.place,
    starts_at = excluded.starts_at, ends_at = excluded.ends_at, is_free = excluded.is_free, until = excluded.until`;

const isLive = ({ status }: Pick<OpenBooking, 'status'>): boolean =>
  status === 'pending_payment' || status === 'paid' || status === 'confirmed';

/** Keeps the time of a booking as it is now, until it is over. */
const keepTime = async (
  { streamId: bookingId, type }: Recorded<EventOf<'BookingPaid' | 'BookingRescheduled' | 'BookingNoShowWithdrawn'>>,
  { deps }: PolicyContext<PaymentDeps>,
): Promise<void> => {
  const state = await loadBooking(deps, bookingId);
  const { item, userId, endsAt, status, holdExpiresAt } = state;
  if (!isLive(state) || hasCome(endsAt, deps.now())) return;
  const allowOverlapping = await allowsOverlapping(deps, item);
  const [time] = timesOf(bookingId, state, { allowOverlapping });
  if (time) {
    const { listing, kind, place, startsAt, isFree } = time;
    const until = status === 'pending_payment' ? holdExpiresAt : endsAt;
    await deps.pool.query(KEEP, [bookingId, userId, listing, kind, place, startsAt, endsAt, isFree, until]);
  } else if (type === 'BookingRescheduled') await forgetTimesOf(deps, [bookingId]);
};

/** Its name makes it begin with the log: so the table has bookings of before, too. */
export const bookedTimesPolicy = policy<PaymentDeps>('booked_times', {
  BookingPaid: keepTime,
  BookingRescheduled: keepTime,
  BookingNoShowWithdrawn: keepTime,
  BookingNoShowRecorded: ({ streamId }, { deps }) => forgetTimesOf(deps, [streamId]),
});
