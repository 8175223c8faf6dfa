/**
 * What a provider reports of a payment, compared with what we believe. The status moves only forward: a report of lower
 * rank changes none. The money is always compared (`reportedMoney.ts`).
 */
import { captured } from '../ledger/ledger.ts';
import { chargedAgain } from './duplicateCharges.ts';
import type { PaymentEvent } from './paymentEvents.ts';
import { type Difference, mismatchFound } from './paymentMismatch.ts';
import { isDead, type OpenPayment, type PaymentStatus, paidItem, ranks } from './paymentState.ts';

/** A refund that the provider lists. */
export interface ListedRefund {
  readonly providerRefundId: string;
  /** The refund of ours that it was sent for, by the key that we gave it; null: somebody made it at the provider. */
  readonly refundId: string | null;
  /** Which attempt of ours it is. */
  readonly attempt: number;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly amountMinor: number;
}

/** What the provider reports about a payment. */
export interface ProviderReport {
  readonly providerPaymentId: string;
  readonly status: PaymentStatus;
  readonly amountMinor: number;
  readonly currency: string;
  readonly redirectUrl?: string;
  readonly reason?: string;
  /** Total refunded of this payment, if the provider reports it. */
  readonly refundedMinor?: number;
  /** Something was refunded, but not all, and the provider does not say how much. */
  readonly isPartlyRefunded?: boolean;
  /** All refunds of the payment at the provider. Absent: they were not asked for. */
  readonly refunds?: readonly ListedRefund[];
  /**
   * What we believed when the provider was asked. Absent: the report may be older than what we know, so that it cannot
   * contradict us.
   */
  readonly believed?: { readonly status: PaymentStatus; readonly refundedMinor: number };
  /** By item: the ids of refunds that are found to have been made at the provider. */
  readonly foundRefundIds?: Readonly<Record<string, string>>;
}

/** Captured and fully refunded before we learned of either: a cancellation that arrived just after the payment. */
const isGivenBack = ({ amountMinor, refundedMinor }: ProviderReport): boolean => refundedMinor === amountMinor;

/** Whether the provider has none of the payer's money, and will get none. */
export const hasNothing = (report: ProviderReport): boolean => isDead(report.status) || isGivenBack(report);

/** Another amount than was requested: somebody has captured or reserved a part there. */
const otherMoney = ({ amountMinor, currency }: ProviderReport, state: OpenPayment): Difference | undefined => {
  if (currency !== state.currency) return { kind: 'currency', ours: state.currency, theirs: currency };
  if (amountMinor === state.amountMinor) return undefined;
  return { kind: 'amount', ours: `${state.amountMinor}`, theirs: `${amountMinor}` };
};

/** Nothing is paid with another amount than the requested one: a person must look at it. */
export const reportedStatus = (answer: ProviderReport, state: OpenPayment): PaymentEvent[] => {
  const reported: ProviderReport = isGivenBack(answer)
    ? { ...answer, status: 'cancelled', reason: 'given_back' }
    : answer;
  // A provider may have created a payment twice because its first answer was lost. Nobody pays that one, and its end
  // does not end ours.
  const isOther = state.providerPaymentId !== null && state.providerPaymentId !== reported.providerPaymentId;
  if (isOther && state.status === 'succeeded' && answer.status === 'succeeded')
    return chargedAgain(answer, isGivenBack(answer), state);
  if (isOther && reported.status !== 'succeeded') return [];
  if (ranks[reported.status] <= ranks[state.status]) return [];
  const other = isDead(reported.status) ? undefined : otherMoney(reported, state);
  if (other) return mismatchFound(state, other);
  const { userId, provider, items, amountMinor, currency } = state;
  const { providerPaymentId } = reported;
  switch (reported.status) {
    case 'pending':
    case 'requires_action':
      if (reported.redirectUrl === undefined) return [];
      return [
        { type: 'PaymentActionRequested', data: { userId, providerPaymentId, redirectUrl: reported.redirectUrl } },
      ];
    case 'processing':
      return [{ type: 'PaymentProcessingStarted', data: { providerPaymentId } }];
    case 'authorized':
      return [{ type: 'PaymentAuthorized', data: { providerPaymentId } }];
    case 'succeeded': {
      const postings = captured(
        provider,
        items.map((item) => paidItem(state, item)),
      );
      return [{ type: 'PaymentSucceeded', data: { providerPaymentId, amountMinor, currency, postings } }];
    }
    case 'failed':
    case 'cancelled':
    case 'expired':
      return [ended(reported.status, reported.reason ?? null)];
  }
};

export const ended = (status: 'failed' | 'cancelled' | 'expired', code: string | null): PaymentEvent => {
  switch (status) {
    case 'failed':
      return { type: 'PaymentFailed', data: { code } };
    case 'cancelled':
      return { type: 'PaymentCancelled', data: { code } };
    case 'expired':
      return { type: 'PaymentExpired', data: { code } };
  }
};
