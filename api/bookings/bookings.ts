/** Bookings: guests change and cancel them, sellers confirm and reject them. */
import { type Static, Type } from '@sinclair/typebox';
import {
  type Booked,
  cancelBooking,
  cancellationQuote,
  confirmBooking,
  markNoShow,
  rejectBooking,
  updateBooking,
} from '../../commands/bookings/bookings.ts';
import type { CommandContext } from '../../commands/core/handle.ts';
import { BookingType } from '../../domain/catalog/bookableItem.ts';
import { daysBetween } from '../../domain/core/dates.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { toMajor } from '../../domain/core/money.ts';
import { Currency, DateOnly, Instant, Minor, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { toCamel, toSnake } from '../../infra/naming.ts';
import {
  BookingStatus,
  bookingById,
  bookingColumns,
  bookingSurroundings,
  bookings,
  listBookings,
  type NamedBooking,
} from '../../projections/bookings/bookings.ts';
import { Guests } from '../catalog/stays.ts';
import type { App } from '../http/app.ts';
import type { User } from '../http/caller.ts';
import { ListOf, listOf, type Paging, pagingOf, pagingQuery } from '../http/paging.ts';
import { route } from '../http/route.ts';

/** A booking on the wire: `…_minor` are whole minor units, their namesakes major units. */
export const Booking = Type.Object(
  {
    ...bookings.row.properties,
    price_lines: Type.Array(
      Type.Object({
        kind: OneOf(['night', 'tax', 'fee', 'item'] as const),
        /** Of a night. */
        date: Type.Optional(DateOnly),
        /** Of everything else. */
        name: Type.Optional(Type.String()),
        /** Of an item: so many at so much. */
        quantity: Type.Optional(Type.Integer()),
        unit: Type.Optional(Type.Number()),
        unit_minor: Type.Optional(Minor),
        amount: Type.Number(),
        amount_minor: Minor,
      }),
    ),
    total: Type.Number(),
    nights: Nullable(Type.Integer()),
    /** What the hotel, tour, restaurant, route or instructor is called. */
    title: Nullable(Type.String()),
    /** What the room, table or vehicle is called. */
    item_title: Nullable(Type.String()),
  },
  { $id: 'Booking' },
);
type Booking = Static<typeof Booking>;

export const wire = (row: NamedBooking): Booking => ({
  ...row,
  price_lines: row.price_lines.map((line) => ({
    ...line,
    amount: toMajor(line.amount_minor, row.currency),
    ...('unit_minor' in line && { unit: toMajor(line.unit_minor, row.currency) }),
  })),
  total: toMajor(row.total_minor, row.currency),
  nights: row.check_in && row.check_out ? daysBetween(row.check_in, row.check_out) : null,
});

/** The reply: what a command has led to, with what only the read side knows. */
export const shown = async (app: App, { at }: CommandContext, { bookingId, booking }: Booked): Promise<Booking> => {
  const columns = bookingColumns(bookingId, booking, at, at);
  const { created_at, ...names } = await bookingSurroundings(app.db, columns);
  return wire({ ...columns, ...names, created_at: created_at ?? at });
};

const Id = Type.Object({ id: Uuid });
export const Notes = Nullable(Type.String({ maxLength: 2_000 }));
const Reason = Type.Object({ reason: Type.Optional(Type.String({ maxLength: 1_000 })) });

const filters = {
  ...pagingQuery,
  type: Type.Optional(BookingType),
  status: Type.Optional(BookingStatus),
  date: Type.Optional({ ...DateOnly, description: 'Slots on this date, and stays with this night.' }),
  from: Type.Optional({ ...DateOnly, description: 'The first date on which a booking may start.' }),
  to: Type.Optional({ ...DateOnly, description: 'The last date on which a booking may start.' }),
};
const Filters = Type.Object(filters);

const page = async (
  app: App,
  query: Static<typeof Filters>,
  whose: { userId?: string; sellerId?: string },
): Promise<ReturnType<typeof listOf<Booking>>> => {
  const paging: Paging = pagingOf(query);
  const { type, status, date, from, to } = query;
  const wanted = { ...whose, ...paging, type, status, date, from, to };
  const { rows, total } = await listBookings(app.db, wanted);
  return listOf({ rows: rows.map(wire), total }, paging);
};

const own = (key: 'GET /api/v1/bookings/' | 'GET /api/v1/bookings/me', id: string) =>
  route(key, {
    id,
    access: 'user',
    summary: 'List own bookings',
    description: 'Newest first. Dates are in the local time of the place.',
    query: Filters,
    reply: ListOf(Booking),
    handle: ({ query, caller }, app) => page(app, query, { userId: caller.id }),
  });

const ofProvider = route('GET /api/v1/bookings/provider', {
  id: 'listProviderBookings',
  access: 'provider',
  summary: 'List bookings of own listings (seller)',
  description: 'Newest first. Admins get the bookings of all sellers.',
  query: Filters,
  reply: ListOf(Booking),
  handle: ({ query, caller }, app) => page(app, query, caller.role === 'admin' ? {} : { sellerId: caller.id }),
});

const mayRead = (booking: NamedBooking, { id, role }: User): boolean =>
  booking.user_id === id || booking.provider_id === id || role === 'admin';

const get = route('GET /api/v1/bookings/:id', {
  id: 'getBooking',
  access: 'user',
  summary: 'Get a booking',
  params: Id,
  reply: Booking,
  errors: ['not_found'],
  handle: async ({ params, caller }, app) => {
    const found = await bookingById(app.db, params.id);
    if (!found || !mayRead(found, caller)) throw new Rejected('not_found', 'This booking does not exist.');
    return wire(found);
  },
});

const change = route('PATCH /api/v1/bookings/:id', {
  id: 'updateBooking',
  access: 'user',
  summary: 'Update a booking',
  description:
    'Only unpaid bookings can be updated. New dates, a new slot or another number of guests are held and priced again; if that fails, nothing changes. A stay has `check_in` and `check_out`; everything else has `slot_start`, and a lesson also `slot_end`. A restaurant may assign another table. A transfer keeps its vehicle.',
  params: Id,
  body: Type.Object(
    {
      check_in: Type.Optional(DateOnly),
      check_out: Type.Optional(DateOnly),
      slot_start: Type.Optional(Instant),
      slot_end: Type.Optional(Instant),
      guests: Type.Optional(Guests),
      notes: Type.Optional(Notes),
    },
    { minProperties: 1, $id: 'BookingUpdate' },
  ),
  reply: Booking,
  errors: [
    'not_found',
    'invalid',
    'forbidden',
    'not_bookable',
    'sold_out',
    'invalid_transition',
    'payment_open',
    'hold_expired',
  ],
  projections: [bookings],
  handle: async ({ params, body, context }, app) =>
    shown(app, context, await updateBooking(app, context, params.id, toCamel(body))),
});

const quote = route('GET /api/v1/bookings/:id/cancellation-quote', {
  id: 'getCancellationQuote',
  access: 'user',
  summary: 'Preview the cost of a cancellation',
  params: Id,
  reply: Type.Object(
    {
      penalty_percent: Type.Integer(),
      penalty: Type.Number(),
      penalty_minor: Minor,
      refund: Type.Number(),
      refund_minor: Minor,
      currency: Currency,
    },
    { $id: 'CancellationQuote' },
  ),
  errors: ['not_found', 'invalid_transition'],
  handle: async ({ params, context }, app) => {
    const found = await cancellationQuote(app, context, params.id);
    const major = (minor: number) => toMajor(minor, found.currency);
    return { ...toSnake(found), penalty: major(found.penaltyMinor), refund: major(found.refundMinor) };
  },
});

const cancel = route('POST /api/v1/bookings/:id/cancel', {
  id: 'cancelBooking',
  access: 'user',
  summary: 'Cancel a booking',
  description:
    'A guest gets the refund of the cancellation quote. If the seller or an admin cancels, the guest gets a full refund.',
  params: Id,
  body: Reason,
  reply: Booking,
  errors: ['not_found', 'invalid_transition'],
  projections: [bookings],
  idempotent: true,
  handle: async ({ params, body, context }, app) =>
    shown(app, context, await cancelBooking(app, context, params.id, body.reason ?? null)),
});

const confirm = route('POST /api/v1/bookings/:id/confirm', {
  id: 'confirmBooking',
  access: 'provider',
  summary: 'Confirm a booking (seller)',
  params: Id,
  reply: Booking,
  errors: ['not_found', 'forbidden', 'invalid_transition'],
  projections: [bookings],
  idempotent: true,
  handle: async ({ params, context }, app) => shown(app, context, await confirmBooking(app, context, params.id)),
});

const reject = route('POST /api/v1/bookings/:id/reject', {
  id: 'rejectBooking',
  access: 'provider',
  summary: 'Reject a booking (seller)',
  description: 'The guest gets a full refund.',
  params: Id,
  body: Reason,
  reply: Booking,
  errors: ['not_found', 'forbidden', 'invalid_transition'],
  projections: [bookings],
  idempotent: true,
  handle: async ({ params, body, context }, app) =>
    shown(app, context, await rejectBooking(app, context, params.id, body.reason ?? null)),
});

const noShow = route('POST /api/v1/bookings/:id/no-show', {
  id: 'recordNoShow',
  access: 'provider',
  summary: 'Record a no-show (seller)',
  description: 'Possible for a confirmed booking from its start until it is completed. The guest gets no refund.',
  params: Id,
  reply: Booking,
  errors: ['not_found', 'forbidden', 'invalid_transition'],
  projections: [bookings],
  idempotent: true,
  handle: async ({ params, context }, app) => shown(app, context, await markNoShow(app, context, params.id)),
});

export const bookingRoutes = [
  own('GET /api/v1/bookings/', 'listBookings'),
  own('GET /api/v1/bookings/me', 'listOwnBookings'),
  ofProvider,
  get,
  change,
  quote,
  cancel,
  confirm,
  reject,
  noShow,
];
