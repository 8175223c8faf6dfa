/** The row of a payment, and a payment in replies and realtime messages. */
import { type Static, Type } from '@sinclair/typebox';
import { toMajor } from '../../domain/core/money.ts';
import { Currency, Instant, Minor, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { paymentStatuses, refundStatuses } from '../../domain/payments/payment.ts';
import {
  mismatchKinds,
  PaymentItem,
  PaymentMethod,
  providerReasons,
  refundCauses,
} from '../../domain/payments/paymentEvents.ts';
import { duplicateStatuses } from '../../domain/payments/paymentState.ts';
import { snakeSchema } from '../../infra/naming.ts';
import { SeenBy, type Viewer, wireForm } from '../engine/wire.ts';

const Refund = Type.Object({
  id: Uuid,
  /** The booking or purchase that the money was paid for. */
  item_id: Uuid,
  amount_minor: Minor,
  status: OneOf(refundStatuses),
  cause: OneOf(refundCauses),
  /** Somebody made it at the payment provider, by hand. */
  made_at_provider: Type.Boolean(),
  /** Why it failed or needs a person. */
  code: Nullable(Type.String()),
  created_at: Instant,
});

/** A second charge by the provider, on its way back to the payer. */
const Duplicate = Type.Object({
  /** The provider's id of the charge. */
  txn_id: Type.String(),
  amount_minor: Minor,
  status: OneOf(duplicateStatuses),
  /** Why it needs a person. */
  code: Nullable(Type.String()),
  created_at: Instant,
});

/** How the provider's record of the payment differs; amounts in minor units. */
const Mismatch = Type.Object({
  kind: OneOf(mismatchKinds),
  ours: Type.String(),
  theirs: Type.String(),
});

export const PaymentRow = Type.Object({
  id: Uuid,
  /** The booking, where the payment is for a single one. */
  booking_id: Nullable(Uuid),
  user_id: Uuid,
  items: Type.Array(snakeSchema(PaymentItem)),
  /** What the platform itself sells here; null where owners sell. */
  service_type: Nullable(Type.String()),
  trip_id: Nullable(Uuid),
  method: PaymentMethod,
  payment_method_id: Nullable(Uuid),
  provider: Type.String(),
  /** The rule that chose the payment provider. */
  provider_reason: OneOf(providerReasons),
  amount_minor: Minor,
  currency: Currency,
  status: OneOf(paymentStatuses),
  /** The provider's id. */
  txn_id: Nullable(Type.String()),
  /** Where the payer continues, while the payment needs an action. */
  redirect_url: Nullable(Type.String()),
  /** Why the payment failed. */
  failure_code: Nullable(Type.String()),
  refunds: Type.Array(Refund),
  duplicate_charges: Type.Array(Duplicate),
  mismatch: Nullable(Mismatch),
  /** When that was found. */
  mismatched_at: Nullable(Instant),
  created_at: Instant,
  updated_at: Instant,
});
export type PaymentRow = (typeof PaymentRow)['static'];

const { provider_reason, items, refunds, duplicate_charges, mismatch, mismatched_at, ...columns } =
  PaymentRow.properties;
const { commission_minor, promotion_minor, ...itemColumns } = items.items.properties;
const toSellers = ['seller', 'admin'] as const;

/** `…_minor` are in minor units, the fields of the same name without it in major units. */
export const Payment = Type.Object(
  {
    ...columns,
    provider_reason: SeenBy(toSellers, provider_reason, 'The rule that chose the payment provider.'),
    items: Type.Array(
      Type.Object({
        ...itemColumns,
        amount: Type.Number(),
        commission: SeenBy(toSellers, Type.Number(), 'The part of the amount that the platform keeps.'),
        commission_minor: SeenBy(toSellers, commission_minor, 'The same in minor units.'),
        promotion: SeenBy(toSellers, Type.Number(), 'What the platform adds for the seller: a discount that it bears.'),
        promotion_minor: SeenBy(toSellers, promotion_minor, 'The same in minor units.'),
      }),
    ),
    refunds: Type.Array(Type.Object({ ...refunds.items.properties, amount: Type.Number() })),
    duplicate_charges: Type.Array(Type.Object({ ...duplicate_charges.items.properties, amount: Type.Number() }), {
      description: 'Second charges of the provider for this payment. They are returned in full.',
    }),
    mismatch: SeenBy(['admin'], mismatch, 'How the record of the payment provider differs; null: it agrees.'),
    mismatched_at: SeenBy(['admin'], mismatched_at, 'When that was found.'),
    amount: Type.Number(),
    /** What has arrived back at the payer. */
    refunded: Type.Number(),
    refunded_minor: Minor,
  },
  { $id: 'Payment' },
);
export type Payment = Static<typeof Payment>;

export const paymentWire = wireForm(Payment, (row: PaymentRow): Payment => {
  const major = (minor: number) => toMajor(minor, row.currency);
  const refunded_minor = row.refunds
    .filter(({ status }) => status === 'succeeded')
    .reduce((sum, refund) => sum + refund.amount_minor, 0);
  return {
    ...row,
    items: row.items.map((item) => ({
      ...item,
      amount: major(item.amount_minor),
      commission: major(item.commission_minor),
      ...(item.promotion_minor !== undefined && { promotion: major(item.promotion_minor) }),
    })),
    refunds: row.refunds.map((refund) => ({ ...refund, amount: major(refund.amount_minor) })),
    duplicate_charges: row.duplicate_charges.map((charge) => ({ ...charge, amount: major(charge.amount_minor) })),
    amount: major(row.amount_minor),
    refunded: major(refunded_minor),
    refunded_minor,
  };
});

/** The part of a payment that is about what one seller sells. */
const partOf = (row: PaymentRow, sellerId: string): PaymentRow => {
  const items = row.items.filter(({ owner_id }) => owner_id === sellerId);
  const refunds = row.refunds.filter(({ item_id }) => items.some(({ id }) => id === item_id));
  return {
    ...row,
    items,
    refunds,
    duplicate_charges: [],
    amount_minor: items.reduce((sum, item) => sum + item.amount_minor, 0),
  };
};

/**
 * A payment as this person sees it. Only the payer sees the address at which to pay. A seller sees only the part that
 * is about what they sell.
 */
export const showPayment = (row: PaymentRow, { id, role }: Viewer): Payment => {
  const isPayer = row.user_id === id;
  const visible = isPayer ? row : { ...row, redirect_url: null };
  if (role === 'admin') return paymentWire.of(visible, 'admin');
  return isPayer ? paymentWire.of(row, 'guest') : paymentWire.of(partOf(visible, id), 'seller');
};
