/** Creating bookings: one command, with the type in the body or in the path. */
import { Type } from '@sinclair/typebox';
import { createBooking, type NewBooking, previewBooking } from '../../commands/bookings/bookings.ts';
import type { CommandContext } from '../../commands/core/handle.ts';
import { DatedPolicy } from '../../domain/catalog/cancellation.ts';
import { vehicleClasses } from '../../domain/catalog/transfer.ts';
import { DateOnly, Instant, OneOf, Tagged, Uuid } from '../../domain/core/schema.ts';
import { snakeSchema, toCamel, toSnake } from '../../infra/naming.ts';
import { bookings } from '../../projections/bookings/bookings.ts';
import { Booking } from '../../projections/bookings/bookingWire.ts';
import { Guests } from '../catalog/stays.ts';
import { ExpectedTotal } from '../http/amounts.ts';
import type { App } from '../http/app.ts';
import { ById, route, WRITES_NOTHING } from '../http/route.ts';
import { Promo, quoteFields, quoteWire } from '../promotions/quotes.ts';
import { guest, Notes, shown } from './bookings.ts';

const party = {
  guests: Guests,
  notes: Type.Optional(Notes),
  ...guest,
  promo: Promo,
  expected_total: ExpectedTotal,
};
const stay = { check_in: DateOnly, check_out: DateOnly, ...party };
const slot = { slot_start: Instant, ...party };
const ride = { ...slot, vehicle_id: Type.Optional(Uuid), vehicle_class: Type.Optional(OneOf(vehicleClasses)) };
const lesson = { slot_start: Instant, slot_end: Instant, ...party };

/** A new booking; `type` selects the fields. */
export const NewBookingBody = {
  ...Tagged('type', [
    Type.Object({ type: Type.Literal('hotel'), item_id: Uuid, ...stay }, { $id: 'NewHotelBooking' }),
    Type.Object({ type: Type.Literal('tour'), item_id: Uuid, ...slot }, { $id: 'NewTourBooking' }),
    Type.Object({ type: Type.Literal('restaurant'), item_id: Uuid, ...slot }, { $id: 'NewTableBooking' }),
    Type.Object({ type: Type.Literal('transfer'), item_id: Uuid, ...ride }, { $id: 'NewTransferBooking' }),
    Type.Object({ type: Type.Literal('instructor'), item_id: Uuid, ...lesson }, { $id: 'NewLessonBooking' }),
  ]),
  $id: 'NewBooking',
};

const book = async (app: App, context: CommandContext, request: NewBooking) =>
  shown(app, context, await createBooking(app, context, request));

/** The part of the declaration that all of these share. */
const booking = {
  reply: Booking,
  status: 201,
  rate: 'money',
  errors: [
    'not_found',
    'forbidden',
    'invalid',
    'not_bookable',
    'sold_out',
    'price_changed',
    'promo_refused',
    'too_many_holds',
    'too_many_free',
    'overlapping_booking',
  ],
  projections: [bookings],
} as const;
const HELD = 'Holds the places until `hold_expires_at`; pay before then. A booking that costs nothing is paid at once.';

const create = route('POST /api/v1/bookings/create', {
  id: 'createBooking',
  access: 'user',
  ...booking,
  summary: 'Create a booking',
  description: `${HELD} \`item_id\` is the id of the room, tour, restaurant, transfer route or instructor. Dates of a stay are in the time zone of the hotel. Only lessons have \`slot_end\`.`,
  body: NewBookingBody,
  handle: ({ body, context }, app) => book(app, context, toCamel(body)),
});

const quote = route('POST /api/v1/bookings/quote', {
  id: 'quoteBooking',
  previews: 'POST /api/v1/bookings/create',
  ignoresKey: WRITES_NOTHING,
  access: 'user',
  rate: 'availability',
  summary: 'Preview the price of a booking',
  description:
    'What `POST /bookings/create` with the same body would cost now, with the discount of a promo code, or why it would be refused. Nothing is held. Where several tables or vehicles fit, the price is that of the first one that is free.',
  body: NewBookingBody,
  status: 200,
  reply: Type.Object({ ...quoteFields, cancellation_policy: snakeSchema(DatedPolicy) }, { $id: 'BookingQuote' }),
  errors: booking.errors,
  handle: async ({ body, context }, app) => {
    const { terms, cancellationPolicy } = await previewBooking(app, context, toCamel(body));
    return { ...quoteWire(terms), cancellation_policy: toSnake(cancellationPolicy) };
  },
});

const bookTour = route('POST /api/v1/tour-bookings', {
  id: 'bookTour',
  access: 'user',
  ...booking,
  summary: 'Book a tour',
  description: HELD,
  body: Type.Object({ tour_id: Uuid, ...slot }),
  handle: ({ body, context }, app) => {
    const { tour_id: itemId, ...rest } = body;
    return book(app, context, { type: 'tour', itemId, ...toCamel(rest) });
  },
});

const bookTransfer = route('POST /api/v1/transfers/bookings', {
  id: 'bookTransfer',
  access: 'user',
  ...booking,
  summary: 'Book a transfer',
  description: `${HELD} Without \`vehicle_id\` and \`vehicle_class\`, the cheapest free vehicle with enough seats is booked.`,
  body: Type.Object({ transfer_id: Uuid, ...ride }),
  handle: ({ body, context }, app) => {
    const { transfer_id: itemId, ...rest } = body;
    return book(app, context, { type: 'transfer', itemId, ...toCamel(rest) });
  },
});

const bookTable = route('POST /api/v1/restaurants/:id/table-bookings', {
  id: 'bookTable',
  access: 'user',
  ...booking,
  summary: 'Book a table',
  description: `${HELD} The smallest free table with enough seats is booked.`,
  params: ById,
  body: Type.Object(slot),
  handle: ({ params, body, context }, app) =>
    book(app, context, { type: 'restaurant', itemId: params.id, ...toCamel(body) }),
});

const bookLesson = route('POST /api/v1/instructors/booking/:id', {
  id: 'bookLesson',
  access: 'user',
  ...booking,
  summary: 'Book a lesson',
  description: HELD,
  params: ById,
  body: Type.Object(lesson),
  handle: ({ params, body, context }, app) =>
    book(app, context, { type: 'instructor', itemId: params.id, ...toCamel(body) }),
});

export const newBookingRoutes = [create, quote, bookTour, bookTransfer, bookTable, bookLesson];
