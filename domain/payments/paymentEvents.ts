/** The events of a payment, its refunds and its shares, as they are stored. */
import { type Static, Type } from '@sinclair/typebox';
import type { EventDeclarations, EventsOf } from '../core/decider.ts';
import { Currency, Instant, Minor, Nullable, OneOf, Personal, Uuid } from '../core/schema.ts';
import { ChargebackWish, keepsBooking } from '../ledger/adjustment.ts';
import { Postings } from '../ledger/ledger.ts';

const paymentMethods = ['card', 'sbp', 'wallet'] as const;
export const PaymentMethod = OneOf(paymentMethods);

/** An item that a payment pays for. Ids are unique within a payment. */
export const PaymentItem = Type.Object({
  /** The kind under which its module registered it: `booking`, `purchase`. */
  kind: Type.String({ pattern: '^[a-z][a-z_]{0,29}$' }),
  id: Uuid,
  /** Who sells it; null: the platform itself. */
  ownerId: Nullable(Uuid),
  amountMinor: Type.Integer({ minimum: 1 }),
  /** The platform's part of the amount; the rest is the owner's. */
  commissionMinor: Type.Integer({ minimum: 0 }),
  /** A discount that the platform bears: what it adds to the amount for the owner. Absent: nothing. */
  promotionMinor: Type.Optional(Type.Integer({ minimum: 1 })),
});
export type PaymentItem = Static<typeof PaymentItem>;

/** Which rule chose the provider; `method`: it is the provider of the saved method. */
export const providerReasons = ['owner', 'global', 'default', 'method'] as const;

/** The cause of a refund. */
export const refundCauses = [
  'cancelled',
  'rejected',
  'late_payment',
  'double_payment',
  'requested',
  'changed',
] as const;

const Refund = { refundId: Uuid };
/** A provider's short code; never personal data. */
const Code = Nullable(Type.String());
const Ended = { data: Type.Object({ code: Code }) };

/** The number of a refund's attempt, from 1. Absent: 1. */
const Attempt = Type.Integer({ minimum: 1 });
/** Money of a second charge of the payment, by the provider's id of that charge. */
const Charge = { providerPaymentId: Type.String(), amountMinor: Minor, currency: Currency };

/** In what a payment can differ from its provider's record. `unknown`: the provider has no such payment. */
export const mismatchKinds = ['status', 'amount', 'currency', 'refunds', 'unknown'] as const;
const Mismatch = { kind: OneOf(mismatchKinds), ours: Type.String(), theirs: Type.String() };

/** Money of one item that has moved. */
const Moved = { itemId: Uuid, amountMinor: Minor, currency: Currency, postings: Postings };
const Owned = { ...Moved, ownerId: Uuid };
const Share = { escrowId: Uuid, itemId: Uuid, ownerId: Uuid, amountMinor: Minor, currency: Currency };
const Escrow = { ...Share, postings: Postings, providerEscrowId: Nullable(Type.String()) };

export const paymentEvents = {
  PaymentCreated: {
    data: Type.Object({
      userId: Uuid,
      /** What it pays for; together they are the amount. */
      items: Type.Array(PaymentItem, { minItems: 1 }),
      /** What the platform itself sells here: `service:<type>` of the ledger. */
      serviceType: Nullable(Type.String()),
      /** The trip that the items were booked as. */
      tripId: Nullable(Uuid),
      method: PaymentMethod,
      /** The payer's saved method. */
      paymentMethodId: Nullable(Uuid),
      amountMinor: Minor,
      currency: Currency,
      provider: Type.String(),
      /** Which rule chose the provider. Later settings never reroute this payment or its refunds. */
      reason: OneOf(providerReasons),
      /** `manual`: the money is reserved first, and taken once the places are certain. */
      capture: OneOf(['automatic', 'manual'] as const),
      returnUrl: Personal(Type.String()),
      /** Fiscal receipts are issued for it and for its refunds. */
      hasReceipt: Type.Optional(Type.Boolean()),
      /** When it was created: the provider may be searched from then on. */
      createdAt: Type.Optional(Instant),
    }),
    person: 'userId',
  },
  /** The page where the payer continues. The address is enough to pay, so it is personal. */
  PaymentActionRequested: {
    data: Type.Object({ userId: Uuid, providerPaymentId: Type.String(), redirectUrl: Personal(Type.String()) }),
    person: 'userId',
  },
  PaymentProcessingStarted: { data: Type.Object({ providerPaymentId: Type.String() }) },
  /** The money is reserved and waits to be captured. */
  PaymentAuthorized: { data: Type.Object({ providerPaymentId: Type.String() }) },
  PaymentSucceeded: {
    data: Type.Object({ providerPaymentId: Type.String(), amountMinor: Minor, currency: Currency, postings: Postings }),
  },
  PaymentFailed: Ended,
  PaymentCancelled: Ended,
  PaymentExpired: Ended,
  RefundRequested: {
    data: Type.Object({
      ...Refund,
      itemId: Uuid,
      amountMinor: Minor,
      currency: Currency,
      cause: OneOf(refundCauses),
      /** It was made at the provider, by hand: it is not sent there. */
      isMadeThere: Type.Optional(Type.Literal(true)),
      /** What the platform returns of its commission. Absent: only what the owner's part does not cover. */
      commissionMinor: Type.Optional(Minor),
    }),
  },
  /** It is about to be sent to a provider that may carry out a repeated request twice. */
  RefundAttempted: { data: Type.Object({ ...Refund, attempt: Attempt, at: Instant }) },
  /** The provider has taken it on. */
  RefundSubmitted: { data: Type.Object({ ...Refund, providerRefundId: Type.String() }) },
  RefundSucceeded: { data: Type.Object({ ...Refund, ...Moved }) },
  /** The refund failed and the money stayed. It can be requested again. */
  RefundFailed: { data: Type.Object({ ...Refund, itemId: Uuid, code: Code }) },
  /**
   * The provider did not make the refund, or it is not known whether it did. An operator must decide. `failed`: it is
   * certain that it was not made. Absent: `unknown`.
   */
  RefundReviewRequested: {
    data: Type.Object({ ...Refund, itemId: Uuid, code: Code, outcome: Type.Optional(OneOf(['failed', 'unknown'])) }),
  },
  /** An operator requests another call to the provider: about the same attempt, or with a new one. */
  RefundRetried: { data: Type.Object({ ...Refund, itemId: Uuid, attempt: Type.Optional(Attempt) }) },
  /** The owner's share of an item is available, except for what is being refunded. */
  ShareReleased: { data: Type.Object(Owned) },
  /** The owner's share of an item is to be held in escrow at the provider. */
  EscrowRequested: { data: Type.Object(Share) },
  /** The provider has taken it on; the money may still be on its way there. */
  EscrowSubmitted: { data: Type.Object({ ...Share, providerEscrowId: Type.String() }) },
  EscrowHeld: { data: Type.Object(Escrow) },
  /** Paid out to the owner by the provider. */
  EscrowReleased: { data: Type.Object(Escrow) },
  /** Back at the payment, from which it can be refunded; or it was never held. */
  EscrowCancelled: { data: Type.Object(Escrow) },
  /** The provider's record of the captured payment differs, and a person must look. Amounts in minor units. */
  PaymentMismatchFound: { data: Type.Object(Mismatch) },
  /** The records agree again; or an operator has accepted that they differ. */
  PaymentMismatchEnded: { data: Type.Object({ isAccepted: Type.Optional(Type.Literal(true)) }) },
  /** A chargeback was requested: its money is kept for it until two admins have decided. */
  ChargebackReserved: {
    data: Type.Object({
      chargebackId: Uuid,
      itemId: Uuid,
      amountMinor: Minor,
      currency: Currency,
      /** What the adjustment with the same id says. Absent from those of before. */
      wish: Type.Optional(ChargebackWish),
    }),
  },
  /** The chargeback was rejected. */
  ChargebackReservationEnded: { data: Type.Object({ chargebackId: Uuid }) },
  /** The payer's bank took money of an item back, as an approved adjustment says. */
  ChargedBack: { data: Type.Object({ chargebackId: Uuid, ...Moved, keepsBooking }) },
  /** The bank has given the money back, because the payer was wrong. */
  ChargebackWon: { data: Type.Object({ chargebackId: Uuid, ...Moved }) },
  /** The receipt of the prepayment of an item was settled, because the service was provided. */
  ClosingReceiptIssued: { data: Type.Object({ itemId: Uuid, amountMinor: Minor, currency: Currency }) },
  /** The provider has charged the payer a second time. The whole charge goes back. */
  DuplicateChargeReceived: { data: Type.Object({ ...Charge, postings: Postings }) },
  DuplicateChargeReturned: { data: Type.Object({ ...Charge, postings: Postings }) },
  /** The provider did not return it. An operator must decide. */
  DuplicateChargeReviewRequested: { data: Type.Object({ providerPaymentId: Type.String(), code: Code }) },
} as const satisfies EventDeclarations;
export type PaymentEvent = EventsOf<typeof paymentEvents>;
