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
  withdrawNoShow,
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
/** What the seller learns of the guest. */
export const guest = {
  guest_name: Type.Optional({
    ...Nullable(Type.String({ minLength: 1, maxLength: 200 })),
    description: 'For the seller. The name of the profile by default; null: not told.',
  }),
  guest_phone: Type.Optional({
    ...Nullable(Type.String({ minLength: 1, maxLength: 40 })),
    description: 'For the seller, with the country code. The number of the profile by default; null: not told.',
  }),
  arrival_time: Type.Optional({
    ...Nullable(Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' })),
    description: 'When the guest expects to come: `HH:MM` in the local time of the place.',
  }),
};
const Reason = Type.Object({ reason: Type.Optional(Type.String({ maxLength: 1_000 })) });

const filters = {
  ...pagingQuery,
  type: Type.Optional(BookingType),
  status: Type.Optional(BookingStatus),
  reference: Type.Optional(
    Type.String({ minLength: 8, maxLength: 20, description: 'In any letter case, with or without spaces and dashes.' }),
  ),
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
  const { type, status, reference, date, from, to } = query;
  const filters = { type, status, reference, date, from, to };
  const { rows, total } = await listBookings(app.db, { ...whose, ...paging, ...filters });
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
  access: 'user',
  summary: 'List bookings of own listings (seller)',
  description:
    'Newest first. Admins get the bookings of all sellers. Somebody who lost the role of a seller still gets the bookings of that time.',
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
    'Only unpaid bookings can be moved; notes and the details of the guest can change until the booking has ended. New dates, a new slot or another number of guests are held and priced again; if that fails, nothing changes. A stay has `check_in` and `check_out`; everything else has `slot_start`, and a lesson also `slot_end`. A restaurant may assign another table. A transfer keeps its vehicle.',
  params: Id,
  body: Type.Object(
    {
      check_in: Type.Optional(DateOnly),
      check_out: Type.Optional(DateOnly),
      slot_start: Type.Optional(Instant),
      slot_end: Type.Optional(Instant),
      guests: Type.Optional(Guests),
      notes: Type.Optional(Notes),
      ...guest,
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
  access: 'user',
  summary: 'Confirm a booking (seller)',
  description: 'An instant booking is confirmed by its payment: nothing changes.',
  params: Id,
  reply: Booking,
  errors: ['not_found', 'forbidden', 'invalid_transition'],
  projections: [bookings],
  idempotent: true,
  handle: async ({ params, context }, app) => shown(app, context, await confirmBooking(app, context, params.id)),
});

const reject = route('POST /api/v1/bookings/:id/reject', {
  id: 'rejectBooking',
  access: 'user',
  summary: 'Reject a booking (seller)',
  description: 'The guest gets a full refund. An instant booking that is paid cannot be rejected, only cancelled.',
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
  access: 'user',
  summary: 'Record a no-show (seller)',
  description:
    'Possible for a confirmed booking from its start until it is completed. The guest gets no refund. Withdraw it within a day if the guest came after all.',
  params: Id,
  reply: Booking,
  errors: ['not_found', 'forbidden', 'invalid_transition'],
  projections: [bookings],
  idempotent: true,
  handle: async ({ params, context }, app) => shown(app, context, await markNoShow(app, context, params.id)),
});

const came = route('POST /api/v1/bookings/:id/no-show/withdraw', {
  id: 'withdrawNoShow',
  access: 'user',
  summary: 'Withdraw a no-show (seller)',
  description: 'Possible within a day after it was recorded. The booking is confirmed again, and completed at its end.',
  params: Id,
  reply: Booking,
  errors: ['not_found', 'forbidden', 'invalid_transition'],
  projections: [bookings],
  idempotent: true,
  handle: async ({ params, context }, app) => shown(app, context, await withdrawNoShow(app, context, params.id)),
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
  came,
];
