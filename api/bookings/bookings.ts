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
import { Rejected } from '../../domain/core/decider.ts';
import { toMajor } from '../../domain/core/money.ts';
import { Currency, DateOnly, Instant, Minor, Nullable, Uuid } from '../../domain/core/schema.ts';
import { toCamel, toSnake } from '../../infra/naming.ts';
import { type BookingRow, BookingStatus, bookingColumns } from '../../projections/bookings/bookingRow.ts';
import { bookingById, bookings, listBookings } from '../../projections/bookings/bookings.ts';
import { Booking, showBooking, showBookings } from '../../projections/bookings/bookingWire.ts';
import { Guests } from '../catalog/stays.ts';
import type { App } from '../http/app.ts';
import type { User } from '../http/caller.ts';
import { ListOf, listOf, type Paging, pagingOf, pagingQuery } from '../http/paging.ts';
import { route } from '../http/route.ts';

/** The row of a booking that a command has just changed; `created_at` is known only to the read side. */
export const rowOf = async (
  { db }: Pick<App, 'db'>,
  { at }: CommandContext,
  { bookingId, booking }: Booked,
): Promise<BookingRow> => {
  const before = await bookingById(db, bookingId);
  return bookingColumns(bookingId, booking, before?.created_at ?? at, at);
};

/** The reply of a command on a booking, as its caller sees it. */
export const shown = async (app: App, context: CommandContext, booked: Booked): Promise<Booking> => {
  return showBooking(app.db, await rowOf(app, context, booked), context.actor);
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
  caller: User,
  whose: { userId?: string; sellerId?: string },
): Promise<ReturnType<typeof listOf<Booking>>> => {
  const paging: Paging = pagingOf(query);
  const { type, status, date, from, to } = query;
  const { rows, total } = await listBookings(app.db, { ...whose, ...paging, type, status, date, from, to });
  return listOf({ rows: await showBookings(app.db, rows, caller), total }, paging);
};

const own = (key: 'GET /api/v1/bookings/' | 'GET /api/v1/bookings/me', id: string) =>
  route(key, {
    id,
    access: 'user',
    summary: 'List own bookings',
    description: 'Newest first. Dates are in the local time of the place.',
    query: Filters,
    reply: ListOf(Booking),
    handle: ({ query, caller }, app) => page(app, query, caller, { userId: caller.id }),
  });

const ofProvider = route('GET /api/v1/bookings/provider', {
  id: 'listProviderBookings',
  access: 'provider',
  summary: 'List bookings of own listings (seller)',
  description: 'Newest first. Admins get the bookings of all sellers.',
  query: Filters,
  reply: ListOf(Booking),
  handle: ({ query, caller }, app) => page(app, query, caller, caller.role === 'admin' ? {} : { sellerId: caller.id }),
});

const mayRead = (booking: BookingRow, { id, role }: User): boolean =>
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
    return showBooking(app.db, found, caller);
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
    'too_many_holds',
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
