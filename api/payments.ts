/** Payments: started by guests, given back by owners, reported on by their provider. */
import { type Static, Type } from '@sinclair/typebox';
import { receiveNotification } from '../commands/payments/inbox.ts';
import { ProviderError } from '../commands/payments/port.ts';
import { type Paid, processPayment, type Refunding as Refunded, refundPayment } from '../commands/payments.ts';
import { paymentStatuses, refundStatuses } from '../domain/bookings/payment.ts';
import { PaymentMethod } from '../domain/bookings/paymentEvents.ts';
import { Rejected } from '../domain/decider.ts';
import { toMajor } from '../domain/money.ts';
import { Currency, Minor, Nullable, OneOf, Uuid } from '../domain/schema.ts';
import { bookings } from '../projections/bookings/bookings.ts';
import { listPayments, onlyBooking, type PaymentRow, paymentById, payments } from '../projections/bookings/payments.ts';
import { HttpError } from './errors.ts';
import { ListOf, listOf, pagingOf, pagingQuery } from './paging.ts';
import { route, type User } from './route.ts';

/** A payment on the wire: `…_minor` are whole minor units, their namesakes major units. */
const Payment = Type.Object({
  ...payments.row.properties,
  items: Type.Array(Type.Object({ ...payments.row.properties.items.items.properties, amount: Type.Number() })),
  refunds: Type.Array(Type.Object({ ...payments.row.properties.refunds.items.properties, amount: Type.Number() })),
  amount: Type.Number(),
  /** What has arrived back with the payer. */
  refunded: Type.Number(),
  refunded_minor: Minor,
});

/** As much of a payment as is about what one owner sells. */
const partOf = (row: PaymentRow, ownerId: string): PaymentRow => {
  const items = row.items.filter(({ owner_id }) => owner_id === ownerId);
  const refunds = row.refunds.filter(({ item_id }) => items.some(({ id }) => id === item_id));
  return { ...row, items, refunds, amount_minor: items.reduce((sum, item) => sum + item.amount_minor, 0) };
};

/** Owners and admins see payments too, but not the address at which to pay; owners no more than is theirs. */
const wire = (row: PaymentRow, { id, role }: Pick<User, 'id' | 'role'>): Static<typeof Payment> => {
  const isPayer = row.user_id === id;
  const shown = isPayer || role === 'admin' ? row : partOf(row, id);
  const major = (minor: number) => toMajor(minor, row.currency);
  const refunded_minor = shown.refunds
    .filter(({ status }) => status === 'succeeded')
    .reduce((sum, refund) => sum + refund.amount_minor, 0);
  return {
    ...shown,
    items: shown.items.map((item) => ({ ...item, amount: major(item.amount_minor) })),
    refunds: shown.refunds.map((refund) => ({ ...refund, amount: major(refund.amount_minor) })),
    redirect_url: isPayer ? row.redirect_url : null,
    amount: major(shown.amount_minor),
    refunded: major(refunded_minor),
    refunded_minor,
  };
};

const Started = Type.Object({
  payment_id: Uuid,
  /** Where one booking is all that it pays for. */
  booking_id: Nullable(Uuid),
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
  booking_id: onlyBooking(payment.items),
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
    const things = [{ kind: 'booking', id: bookingId }] as const;
    const wanted = { things, method, ...(amount !== undefined && { amount }), ...(returnUrl && { returnUrl }) };
    return started(await processPayment(app, context, wanted));
  },
});

const Refunding = Type.Object({
  refund_id: Uuid,
  payment_id: Uuid,
  item_id: Nullable(Uuid),
  status: OneOf(refundStatuses),
  amount: Type.Number(),
  amount_minor: Minor,
  currency: Currency,
});

const refunding = ({ paymentId, refundId, payment }: Refunded): Static<typeof Refunding> => {
  const { itemId = null, amountMinor = 0, status = 'pending' } = payment.refunds[refundId] ?? {};
  return {
    refund_id: refundId,
    payment_id: paymentId,
    item_id: itemId,
    status,
    amount: toMajor(amountMinor, payment.currency),
    amount_minor: amountMinor,
    currency: payment.currency,
  };
};

const refund = route('POST /api/v1/payments/:id/refund', {
  summary: 'Give money back, as the owner of what was paid for',
  description:
    'Of one item, which has to be named where several come into question; all that is left of it unless an amount is given. The provider is asked in the background.',
  params: Type.Object({ id: Uuid }),
  body: Type.Object({
    item_id: Type.Optional(Uuid),
    amount: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  }),
  reply: Refunding,
  status: 202,
  errors: ['not_found', 'invalid', 'invalid_transition', 'refund_too_large'],
  projections: [payments],
  idempotent: true,
  handle: async ({ params, body, context }, app) => {
    const { item_id: itemId, amount } = body;
    const wanted = { paymentId: params.id, ...(itemId && { itemId }), ...(amount !== undefined && { amount }) };
    return refunding(await refundPayment(app, context, wanted));
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
      return listOf({ rows: rows.map((row) => wire(row, caller)), total }, paging);
    },
  });

const get = route('GET /api/v1/payments/:id', {
  summary: 'One payment, for its payer and the owner of what was paid for',
  params: Type.Object({ id: Uuid }),
  reply: Payment,
  errors: ['not_found'],
  handle: async ({ params, caller }, app) => {
    const found = await paymentById(app.db, params.id);
    const isParty =
      found?.user_id === caller.id ||
      found?.items.some((item) => item.owner_id === caller.id) ||
      caller.role === 'admin';
    if (!found || !isParty) throw new Rejected('not_found', 'There is no such payment.');
    return wire(found, caller);
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
