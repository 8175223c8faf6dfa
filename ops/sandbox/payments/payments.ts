/**
 * What happens to a payment at the provider: pure steps from one record to the next, after "Payment process",
 * "Refunds" and "Declined payments" of https://yookassa.ru/developers. Time and ids come in as arguments.
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
import { invalid } from '../core/apiError.ts';
import { DEFAULT_CARD, type TestCard } from './cards.ts';

/** Whose API the shop spoke to. */
export type Provider = 'yookassa' | 'tbank';

/** A payment as the sandbox has it, in the words of YooKassa; other providers' faces translate. */
export interface PaymentRecord {
  readonly provider: Provider;
  readonly object: Payment;
  /** What the payer's page asks for next. */
  readonly step: 'method' | 'challenge';
  readonly capture: boolean;
  readonly save: boolean;
  /** The card of a challenge. Test cards only: no other number gets here. */
  readonly card?: TestCard;
  readonly returnUrl?: string;
  /** Where the payer goes who has not paid; as who has unless set. */
  readonly failUrl?: string;
  /** The payer has seen the page. */
  readonly isShown?: true;
  /** What only T-Bank's face knows of it. */
  readonly tbank?: TbankPart;
  /** When an unconfirmed payment is cancelled. */
  readonly confirmBy: string;
}

export interface TbankPart {
  readonly orderId: string;
  readonly customerKey?: string;
  readonly notificationUrl?: string;
  /** Of the saving of a card, which is a payment of nothing. */
  readonly requestKey?: string;
  readonly isCardRemoved?: true;
}

/** Where a step leads, and what the shop is told. */
export interface Step {
  readonly record: PaymentRecord;
  readonly event?: PaymentEvent;
}

/** "Payment methods": how long the payer has for a card, the fast payment system or a wallet. */
export const CONFIRM_WITHIN_MS = 60 * 60_000;
/** "Capture and cancel": how long a card's money stays reserved. */
const CAPTURE_WITHIN_MS = 7 * 24 * 60 * 60_000;

export const later = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString();
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
  /** What `payment_method_id` names: charged at once, without the payer. */
  readonly saved?: PaymentMethod;
  /** The card behind it. */
  readonly card?: TestCard;
}

/** A page, or an app by its own scheme. The page links to it, so that nothing that runs or reads there gets through. */
export const isAddress = (url: string): boolean =>
  URL.canParse(url) && !/^(javascript|vbscript|data|blob|file|about):/i.test(new URL(url).protocol);

export const createPayment = (input: CreatePayment, context: CreateContext): Step => {
  if (toMinorUnits(input.amount) <= 0) throw invalid('Amount must be above zero', 'amount.value');
  const { saved } = context;
  if (!saved && !input.confirmation) throw invalid('Confirmation is required', 'confirmation');
  if (input.confirmation && !isAddress(input.confirmation.return_url))
    throw invalid('Return address is not possible', 'confirmation.return_url');
  const record: PaymentRecord = {
    provider: 'yookassa',
    step: 'method',
    capture: input.capture ?? false,
    save: input.save_payment_method ?? false,
    confirmBy: later(context.at, context.confirmWithinMs),
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

/** Where the payer goes from the page, once it is over. */
export const backFrom = ({ object, returnUrl, failUrl }: PaymentRecord): string | undefined =>
  object.status === 'canceled' ? (failUrl ?? returnUrl) : returnUrl;

export const isPending = ({ object }: PaymentRecord): boolean => object.status === 'pending';

/** The payer gave a card: the bank asks first, or it ends at once. */
export const payByCard = (record: PaymentRecord, card: TestCard, at: string): Step =>
  card.challenge ? { record: { ...record, card, step: 'challenge' } } : approve({ ...record, card }, at);

/** The payer agreed; the card may still refuse. */
export const approve = (record: PaymentRecord, at: string): Step => {
  if (!isPending(record)) return { record };
  if (record.card?.decline) return end(record, record.card.decline);
  const paid = changed(record, {
    paid: true,
    payment_method: methodUsed(record),
    ...(record.capture ? {} : { expires_at: later(at, CAPTURE_WITHIN_MS) }),
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

/** `confirmation` is only there while the payer is waited for. */
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

/** The payer, or their bank, said no. */
export const decline = (record: PaymentRecord): Step => {
  if (!isPending(record)) return { record };
  const reason = record.step === 'challenge' ? '3d_secure_failed' : 'general_decline';
  return end(record, { party: 'payment_network', reason });
};

/** Nobody came in time: neither the payer to confirm nor the shop to capture. */
export const expire = (record: PaymentRecord, at: string): Step => {
  const { status, expires_at } = record.object;
  if (status === 'pending' && record.confirmBy <= at)
    return end(record, { party: 'yoo_money', reason: 'expired_on_confirmation' });
  if (status === 'waiting_for_capture' && expires_at !== undefined && expires_at <= at)
    return end(record, { party: 'yoo_money', reason: 'expired_on_capture' });
  return { record };
};

/** Takes what is reserved, or a part of it: the rest goes back to the payer. */
export const capture = (record: PaymentRecord, amount: Amount | undefined, at: string): Step => {
  assertReserved(record);
  const { object } = record;
  const wanted = amount ?? object.amount;
  if (wanted.currency !== object.amount.currency) throw invalid('Wrong currency', 'amount.currency');
  const minor = toMinorUnits(wanted);
  if (minor <= 0 || minor > toMinorUnits(object.amount)) throw invalid('Amount is not possible', 'amount.value');
  return take(record, toAmount(minor, wanted.currency), at);
};

export const cancel = (record: PaymentRecord): Step => {
  assertReserved(record);
  return end(record, { party: 'merchant', reason: 'canceled_by_merchant' });
};

/** Ends what the payer has not begun. */
export const withdraw = (record: PaymentRecord): Step =>
  end(record, { party: 'merchant', reason: 'canceled_by_merchant' });

const assertReserved = ({ object }: PaymentRecord): void => {
  if (object.status !== 'waiting_for_capture') throw invalid(`Payment is ${object.status}, not waiting_for_capture`);
};

/** Gives back all or a part, never more in sum than was captured. */
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
