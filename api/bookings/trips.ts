/** Trips: several bookings that are created together. */
import { Type } from '@sinclair/typebox';
import { bookTrip } from '../../commands/bookings/trips.ts';
import { MAX_TRIP_ITEMS } from '../../domain/bookings/trip.ts';
import { notFound } from '../../domain/core/decider.ts';
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
import { titles } from '../../projections/catalog/titles.ts';
import { callersChannel } from '../accounts/channels.ts';
import { ExpectedTotal } from '../http/amounts.ts';
import { ListOf, pagingOf, pagingQuery, textListOf } from '../http/paging.ts';
import { ById, route } from '../http/route.ts';
import { Notes, rowOf } from './bookings.ts';
import { NewBookingBody } from './newBookings.ts';

const reads = [trips, bookings, titles];

const book = route('POST /api/v1/trip-booking/aggregate', {
  id: 'bookTrip',
  access: 'user',
  rate: 'money',
  summary: 'Book a trip',
  description:
    'Creates several bookings at once, or none. Each item has the body of `POST /bookings/create`. Pay the bookings one by one or all at once with the id of the trip, before `hold_expires_at`. If an item is refused, nothing is booked and `index` of the error is its position, from 0. All items must have the same currency.',
  body: Type.Object(
    {
      items: Type.Array(NewBookingBody, { minItems: 1, maxItems: MAX_TRIP_ITEMS }),
      notes: Type.Optional(Notes),
      expected_total: ExpectedTotal,
    },
    { $id: 'NewTrip' },
  ),
  reply: Trip,
  status: 201,
  errors: [
    'not_found',
    'forbidden',
    'invalid',
    'not_bookable',
    'promo_refused',
    'sold_out',
    'price_changed',
    'too_many_holds',
    'too_many_free',
    'overlapping_booking',
  ],
  projections: [trips, bookings],
  handle: async ({ body, context }, app) => {
    const { tripId, trip, bookings: made } = await bookTrip(app, context, toCamel(body));
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
  id: 'listOwnTrips',
  access: 'user',
  summary: 'List own trips',
  query: Type.Object(pagingQuery),
  reply: ListOf(Trip),
  reads,
  channel: callersChannel,
  handle: async ({ query, caller }, app) => {
    const paging = pagingOf(query);
    const { rows, total } = await listTrips(app.db, { userId: caller.id, ...paging });
    return textListOf({ rows: await showTrips(app.db, rows, caller), total }, paging);
  },
});

const get = route('GET /api/v1/trip-booking/:id', {
  id: 'getTrip',
  access: 'user',
  summary: 'Get a trip',
  params: ById,
  reply: Trip,
  reads,
  errors: ['not_found'],
  handle: async ({ params, caller }, app) => {
    const found = await tripById(app.db, params.id);
    if (!found || (found.user_id !== caller.id && caller.role !== 'admin')) throw notFound('trip');
    return showTrip(app.db, found, caller);
  },
});

export const tripRoutes = [book, own, get];
