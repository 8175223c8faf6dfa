/**
 * The shapes of YooKassa's HTTP API v3, as far as they are used here. Source: https://yookassa.ru/developers/api, the
 * sections "Payments", "Refunds", "Payment methods" and "Errors"; notifications:
 * https://yookassa.ru/developers/using-api/webhooks. The provider may add fields at any time, so that unknown ones are
 * let through.
 */
import { type Static, Type } from '@sinclair/typebox';
import { exponentOf, toMajor, toMinor } from '../../../domain/core/money.ts';
import { Currency, OneOf } from '../../../domain/core/schema.ts';

/** Decimal text with as many digits after the point as the currency has: `10.00`. */
export const Amount = Type.Object({ value: Type.String({ pattern: '^\\d{1,12}(\\.\\d{1,4})?$' }), currency: Currency });
export type Amount = Static<typeof Amount>;

export const toAmount = (minor: number, currency: string): Amount => ({
  value: toMajor(minor, currency).toFixed(exponentOf(currency)),
  currency,
});
/** @throws Rejected `invalid` when the currency has no such fraction */
export const toMinorUnits = ({ value, currency }: Amount): number => toMinor(Number(value), currency);

/** "Payment methods": the ones we offer. Others can come back from the provider. */
const METHOD_TYPES = ['bank_card', 'sbp', 'yoo_money'] as const;
export type MethodType = (typeof METHOD_TYPES)[number];

/** At most 16 keys of 32 characters with values of 512. */
const Metadata = Type.Record(Type.String({ pattern: '^.{1,32}$' }), Type.String({ maxLength: 512 }), {
  maxProperties: 16,
});

/** Who ended it and why; the reasons are listed under "Declined payments" and may grow. */
export const CancellationDetails = Type.Object({ party: Type.String(), reason: Type.String() });
export type CancellationDetails = Static<typeof CancellationDetails>;

export const PaymentMethod = Type.Object({
  type: Type.String(),
  id: Type.String(),
  saved: Type.Boolean(),
  title: Type.Optional(Type.String()),
  card: Type.Optional(
    Type.Object({
      first6: Type.Optional(Type.String()),
      last4: Type.String(),
      expiry_month: Type.Optional(Type.String()),
      expiry_year: Type.Optional(Type.String()),
      card_type: Type.Optional(Type.String()),
    }),
  ),
});
export type PaymentMethod = Static<typeof PaymentMethod>;

const Confirmation = Type.Object({
  type: Type.String(),
  return_url: Type.Optional(Type.String()),
  confirmation_url: Type.Optional(Type.String()),
});
const Redirect = Type.Object({
  type: Type.Literal('redirect'),
  return_url: Type.String({ format: 'uri', maxLength: 2048 }),
});

/** "Payment method object": one saved for no money, https://yookassa.ru/developers, "Zero-amount linking". */
export const SavedMethod = Type.Object({
  ...PaymentMethod.properties,
  id: Type.String({ minLength: 1 }),
  /** `inactive`: the payer did not confirm it, or it cannot be charged. */
  status: OneOf(['pending', 'active', 'inactive']),
  holder: Type.Object({ account_id: Type.String(), gateway_id: Type.Optional(Type.String()) }),
  confirmation: Type.Optional(Confirmation),
});
export type SavedMethod = Static<typeof SavedMethod>;

/** What "Zero-amount linking" is for: cards and accounts of the fast payment system. */
const SAVED_TYPES = ['bank_card', 'sbp'] as const;

/** "Create a payment method". It carries no metadata, so that it does not say whose it is. */
export const CreateMethod = Type.Object({ type: OneOf(SAVED_TYPES), confirmation: Redirect });
export type CreateMethod = Static<typeof CreateMethod>;

/** "Payment object". */
export const Payment = Type.Object({
  id: Type.String({ minLength: 1 }),
  status: OneOf(['pending', 'waiting_for_capture', 'succeeded', 'canceled']),
  paid: Type.Boolean(),
  amount: Amount,
  refunded_amount: Type.Optional(Amount),
  recipient: Type.Object({ account_id: Type.String(), gateway_id: Type.String() }),
  payment_method: Type.Optional(PaymentMethod),
  description: Type.Optional(Type.String()),
  created_at: Type.String(),
  captured_at: Type.Optional(Type.String()),
  expires_at: Type.Optional(Type.String()),
  confirmation: Type.Optional(Confirmation),
  metadata: Type.Optional(Metadata),
  cancellation_details: Type.Optional(CancellationDetails),
  refundable: Type.Boolean(),
  test: Type.Boolean(),
});
export type Payment = Static<typeof Payment>;

/** "List payments": the newest first, 100 at the most; `next_cursor` leads to older ones. */
export const PaymentList = Type.Object({
  type: Type.Literal('list'),
  items: Type.Array(Payment),
  next_cursor: Type.Optional(Type.String()),
});

/** "Refund object". */
export const Refund = Type.Object({
  id: Type.String({ minLength: 1 }),
  payment_id: Type.String({ minLength: 1 }),
  status: OneOf(['pending', 'succeeded', 'canceled']),
  amount: Amount,
  description: Type.Optional(Type.String()),
  created_at: Type.String(),
  cancellation_details: Type.Optional(CancellationDetails),
});
export type Refund = Static<typeof Refund>;

/** "List refunds", by `payment_id`; the newest first, 100 at the most; `next_cursor` leads to older ones. */
export const RefundList = Type.Object({
  type: Type.Literal('list'),
  items: Type.Array(Refund),
  next_cursor: Type.Optional(Type.String()),
});

/** Most characters of a description. */
export const PAYMENT_DESCRIPTION = 128;
export const REFUND_DESCRIPTION = 250;

/** "Receipts", https://yookassa.ru/developers/payment-acceptance/receipts/54fz/parameters-values. */
const ReceiptItem = Type.Object({
  description: Type.String({ minLength: 1, maxLength: 128 }),
  quantity: Type.Number({ exclusiveMinimum: 0 }),
  amount: Amount,
  vat_code: Type.Integer({ minimum: 1, maximum: 12 }),
  payment_mode: OneOf(['full_prepayment', 'full_payment']),
  payment_subject: Type.Literal('service'),
  measure: Type.Literal('piece'),
  agent_type: Type.Optional(Type.Literal('agent')),
  supplier: Type.Optional(
    Type.Object({ name: Type.String(), phone: Type.String({ pattern: '^\\d+$' }), inn: Type.String() }),
  ),
});
export const Receipt = Type.Object({
  customer: Type.Object(
    { email: Type.Optional(Type.String()), phone: Type.Optional(Type.String()) },
    { minProperties: 1 },
  ),
  tax_system_code: Type.Integer({ minimum: 1, maximum: 6 }),
  items: Type.Array(ReceiptItem, { minItems: 1, maxItems: 100 }),
});
export type Receipt = Static<typeof Receipt>;

/** "Create a receipt": the settlement of a prepayment. */
export const CreateReceipt = Type.Object({
  ...Receipt.properties,
  type: Type.Literal('payment'),
  payment_id: Type.String(),
  send: Type.Literal(true),
  settlements: Type.Array(Type.Object({ type: Type.Literal('prepayment'), amount: Amount }), { minItems: 1 }),
});
export type CreateReceipt = Static<typeof CreateReceipt>;
export const IssuedReceipt = Type.Object({
  id: Type.String({ minLength: 1 }),
  type: Type.String(),
  status: OneOf(['pending', 'succeeded', 'canceled']),
});
export type IssuedReceipt = Static<typeof IssuedReceipt>;

/** "Create a payment". */
export const CreatePayment = Type.Object({
  amount: Amount,
  /** True takes the money at once; false, the provider's default, only reserves it. */
  capture: Type.Optional(Type.Boolean()),
  description: Type.Optional(Type.String({ maxLength: PAYMENT_DESCRIPTION })),
  confirmation: Type.Optional(Redirect),
  payment_method_data: Type.Optional(Type.Object({ type: OneOf(METHOD_TYPES) })),
  /** A saved method: charged without the payer. */
  payment_method_id: Type.Optional(Type.String()),
  save_payment_method: Type.Optional(Type.Boolean()),
  receipt: Type.Optional(Receipt),
  metadata: Type.Optional(Metadata),
});
export type CreatePayment = Static<typeof CreatePayment>;

/** "Capture a payment": without an amount the whole is taken. */
export const CapturePayment = Type.Object({ amount: Type.Optional(Amount) });

/** "Create a refund". */
export const CreateRefund = Type.Object({
  payment_id: Type.String({ minLength: 36, maxLength: 36 }),
  amount: Amount,
  description: Type.Optional(Type.String({ maxLength: REFUND_DESCRIPTION })),
  receipt: Type.Optional(Receipt),
});
export type CreateRefund = Static<typeof CreateRefund>;

/** "Errors": `id` is what the provider's support asks for. */
export const ApiFault = Type.Object({
  type: Type.Literal('error'),
  id: Type.String(),
  code: Type.String(),
  description: Type.Optional(Type.String()),
  parameter: Type.Optional(Type.String()),
});
export type ApiFault = Static<typeof ApiFault>;

const PAYMENT_EVENTS = ['payment.waiting_for_capture', 'payment.succeeded', 'payment.canceled'] as const;
const REFUND_EVENTS = ['refund.succeeded'] as const;
/** YooKassa sends no notification of a method that was not saved. */
const METHOD_EVENTS = ['payment_method.active'] as const;
export type PaymentEvent = (typeof PAYMENT_EVENTS)[number];

/** "Incoming notifications": the object as it was when its status changed. */
export const Notification = Type.Union([
  Type.Object({ type: Type.Literal('notification'), event: OneOf(PAYMENT_EVENTS), object: Payment }),
  Type.Object({ type: Type.Literal('notification'), event: OneOf(REFUND_EVENTS), object: Refund }),
  Type.Object({ type: Type.Literal('notification'), event: OneOf(METHOD_EVENTS), object: SavedMethod }),
]);
export type Notification = Static<typeof Notification>;

/**
 * "Notification authentication": where notifications come from.
 * https://yookassa.ru/developers/using-api/webhooks#ip
 */
export const NOTIFICATION_SENDERS = [
  '185.71.76.0/27',
  '185.71.77.0/27',
  '77.75.153.0/25',
  '77.75.156.11/32',
  '77.75.156.35/32',
  '77.75.154.128/25',
  '2a02:5180::/32',
] as const;
