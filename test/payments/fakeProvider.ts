/** A payment provider in memory that does what a spec says: pays, declines, is away, reports. */
import {
  type PaymentProvider,
  ProviderError,
  type ProviderPayment,
  type ProviderRefund,
  type ProviderStatus,
} from '../../commands/payments/paymentProvider.ts';

export interface FakeProvider extends PaymentProvider {
  /** Ids of the payments it was asked for, oldest first. */
  known(): string[];
  statusOf(paymentId: string): ProviderStatus;
  /** What it says of a payment from now on. */
  says(paymentId: string, status: ProviderStatus, more?: Partial<ProviderPayment>): void;
  /** Calls fail as if it did not answer. */
  away: boolean;
  /** Calls are carried out, but their answers are lost. */
  losesAnswers: boolean;
  /** Charges the payer of a payment again. @returns the id of that charge */
  chargesAgain(paymentId: string): string;
  /** What becomes of refunds. */
  refunds: ProviderRefund['status'] | 'refused';
  /** Names of the calls it has answered. */
  readonly calls: string[];
  readonly refunded: { refundId: string; amountMinor: number }[];
}

/** What a spec has saved with it: a payment with this token is made at once. */
export const TOKEN = 'fake-token';

export const fakeProvider = (name = 'fake'): FakeProvider => {
  const payments = new Map<string, ProviderPayment>();
  const refunds = new Map<string, ProviderRefund>();
  const idOf = (paymentId: string) => `${name}-${paymentId}`;

  const answer = async <T>(call: string, work: () => T): Promise<T> => {
    if (provider.away) throw new ProviderError('away', 'fake: no answer');
    provider.calls.push(call);
    const answered = work();
    if (provider.losesAnswers) throw new ProviderError('away', 'fake: the answer is lost');
    return answered;
  };
  const find = (providerPaymentId: string): ProviderPayment => {
    const found = payments.get(providerPaymentId);
    if (!found) throw new ProviderError('refused', 'fake: no such payment', 'not_found');
    return found;
  };
  const change = (
    providerPaymentId: string,
    status: ProviderStatus,
    more: Partial<ProviderPayment> = {},
  ): ProviderPayment => {
    const next = { ...find(providerPaymentId), status, ...more };
    payments.set(providerPaymentId, next);
    return next;
  };

  const provider: FakeProvider = {
    name,
    acknowledgement: 'OK',
    away: false,
    losesAnswers: false,
    chargesAgain: (paymentId) => {
      const providerPaymentId = `again-${paymentId}`;
      payments.set(providerPaymentId, { ...find(idOf(paymentId)), providerPaymentId, status: 'succeeded' });
      return providerPaymentId;
    },
    refunds: 'succeeded',
    calls: [],
    refunded: [],
    known: () => [...payments.values()].map(({ paymentId }) => paymentId),
    statusOf: (paymentId) => find(idOf(paymentId)).status,
    says: (paymentId, status, more) => void change(idOf(paymentId), status, more),
    create: ({ paymentId, amountMinor, currency, idempotencyKey, token }) =>
      answer('create', () => {
        const providerPaymentId = idOf(idempotencyKey);
        if (!payments.has(providerPaymentId))
          payments.set(providerPaymentId, {
            providerPaymentId,
            paymentId,
            status: token === TOKEN ? 'succeeded' : 'requires_action',
            amountMinor,
            currency,
            redirectUrl: `https://pay.test/${providerPaymentId}`,
          });
        return find(providerPaymentId);
      }),
    get: (providerPaymentId) => answer('get', () => find(providerPaymentId)),
    find: (paymentId) => answer('find', () => [...payments.values()].find((each) => each.paymentId === paymentId)),
    capture: (providerPaymentId) => answer('capture', () => change(providerPaymentId, 'succeeded')),
    cancel: (providerPaymentId) =>
      answer('cancel', () => {
        if (find(providerPaymentId).status === 'succeeded')
          throw new ProviderError('refused', 'fake: has been paid', 'paid');
        return change(providerPaymentId, 'cancelled');
      }),
    refund: ({ refundId, amountMinor }) =>
      answer('refund', () => {
        if (provider.refunds === 'refused') throw new ProviderError('refused', 'fake: no', 'forbidden');
        if (!refunds.has(refundId)) {
          provider.refunded.push({ refundId, amountMinor });
          refunds.set(refundId, { providerRefundId: `r-${refundId}`, status: provider.refunds });
        }
        return refunds.get(refundId) as ProviderRefund;
      }),
    getRefund: (id) => answer('getRefund', () => ({ providerRefundId: id, status: provider.refunds as 'succeeded' })),
    verifyNotification: ({ rawBody }) => {
      const { event, id } = JSON.parse(rawBody.toString()) as { event?: string; id?: string };
      if (!event || !id) throw new ProviderError('refused', 'fake: not a notification');
      return { eventKey: event, providerPaymentId: id };
    },
  };
  return provider;
};
