/** What a provider reports of a payment’s money, for specs. */
import type { Posting } from '../../domain/ledger/ledger.ts';
import type { PaymentCommand, PaymentEvent } from '../../domain/payments/payment.ts';
import type { ProviderReport } from '../../domain/payments/providerReport.ts';
import { BOOKING, id } from '../bookings/bookingFixtures.ts';
import { about, held, line } from './paymentMoneyFixtures.ts';

export const FOUND = id(90);
export const OTHER = id(51);
export const says = (more: Partial<ProviderReport> = {}): PaymentCommand => ({
  type: 'ApplyProviderState',
  providerPaymentId: 'p1',
  status: 'succeeded',
  amountMinor: 20_000,
  currency: 'RUB',
  foundRefundIds: { [BOOKING]: FOUND, [OTHER]: id(91) },
  ...more,
});
/** What a report says that is newer than all that we know. */
export const believing = (refundedMinor = 0): Partial<ProviderReport> => ({
  believed: { status: 'succeeded', refundedMinor },
});
export const madeThere = (
  amountMinor: number,
  postings: Posting[],
  refundId = FOUND,
  itemId = BOOKING,
): PaymentEvent[] => [
  { type: 'RefundRequested', data: { ...about, itemId, refundId, amountMinor, cause: 'requested', isMadeThere: true } },
  { type: 'RefundSucceeded', data: { ...about, itemId, refundId, amountMinor, postings } },
];
export const back = (heldMinor: number, commissionMinor = 0): Posting[] => [
  ...(commissionMinor ? [line('commission', commissionMinor)] : []),
  line(held, heldMinor),
  line('clearing:yookassa', -heldMinor - commissionMinor),
];
export const differs = (
  kind: 'refunds' | 'status' | 'amount' | 'currency',
  ours: string,
  theirs: string,
): PaymentEvent => ({
  type: 'PaymentMismatchFound',
  data: { kind, ours, theirs },
});
export const agrees: PaymentEvent = { type: 'PaymentMismatchEnded', data: {} };
