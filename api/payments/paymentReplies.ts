/** What commands on payments and refunds reply. */
import { type Static, Type } from '@sinclair/typebox';
import type { Paid } from '../../commands/payments/payments.ts';
import type { Refunding as Refunded } from '../../commands/payments/refunds.ts';
import { toMajor } from '../../domain/core/money.ts';
import { Currency, Minor, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { paymentStatuses, refundStatuses } from '../../domain/payments/payment.ts';
import { PaymentMethod } from '../../domain/payments/paymentEvents.ts';
import { onlyBooking } from '../../projections/payments/payments.ts';

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
