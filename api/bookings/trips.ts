/** Trips: several bookings that are created together. */
import { type Static, Type } from '@sinclair/typebox';
import { bookTrip } from '../../commands/bookings/trips.ts';
import { MAX_TRIP_ITEMS } from '../../domain/bookings/trip.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { toMajor } from '../../domain/core/money.ts';
import { Minor, Uuid } from '../../domain/core/schema.ts';
import { toCamel } from '../../infra/naming.ts';
import { bookings, bookingsByIds } from '../../projections/bookings/bookings.ts';
import { listTrips, type TripRow, tripById, trips } from '../../projections/bookings/trips.ts';
import type { App } from '../http/app.ts';
import { ListOf, listOf, pagingOf, pagingQuery } from '../http/paging.ts';
import { route } from '../http/route.ts';
import { Booking, Notes, shown, wire as wireBooking } from './bookings.ts';
import { NewBookingBody } from './newBookings.ts';

const { booking_ids: _ids, ...columns } = trips.row.properties;

/** A trip on the wire: `…_minor` are whole minor units, their namesakes major units. */
const Trip = Type.Object(
  {
    ...columns,
    total: Type.Number(),
    /** What is still to be paid of it. */
    due: Type.Number(),
    due_minor: Minor,
    /** As they are now, in the order they were asked for. */
    bookings: Type.Array(Booking),
  },
  { $id: 'Trip' },
);
type Trip = Static<typeof Trip>;

const sumOf = (found: readonly Static<typeof Booking>[]): number =>
  found.reduce((sum, { total_minor }) => sum + total_minor, 0);

const wire = ({ booking_ids, ...row }: TripRow, found: readonly Static<typeof Booking>[]): Trip => {
  const byId = new Map(found.map((booking) => [booking.id, booking]));
  const own = booking_ids.flatMap((id) => byId.get(id) ?? []);
  const due_minor = sumOf(own.filter(({ status }) => status === 'pending_payment'));
  const { currency, total_minor } = row;
  return {
    ...row,
    total: toMajor(total_minor, currency),
    due: toMajor(due_minor, currency),
    due_minor,
    bookings: own,
  };
};

/** Trips with what has become of their bookings. */
const withBookings = async ({ db }: App, rows: readonly TripRow[]): Promise<Trip[]> => {
  const found = await bookingsByIds(
    db,
    rows.flatMap(({ booking_ids }) => booking_ids),
  );
  return rows.map((row) => wire(row, found.map(wireBooking)));
};

const book = route('POST /api/v1/trip-booking/aggregate', {
  id: 'bookTrip',
  access: 'user',
  summary: 'Book a trip',
  description:
    'Creates several bookings at once, or none. Each item has the body of `POST /bookings/create`. Pay the bookings one by one or all at once with the id of the trip, before `hold_expires_at`. If an item is refused, nothing is booked and `index` of the error is its position, from 0. All items must have the same currency.',
  body: Type.Object(
    {
      items: Type.Array(NewBookingBody, { minItems: 1, maxItems: MAX_TRIP_ITEMS }),
      notes: Type.Optional(Notes),
    },
    { $id: 'NewTrip' },
  ),
  reply: Trip,
  status: 201,
  errors: ['not_found', 'forbidden', 'invalid', 'not_bookable', 'sold_out'],
  projections: [trips, bookings],
  idempotent: true,
  handle: async ({ body, context }, app) => {
    const { items, notes = null } = body;
    const { tripId, trip, bookings: made } = await bookTrip(app, context, { items: toCamel(items), notes });
    const found = await Promise.all(made.map((booked) => shown(app, context, booked)));
    const row = {
      id: tripId,
      user_id: trip.userId,
      notes: trip.notes,
      currency: trip.currency,
      total_minor: trip.totalMinor,
      booking_ids: made.map(({ bookingId }) => bookingId),
      created_at: (await tripById(app.db, tripId))?.created_at ?? context.at,
    };
    return wire(row, found);
  },
});

const own = route('GET /api/v1/trip-booking/me', {
  id: 'listOwnTrips',
  access: 'user',
  summary: 'List own trips',
  query: Type.Object(pagingQuery),
  reply: ListOf(Trip),
  handle: async ({ query, caller }, app) => {
    const paging = pagingOf(query);
    const { rows, total } = await listTrips(app.db, { userId: caller.id, ...paging });
    return listOf({ rows: await withBookings(app, rows), total }, paging);
  },
});

const get = route('GET /api/v1/trip-booking/:id', {
  id: 'getTrip',
  access: 'user',
  summary: 'Get a trip',
  params: Type.Object({ id: Uuid }),
  reply: Trip,
  errors: ['not_found'],
  handle: async ({ params, caller }, app) => {
    const found = await tripById(app.db, params.id);
    if (!found || (found.user_id !== caller.id && caller.role !== 'admin'))
      throw new Rejected('not_found', 'This trip does not exist.');
    const [trip] = await withBookings(app, [found]);
    return trip as Trip;
  },
});

export const tripRoutes = [book, own, get];
