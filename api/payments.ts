/** Payments: started by guests, given back by owners, reported on by their provider. */
import { type Static, Type } from '@sinclair/typebox';
import { receiveNotification } from '../commands/payments/inbox.ts';
import { ProviderError } from '../commands/payments/port.ts';
import { type Paid, processPayment, refundPayment } from '../commands/payments.ts';
import { paymentStatuses } from '../domain/bookings/payment.ts';
import { PaymentMethod } from '../domain/bookings/paymentEvents.ts';
import { Rejected } from '../domain/decider.ts';
import { toMajor } from '../domain/money.ts';
import { Currency, Minor, Nullable, OneOf, Uuid } from '../domain/schema.ts';
import { bookings } from '../projections/bookings/bookings.ts';
import { listPayments, type PaymentRow, paymentById, payments } from '../projections/bookings/payments.ts';
import { HttpError } from './errors.ts';
import { ListOf, listOf, pagingOf, pagingQuery } from './paging.ts';
import { route } from './route.ts';

/** A payment on the wire: `…_minor` are whole minor units, their namesakes major units. */
const Payment = Type.Object({
  ...payments.row.properties,
  amount: Type.Number(),
  /** What has arrived back with the payer. */
  refunded: Type.Number(),
  refunded_minor: Minor,
});

/** Owners and admins see payments too, but not the address at which to pay. */
const wire = (row: PaymentRow, readerId: string): Static<typeof Payment> => {
  const refunded_minor = row.refunds
    .filter(({ status }) => status === 'succeeded')
    .reduce((sum, refund) => sum + refund.amount_minor, 0);
  return {
    ...row,
    redirect_url: row.user_id === readerId ? row.redirect_url : null,
    amount: toMajor(row.amount_minor, row.currency),
    refunded: toMajor(refunded_minor, row.currency),
    refunded_minor,
  };
};

const Started = Type.Object({
  payment_id: Uuid,
  booking_id: Uuid,
  status: OneOf(paymentStatuses),
  /** Where to send the payer; present while the status is `requires_action`. */
  redirect_url: Nullable(Type.String()),
  method: PaymentMethod,
  provider: Type.String(),
  amount: Type.Number(),
  amount_minor: Minor,
  currency: Currency,
});

const started = ({ paymentId, payment }: Paid): Static<typeof Started> => ({
  payment_id: paymentId,
  booking_id: payment.bookingId,
  status: payment.status,
  redirect_url: payment.status === 'requires_action' ? payment.redirectUrl : null,
  method: payment.method,
  provider: payment.provider,
  amount: toMajor(payment.amountMinor, payment.currency),
  amount_minor: payment.amountMinor,
  currency: payment.currency,
});

const pay = route('POST /api/v1/payments/process', {
  summary: 'Start paying for a booking',
  description:
    'While a payment of the booking is under way it is returned again; another method replaces one that the payer has not acted on. The amount may be left out: a booking is paid whole.',
  headers: { 'X-Return-URL': 'Where the payer comes back to: an address at one of the allowed origins.' },
  body: Type.Object({
    booking_id: Uuid,
    method: PaymentMethod,
    amount: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  }),
  reply: Started,
  errors: ['not_found', 'invalid', 'invalid_transition', 'payment_open', 'hold_expired', 'sold_out', 'provider_away'],
  projections: [payments, bookings],
  idempotent: true,
  handle: async ({ body, context, request }, app) => {
    const returnUrl = request.header('x-return-url');
    const { booking_id: bookingId, method, amount } = body;
    const wanted = { bookingId, method, ...(amount !== undefined && { amount }), ...(returnUrl && { returnUrl }) };
    return started(await processPayment(app, context, wanted));
  },
});

const refund = route('POST /api/v1/payments/:id/refund', {
  summary: 'Give money back, as the owner of what was paid for',
  description: 'All that is left unless an amount is given. The provider is asked in the background.',
  params: Type.Object({ id: Uuid }),
  body: Type.Object({ amount: Type.Optional(Type.Number({ exclusiveMinimum: 0 })) }),
  reply: Type.Object({
    refund_id: Uuid,
    payment_id: Uuid,
    status: Type.Literal('pending'),
    amount: Type.Number(),
    amount_minor: Minor,
    currency: Currency,
  }),
  status: 202,
  errors: ['not_found', 'invalid', 'invalid_transition', 'refund_too_large'],
  projections: [payments],
  idempotent: true,
  handle: async ({ params, body, context }, app) => {
    const wanted = { paymentId: params.id, ...(body.amount !== undefined && { amount: body.amount }) };
    const { refundId, payment } = await refundPayment(app, context, wanted);
    const amountMinor = payment.refunds[refundId]?.amountMinor ?? 0;
    return {
      refund_id: refundId,
      payment_id: params.id,
      status: 'pending' as const,
      amount: toMajor(amountMinor, payment.currency),
      amount_minor: amountMinor,
      currency: payment.currency,
    };
  },
});

const own = (key: 'GET /api/v1/payments/me' | 'GET /api/v1/payments/history') =>
  route(key, {
    summary: 'Own payments, newest first',
    query: Type.Object({ ...pagingQuery, status: Type.Optional(OneOf(paymentStatuses)) }),
    reply: ListOf(Payment),
    handle: async ({ query, caller }, app) => {
      const paging = pagingOf(query);
      const { rows, total } = await listPayments(app.db, { userId: caller.id, status: query.status, ...paging });
      return listOf({ rows: rows.map((row) => wire(row, caller.id)), total }, paging);
    },
  });

const get = route('GET /api/v1/payments/:id', {
  summary: 'One payment, for its payer and the owner of what was paid for',
  params: Type.Object({ id: Uuid }),
  reply: Payment,
  errors: ['not_found'],
  handle: async ({ params, caller }, app) => {
    const found = await paymentById(app.db, params.id);
    const mine = found && (found.user_id === caller.id || found.owner_id === caller.id || caller.role === 'admin');
    if (!mine) throw new Rejected('not_found', 'There is no such payment.');
    return wire(found, caller.id);
  },
});

const notify = route('POST /api/v1/payments/webhooks/:provider', {
  summary: 'Where payment providers report',
  description: 'Proven as each provider does it, stored, answered at once and worked on later by asking the provider.',
  params: Type.Object({ provider: Type.String({ pattern: '^[a-z]{1,30}$' }) }),
  reply: Type.String(),
  errors: ['not_found', 'bad_signature'],
  handle: async ({ params, context, request }, app) => {
    const { headers, ip, rawBody = '' } = request;
    try {
      const notification = { headers, ip, rawBody: Buffer.from(rawBody) };
      return await receiveNotification(app, context, params.provider, notification);
    } catch (error) {
      if (error instanceof ProviderError) throw new HttpError('bad_signature', 'this does not come from the provider');
      throw error;
    }
  },
});

export const paymentRoutes = [
  pay,
  refund,
  own('GET /api/v1/payments/me'),
  own('GET /api/v1/payments/history'),
  get,
  notify,
];
