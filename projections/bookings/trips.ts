/** Trips, as those who booked them see them. What has become of their bookings is the bookings' to say. */
import { Type } from '@sinclair/typebox';
import { Currency, Instant, Minor, Nullable, Uuid } from '../../domain/core/schema.ts';
import { type Page, pageOf } from '../engine/paging.ts';
import { type RowOf, readModel } from '../engine/readModel.ts';
import type { ReadDb } from '../modules.ts';

export const trips = readModel('trips', {
  version: 1,
  row: Type.Object({
    id: Uuid,
    user_id: Uuid,
    notes: Nullable(Type.String()),
    currency: Currency,
    /** Of all bookings as they were made. */
    total_minor: Minor,
    /** In the order they were asked for. */
    booking_ids: Type.Array(Uuid),
    created_at: Instant,
  }),
  key: 'id',
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
  tells: { user: ({ user_id }) => user_id },
});
export type TripRow = RowOf<typeof trips>;

export const tripById = (db: ReadDb, id: string): Promise<TripRow | undefined> =>
  db.selectFrom('trips').selectAll().where('id', '=', id).executeTakeFirst();

/** Newest first. */
export const listTrips = (
  db: ReadDb,
  { userId, page, perPage }: { userId: string; page: number; perPage: number },
): Promise<Page<TripRow>> => {
  const own = db.selectFrom('trips').selectAll().where('user_id', '=', userId);
  return pageOf(own.orderBy('created_at', 'desc').orderBy('id'), { page, perPage });
};
