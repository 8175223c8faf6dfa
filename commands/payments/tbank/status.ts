/**
 * T-Bank's statuses in the port's words, after "Статусная модель платежа". One that is not known yet counts as under
 * way, and is asked about again.
 */
import type { ProviderRefund, ProviderStatus } from '../paymentProvider.ts';

const STATUSES: Readonly<Record<string, ProviderStatus>> = {
  NEW: 'requires_action',
  FORM_SHOWED: 'requires_action',
  '3DS_CHECKING': 'requires_action',
  '3DS_CHECKED': 'processing',
  AUTHORIZING: 'processing',
  PAY_CHECKING: 'processing',
  CONFIRMING: 'processing',
  REVERSING: 'processing',
  AUTHORIZED: 'authorized',
  PARTIAL_REVERSED: 'authorized',
  // Refunds don't take from a payment that it was paid.
  CONFIRMED: 'succeeded',
  REFUNDING: 'succeeded',
  ASYNC_REFUNDING: 'succeeded',
  PARTIAL_REFUNDED: 'succeeded',
  REFUNDED: 'succeeded',
  REJECTED: 'failed',
  AUTH_FAIL: 'failed',
  ATTEMPTS_EXPIRED: 'failed',
  CANCELED: 'cancelled',
  REVERSED: 'cancelled',
  DEADLINE_EXPIRED: 'expired',
};

export const statusOf = (status: string): ProviderStatus => STATUSES[status] ?? 'processing';

/** Ended on our word. */
export const isEnding = (status: string): boolean => ['CANCELED', 'REVERSING', 'REVERSED'].includes(status);

/** The rank of a payment among those of one order: ended 0, new 1, started 2, paid 3. */
export const standing = (status: string): 0 | 1 | 2 | 3 => {
  switch (statusOf(status)) {
    case 'succeeded':
      return 3;
    case 'failed':
    case 'cancelled':
    case 'expired':
      return 0;
    case 'pending':
    case 'requires_action':
    case 'processing':
    case 'authorized':
      return status === 'NEW' ? 1 : 2;
  }
};

/** The status of refunds, from that of their payment. After a refund was accepted, `CONFIRMED` means that it failed. */
export const toRefundStatus = (status: string): Pick<ProviderRefund, 'status' | 'reason'> => {
  if (['REFUNDED', 'PARTIAL_REFUNDED'].includes(status)) return { status: 'succeeded' };
  return status === 'CONFIRMED' ? { status: 'failed', reason: 'refund_came_back' } : { status: 'pending' };
};
