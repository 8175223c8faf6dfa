/** Changes of bookings: made at once, or proposed until the difference is paid. */
import { Type } from '@sinclair/typebox';
import { updateBooking } from '../../commands/bookings/bookings.ts';
import { changeQuote, withdrawProposal } from '../../commands/bookings/changes.ts';
import { DatedPolicy } from '../../domain/catalog/cancellation.ts';
import { toMajor } from '../../domain/core/money.ts';
import { Currency, DateOnly, Instant, Minor } from '../../domain/core/schema.ts';
import { snakeSchema, toCamel, toSnake } from '../../infra/naming.ts';
import { bookings } from '../../projections/bookings/bookings.ts';
import { Booking } from '../../projections/bookings/bookingWire.ts';
import { linesOf, PriceLines } from '../../projections/catalog/priceLines.ts';
import { Guests } from '../catalog/stays.ts';
import { ExpectedTotal } from '../http/amounts.ts';
import { ById, route, WRITES_NOTHING } from '../http/route.ts';
import { guest, Notes, shown } from './bookings.ts';

/** What a booking can be moved to. Absent fields do not change. */
const terms = {
  check_in: Type.Optional(DateOnly),
  check_out: Type.Optional(DateOnly),
  slot_start: Type.Optional(Instant),
  slot_end: Type.Optional(Instant),
  guests: Type.Optional(Guests),
  refund: Type.Optional(
    Type.Number({
      minimum: 0,
      description:
        'Only from a seller who shortens a stay that has begun: what the guest gets back. Nothing by default.',
    }),
  ),
};

const change = route('PATCH /api/v1/bookings/:id', {
  id: 'updateBooking',
  access: 'user',
  harm: { of: 'money', fields: ['refund'] },
  summary: 'Update a booking',
  description:
    'By the guest, until the booking begins. New dates, a new slot or another number of guests are held and priced again; if that fails, nothing changes. A paid booking that gets more expensive keeps its terms until the difference is paid (`POST /payments/process` with its `booking_id`): until then `change` shows what is proposed. One that gets cheaper changes at once, and the difference is refunded less what cancelling that part would cost; see `POST /bookings/{id}/change-quote`. Notes and the details of the guest can change until the booking has ended. A stay has `check_in` and `check_out`; everything else has `slot_start`, and a lesson also `slot_end`. A restaurant may assign another table. A transfer keeps its vehicle. Once a stay has begun, its seller or an admin can shorten it: an earlier `check_out`, from today on by the clocks of the place. The other nights are for sale again, and the price stays as it was, less the `refund` that the seller names.',
  params: ById,
  body: Type.Object(
    {
      ...terms,
      expected_total: ExpectedTotal,
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
    'promo_refused',
    'sold_out',
    'price_changed',
    'too_many_holds',
    'too_many_free',
    'overlapping_booking',
    'invalid_transition',
    'payment_open',
    'hold_expired',
    'refund_too_large',
  ],
  projections: [bookings],
  handle: async ({ params, body, context }, app) =>
    shown(app, context, await updateBooking(app, context, params.id, toCamel(body))),
});

const previewChange = route('POST /api/v1/bookings/:id/change-quote', {
  id: 'getChangeQuote',
  previews: 'PATCH /api/v1/bookings/:id',
  ignoresKey: WRITES_NOTHING,
  access: 'user',
  summary: 'Preview the cost of a change',
  description:
    'The new price, what is to be paid for it or what is refunded; or why the change would be refused. Nothing is held. `PATCH /bookings/{id}` with the same fields makes the change.',
  params: ById,
  body: Type.Object(terms, { minProperties: 1, $id: 'BookingTermsChange' }),
  status: 200,
  reply: Type.Object(
    {
      currency: Currency,
      total: Type.Number(),
      total_minor: Minor,
      price_lines: PriceLines,
      due: Type.Number(),
      due_minor: Minor,
      /** Of the part of the price that is no longer needed. */
      penalty_percent: Type.Integer(),
      penalty: Type.Number(),
      penalty_minor: Minor,
      refund: Type.Number(),
      refund_minor: Minor,
      /** What cancelling costs after the change. */
      cancellation_policy: snakeSchema(DatedPolicy),
    },
    { $id: 'ChangeQuote' },
  ),
  errors: [
    'not_found',
    'invalid',
    'forbidden',
    'not_bookable',
    'promo_refused',
    'sold_out',
    'too_many_holds',
    'too_many_free',
    'overlapping_booking',
    'refund_too_large',
    'invalid_transition',
    'payment_open',
    'hold_expired',
  ],
  handle: async ({ params, body, context }, app) => {
    const { lines, ...found } = await changeQuote(app, context, params.id, toCamel(body));
    const major = (minor: number) => toMajor(minor, found.currency);
    return {
      ...toSnake(found),
      price_lines: linesOf({ price_lines: toSnake(lines), currency: found.currency }),
      total: major(found.totalMinor),
      due: major(found.dueMinor),
      penalty: major(found.penaltyMinor),
      refund: major(found.refundMinor),
    };
  },
});

const withdrawChange = route('POST /api/v1/bookings/:id/change/withdraw', {
  id: 'withdrawChange',
  access: 'user',
  summary: 'Withdraw a proposed change',
  description: 'The booking stays as it was. A payment for the change ends; money that comes later is refunded.',
  params: ById,
  reply: Booking,
  errors: ['not_found', 'forbidden'],
  projections: [bookings],
  handle: async ({ params, context }, app) => shown(app, context, await withdrawProposal(app, context, params.id)),
});

export const changeRoutes = [change, previewChange, withdrawChange];
