/**
 * T-Bank (formerly Tinkoff) behind the provider port, over its acquiring API v2 (https://developer.tbank.ru/eacq).
 *
 * `Init` knows no idempotency key, and one order may have several payments. Ours has the payment's id as `OrderId`, and
 * `CheckOrder` is asked before each `Init`: a payment that the payer may have seen is continued, never started again.
 * Only a payment whose address got lost with an answer is left to expire, because nobody can pay it.
 *
 * The bank has no refunds to ask for either, only `Cancel` with an `ExternalRequestId` of ours that it acts upon once.
 * `providerRefundId` is `<PaymentId>:<that id>`, and the status of a refund is read from its payment.
 */

import { createHash, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { HOUR_MS, instantOf, MINUTE_MS } from '../../../domain/core/instants.ts';
import { beginningOf } from '../../../domain/core/storable.ts';
import { createKeyedQueue } from '../../../infra/keyedQueue.ts';
import { parseJson } from '../../../infra/outside/answers.ts';
import { validator } from '../../../infra/validation.ts';
import {
  type Notification as Delivery,
  type EscrowGateway,
  type MadeRefund,
  type NewProviderPayment,
  type NewProviderRefund,
  type PaymentProvider,
  ProviderError,
  type ProviderPayment,
  type ProviderRefund,
  type ReviewedRefund,
} from '../paymentProvider.ts';
import {
  Changed,
  CURRENCY,
  DESCRIPTION,
  Initiated,
  Notification,
  Order,
  type OrderPayment,
  Qr,
  State,
  tokenOf,
} from './api.ts';
import { createCards } from './cards.ts';
import { createTbankClient, reasonOf, type TbankCall, type TbankOptions } from './client.ts';
import { closeReceipt, toReceipt } from './receipts.ts';
import { isEnding, standing, statusOf, toRefundStatus } from './status.ts';

export type { TbankOptions } from './client.ts';

type Addresses = LRUCache<string, string>;

/** The cash register is beside the API: `…/cashbox` instead of `…/v2`. */
const registerUrl = ({ apiUrl }: TbankOptions): string => apiUrl.replace(/\/v2\/?$/, '/cashbox');

const PAY_WITHIN_MS = HOUR_MS;

const isInitiated = validator(Initiated);
const isState = validator(State);
const isOrder = validator(Order);
const isChanged = validator(Changed);
const isQr = validator(Qr);
const isNotification = validator(Notification);

const refused = (reason: string): ProviderError => new ProviderError('refused', `tbank: ${reason}`, reason);

/** The provider, ready to use. Its escrow is a contract of its own with the bank, and is given where there is one. */
export const tbank = (options: TbankOptions, escrow?: EscrowGateway): PaymentProvider => {
  const call = createTbankClient(options);
  /**
   * Payment page by the bank's `PaymentId`, because the bank sends it only once. Losing an entry does no harm: see
   * above.
   */
  const addresses: Addresses = new LRUCache({ max: 10_000 });
  const queue = createKeyedQueue({ atOnce: 1 });
  const stateOf = (PaymentId: string): Promise<State> => call('GetState', isState, { PaymentId });
  const get = async (id: string): Promise<ProviderPayment> => toPayment(await stateOf(id), addresses.get(id));

  return {
    name: 'tbank',
    currencies: [CURRENCY],
    acknowledgement: 'OK',
    // One request of a payment at a time, so that the next one finds what the first has begun.
    create: (input) => queue.run(input.paymentId, () => create(call, options, addresses, input)),
    get,
    find: async (paymentId) => {
      const found = await furthest(call, paymentId);
      return found && get(String(found.PaymentId));
    },
    capture: async (id) => {
      await call('Confirm', isChanged, { PaymentId: id }).catch(unlessItIs(get, id, 'succeeded'));
      return get(id);
    },
    cancel: async (id) => {
      const { Status } = await stateOf(id);
      // `Cancel` of a payment that has taken money would give it back.
      if (!isEnding(Status)) {
        if (!['NEW', 'FORM_SHOWED', 'AUTHORIZED'].includes(Status)) throw refused('not_cancellable');
        await call('Cancel', isChanged, { PaymentId: id, ExternalRequestId: `cancel:${id}` });
      }
      return get(id);
    },
    refund: (input) => refund(call, stateOf, input),
    oneRefundAtATime: true,
    getRefund: async (providerRefundId) => {
      const { Status } = await stateOf(providerRefundId.split(':')[0] ?? '');
      return toRefund(providerRefundId, Status);
    },
    leftAfter: (made) => leftAfter(call, stateOf, made),
    verifyNotification: (delivery) => about(delivery, options),
    closeReceipt: (closing) => closeReceipt(createTbankClient({ ...options, apiUrl: registerUrl(options) }), closing),
    tokenisation: createCards(call),
    ...(escrow && { escrow }),
  };
};

/** A repeated `Confirm` is refused, because the first has changed the status. */
const unlessItIs =
  (get: PaymentProvider['get'], id: string, status: ProviderPayment['status']) =>
  async (error: unknown): Promise<void> => {
    if (error instanceof ProviderError && error.kind === 'refused' && (await get(id)).status === status) return;
    throw error;
  };

const create = async (
  call: TbankCall,
  options: TbankOptions,
  addresses: Addresses,
  input: NewProviderPayment,
): Promise<ProviderPayment> => {
  if (input.currency !== CURRENCY) throw refused('currency_not_supported');
  const known = await furthest(call, input.paymentId);
  const asked = known === undefined || known.Amount === undefined || known.Amount === input.amountMinor;
  // What has been paid may have been given back in part since: its amount is the caller's to compare.
  if (!asked && standing(known.Status) < 3) throw refused('amount_changed');
  const byLink = input.token === undefined && input.method === 'sbp';
  const canGoOn = known && (known.Status !== 'NEW' || byLink || input.token || addresses.get(String(known.PaymentId)));
  const begun = canGoOn ? undefined : await init(call, options, addresses, input);
  const id = String(begun?.PaymentId ?? known?.PaymentId);
  const isNew = begun !== undefined || known?.Status === 'NEW';
  if (isNew && byLink) addresses.set(id, (await call('GetQr', isQr, { PaymentId: id, DataType: 'PAYLOAD' })).Data);
  // A decline of a saved card is how it ended, not a failure to ask.
  if (isNew && input.token !== undefined) await call('Charge', isState, { PaymentId: id, RebillId: input.token });
  const asBegun = input.token === undefined ? begun : undefined;
  return toPayment(asBegun ?? (await call('GetState', isState, { PaymentId: id })), addresses.get(id));
};

/** The payment of an order that counts: a paid one first, then a started one, a new one, an ended one. */
const furthest = async (call: TbankCall, OrderId: string): Promise<OrderPayment | undefined> => {
  const { Payments } = await call('CheckOrder', isOrder, { OrderId }).catch((error: unknown) => {
    if (error instanceof ProviderError && error.reason === 'not_found') return { Payments: [] };
    throw error;
  });
  return Payments.toSorted((a, b) => standing(a.Status) - standing(b.Status)).at(-1);
};

const init = async (
  call: TbankCall,
  { notificationUrl, payWithinMs = PAY_WITHIN_MS }: TbankOptions,
  addresses: Addresses,
  input: NewProviderPayment,
): Promise<Initiated> => {
  const begun = await call('Init', isInitiated, {
    Amount: input.amountMinor,
    OrderId: input.paymentId,
    Description: beginningOf(input.description, DESCRIPTION),
    PayType: input.capture === 'automatic' ? 'O' : 'T',
    CustomerKey: input.customerId,
    NotificationURL: notificationUrl,
    SuccessURL: input.returnUrl,
    FailURL: input.returnUrl,
    ...(input.receipt && { Receipt: toReceipt(input.receipt) }),
    RedirectDueDate: instantOf(Date.now() + payWithinMs).replace(/\.\d+Z$/, '+00:00'),
  });
  if (begun.PaymentURL) addresses.set(String(begun.PaymentId), begun.PaymentURL);
  return begun;
};

/** How long a refund without an effect is waited for before it is sent again. */
const SETTLED_AFTER_MS = 15 * MINUTE_MS;

/**
 * The fast payment system does not heed `ExternalRequestId`. So one refund of a payment is sent at a time, and before one
 * is repeated, the status of the payment shows what became of it. Only after an earlier partial refund it shows nothing.
 */
const repeated = (
  { refundId, providerPaymentId, refundedMinor = 0, sentAt = '' }: NewProviderRefund,
  status: string,
): ProviderRefund | ReviewedRefund | 'not made' => {
  const id = `${providerPaymentId}:${refundId}`;
  if (status === 'CONFIRMED') {
    const isOver = Date.now() - Date.parse(sentAt) >= SETTLED_AFTER_MS;
    if (isOver) return 'not made';
    throw new ProviderError('away', 'tbank: a refund has no effect yet', 'refund_has_no_effect_yet');
  }
  const isMade = status !== 'PARTIAL_REFUNDED' || refundedMinor === 0;
  return isMade ? toRefund(id, status) : { status: 'unknown', reason: 'refund_not_repeatable' };
};

const refund = async (
  call: TbankCall,
  stateOf: (id: string) => Promise<State>,
  input: NewProviderRefund,
): Promise<ProviderRefund | ReviewedRefund> => {
  const { refundId, providerPaymentId, amountMinor, currency } = input;
  if (currency !== CURRENCY) throw refused('currency_not_supported');
  const state = await stateOf(providerPaymentId);
  const { Status } = state;
  const bySbp = isBySbp(state);
  if (bySbp && input.sentAt !== undefined) {
    const before = repeated(input, Status);
    if (before !== 'not made') return before;
  } else if (bySbp && Status !== 'CONFIRMED' && !input.refundedMinor)
    return { status: 'unknown', reason: 'refunded_elsewhere' };
  const receipt = input.receipt && { Receipt: toReceipt(input.receipt) };
  const params = { PaymentId: providerPaymentId, Amount: amountMinor, ExternalRequestId: refundId, ...receipt };
  const done = await call('Cancel', isChanged, params);
  const made = toRefund(`${providerPaymentId}:${refundId}`, done.Status);
  return { ...made, ...(done.NewAmount !== undefined && { leftMinor: done.NewAmount }) };
};

const isBySbp = ({ Params = [] }: State): boolean =>
  Params.some(({ Key, Value }) => Key === 'Source' && Value === 'qrsbp');

/**
 * The bank reports no amounts of refunds, but it answers a repeated `Cancel` with what is left now: it does not act upon
 * an `ExternalRequestId` that it knows. The id of a made refund has one that it has answered. The fast payment system
 * would refund again, so it is not asked.
 */
const leftAfter = async (
  call: TbankCall,
  stateOf: (id: string) => Promise<State>,
  { providerRefundId, amountMinor }: MadeRefund,
): Promise<number | undefined> => {
  const [PaymentId = '', ExternalRequestId = ''] = providerRefundId.split(':');
  if (ExternalRequestId === '' || isBySbp(await stateOf(PaymentId))) return undefined;
  return (await call('Cancel', isChanged, { PaymentId, Amount: amountMinor, ExternalRequestId })).NewAmount;
};

const toRefund = (providerRefundId: string, status: string): ProviderRefund => ({
  providerRefundId,
  ...toRefundStatus(status),
});

/** The bank does not report the amount of a partial refund. */
const toPayment = (state: State, redirectUrl: string | undefined): ProviderPayment => {
  const status = statusOf(state.Status);
  const over = status === 'failed' || status === 'cancelled' || status === 'expired';
  const reason = over ? (reasonOf(state.ErrorCode) ?? state.Status.toLowerCase()) : undefined;
  return {
    providerPaymentId: String(state.PaymentId),
    paymentId: state.OrderId,
    status,
    amountMinor: state.Amount,
    currency: CURRENCY,
    ...(status === 'requires_action' && redirectUrl ? { redirectUrl } : {}),
    ...(reason ? { reason } : {}),
    ...(state.Status === 'CONFIRMED' && { refundedMinor: 0 }),
    ...(state.Status === 'REFUNDED' && { refundedMinor: state.Amount }),
    ...(state.Status === 'PARTIAL_REFUNDED' && { isPartlyRefunded: true }),
  };
};

/** `eventKey` ends with the token: the same for the same content, and only for it. */
const about = (
  { rawBody }: Delivery,
  { terminalKey, password }: TbankOptions,
): ReturnType<PaymentProvider['verifyNotification']> => {
  const body = parseJson(rawBody.toString('utf8'));
  if (!isNotification(body)) throw refused('unknown_notification');
  const expected = createHash('sha256').update(tokenOf(body, password)).digest();
  const given = createHash('sha256').update(body.Token.toLowerCase()).digest();
  if (body.TerminalKey !== terminalKey || !timingSafeEqual(given, expected)) throw refused('signature_wrong');
  const isMethod = 'RequestKey' in body;
  const providerPaymentId = isMethod ? body.RequestKey : String(body.PaymentId);
  const eventKey = `${providerPaymentId}:${body.Status}:${body.Token.toLowerCase()}`;
  return { eventKey, providerPaymentId, ...(isMethod && { subject: 'method' }) };
};
