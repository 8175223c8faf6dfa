/**
 * The life of a payment at the provider: pure steps from one record to the next, according to "Payment process",
 * "Refunds" and "Declined payments" of https://yookassa.ru/developers. Time and ids are arguments.
 */
import {
  type Amount,
  type CancellationDetails,
  type CreatePayment,
  type CreateRefund,
  type MethodType,
  type Payment,
  type PaymentEvent,
  type PaymentMethod,
  type Refund,
  toAmount,
  toMinorUnits,
} from '../../../commands/payments/yookassa/api.ts';
import { addMs, DAY_MS, HOUR_MS } from '../../../domain/core/instants.ts';
import { invalid } from '../core/apiError.ts';
import { DEFAULT_CARD, type TestCard } from './cards.ts';

/** The provider whose API created the payment. */
export type Provider = 'yookassa' | 'tbank';

/** A payment of the sandbox, in YooKassa's terms; the APIs of other providers translate it. */
export interface PaymentRecord {
  readonly provider: Provider;
  readonly object: Payment;
  /** The next step of the payment page. */
  readonly step: 'method' | 'challenge';
  readonly capture: boolean;
  readonly save: boolean;
  /** The card that the payer entered. Only test cards: other numbers are never stored. */
  readonly card?: TestCard;
  readonly returnUrl?: string;
  /** Where the payer returns to without having paid; `returnUrl` by default. */
  readonly failUrl?: string;
  /** The payer has seen the page. */
  readonly isShown?: true;
  /** Fields of T-Bank's API. */
  readonly tbank?: TbankPart;
  /** When an unconfirmed payment is cancelled. */
  readonly confirmBy: string;
}

interface TbankPart {
  readonly orderId: string;
  readonly customerKey?: string;
  readonly notificationUrl?: string;
  /** Set for saving a card, which is a payment of zero. */
  readonly requestKey?: string;
  readonly isCardRemoved?: true;
}

/** The result of a step: the new record, and the event that the shop is notified of. */
export interface Step {
  readonly record: PaymentRecord;
  readonly event?: PaymentEvent;
}

/** "Payment methods": how long the payer has for a card, the fast payment system or a wallet. */
export const CONFIRM_WITHIN_MS = HOUR_MS;
/** "Capture and cancel": how long a card's money stays reserved. */
const CAPTURE_WITHIN_MS = 7 * DAY_MS;

const changed = (record: PaymentRecord, object: Partial<Payment>): PaymentRecord => ({
  ...record,
  object: { ...record.object, ...object },
});

export interface CreateContext {
  readonly id: string;
  readonly shopId: string;
  readonly pageUrl: string;
  readonly at: string;
  readonly confirmWithinMs: number;
  /** The saved method of `payment_method_id`: charged at once, without the payer. */
  readonly saved?: PaymentMethod;
  /** The card of the saved method. */
  readonly card?: TestCard;
}

/**
 * Whether it is the address of a web page or an app. The page links to it, so schemes that run code or read files are
 * refused.
 */
export const isAddress = (url: string): boolean =>
  URL.canParse(url) && !/^(javascript|vbscript|data|blob|file|about):/i.test(new URL(url).protocol);

export const createPayment = (input: CreatePayment, context: CreateContext): Step => {
  if (toMinorUnits(input.amount) <= 0) throw invalid('Amount must be above zero', 'amount.value');
  const { saved } = context;
  if (!saved && !input.confirmation) throw invalid('Confirmation is required', 'confirmation');
  if (input.confirmation && !isAddress(input.confirmation.return_url))
    throw invalid('The return address is not valid', 'confirmation.return_url');
  const record: PaymentRecord = {
    provider: 'yookassa',
    step: 'method',
    capture: input.capture ?? false,
    save: input.save_payment_method ?? false,
    confirmBy: addMs(context.at, context.confirmWithinMs),
    ...(input.confirmation ? { returnUrl: input.confirmation.return_url } : {}),
    ...(context.card ? { card: context.card } : {}),
    object: {
      id: context.id,
      status: 'pending',
      paid: false,
      amount: toAmount(toMinorUnits(input.amount), input.amount.currency),
      ...(input.confirmation && !saved
        ? { confirmation: { ...input.confirmation, confirmation_url: context.pageUrl } }
        : {}),
      created_at: context.at,
      ...(input.description ? { description: input.description } : {}),
      metadata: input.metadata ?? {},
      payment_method: saved ?? {
        type: input.payment_method_data?.type ?? ('bank_card' satisfies MethodType),
        id: context.id,
        saved: false,
      },
      recipient: { account_id: context.shopId, gateway_id: '1' },
      refundable: false,
      test: true,
    },
  };
  return saved ? approve(record, context.at) : { record };
};

/** Where the payer returns to after the payment. */
export const backFrom = ({ object, returnUrl, failUrl }: PaymentRecord): string | undefined =>
  object.status === 'canceled' ? (failUrl ?? returnUrl) : returnUrl;

export const isPending = ({ object }: PaymentRecord): boolean => object.status === 'pending';

/** The payer entered a card: either 3-D Secure follows, or the payment ends at once. */
export const payByCard = (record: PaymentRecord, card: TestCard, at: string): Step =>
  card.challenge ? { record: { ...record, card, step: 'challenge' } } : approve({ ...record, card }, at);

/** The payer approved; the card can still be declined. */
export const approve = (record: PaymentRecord, at: string): Step => {
  if (!isPending(record)) return { record };
  if (record.card?.decline) return end(record, record.card.decline);
  const paid = changed(record, {
    paid: true,
    payment_method: methodUsed(record),
    ...(record.capture ? {} : { expires_at: addMs(at, CAPTURE_WITHIN_MS) }),
  });
  return record.capture ? take(paid, record.object.amount, at) : reserve(paid);
};

const reserve = (record: PaymentRecord): Step => ({
  record: settle(record, { status: 'waiting_for_capture' }),
  event: 'payment.waiting_for_capture',
});

const take = (record: PaymentRecord, amount: Amount, at: string): Step => ({
  record: settle(record, { status: 'succeeded', amount, captured_at: at, refundable: true }),
  event: 'payment.succeeded',
});

/** `confirmation` exists only while the payment waits for the payer. */
const settle = (record: PaymentRecord, object: Partial<Payment>): PaymentRecord => {
  const { confirmation: _, ...rest } = record.object;
  return { ...record, object: { ...rest, ...object } };
};

const methodUsed = ({ object, card = DEFAULT_CARD, save }: PaymentRecord): PaymentMethod => {
  const method = object.payment_method ?? { type: 'bank_card', id: object.id, saved: false };
  if (method.saved || method.type !== 'bank_card') return { ...method, saved: method.saved || save };
  const last4 = card.number.slice(-4);
  return {
    ...method,
    saved: save,
    title: `Bank card *${last4}`,
    card: { first6: card.number.slice(0, 6), last4, expiry_month: '12', expiry_year: '2040', card_type: card.brand },
  };
};

const end = (record: PaymentRecord, details: CancellationDetails): Step => ({
  record: settle(record, { status: 'canceled', paid: false, refundable: false, cancellation_details: details }),
  event: 'payment.canceled',
});

/** The payer or the bank declined. */
export const decline = (record: PaymentRecord): Step => {
  if (!isPending(record)) return { record };
  const reason = record.step === 'challenge' ? '3d_secure_failed' : 'general_decline';
  return end(record, { party: 'payment_network', reason });
};

/** Expires the payment when the payer has not confirmed in time, or the shop has not captured in time. */
export const expire = (record: PaymentRecord, at: string): Step => {
  const { status, expires_at } = record.object;
  if (status === 'pending' && record.confirmBy <= at)
    return end(record, { party: 'yoo_money', reason: 'expired_on_confirmation' });
  if (status === 'waiting_for_capture' && expires_at !== undefined && expires_at <= at)
    return end(record, { party: 'yoo_money', reason: 'expired_on_capture' });
  return { record };
};

/** Captures the reserved amount or a part of it; the rest is released to the payer. */
export const capture = (record: PaymentRecord, amount: Amount | undefined, at: string): Step => {
  assertReserved(record);
  const { object } = record;
  const captured = amount ?? object.amount;
  if (captured.currency !== object.amount.currency) throw invalid('Wrong currency', 'amount.currency');
  const minor = toMinorUnits(captured);
  if (minor <= 0 || minor > toMinorUnits(object.amount))
    throw invalid('The amount must be positive and at most the reserved amount', 'amount.value');
  return take(record, toAmount(minor, captured.currency), at);
};

export const cancel = (record: PaymentRecord): Step => {
  assertReserved(record);
  return end(record, { party: 'merchant', reason: 'canceled_by_merchant' });
};

/** Cancels a payment that the payer has not started. */
export const withdraw = (record: PaymentRecord): Step =>
  end(record, { party: 'merchant', reason: 'canceled_by_merchant' });

const assertReserved = ({ object }: PaymentRecord): void => {
  if (object.status !== 'waiting_for_capture') throw invalid(`Payment is ${object.status}, not waiting_for_capture`);
};

/** Refunds all or a part, in total never more than was captured. */
export const refund = (
  record: PaymentRecord,
  input: CreateRefund,
  context: { readonly id: string; readonly at: string },
): { readonly record: PaymentRecord; readonly refund: Refund } => {
  const { object } = record;
  const { currency } = object.amount;
  if (object.status !== 'succeeded') throw invalid('Payment is not succeeded', 'payment_id');
  if (input.amount.currency !== currency) throw invalid('Wrong currency', 'amount.currency');
  const before = object.refunded_amount ? toMinorUnits(object.refunded_amount) : 0;
  const left = toMinorUnits(object.amount) - before;
  const minor = toMinorUnits(input.amount);
  if (minor <= 0 || minor > left) throw invalid('Amount is more than can be refunded', 'amount.value');
  return {
    record: changed(record, { refunded_amount: toAmount(before + minor, currency), refundable: minor < left }),
    refund: {
      id: context.id,
      payment_id: object.id,
      status: 'succeeded',
      created_at: context.at,
      amount: toAmount(minor, currency),
      ...(input.description ? { description: input.description } : {}),
    },
  };
};
