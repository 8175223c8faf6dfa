/** Trips as the guests who booked them see them. The state of each booking is read from the bookings. */
import { type Static, Type } from '@sinclair/typebox';
import { toMajor } from '../../domain/core/money.ts';
import { Currency, Instant, Minor, Nullable, Uuid } from '../../domain/core/schema.ts';
import { userChannel } from '../accounts/channels.ts';
import { type Page, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';
import { type Audience, showAll, showOne, type Viewer, wireFormWith } from '../engine/wire.ts';
import type { BookingRow } from './bookingRow.ts';
import { bookingsByIds } from './bookings.ts';
import { Booking, bookingWire } from './bookingWire.ts';

const Row = Type.Object({
  id: Uuid,
  user_id: Uuid,
  notes: Nullable(Type.String()),
  currency: Currency,
  /** The sum of all bookings as they were made. */
  total_minor: Minor,
  /** In the order of the request. */
  booking_ids: Type.Array(Uuid),
  created_at: Instant,
});
export type TripRow = Static<typeof Row>;

const { booking_ids: _, ...columns } = Row.properties;

/** A trip in replies and messages: `…_minor` are in minor units, the fields without it in major units. */
export const Trip = Type.Object(
  {
    ...columns,
    total: Type.Number(),
    /** What is still to be paid. */
    due: Type.Number(),
    due_minor: Minor,
    /** As they are now, in the order of the request. A realtime message may come before some of them exist. */
    bookings: Type.Array(Booking),
  },
  { $id: 'Trip' },
);
export type Trip = Static<typeof Trip>;

/** The whole form of bookings, by id. The form of the trip then hides what its audience does not see. */
const fullBookings = async (db: ReadDb, rows: readonly BookingRow[]): Promise<ReadonlyMap<string, Booking>> => {
  const overlayOf = await bookingWire.overlay(db, rows);
  return new Map(rows.map((row) => [row.id, bookingWire.of(row, 'admin', overlayOf(row))]));
};

const dueOf = (bookings: readonly Booking[]): number =>
  bookings.filter(({ status }) => status === 'pending_payment').reduce((sum, { total_minor }) => sum + total_minor, 0);

const ofTrip = (found: ReadonlyMap<string, Booking>, { booking_ids }: TripRow): Booking[] =>
  booking_ids.flatMap((id) => found.get(id) ?? []);

const tripWire = wireFormWith({
  schema: Trip,
  overlay: async (db, rows: readonly TripRow[]) => {
    const ids = rows.flatMap(({ booking_ids }) => booking_ids);
    const found = await fullBookings(db, await bookingsByIds(db, ids));
    return (row: TripRow) => ofTrip(found, row);
  },
  make: ({ booking_ids, ...row }: TripRow, bookings: Booking[]): Trip => {
    const due_minor = dueOf(bookings);
    const { currency, total_minor } = row;
    return { ...row, total: toMajor(total_minor, currency), due: toMajor(due_minor, currency), due_minor, bookings };
  },
});

const tripAudience = ({ role }: Viewer): Audience => (role === 'admin' ? 'admin' : 'guest');

/** Trips as this person sees them, with their bookings as they are now. */
export const showTrips = (db: ReadDb, rows: readonly TripRow[], viewer: Viewer): Promise<Trip[]> =>
  showAll(db, tripWire, rows, () => tripAudience(viewer));

export const showTrip = (db: ReadDb, row: TripRow, viewer: Viewer): Promise<Trip> =>
  showOne(db, tripWire, row, tripAudience(viewer));

/** A trip that was just booked, with these bookings. */
export const showNewTrip = async (
  db: ReadDb,
  row: TripRow,
  booked: readonly BookingRow[],
  viewer: Viewer,
): Promise<Trip> => tripWire.of(row, tripAudience(viewer), ofTrip(await fullBookings(db, booked), row));

export const trips = readModel('trips', {
  version: 2,
  row: Row,
  wire: tripWire,
  key: 'id',
  personal: { of: 'user_id', texts: ['notes'] },
  on: {
    TripBooked: (_, { streamId, at, data }) => ({
      id: streamId,
      user_id: data.userId,
      notes: data.notes,
      currency: data.currency,
      total_minor: data.totalMinor,
      booking_ids: data.bookings.map(({ bookingId }) => bookingId),
      created_at: at,
    }),
  },
  indexes: ['user_id, created_at desc, id'],
  publishTo: [{ channel: userChannel, idOf: ({ user_id }) => user_id, audience: 'guest' }],
});

export const tripById = (db: ReadDb, id: string): Promise<TripRow | undefined> =>
  tables(db, trips).selectFrom('trips').selectAll().where('id', '=', id).executeTakeFirst();

/** Newest first. */
export const listTrips = (
  db: ReadDb,
  { userId, page, perPage }: { userId: string; page: number; perPage: number },
): Promise<Page<TripRow>> => {
  const own = tables(db, trips).selectFrom('trips').selectAll().where('user_id', '=', userId);
  return pageOf(own.orderBy('created_at', 'desc').orderBy('id'), { page, perPage });
};
