/**
 * YooKassa's API v3, under `/yookassa/v3`: the same paths, headers, shapes and errors as
 * https://yookassa.ru/developers/api and "Interaction format" describe, for redirect payments.
 */
import { createHash, randomUUID } from 'node:crypto';
import type Router from '@koa/router';
import type { TSchema } from '@sinclair/typebox';
import type { Context } from 'koa';
import {
  type Amount,
  CapturePayment,
  CreateMethod,
  CreatePayment,
  CreateReceipt,
  CreateRefund,
  type Receipt,
  toMinorUnits,
} from '../../../commands/payments/yookassa/api.ts';
import { explain, type Validator, validator } from '../../../infra/validation.ts';
import { ApiError, invalid } from '../core/apiError.ts';
import type { Failures } from '../core/failures.ts';
import { issued, receiptFault } from '../core/receipts.ts';
import type { Change, RememberedRequest, State } from '../core/state.ts';
import type { MethodService } from '../payments/methodService.ts';
import { createMethod } from '../payments/methods.ts';
import type { PaymentService } from '../payments/paymentService.ts';
import {
  type CreateContext,
  cancel,
  capture,
  createPayment,
  type PaymentRecord,
  refund,
} from '../payments/payments.ts';

export const API_PREFIX = '/yookassa/v3';

export interface ApiOptions {
  readonly state: State;
  readonly service: PaymentService;
  readonly methods: MethodService;
  readonly failures: Failures;
  /** Address of a payment's page. */
  readonly pageUrl: (paymentId: string) => string;
  /** Address of the page on which a method is confirmed. */
  readonly methodUrl: (methodId: string) => string;
  readonly confirmWithinMs: number;
  /** The only accepted shop and key. Unset = any shop with any key. */
  readonly credentials?: { readonly shopId: string; readonly secretKey: string };
}

type Answer = (ctx: Context & { params: Record<string, string> }, shopId: string) => object;
/** Mounts an operation below the prefix. */
type On = (method: 'get' | 'post', path: string, answer: Answer) => void;

export const mountYookassaApi = (router: Router, options: ApiOptions): void => {
  const { failures, credentials } = options;
  const on: On = (method, path, answer) =>
    router[method](`${API_PREFIX}${path}`, async (ctx) => {
      const shopId = authenticate(ctx, credentials);
      await failures.before(ctx, invalid('Refused (requested failure)'));
      const body = answer(ctx, shopId);
      await failures.after(ctx);
      ctx.body = body;
    });
  mountPayments(on, options);
  mountRefunds(on, options);
  mountReceipts(on, options);
  mountMethods(on, options);
};

const mountPayments = (on: On, options: ApiOptions): void => {
  const { service } = options;
  on('post', '/payments', (ctx, shopId) =>
    once(options, ctx, shopId, 'payments', (id, remember) => {
      const input = bodyOf(ctx, isCreatePayment);
      const saved = input.payment_method_id ? savedMethod(options, shopId, input.payment_method_id) : {};
      const { confirmWithinMs, pageUrl } = options;
      const context = { id, shopId, pageUrl: pageUrl(id), at: service.now(), confirmWithinMs, ...saved };
      checkReceipt(input.receipt, input.amount);
      service.apply(createPayment(input, context), [remember, ...issued(id, 'payment', input.receipt)]);
    }),
  );
  on('get', '/payments', (ctx, shopId) => listPayments(service, shopId, ctx.query));
  on('get', '/payments/:id', (ctx, shopId) => paymentOf(service, shopId, ctx.params.id).object);
  on('post', '/payments/:id/capture', (ctx, shopId) => {
    const record = paymentOf(service, shopId, ctx.params.id);
    const work = (_: string, remember: Change) =>
      service.apply(capture(record, bodyOf(ctx, isCapturePayment).amount, service.now()), [remember]);
    return once(options, ctx, shopId, 'payments', work, record.object.id);
  });
  on('post', '/payments/:id/cancel', (ctx, shopId) => {
    const record = paymentOf(service, shopId, ctx.params.id);
    const work = (_: string, remember: Change) => service.apply(cancel(record), [remember]);
    return once(options, ctx, shopId, 'payments', work, record.object.id);
  });
};

/** "List payments". The cursor is the number of payments before the page. */
const listPayments = (service: PaymentService, shopId: string, query: Context['query']): object => {
  const { 'created_at.gte': from = '', limit = '10', cursor = '0' } = query;
  const all = service
    .payments()
    .filter(({ provider, object }) => provider === 'yookassa' && object.recipient.account_id === shopId)
    .filter(({ object }) => object.created_at >= from);
  const end = Number(cursor) + Number(limit);
  const items = all.slice(Number(cursor), end).map(({ object }) => object);
  return { type: 'list', items, ...(end < all.length && { next_cursor: String(end) }) };
};

const mountRefunds = (on: On, options: ApiOptions): void => {
  const { service, state } = options;
  on('post', '/refunds', (ctx, shopId) =>
    once(options, ctx, shopId, 'refunds', (id, remember) => {
      const input = bodyOf(ctx, isCreateRefund);
      const step = refund(paymentOf(service, shopId, input.payment_id), input, { id, at: service.now() });
      checkReceipt(input.receipt, input.amount);
      service.refund(step.record, step.refund, [remember, ...issued(input.payment_id, 'refund', input.receipt)]);
    }),
  );
  on('get', '/refunds', (ctx, shopId) => {
    const all = [...state.tables.refunds.values()].filter((record) => record.shopId === shopId);
    const items = all.map(({ object }) => object).filter((each) => each.payment_id === ctx.query.payment_id);
    return { type: 'list', items: items.reverse().slice(0, Number(ctx.query.limit ?? 10)) };
  });
  on('get', '/refunds/:id', (ctx, shopId) => {
    const record = state.tables.refunds.get(ctx.params.id ?? '');
    if (record?.shopId !== shopId) throw notFound('Refund');
    return record.object;
  });
};

/** "Receipts": the items must sum to the amount. */
const checkReceipt = (receipt: Receipt | undefined, amount: Amount): void => {
  if (!receipt) return;
  const { customer, items } = receipt;
  const hasContact = customer.email !== undefined || customer.phone !== undefined;
  const minor = items.map((item) => toMinorUnits(item.amount));
  const fault = receiptFault(minor, toMinorUnits(amount), { hasContact });
  if (fault) throw invalid(fault, 'receipt.items');
};

const mountReceipts = (on: On, options: ApiOptions): void => {
  const { service, state } = options;
  on('post', '/receipts', (ctx, shopId) =>
    once(options, ctx, shopId, 'receipts', (id, remember) => {
      const input = bodyOf(ctx, isCreateReceipt);
      const { object } = paymentOf(service, shopId, input.payment_id);
      if (object.status !== 'succeeded') throw invalid('Payment is not succeeded', 'payment_id');
      for (const { amount } of input.settlements) checkReceipt(input, amount);
      state.commit([remember, ...issued(input.payment_id, 'closing', input, id)]);
    }),
  );
};

const mountMethods = (on: On, options: ApiOptions): void => {
  const { service, methods, methodUrl, confirmWithinMs } = options;
  on('post', '/payment_methods', (ctx, shopId) =>
    once(options, ctx, shopId, 'methods', (id, remember) => {
      const context = { id, shopId, pageUrl: methodUrl(id), at: service.now(), confirmWithinMs };
      methods.apply(createMethod(bodyOf(ctx, isCreateMethod), context), [remember]);
    }),
  );
  on('get', '/payment_methods/:id', (ctx, shopId) => {
    const record = methods.find(ctx.params.id);
    if (record?.object.holder.account_id !== shopId) throw notFound('Payment method');
    return record.object;
  });
};

/**
 * Handles a POST once per key and answers repeats with the same object. `work` commits `remember` together with its
 * changes.
 */
const once = (
  { state, service }: Pick<ApiOptions, 'state' | 'service'>,
  ctx: Context,
  shopId: string,
  table: RememberedRequest['table'],
  work: (id: string, remember: Change) => void,
  id: string = randomUUID(),
): object => {
  const key = `${shopId}:${idempotenceKey(ctx)}`;
  const fingerprint = fingerprintOf(ctx);
  const known = state.tables.requests.get(key);
  if (known && known.fingerprint !== fingerprint) throw invalid('Idempotence key duplicated', 'Idempotence-Key');
  if (!known) work(id, ['requests', key, { fingerprint, table, id, at: service.now() }]);
  const object = state.tables[table].get(known?.id ?? id)?.object;
  if (!object) throw notFound('Object');
  return object;
};

/** A payment of the shop. */
const paymentOf = (service: PaymentService, shopId: string, id: string | undefined): PaymentRecord => {
  const record = service.payment(id);
  if (record?.provider !== 'yookassa' || record.object.recipient.account_id !== shopId) throw notFound('Payment');
  return record;
};

const isCreateMethod = validator(CreateMethod);
const isCreatePayment = validator(CreatePayment);
const isCapturePayment = validator(CapturePayment);
const isCreateRefund = validator(CreateRefund);
const isCreateReceipt = validator(CreateReceipt);

/** The body of every error reply. */
export const faultOf = (error: ApiError): object => ({
  type: 'error',
  id: randomUUID(),
  code: error.code,
  description: error.message,
  ...(error.parameter ? { parameter: error.parameter } : {}),
});

const notFound = (what: string): ApiError => new ApiError(404, 'not_found', `${what} doesn't exist or access denied`);

/** "HTTP Basic Auth": the shop is the user, its key the password. */
const authenticate = (ctx: Context, expected: ApiOptions['credentials']): string => {
  const [, encoded = ''] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(ctx.get('authorization')) ?? [];
  const [shopId = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  const secretKey = rest.join(':');
  const known = !expected || (shopId === expected.shopId && secretKey === expected.secretKey);
  if (!shopId || !secretKey || !known)
    throw new ApiError(401, 'invalid_credentials', 'Basic authentication failed', 'Authorization');
  return shopId;
};

/** "Idempotence": required with every POST, at most 64 characters. */
const idempotenceKey = (ctx: Context): string => {
  const key = ctx.get('idempotence-key');
  if (!key) throw invalid('Idempotence key is required', 'Idempotence-Key');
  if (key.length > 64) throw invalid('Idempotence key is too long', 'Idempotence-Key');
  return key;
};

const fingerprintOf = (ctx: Context): string => {
  const body: unknown = ctx.request.body;
  return createHash('sha256')
    .update(`${ctx.method} ${ctx.path} ${JSON.stringify(body ?? {})}`)
    .digest('hex');
};

const bodyOf = <T extends TSchema>(ctx: Context, fits: Validator<T>): T['static'] => {
  const body: unknown = ctx.request.body ?? {};
  if (ctx.get('content-type') && !ctx.is('json')) throw new ApiError(415, 'invalid_request', 'Send application/json');
  if (fits(body)) return body;
  const parameter = fits.errors[0]?.instancePath.slice(1).replaceAll('/', '.');
  throw invalid(`Invalid request: ${explain(fits.errors)}`, parameter || fits.errors[0]?.params.missingProperty);
};

/** Finds a method that can be charged without the payer: saved on its own, or by the payment with the same id. */
const savedMethod = (
  { state, methods }: ApiOptions,
  shopId: string,
  id: string,
): Pick<CreateContext, 'saved' | 'card'> => {
  const linked = methods.find(id);
  if (linked?.object.status === 'active' && linked.object.holder.account_id === shopId) {
    const { status, holder, confirmation, ...saved } = linked.object;
    return { saved, ...(linked.card && { card: linked.card }) };
  }
  const object = state.tables.payments.get(id)?.object;
  const method = object?.payment_method;
  if (object?.recipient.account_id !== shopId || !method?.saved || method.id !== id)
    throw invalid('Payment method does not exist or is not saved', 'payment_method_id');
  return { saved: method };
};
