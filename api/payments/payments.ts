/** Payments: started by guests, refunded by sellers, and the notifications of providers. */
import { type TOptional, type TString, Type } from '@sinclair/typebox';
import type { CommandContext } from '../../commands/core/handle.ts';
import { payableFields } from '../../commands/modules.ts';
import { receiveNotification } from '../../commands/payments/inbox.ts';
import { payeesOf } from '../../commands/payments/payables.ts';
import { lookAt } from '../../commands/payments/paymentLook.ts';
import { ProviderError } from '../../commands/payments/paymentProvider.ts';
import { cancelOwnPayment, processPayment } from '../../commands/payments/payments.ts';
import { refundPayment } from '../../commands/payments/refunds.ts';
import { notFound } from '../../domain/core/decider.ts';
import { DateOnly, OneOf, Uuid } from '../../domain/core/schema.ts';
import { paymentStatuses } from '../../domain/payments/payment.ts';
import { PaymentMethod } from '../../domain/payments/paymentEvents.ts';
import { toCamel } from '../../infra/naming.ts';
import { TimedOut, withTimeout } from '../../infra/retry.ts';
import { listPayments, paymentById, payments } from '../../projections/payments/payments.ts';
import { Payment, type PaymentRow, showPayment } from '../../projections/payments/paymentWire.ts';
import { callersChannel } from '../accounts/channels.ts';
import type { App } from '../http/app.ts';
import { HttpError } from '../http/errors.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { ById, route } from '../http/route.ts';
import { shownAfter } from '../http/shownAfter.ts';
import { Refunding, refunding, Started, started } from './paymentReplies.ts';

/** One field for each kind of thing that a module sells, such as `booking_id`. */
const payees: Readonly<Record<string, TOptional<TString>>> = Object.fromEntries(
  payableFields.map((field) => [field, Type.Optional(Uuid)]),
);
const How = Type.Object({
  method: Type.Optional(PaymentMethod),
  payment_method_id: Type.Optional(Uuid),
  amount: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
});

const pay = route('POST /api/v1/payments/process', {
  id: 'processPayment',
  access: 'user',
  rate: 'money',
  summary: 'Start a payment',
  description:
    'Pays for a booking, the difference of its proposed change, a purchase or all that is unpaid of a trip, always in full; `amount` is optional and must match. If a payment is already open, it is returned; a different method replaces it as long as the payer has not acted on it.',
  headers: { 'X-Return-URL': 'Where the payer returns to: a URL at one of the allowed origins.' },
  body: Type.Object({ ...payees, ...How.properties }, { $id: 'NewPayment' }),
  reply: Started,
  errors: [
    'not_found',
    'invalid',
    'conflict',
    'invalid_transition',
    'payment_open',
    'receipt_impossible',
    'hold_expired',
    'sold_out',
    'provider_away',
  ],
  projections: [payments],
  handle: async ({ body, context, request }, app) => {
    const returnUrl = request.header('x-return-url');
    const { method, payment_method_id, amount, ...named } = body;
    const how = { ...toCamel({ method, payment_method_id, amount }), ...(returnUrl && { returnUrl }) };
    const what = await payeesOf(app, context.actor, named);
    return started(await processPayment(app, context, { ...what, ...how }));
  },
});

const cancel = route('POST /api/v1/payments/:id/cancel', {
  id: 'cancelPayment',
  access: 'user',
  rate: 'money',
  summary: 'Cancel a pending payment',
  description: 'Possible until the payment is captured. A new payment can be started afterwards.',
  params: ById,
  reply: Started,
  errors: ['not_found', 'invalid_transition', 'provider_away'],
  projections: [payments],
  handle: async ({ params, context }, app) => started(await cancelOwnPayment(app, context, params.id)),
});

const refund = route('POST /api/v1/payments/:id/refund', {
  id: 'refundPayment',
  access: 'provider',
  harm: 'money',
  rate: 'money',
  summary: 'Refund a payment (seller)',
  description:
    'Refunds one item of the payment; `item_id` is required if the seller has several items in it. Without `amount`, all that is left of the item is refunded. What it takes of a share that was already released must be available (`409 balance_too_low` says how much is); only an admin can refund more, which the seller then owes. The refund runs in the background.',
  params: ById,
  body: Type.Object({
    item_id: Type.Optional(Uuid),
    amount: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  }),
  reply: Refunding,
  status: 202,
  errors: ['not_found', 'invalid', 'invalid_transition', 'refund_too_large', 'balance_too_low', 'conflict'],
  projections: [payments],
  handle: async ({ params, body, context }, app) => {
    return refunding(await refundPayment(app, context, { paymentId: params.id, ...toCamel(body) }));
  },
});

const own = (key: 'GET /api/v1/payments/me' | 'GET /api/v1/payments/history', id: string) =>
  route(key, {
    id,
    access: 'user',
    summary: 'List own payments',
    description: 'Newest first. `from` and `to` are the first and last day of creation, in UTC.',
    query: Type.Object({
      ...pagingQuery,
      status: Type.Optional(OneOf(paymentStatuses)),
      from: Type.Optional(DateOnly),
      to: Type.Optional(DateOnly),
    }),
    reply: ListOf(Payment),
    channel: callersChannel,
    handle: ({ query: { status, from, to, ...query }, caller }, app) =>
      paged(
        query,
        (paging) => listPayments(app.db, { userId: caller.id, status, from, to, ...paging }),
        (row) => showPayment(row, caller),
      ),
  });

/** How long somebody who looks waits for the payment provider. */
const PATIENCE_MS = 2_000;

/** The payment after the provider was asked about it; as it is known while the provider does not answer. */
const asTheProviderSays = async (app: App, context: CommandContext, known: PaymentRow): Promise<PaymentRow> => {
  const looking = shownAfter(app, context, [payments], (of) => lookAt(app, of, known.id));
  try {
    await withTimeout(looking, PATIENCE_MS, 'the payment provider does not answer');
  } catch (error) {
    if (!(error instanceof TimedOut)) throw error;
    looking.catch((err: unknown) => app.log.warn({ err, payment: known.id }, 'a look at a payment failed'));
  }
  return (await paymentById(app.db, known.id)) ?? known;
};

const get = route('GET /api/v1/payments/:id', {
  id: 'getPayment',
  access: 'user',
  summary: 'Get a payment',
  description:
    'For its payer, the sellers of its items, and admins. The payment provider is asked first, at most every few seconds, so that a payer who comes back sees how far the payment has come.',
  params: ById,
  reply: Payment,
  errors: ['not_found'],
  handle: async ({ params, caller, context }, app) => {
    const before = await paymentById(app.db, params.id);
    const isPayers = before?.user_id === caller.id;
    const found = isPayers ? await asTheProviderSays(app, context, before) : before;
    const isParty =
      found?.user_id === caller.id ||
      found?.items.some((item) => item.owner_id === caller.id) ||
      caller.role === 'admin';
    if (!found || !isParty) throw notFound('payment');
    return showPayment(found, caller);
  },
});

/** Each provider has its own format; these are the fields that are read. */
const ProviderNotification = Type.Union([
  Type.Object(
    {
      type: Type.Literal('notification'),
      event: Type.String({ examples: ['payment.succeeded'] }),
      object: Type.Object({ id: Type.String() }, { additionalProperties: true }),
    },
    { $id: 'YookassaNotification', additionalProperties: true },
  ),
  Type.Object(
    {
      TerminalKey: Type.String(),
      Status: Type.String({ examples: ['CONFIRMED'] }),
      PaymentId: Type.Optional(Type.Union([Type.Integer(), Type.String()])),
      RequestKey: Type.Optional(Type.String({ description: 'Instead of `PaymentId`, when a card was saved.' })),
      Token: Type.String({ description: 'Signature of the other fields.' }),
    },
    { $id: 'TbankNotification', additionalProperties: true },
  ),
]);

const notify = route('POST /api/v1/payments/webhooks/:provider', {
  id: 'receivePaymentNotification',
  ignoresKey: 'a notification is known by what it reports',
  access: 'signed',
  openQuery: 'The sender chooses the address, and a notification that is refused is lost.',
  summary: 'Receive a notification of a payment provider',
  description:
    'The sender is verified by the method of the provider. The notification is stored and answered at once, and processed in the background: the current state is requested from the provider.',
  params: Type.Object({ provider: Type.String({ pattern: '^[a-z]{1,30}$' }) }),
  rate: 'notification',
  signedBody: ProviderNotification,
  reply: Type.String(),
  errors: ['not_found', 'bad_signature'],
  handle: async ({ params, context, request }, app) => {
    const { headers, ip, rawBody = '' } = request;
    try {
      const notification = { headers, ip, rawBody: Buffer.from(rawBody) };
      const admit = () => request.countVerified(params.provider);
      return await receiveNotification(app, context, params.provider, notification, admit);
    } catch (error) {
      if (error instanceof ProviderError)
        throw new HttpError('bad_signature', 'This notification was not sent by the provider.');
      throw error;
    }
  },
});

export const paymentRoutes = [
  pay,
  cancel,
  refund,
  own('GET /api/v1/payments/me', 'listOwnPayments'),
  own('GET /api/v1/payments/history', 'listPaymentHistory'),
  get,
  notify,
];
