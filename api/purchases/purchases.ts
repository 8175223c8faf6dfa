/** Purchases of ski passes and insurance: created and paid in one request, listed, cancelled. */
import { type Static, type TProperties, Type } from '@sinclair/typebox';
import type { CommandContext } from '../../commands/core/handle.ts';
import { buy, type Means } from '../../commands/purchases/buyAtOnce.ts';
import { cancelPurchase } from '../../commands/purchases/cancelPurchase.ts';
import { quotedInsurance } from '../../commands/purchases/insurance.ts';
import { quoteNewPurchase } from '../../commands/purchases/makePurchase.ts';
import type { QuotePurchase } from '../../commands/purchases/purchases.ts';
import { ServiceType } from '../../domain/catalog/soldTypes.ts';
import { notFound } from '../../domain/core/decider.ts';
import { DateOnly, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { paymentStatuses } from '../../domain/payments/payment.ts';
import { PaymentMethod } from '../../domain/payments/paymentEvents.ts';
import { InsuredPerson, type OpenPurchase, purchaseStatuses } from '../../domain/purchases/purchase.ts';
import { snakeSchema, toCamel } from '../../infra/naming.ts';
import { payments } from '../../projections/payments/payments.ts';
import {
  listPurchases,
  Purchase,
  purchaseById,
  purchaseColumns,
  purchases,
  purchaseWire,
} from '../../projections/purchases/purchases.ts';
import { callersChannel } from '../accounts/channels.ts';
import { ExpectedTotal } from '../http/amounts.ts';
import type { App } from '../http/app.ts';
import type { User } from '../http/caller.ts';
import { HttpError } from '../http/errors.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { ById, type RequestFacts, route, WRITES_NOTHING } from '../http/route.ts';
import { Promo, quoteFields, quoteWire } from '../promotions/quotes.ts';

/** What a command has led to. */
const shown = async (app: App, { at }: CommandContext, id: string, purchase: OpenPurchase) => {
  const before = await purchaseById(app.db, id);
  return purchaseWire.of(purchaseColumns(id, purchase, before?.created_at ?? at, at), 'guest');
};

/** A purchase with the payment that has just been started for it. */
const Bought = Type.Object(
  {
    ...Purchase.properties,
    payment_id: Uuid,
    payment_status: OneOf(paymentStatuses),
    /** Where to send the payer; present while the payment’s status is `requires_action`. */
    redirect_url: Nullable(Type.String()),
  },
  { $id: 'StartedPurchase' },
);

export const bought = async (
  app: App,
  context: CommandContext,
  quote: QuotePurchase,
  means: Means,
): Promise<Static<typeof Bought>> => {
  const { purchaseId, purchase, paymentId, payment } = await buy(app, context, quote, means);
  return {
    ...(await shown(app, context, purchaseId, purchase)),
    payment_id: paymentId,
    payment_status: payment.status,
    redirect_url: payment.status === 'requires_action' ? payment.redirectUrl : null,
  };
};

/** Splits a body into the means of payment and the rest. */
export const split = <
  B extends { method?: Means['method']; payment_method_id?: string; expected_total?: number; promo?: string },
>(
  body: B,
  request: RequestFacts,
) => {
  const { method, payment_method_id: paymentMethodId, expected_total: expectedTotal, promo, ...item } = body;
  const returnUrl = request.header('x-return-url');
  const means: Means = {
    ...(method && { method }),
    ...(paymentMethodId && { paymentMethodId }),
    ...(returnUrl && { returnUrl }),
    ...(expectedTotal !== undefined && { expectedTotal }),
    ...(promo !== undefined && { promo }),
  };
  return { item, means };
};

/** The part of the declaration that all purchases share. */
export const buying = <P extends TProperties>(body: P) =>
  ({
    headers: { 'X-Return-URL': 'Where the payer returns to: a URL at one of the allowed origins.' },
    body: Type.Object({
      ...body,
      /** Optional with a saved payment method. */
      method: Type.Optional(PaymentMethod),
      payment_method_id: Type.Optional(Uuid),
      expected_total: ExpectedTotal,
      promo: Promo,
    }),
    reply: Bought,
    status: 201,
    errors: [
      'not_found',
      'invalid',
      'conflict',
      'not_bookable',
      'price_changed',
      'promo_refused',
      'invalid_transition',
      'payment_open',
      'hold_expired',
      'provider_away',
    ],
    projections: [purchases, payments],
  }) as const;

const Quote = Type.Object(
  { ...quoteFields, valid_from: Purchase.properties.valid_from, valid_to: Purchase.properties.valid_to },
  { $id: 'PurchaseQuote' },
);

/** The part of the declaration that all quotes share. @param body what is asked for, as in the purchase */
export const quoting = <P extends TProperties>(body: P) =>
  ({
    ignoresKey: WRITES_NOTHING,
    access: 'public',
    rate: 'availability',
    body: Type.Object({ ...body, promo: Promo }),
    reply: Quote,
    status: 200,
    errors: ['unauthenticated', 'not_found', 'invalid', 'not_bookable', 'promo_refused'],
  }) as const;

export const QUOTED =
  'The price that a purchase with the same fields would have now, with the discount of a promo code. No use of the code is reserved. Nobody has to sign in, except with a promo code.';

/** @throws HttpError 401 for a promo code of somebody who has not signed in: nobody guesses codes without an account */
export const quoted = async (
  app: App,
  { caller, context }: { readonly caller: User | null; readonly context: CommandContext },
  quote: QuotePurchase,
  promo: string | undefined,
): Promise<Static<typeof Quote>> => {
  if (promo !== undefined && !caller) throw new HttpError('unauthenticated', 'Sign in to use a promo code.');
  const { offer, currency, promotion } = await quoteNewPurchase(app, context, quote, promo);
  const { validFrom: valid_from, validTo: valid_to, totalMinor, lines } = offer;
  return { ...quoteWire({ currency, totalMinor, lines, ...(promotion && { promotion }) }), valid_from, valid_to };
};

export const MOST = 20;
export const PAYING =
  'Redirect the payer to `redirect_url` and pay before `expires_at`. If the payment fails, start another with `POST /payments/process`. A purchase that is cancelled before its first day is refunded in full.';

const insured = {
  product_id: Uuid,
  valid_from: DateOnly,
  valid_to: DateOnly,
  persons: Type.Array(snakeSchema(InsuredPerson), { minItems: 1, maxItems: MOST }),
};

const insuranceQuote = route('POST /api/v1/insurance/quote', {
  id: 'quoteInsurance',
  previews: 'POST /api/v1/insurance/purchase',
  ...quoting(insured),
  summary: 'Preview the price of insurance',
  description: QUOTED,
  handle: ({ body, ...by }, app) => {
    const { promo, ...item } = body;
    return quoted(app, by, quotedInsurance(toCamel(item)), promo);
  },
});

const insurance = route('POST /api/v1/insurance/purchase', {
  id: 'purchaseInsurance',
  access: 'user',
  rate: 'money',
  ...buying(insured),
  summary: 'Purchase insurance',
  description: `Covers the days from \`valid_from\` to \`valid_to\`, both included. ${PAYING}`,
  handle: ({ body, context, request }, app) => {
    const { item, means } = split(body, request);
    return bought(app, context, quotedInsurance(toCamel(item)), means);
  },
});

const own = route('GET /api/v1/purchases/me', {
  id: 'listOwnPurchases',
  access: 'user',
  summary: 'List own purchases',
  description: 'Newest first.',
  query: Type.Object({
    ...pagingQuery,
    service_type: Type.Optional(ServiceType),
    status: Type.Optional(OneOf(purchaseStatuses)),
  }),
  reply: ListOf(Purchase),
  channel: callersChannel,
  handle: ({ query: { service_type: serviceType, status, ...query }, caller }, app) =>
    paged(
      query,
      (paging) => listPurchases(app.db, { userId: caller.id, serviceType, status, ...paging }),
      (row) => purchaseWire.of(row, 'guest'),
    ),
});

const one = { params: ById, reply: Purchase };

const get = route('GET /api/v1/purchases/:id', {
  id: 'getPurchase',
  access: 'user',
  ...one,
  summary: 'Get a purchase',
  errors: ['not_found'],
  handle: async ({ params, caller }, app) => {
    const found = await purchaseById(app.db, params.id);
    if (!found || (found.user_id !== caller.id && caller.role !== 'admin')) throw notFound('purchase');
    return purchaseWire.of(found, 'guest');
  },
});

const cancel = route('POST /api/v1/purchases/:id/cancel', {
  id: 'cancelPurchase',
  access: 'user',
  harm: { of: 'money', by: 'admin' },
  rate: 'money',
  ...one,
  summary: 'Cancel a purchase',
  description:
    'Before its first day, and for admins at any time, insurance is refunded in full; later cancellations are not refunded. Ski passes are ended, each is refunded like one that is given back. The refund runs in the background; the status is `refunded` when all of the money was returned.',
  body: Type.Object({ reason: Type.Optional(Type.String({ maxLength: 1_000 })) }),
  errors: ['not_found', 'invalid_transition', 'conflict'],
  projections: [purchases],
  handle: async ({ params, body, context }, app) => {
    const { purchaseId, purchase } = await cancelPurchase(app, context, params.id, body.reason ?? null);
    return shown(app, context, purchaseId, purchase);
  },
});

export const purchaseRoutes = [insuranceQuote, insurance, own, get, cancel];
