/** Commands and events of a payment’s money, for specs. */
import type { Posting } from '../../domain/ledger/ledger.ts';
import { type PaymentCommand, type PaymentEvent, payment, type RefundStatus } from '../../domain/payments/payment.ts';
import {
  BOOKING,
  paymentCreated as created,
  id,
  PROVIDER,
  paymentSucceeded as succeeded,
} from '../bookings/bookingFixtures.ts';
import { specification } from '../kit/given.ts';

export const given = specification(payment);
export const T1 = '2026-03-08T11:00:00.000Z';
export const paid = [created, succeeded];
export const about = { itemId: BOOKING, currency: 'RUB' } as const;
export const line = (account: string, amountMinor: number): Posting => ({ account, amountMinor, itemId: BOOKING });
export const [held, available, clearing, nominal] = [
  `held:${PROVIDER}`,
  `available:${PROVIDER}`,
  'clearing:yookassa',
  'nominal:yookassa',
] as const;

export const request = (refund: number, amountMinor: number, itemId = BOOKING): PaymentCommand => ({
  type: 'RequestRefund',
  refundId: id(refund),
  itemId,
  amountMinor,
  cause: 'requested',
});
export const requested = (refund: number, amountMinor: number): PaymentEvent => ({
  type: 'RefundRequested',
  data: { ...about, refundId: id(refund), amountMinor, cause: 'requested' },
});
export const apply = (refund: number, status: RefundStatus, more: object = {}): PaymentCommand => ({
  type: 'ApplyRefundState',
  refundId: id(refund),
  status,
  ...more,
});
export const arrived = (refund: number, amountMinor: number, postings: Posting[]): PaymentEvent => ({
  type: 'RefundSucceeded',
  data: { ...about, refundId: id(refund), amountMinor, postings },
});
export const failed = (refund: number): PaymentEvent => ({
  type: 'RefundFailed',
  data: { refundId: id(refund), itemId: BOOKING, code: null },
});
export const unsure: PaymentEvent = {
  type: 'RefundReviewRequested',
  data: { refundId: id(1), itemId: BOOKING, code: 'provider_away' },
};
export const retried: PaymentEvent = { type: 'RefundRetried', data: { refundId: id(1), itemId: BOOKING } };
export const release: PaymentCommand = { type: 'ReleaseShare', itemId: BOOKING };
export const shared = (amountMinor: number): PaymentEvent => ({
  type: 'ShareReleased',
  data: {
    ...about,
    ownerId: PROVIDER,
    amountMinor,
    postings: amountMinor === 0 ? [] : [line(available, -amountMinor), line(held, amountMinor)],
  },
});
