/**
 * YooKassa behind the provider port, over its HTTP API v3 (https://yookassa.ru/developers/api). Nothing of a request or
 * an answer is logged or put into an error but codes, so that keys and card data stay where they are.
 */
import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { addMs, MINUTE_MS } from '../../../domain/core/instants.ts';
import { beginningOf } from '../../../domain/core/storable.ts';
import { parseJson } from '../../../infra/outside/answers.ts';
import { signatureFault } from '../../../infra/standardWebhooks.ts';
import { validator } from '../../../infra/validation.ts';
import {
  type Notification as Delivery,
  type NewProviderPayment,
  type NewProviderRefund,
  type PaymentMethod,
  type PaymentProvider,
  ProviderError,
  type ProviderPayment,
  type ProviderRefund,
  type ProviderRefundEntry,
  type ProviderStatus,
} from '../paymentProvider.ts';
import {
  type CreatePayment,
  type CreateRefund,
  type MethodType,
  Notification,
  PAYMENT_DESCRIPTION,
  Payment,
  PaymentList,
  REFUND_DESCRIPTION,
  Refund,
  RefundList,
  toAmount,
  toMinorUnits,
} from './api.ts';
import { type Call, createClient } from './client.ts';
import { createTokenisation } from './methods.ts';
import { closeReceipt, toReceipt } from './receipts.ts';

export { NOTIFICATION_SENDERS } from './api.ts';

export interface YookassaOptions {
  /** `https://api.yookassa.ru/v3`, or where the local sandbox stands in for it. */
  readonly apiUrl: string;
  readonly shopId: string;
  readonly secretKey: string;
  /** Address ranges that notifications may come from: `NOTIFICATION_SENDERS` for the real provider. Unset = any. */
  readonly senders?: readonly string[];
  /** Notifications must be signed with it. The real provider signs none; the sandbox does. */
  readonly webhookSecret?: string;
  /** How long one call may take, answer included. */
  readonly timeoutMs?: number;
}

const METHODS: Readonly<Record<PaymentMethod, MethodType>> = { card: 'bank_card', sbp: 'sbp', wallet: 'yoo_money' };
/** Where a payment carries our id. */
const PAYMENT_ID = 'payment_id';

/** The provider, ready to use. @throws Error when notifications could not be verified, or an address range is invalid */
export const yookassa = (options: YookassaOptions): PaymentProvider => {
  const call = createClient(options);
  const prove = createProof(options);
  const payment = async (method: 'GET' | 'POST', path: string, key?: string, body?: object) =>
    toPayment(await call(isPayment, method, path, key, body));
  const onPayment = (id: string, action = ''): string => `/payments/${encodeURIComponent(id)}${action}`;

  return {
    name: 'yookassa',
    acknowledgement: 'OK',
    create: (input) => payment('POST', '/payments', input.idempotencyKey, fromNewPayment(input)),
    get: (id) => payment('GET', onPayment(id)),
    find: (paymentId, since) => find(call, paymentId, since),
    capture: (id) => payment('POST', onPayment(id, '/capture'), `capture:${id}`, {}),
    cancel: (id) => payment('POST', onPayment(id, '/cancel'), `cancel:${id}`, {}),
    refund: async (input) => toRefund(await refund(call, input)),
    getRefund: async (id) => toRefund(await call(isRefund, 'GET', `/refunds/${encodeURIComponent(id)}`)),
    refundsOf: async (id) => (await listRefunds(call, id)).map(toEntry),
    closeReceipt: (closing) => closeReceipt(call, closing),
    tokenisation: createTokenisation(call),
    verifyNotification: (delivery) => {
      prove(delivery);
      return about(delivery.rawBody);
    },
  };
};

const isPayment = validator(Payment);
const isRefund = validator(Refund);
const isPaymentList = validator(PaymentList);
const isRefundList = validator(RefundList);
const isNotification = validator(Notification);

/**
 * "Create a payment": in one stage or two. The payer is sent to the provider's page, or a saved method is charged:
 * "Making autopayments" needs no confirmation by the payer.
 */
const fromNewPayment = (input: NewProviderPayment): CreatePayment => ({
  amount: toAmount(input.amountMinor, input.currency),
  capture: input.capture === 'automatic',
  description: beginningOf(input.description, PAYMENT_DESCRIPTION),
  ...(input.token === undefined
    ? {
        confirmation: { type: 'redirect', return_url: input.returnUrl },
        payment_method_data: { type: METHODS[input.method] },
      }
    : { payment_method_id: input.token }),
  ...(input.receipt && { receipt: toReceipt(input.receipt, input.currency) }),
  metadata: { [PAYMENT_ID]: input.paymentId },
});

/** Pages of payments that are searched: 100 each. */
const MAX_PAGES = 200;
/** How far the clocks may differ. */
const SKEW_MS = MINUTE_MS;

/** "List payments" cannot search the metadata, so that all payments since then are read, the newest first. */
const find = async (call: Call, paymentId: string, since: string): Promise<ProviderPayment | undefined> => {
  const from = addMs(since, -SKEW_MS);
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const query = new URLSearchParams({ 'created_at.gte': from, limit: '100', ...(cursor && { cursor }) });
    const { items, next_cursor } = await call(isPaymentList, 'GET', `/payments?${query}`);
    const found = items.find(({ metadata }) => metadata?.[PAYMENT_ID] === paymentId);
    if (found) return toPayment(found);
    if (next_cursor === undefined) return undefined;
    cursor = next_cursor;
  }
  throw new ProviderError('away', 'yookassa: too many payments to search', 'too_many_payments');
};

/** YooKassa forgets keys after a day, but a refund may be repeated later. It is then recognised by its description. */
const refund = async (call: Call, input: NewProviderRefund): Promise<Refund> => {
  const made = (await listRefunds(call, input.providerPaymentId)).find(({ description }) =>
    description?.startsWith(`${input.refundId}: `),
  );
  return made ?? call(isRefund, 'POST', '/refunds', input.refundId, fromNewRefund(input));
};

/** Pages of refunds of one payment: 100 each. */
const MAX_REFUND_PAGES = 20;

/** "List refunds": all of a payment. */
const listRefunds = async (call: Call, providerPaymentId: string): Promise<Refund[]> => {
  const found: Refund[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_REFUND_PAGES; page += 1) {
    const query = new URLSearchParams({ payment_id: providerPaymentId, limit: '100', ...(cursor && { cursor }) });
    const { items, next_cursor } = await call(isRefundList, 'GET', `/refunds?${query}`);
    found.push(...items);
    if (next_cursor === undefined) return found;
    cursor = next_cursor;
  }
  throw new ProviderError('away', 'yookassa: too many refunds of one payment', 'too_many_refunds');
};

/** The key that a refund was made with, which its description begins with. */
const keyOf = ({ description }: Refund): string | undefined =>
  /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}): /.exec(description ?? '')?.[1];

const toEntry = (refund: Refund): ProviderRefundEntry => {
  const { providerRefundId, status } = toRefund(refund);
  const refundId = keyOf(refund);
  return { providerRefundId, status, amountMinor: toMinorUnits(refund.amount), ...(refundId && { refundId }) };
};

/** "Create a refund": the provider allows several, up to what was captured. */
const fromNewRefund = (input: NewProviderRefund): CreateRefund => ({
  payment_id: input.providerPaymentId,
  amount: toAmount(input.amountMinor, input.currency),
  description: beginningOf(`${input.refundId}: ${input.reason}`, REFUND_DESCRIPTION),
  ...(input.receipt && { receipt: toReceipt(input.receipt, input.currency) }),
});

/** "Payment process" and, for the reasons of `canceled`, "Declined payments". */
const toStatus = (payment: Payment): ProviderStatus => {
  switch (payment.status) {
    case 'pending':
      return payment.confirmation?.confirmation_url ? 'requires_action' : 'processing';
    case 'waiting_for_capture':
      return 'authorized';
    case 'succeeded':
      return 'succeeded';
    case 'canceled': {
      const reason = payment.cancellation_details?.reason ?? '';
      if (reason.startsWith('expired_on_')) return 'expired';
      return reason === 'canceled_by_merchant' ? 'cancelled' : 'failed';
    }
  }
};

const toPayment = (payment: Payment): ProviderPayment => {
  const paymentId = payment.metadata?.[PAYMENT_ID];
  if (!paymentId) throw new ProviderError('refused', 'yookassa: a payment that was not made by us', 'foreign_payment');
  const status = toStatus(payment);
  const redirectUrl = status === 'requires_action' ? payment.confirmation?.confirmation_url : undefined;
  const reason = payment.cancellation_details?.reason;
  return {
    providerPaymentId: payment.id,
    paymentId,
    status,
    amountMinor: toMinorUnits(payment.amount),
    currency: payment.amount.currency,
    ...(redirectUrl ? { redirectUrl } : {}),
    ...(reason ? { reason } : {}),
    ...(payment.refunded_amount ? { refundedMinor: toMinorUnits(payment.refunded_amount) } : {}),
  };
};

/** "Refunds": `canceled` is final; the money was not refunded. */
const toRefund = (refund: Refund): ProviderRefund => ({
  providerRefundId: refund.id,
  status: refund.status === 'canceled' ? 'failed' : refund.status,
  ...(refund.cancellation_details ? { reason: refund.cancellation_details.reason } : {}),
});

/**
 * "Notification authentication": the provider signs nothing and names the addresses it sends from. A secret adds a
 * signature on top (`infra/standardWebhooks.ts`). Either way only the API's answer decides what has happened.
 */
const createProof = ({ senders, webhookSecret }: YookassaOptions): ((delivery: Delivery) => void) => {
  if (!senders && !webhookSecret) throw new Error('yookassa: notifications need address ranges, a secret, or both');
  const allowed = senders ? toBlockList(senders) : undefined;
  const refuse = (reason: string): never => {
    throw new ProviderError('refused', `yookassa: notification refused, ${reason}`, reason);
  };
  return ({ ip, headers, rawBody }) => {
    if (allowed && !comesFrom(allowed, ip)) refuse('unknown_sender');
    const fault = webhookSecret ? signatureFault(webhookSecret, headers, rawBody) : undefined;
    if (fault) refuse(fault);
  };
};

const toBlockList = (ranges: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4');
  }
  return list;
};

/** An IPv4 address may come written as IPv6: `::ffff:185.71.76.1`. */
const comesFrom = (allowed: BlockList, ip: string | null): boolean => {
  const address = ip?.replace(/^::ffff:(?=\d+\.)/i, '') ?? '';
  if (isIPv4(address)) return allowed.check(address, 'ipv4');
  return isIPv6(address) && allowed.check(address, 'ipv6');
};

const about = (rawBody: Buffer): ReturnType<PaymentProvider['verifyNotification']> => {
  const body = parseJson(rawBody.toString('utf8'));
  if (!isNotification(body))
    throw new ProviderError('refused', 'yookassa: not a notification that we know', 'unknown_notification');
  const eventKey = `${body.event}:${body.object.id}`;
  if ('holder' in body.object) return { eventKey, providerPaymentId: body.object.id, subject: 'method' };
  return { eventKey, providerPaymentId: 'payment_id' in body.object ? body.object.payment_id : body.object.id };
};
