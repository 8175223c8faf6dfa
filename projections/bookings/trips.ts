/** Trips as the guests who booked them see them. The state of each booking is read from the bookings. */

import { type Static, Type } from '@sinclair/typebox';
import { bookingsPurpose } from '../../domain/bookings/index.ts';
import { toMajor } from '../../domain/core/money.ts';
import { Currency, Instant, Minor, Nullable, Uuid } from '../../domain/core/schema.ts';
import { arrayText, type JsonText, withFields } from '../../infra/jsonText.ts';
import { forTheBooks } from '../../infra/personalData.ts';
import { userChannel } from '../accounts/channels.ts';
import { type Page, type Paging, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';
import { formsOf } from '../engine/replies.ts';
import { type Audience, type Viewer, wireFormWith } from '../engine/wire.ts';
import type { BookingRow } from './bookingRow.ts';
import { type BookingInTrip, bookingsInTrips } from './bookings.ts';
import { Booking, bookingWire } from './bookingWire.ts';

const Row = Type.Object({
  id: Uuid,
  user_id: Uuid,
  notes: Nullable(Type.String()),
  currency: Currency,
  /** The sum of all bookings as they were made; replies have their sum as they are now. */
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

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

/** What of a booking is still to be paid: all of it, or a change that waits for its payment. */
const dueOf = ({ status, total_minor, change }: BookingInTrip): number =>
  status === 'pending_payment' ? total_minor : (change?.due_minor ?? 0);

/** What a trip shows of its bookings. */
export const ofBookings = (
  { booking_ids, currency, ...row }: Pick<TripRow, 'booking_ids' | 'currency' | 'total_minor'>,
  found: readonly BookingInTrip[],
) => {
  const byId = new Map(found.map((booking) => [booking.id, booking]));
  const bookings = booking_ids.flatMap((id) => byId.get(id) ?? []);
  const isWhole = bookings.length === booking_ids.length;
  const total_minor = isWhole ? sum(bookings.map((each) => each.total_minor)) : row.total_minor;
  const due_minor = sum(bookings.map(dueOf));
  const [total, due] = [toMajor(total_minor, currency), toMajor(due_minor, currency)];
  return { total, total_minor, due, due_minor, bookings: arrayText(bookings.map(({ shown }) => shown)) };
};

const tripWire = wireFormWith({
  schema: Trip,
  make: ({ booking_ids, ...row }: TripRow) => row,
  overlay: {
    fields: ['total', 'total_minor', 'due', 'due_minor', 'bookings'],
    needs: ['booking_ids', 'currency', 'total_minor'],
    read: async (db, rows, seers) => {
      const ids = rows.flatMap(({ booking_ids }) => booking_ids);
      const found = new Map<Audience, BookingInTrip[]>();
      for (const audience of seers) found.set(audience, await bookingsInTrips(db, ids, audience));
      return (row, audience) => ofBookings(row, found.get(audience) ?? []);
    },
  },
});

const tripAudience = ({ role }: Viewer): Audience => (role === 'admin' ? 'admin' : 'guest');

/** Trips as this person sees them, with their bookings as they are now. */
export const showTrips = async (db: ReadDb, rows: readonly TripRow[], viewer: Viewer): Promise<JsonText<Trip>[]> => {
  const audience = tripAudience(viewer);
  const formFor = await formsOf(db, { wire: tripWire }, rows, [audience]);
  return rows.map((row) => formFor(row, audience) as JsonText<Trip>);
};

export const showTrip = async (db: ReadDb, row: TripRow, viewer: Viewer): Promise<JsonText<Trip>> =>
  (await showTrips(db, [row], viewer))[0] as JsonText<Trip>;

/** A trip that was just booked, with these bookings. */
export const showNewTrip = async (
  db: ReadDb,
  row: TripRow,
  booked: readonly BookingRow[],
  viewer: Viewer,
): Promise<JsonText<Trip>> => {
  const audience = tripAudience(viewer);
  const formFor = await formsOf(db, { wire: bookingWire }, booked, [audience]);
  const bookings = booked.map((each) => ({ ...each, shown: formFor(each, audience) as JsonText<Booking> }));
  return withFields(tripWire.textOf(row, audience), ofBookings(row, bookings));
};

export const trips = readModel('trips', {
  version: 2,
  row: Row,
  wire: tripWire,
  key: 'id',
  personalData: { whose: 'user_id', texts: ['notes'], why: bookingsPurpose, retention: forTheBooks },
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
  publishTo: [{ channel: userChannel, idsOf: ({ user_id }) => [user_id], audience: 'guest' }],
});

export const tripById = (db: ReadDb, id: string): Promise<TripRow | undefined> =>
  tables(db, trips).selectFrom('trips').selectAll().where('id', '=', id).executeTakeFirst();

/** Newest first. */
export const listTrips = (
  db: ReadDb,
  { userId, ...paging }: Paging & { readonly userId: string },
): Promise<Page<TripRow>> => {
  const own = tables(db, trips).selectFrom('trips').selectAll().where('user_id', '=', userId);
  return pageOf(db, own.orderBy('created_at', 'desc').orderBy('id'), paging);
};
