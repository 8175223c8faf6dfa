/** What can happen to a payment and its refunds, as it is stored. */
import { Type } from '@sinclair/typebox';
import type { EventDeclarations, EventsOf } from '../decider.ts';
import { Currency, Minor, Nullable, OneOf, Personal, Uuid } from '../schema.ts';

export const paymentMethods = ['card', 'sbp', 'wallet'] as const;
export const PaymentMethod = OneOf(paymentMethods);

/** Who asked for a refund, and so what it is for. */
export const refundCauses = ['cancelled', 'rejected', 'late_payment', 'double_payment', 'requested'] as const;

const Refund = { refundId: Uuid };
/** A provider's short code; never a sentence about a person. */
const Code = Nullable(Type.String());

export const paymentEvents = {
  PaymentCreated: {
    data: Type.Object({
      bookingId: Uuid,
      userId: Uuid,
      /** Of the item that is paid for; may refund. */
      ownerId: Uuid,
      method: PaymentMethod,
      amountMinor: Minor,
      currency: Currency,
      provider: Type.String(),
      /** Which rule chose the provider. Later settings never reroute this payment or its refunds. */
      reason: OneOf(['owner', 'global', 'default'] as const),
      returnUrl: Personal(Type.String()),
    }),
    person: 'userId',
  },
  /** The payer has to go there. The address is a capability: whoever has it can pay. */
  PaymentRequiresAction: {
    data: Type.Object({ userId: Uuid, providerId: Type.String(), redirectUrl: Personal(Type.String()) }),
    person: 'userId',
  },
  PaymentProcessing: { data: Type.Object({ providerId: Type.String() }) },
  /** The money is reserved and waits to be captured. */
  PaymentAuthorized: { data: Type.Object({ providerId: Type.String() }) },
  PaymentSucceeded: {
    data: Type.Object({ bookingId: Uuid, providerId: Type.String(), amountMinor: Minor, currency: Currency }),
  },
  PaymentFailed: { data: Type.Object({ bookingId: Uuid, code: Code }) },
  PaymentCancelled: { data: Type.Object({ bookingId: Uuid, code: Code }) },
  PaymentExpired: { data: Type.Object({ bookingId: Uuid, code: Code }) },
  RefundRequested: {
    data: Type.Object({
      ...Refund,
      bookingId: Uuid,
      amountMinor: Minor,
      currency: Currency,
      cause: OneOf(refundCauses),
    }),
  },
  /** The provider has taken it on. */
  RefundSubmitted: { data: Type.Object({ ...Refund, providerRefundId: Type.String() }) },
  RefundSucceeded: { data: Type.Object({ ...Refund, bookingId: Uuid, amountMinor: Minor }) },
  /** The money stayed; it may be asked for again. */
  RefundFailed: { data: Type.Object({ ...Refund, code: Code }) },
  /** The provider will not do it by itself: a person has to look. */
  RefundNeedsReview: { data: Type.Object({ ...Refund, code: Code }) },
} as const satisfies EventDeclarations;
export type PaymentEvent = EventsOf<typeof paymentEvents>;
