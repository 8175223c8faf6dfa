/** Saved payment methods of a user. */
import { type Static, Type } from '@sinclair/typebox';
import { removeMethod } from '../../commands/payments/paymentMethodRemoval.ts';
import { addMethod, chooseDefault, type KeptMethod, lookUpMethod } from '../../commands/payments/paymentMethods.ts';
import { Nullable } from '../../domain/core/schema.ts';
import { PaymentMethod } from '../../domain/payments/paymentEvents.ts';
import {
  listPaymentMethods,
  paymentMethods,
  paymentMethodWire,
  SavedPaymentMethod,
} from '../../projections/payments/paymentMethods.ts';
import { callersChannel } from '../accounts/channels.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { ById, NO_CONTENT, route } from '../http/route.ts';

const Confirmable = Type.Object(
  {
    ...SavedPaymentMethod.properties,
    /** Where to send the person; present while the status is `requires_action`. */
    redirect_url: Nullable(Type.String()),
  },
  { $id: 'StartedPaymentMethod' },
);

const wire = (userId: string, { method, isDefault, redirectUrl }: KeptMethod): Static<typeof Confirmable> => ({
  id: method.methodId,
  user_id: userId,
  method: method.method,
  provider: method.provider,
  brand: method.brand,
  last4: method.last4,
  exp: method.exp,
  default: isDefault,
  status: method.status,
  failure_code: method.failureCode,
  token: method.methodId,
  redirect_url: redirectUrl,
});

const one = { params: ById, reply: Confirmable, projections: [paymentMethods] };

const list = route('GET /api/v1/payments/methods', {
  id: 'listPaymentMethods',
  access: 'user',
  summary: 'List saved payment methods',
  description: 'The default first, then the newest. Cards that could not be saved are left out.',
  query: Type.Object(pagingQuery),
  reply: ListOf(SavedPaymentMethod),
  channel: callersChannel,
  handle: ({ query, caller }, app) =>
    paged(
      query,
      (paging) => listPaymentMethods(app.db, { userId: caller.id, ...paging }),
      (row) => paymentMethodWire.of(row, 'guest'),
    ),
});

const add = route('POST /api/v1/payments/methods', {
  id: 'addPaymentMethod',
  access: 'user',
  rate: 'money',
  summary: 'Save a payment method',
  description:
    'A card is entered on the page of the provider: redirect the user to `redirect_url` while the status is `requires_action`. SBP, and wallets that the provider cannot save, are stored as a preference and active at once.',
  headers: { 'X-Return-URL': 'Where the user returns to: a URL at one of the allowed origins.' },
  body: Type.Object({
    method: PaymentMethod,
    /** Default: the provider of new payments. */
    provider: Type.Optional(Type.String({ pattern: '^[a-z]{1,30}$' })),
  }),
  reply: Confirmable,
  status: 201,
  errors: ['invalid', 'conflict', 'provider_away', 'provider_refused'],
  projections: [paymentMethods],
  handle: async ({ body, caller, context, request }, app) => {
    const returnUrl = request.header('x-return-url');
    return wire(caller.id, await addMethod(app, context, { ...body, ...(returnUrl && { returnUrl }) }));
  },
});

const get = route('GET /api/v1/payments/methods/:id', {
  id: 'getPaymentMethod',
  access: 'user',
  summary: 'Get a saved payment method',
  description: 'While the method awaits confirmation, its current state is requested from the provider.',
  ...one,
  errors: ['not_found'],
  handle: async ({ params, caller, context }, app) => wire(caller.id, await lookUpMethod(app, context, params.id)),
});

const makeDefault = route('POST /api/v1/payments/methods/:id/default', {
  id: 'setDefaultPaymentMethod',
  access: 'user',
  summary: 'Make a payment method the default',
  ...one,
  errors: ['not_found', 'invalid_transition'],
  handle: async ({ params, caller, context }, app) => wire(caller.id, await chooseDefault(app, context, params.id)),
});

const remove = route('DELETE /api/v1/payments/methods/:id', {
  id: 'removePaymentMethod',
  access: 'user',
  summary: 'Remove a payment method',
  description: 'It can no longer be used. If it was the default, the newest active method becomes the default.',
  params: ById,
  ...NO_CONTENT,
  errors: ['not_found'],
  projections: [paymentMethods],
  handle: async ({ params, context }, app) => {
    await removeMethod(app, context, params.id);
    return null;
  },
});

export const paymentMethodRoutes = [list, add, get, makeDefault, remove];
