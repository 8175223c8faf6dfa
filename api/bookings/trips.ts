/** Trips: several bookings made as one, or none of them. */
import { Type } from '@sinclair/typebox';
import { bookTrip } from '../../commands/bookings/trips.ts';
import { MAX_TRIP_ITEMS } from '../../domain/bookings/trip.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { Uuid } from '../../domain/core/schema.ts';
import { toCamel } from '../../infra/naming.ts';
import { bookings } from '../../projections/bookings/bookings.ts';
import {
  listTrips,
  showNewTrip,
  showTrip,
  showTrips,
  Trip,
  tripById,
  trips,
} from '../../projections/bookings/trips.ts';
import { ListOf, listOf, pagingOf, pagingQuery } from '../http/paging.ts';
import { route } from '../http/route.ts';
import { Notes, rowOf } from './bookings.ts';
import { NewBookingBody } from './newBookings.ts';

const book = route('POST /api/v1/trip-booking/aggregate', {
  summary: 'Book several things at once, or none of them',
  description:
    'Each item is what `POST /bookings/create` takes. The places of all of them are held until `hold_expires_at`; pay them one by one, or all at once by naming the trip. If one item is refused, nothing is held, and `index` says which it was, from 0. All have to be of one currency.',
  body: Type.Object({
    items: Type.Array(NewBookingBody, { minItems: 1, maxItems: MAX_TRIP_ITEMS }),
    notes: Type.Optional(Notes),
  }),
  reply: Trip,
  status: 201,
  errors: ['not_found', 'forbidden', 'invalid', 'not_bookable', 'sold_out'],
  projections: [trips, bookings],
  idempotent: true,
  handle: async ({ body, context }, app) => {
    const { items, notes = null } = body;
    const { tripId, trip, bookings: made } = await bookTrip(app, context, { items: toCamel(items), notes });
    const booked = await Promise.all(made.map((one) => rowOf(app, context, one)));
    const row = {
      id: tripId,
      user_id: trip.userId,
      notes: trip.notes,
      currency: trip.currency,
      total_minor: trip.totalMinor,
      booking_ids: made.map(({ bookingId }) => bookingId),
      created_at: (await tripById(app.db, tripId))?.created_at ?? context.at,
    };
    return showNewTrip(app.db, row, booked, context.actor);
  },
});

const own = route('GET /api/v1/trip-booking/me', {
  summary: 'Own trips, newest first',
  query: Type.Object(pagingQuery),
  reply: ListOf(Trip),
  handle: async ({ query, caller }, app) => {
    const paging = pagingOf(query);
    const { rows, total } = await listTrips(app.db, { userId: caller.id, ...paging });
    return listOf({ rows: await showTrips(app.db, rows, caller), total }, paging);
  },
});

const get = route('GET /api/v1/trip-booking/:id', {
  summary: 'One trip, for who booked it',
  params: Type.Object({ id: Uuid }),
  reply: Trip,
  errors: ['not_found'],
  handle: async ({ params, caller }, app) => {
    const found = await tripById(app.db, params.id);
    if (!found || (found.user_id !== caller.id && caller.role !== 'admin'))
      throw new Rejected('not_found', 'There is no such trip.');
    return showTrip(app.db, found, caller);
  },
});

export const tripRoutes = [book, own, get];
