/** Payments and refunds on the wire. */
import { type Static, Type } from '@sinclair/typebox';
import type { Paid, Refunding as Refunded } from '../../commands/payments/payments.ts';
import { toMajor } from '../../domain/core/money.ts';
import { Currency, Minor, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { paymentStatuses, refundStatuses } from '../../domain/payments/payment.ts';
import { PaymentMethod } from '../../domain/payments/paymentEvents.ts';
import { onlyBooking, type PaymentRow, payments } from '../../projections/payments/payments.ts';
import type { User } from '../http/caller.ts';

/** A payment on the wire: `…_minor` are whole minor units, their namesakes major units. */
export const Payment = Type.Object(
  {
    ...payments.row.properties,
    items: Type.Array(Type.Object({ ...payments.row.properties.items.items.properties, amount: Type.Number() })),
    refunds: Type.Array(Type.Object({ ...payments.row.properties.refunds.items.properties, amount: Type.Number() })),
    amount: Type.Number(),
    /** What has arrived back with the payer. */
    refunded: Type.Number(),
    refunded_minor: Minor,
  },
  { $id: 'Payment' },
);

/** As much of a payment as is about what one owner sells. */
const partOf = (row: PaymentRow, ownerId: string): PaymentRow => {
  const items = row.items.filter(({ owner_id }) => owner_id === ownerId);
  const refunds = row.refunds.filter(({ item_id }) => items.some(({ id }) => id === item_id));
  return { ...row, items, refunds, amount_minor: items.reduce((sum, item) => sum + item.amount_minor, 0) };
};

/** Owners and admins see payments too, but not the address at which to pay; owners no more than is theirs. */
export const wire = (row: PaymentRow, { id, role }: Pick<User, 'id' | 'role'>): Static<typeof Payment> => {
  const isPayer = row.user_id === id;
  const shown = isPayer || role === 'admin' ? row : partOf(row, id);
  const major = (minor: number) => toMajor(minor, row.currency);
  const refunded_minor = shown.refunds
    .filter(({ status }) => status === 'succeeded')
    .reduce((sum, refund) => sum + refund.amount_minor, 0);
  return {
    ...shown,
    items: shown.items.map((item) => ({ ...item, amount: major(item.amount_minor) })),
    refunds: shown.refunds.map((refund) => ({ ...refund, amount: major(refund.amount_minor) })),
    redirect_url: isPayer ? row.redirect_url : null,
    amount: major(shown.amount_minor),
    refunded: major(refunded_minor),
    refunded_minor,
  };
};

export const Started = Type.Object(
  {
    payment_id: Uuid,
    /** Where one booking is all that it pays for. */
    booking_id: Nullable(Uuid),
    /** The trip that is paid for, or what remains of it. */
    trip_id: Nullable(Uuid),
    /** What the resort itself sells here. */
    service_type: Nullable(Type.String()),
    status: OneOf(paymentStatuses),
    /** Where to send the payer; present while the status is `requires_action`. */
    redirect_url: Nullable(Type.String()),
    method: PaymentMethod,
    provider: Type.String(),
    amount: Type.Number(),
    amount_minor: Minor,
    currency: Currency,
  },
  { $id: 'StartedPayment' },
);

export const started = ({ paymentId, payment }: Paid): Static<typeof Started> => ({
  payment_id: paymentId,
  booking_id: onlyBooking(payment.items),
  trip_id: payment.tripId,
  service_type: payment.serviceType,
  status: payment.status,
  redirect_url: payment.status === 'requires_action' ? payment.redirectUrl : null,
  method: payment.method,
  provider: payment.provider,
  amount: toMajor(payment.amountMinor, payment.currency),
  amount_minor: payment.amountMinor,
  currency: payment.currency,
});

export const Refunding = Type.Object(
  {
    refund_id: Uuid,
    payment_id: Uuid,
    item_id: Nullable(Uuid),
    status: OneOf(refundStatuses),
    amount: Type.Number(),
    amount_minor: Minor,
    currency: Currency,
  },
  { $id: 'Refund' },
);

export const refunding = ({ paymentId, refundId, payment }: Refunded): Static<typeof Refunding> => {
  const { itemId = null, amountMinor = 0, status = 'pending' } = payment.refunds[refundId] ?? {};
  return {
    refund_id: refundId,
    payment_id: paymentId,
    item_id: itemId,
    status,
    amount: toMajor(amountMinor, payment.currency),
    amount_minor: amountMinor,
    currency: payment.currency,
  };
};
