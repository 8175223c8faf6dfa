/** Bookings: listed, cancelled, and answered by their sellers. */
import { type Static, Type } from '@sinclair/typebox';
import { cancelBooking, cancellationQuote, confirmBooking, rejectBooking } from '../../commands/bookings/bookings.ts';
import type { Booked } from '../../commands/bookings/loadBooking.ts';
import { markNoShow, withdrawNoShow } from '../../commands/bookings/noShows.ts';
import type { CommandContext } from '../../commands/core/handle.ts';
import { BookingType } from '../../domain/catalog/bookableItem.ts';
import { notFound } from '../../domain/core/decider.ts';
import { toMajor } from '../../domain/core/money.ts';
import { Currency, DateOnly, Instant, Minor, Nullable } from '../../domain/core/schema.ts';
import type { JsonText } from '../../infra/jsonText.ts';
import { toSnake } from '../../infra/naming.ts';
import { type BookingRow, BookingStatus, bookingColumns } from '../../projections/bookings/bookingRow.ts';
import { bookingCreatedAt, bookingFor, bookings, listBookings } from '../../projections/bookings/bookings.ts';
import { Booking, showBooking } from '../../projections/bookings/bookingWire.ts';
import { titles } from '../../projections/catalog/titles.ts';
import { callersChannel, callersSales } from '../accounts/channels.ts';
import type { App } from '../http/app.ts';
import type { User } from '../http/caller.ts';
import { ListOf, pagedText, pagingQuery } from '../http/paging.ts';
import { ById, route } from '../http/route.ts';

const DESK_WORK = { none: 'daily work of a desk: a refund goes to whoever paid, and the guest is told' };

/** The row of a booking that a command has just changed. Only the read side knows when an older one was made. */
export const rowOf = async (
  { db }: Pick<App, 'db'>,
  { at }: CommandContext,
  { bookingId, booking, createdAt }: Booked,
): Promise<BookingRow> =>
  bookingColumns(bookingId, booking, createdAt ?? (await bookingCreatedAt(db, bookingId)) ?? at, at);

/** The reply of a command on a booking, as its caller sees it. */
export const shown = async (app: App, context: CommandContext, booked: Booked): Promise<JsonText<Booking>> =>
  showBooking(app.db, await rowOf(app, context, booked), context.actor);

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
const reads = [bookings, titles];

const page = async (
  app: App,
  query: Static<typeof Filters>,
  caller: User,
  whose: { userId?: string; sellerId?: string },
) => {
  const { type, status, reference, date, from, to } = query;
  const filters = { type, status, reference, date, from, to };
  return pagedText(query, (paging) => listBookings(app.db, caller, { ...whose, ...paging, ...filters }));
};

const own = (key: 'GET /api/v1/bookings/' | 'GET /api/v1/bookings/me', id: string) =>
  route(key, {
    id,
    access: 'user',
    summary: 'List own bookings',
    description: 'Newest first. Dates are in the local time of the place.',
    query: Filters,
    reply: ListOf(Booking),
    reads,
    channel: callersChannel,
    handle: ({ query, caller }, app) => page(app, query, caller, { userId: caller.id }),
  });

const ofProvider = route('GET /api/v1/bookings/provider', {
  id: 'listProviderBookings',
  access: 'user',
  harm: { of: 'content', by: 'admin' },
  summary: 'List bookings of own listings (seller)',
  description:
    'Newest first. Admins get the bookings of all sellers. Somebody who lost the role of a seller still gets the bookings of that time.',
  query: Filters,
  reply: ListOf(Booking),
  reads,
  channel: callersSales,
  handle: ({ query, caller }, app) => page(app, query, caller, caller.role === 'admin' ? {} : { sellerId: caller.id }),
});

const get = route('GET /api/v1/bookings/:id', {
  id: 'getBooking',
  access: 'user',
  summary: 'Get a booking',
  params: ById,
  reply: Booking,
  reads,
  errors: ['not_found'],
  handle: async ({ params, caller }, app) => {
    const found = await bookingFor(app.db, caller, params.id);
    if (!found) throw notFound('booking');
    return found;
  },
});

const quote = route('GET /api/v1/bookings/:id/cancellation-quote', {
  id: 'getCancellationQuote',
  previews: 'POST /api/v1/bookings/:id/cancel',
  access: 'user',
  summary: 'Preview the cost of a cancellation',
  params: ById,
  reply: Type.Object(
    {
      penalty_percent: Type.Integer(),
      penalty: Type.Number(),
      penalty_minor: Minor,
      refund: Type.Number(),
      refund_minor: Minor,
      currency: Currency,
      until: Nullable({
        ...Instant,
        description: 'The penalty is not higher until then, that instant included; null: it never gets higher.',
      }),
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
  harm: DESK_WORK,
  summary: 'Cancel a booking',
  description:
    'A guest gets the refund of the cancellation quote. If the seller or an admin cancels, the guest gets a full refund.',
  params: ById,
  body: Reason,
  reply: Booking,
  errors: ['not_found', 'invalid_transition', 'conflict'],
  projections: [bookings],
  handle: async ({ params, body, context }, app) =>
    shown(app, context, await cancelBooking(app, context, params.id, body.reason ?? null)),
});

const confirm = route('POST /api/v1/bookings/:id/confirm', {
  id: 'confirmBooking',
  access: 'user',
  harm: DESK_WORK,
  summary: 'Confirm a booking (seller)',
  description: 'An instant booking is confirmed by its payment: nothing changes.',
  params: ById,
  reply: Booking,
  errors: ['not_found', 'forbidden', 'invalid_transition'],
  projections: [bookings],
  handle: async ({ params, context }, app) => shown(app, context, await confirmBooking(app, context, params.id)),
});

const reject = route('POST /api/v1/bookings/:id/reject', {
  id: 'rejectBooking',
  access: 'user',
  harm: DESK_WORK,
  summary: 'Reject a booking (seller)',
  description: 'The guest gets a full refund. An instant booking that is paid cannot be rejected, only cancelled.',
  params: ById,
  body: Reason,
  reply: Booking,
  errors: ['not_found', 'forbidden', 'invalid_transition', 'conflict'],
  projections: [bookings],
  handle: async ({ params, body, context }, app) =>
    shown(app, context, await rejectBooking(app, context, params.id, body.reason ?? null)),
});

const noShow = route('POST /api/v1/bookings/:id/no-show', {
  id: 'recordNoShow',
  access: 'user',
  harm: DESK_WORK,
  summary: 'Record a no-show (seller)',
  description:
    'Possible for a confirmed booking from its start until it is completed. What is left of its places is for sale again. The guest gets no refund; `POST /payments/{id}/refund` gives some back. Withdraw it within a day if the guest came after all.',
  params: ById,
  reply: Booking,
  errors: ['not_found', 'forbidden', 'invalid_transition'],
  projections: [bookings],
  handle: async ({ params, context }, app) => shown(app, context, await markNoShow(app, context, params.id)),
});

const came = route('POST /api/v1/bookings/:id/no-show/withdraw', {
  id: 'withdrawNoShow',
  access: 'user',
  harm: DESK_WORK,
  summary: 'Withdraw a no-show (seller)',
  description:
    'Possible within a day after it was recorded, while nobody else has what is left of its places. The booking is confirmed again, and completed at its end.',
  params: ById,
  reply: Booking,
  errors: ['not_found', 'forbidden', 'invalid_transition', 'sold_out', 'hold_expired'],
  projections: [bookings],
  handle: async ({ params, context }, app) => shown(app, context, await withdrawNoShow(app, context, params.id)),
});

export const bookingRoutes = [
  own('GET /api/v1/bookings/', 'listBookings'),
  own('GET /api/v1/bookings/me', 'listOwnBookings'),
  ofProvider,
  get,
  quote,
  cancel,
  confirm,
  reject,
  noShow,
  came,
];
