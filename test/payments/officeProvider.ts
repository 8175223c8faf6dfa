/**
 * A provider in memory whose shop has an office: people there capture, void and refund by hand. Questions and answers
 * travel, so that others act in between, and an answer can be lost.
 */
import {
  type MadeRefund as NamedRefund,
  type PaymentProvider,
  ProviderError,
  type ProviderPayment,
  type ProviderRefund,
  type ProviderRefundEntry,
} from '../../commands/payments/paymentProvider.ts';

/** `listing`: it lists refunds and says amounts, as YooKassa does. `silent`: it does neither, as T-Bank. */
export type Habit = 'listing' | 'silent';

interface MadeRefund {
  readonly id: string;
  /** Ours; absent for one of the office. */
  readonly key?: string;
  readonly amountMinor: number;
  status: ProviderRefund['status'];
}

const no = (reason: string) => new ProviderError('refused', `office: ${reason}`, reason);

export const officeProvider = (
  habit: Habit,
  { paymentId, amountMinor, capture }: { paymentId: string; amountMinor: number; capture: 'automatic' | 'manual' },
  travel: () => Promise<void>,
) => {
  const id = `office-${paymentId}`;
  const there = {
    status: 'requires_action' as ProviderPayment['status'],
    amountMinor,
    refunds: [] as MadeRefund[],
    /** What becomes of the next refunds of ours. */
    refunding: 'succeeded' as 'succeeded' | 'pending' | 'refused',
    /** How many of the next answers are lost. */
    losing: 0,
  };
  const refundedMinor = () =>
    there.refunds.reduce((sum, each) => sum + (each.status === 'succeeded' ? each.amountMinor : 0), 0);
  /** What is not on its way back either. */
  const leftMinor = () =>
    there.amountMinor - there.refunds.reduce((sum, each) => sum + (each.status === 'failed' ? 0 : each.amountMinor), 0);
  const heldMinor = () => (there.status === 'succeeded' ? there.amountMinor - refundedMinor() : 0);

  const take = (minor: number): void => {
    there.status = 'succeeded';
    there.amountMinor = minor;
  };
  const report = (): ProviderPayment => {
    const refunded = refundedMinor();
    const isPart = there.status === 'succeeded' && refunded > 0 && refunded < there.amountMinor;
    return {
      providerPaymentId: id,
      paymentId,
      status: there.status,
      amountMinor: there.amountMinor,
      currency: 'RUB',
      ...(there.status === 'requires_action' && { redirectUrl: 'https://pay.test' }),
      ...(habit === 'silent' && isPart ? { isPartlyRefunded: true } : { refundedMinor: refunded }),
    };
  };
  const answer = async <T>(work: () => T): Promise<T> => {
    await travel();
    const done = work();
    await travel();
    if (there.losing > 0) {
      there.losing -= 1;
      throw new ProviderError('away', 'office: the answer is lost');
    }
    return done;
  };
  const made = (refund: MadeRefund): ProviderRefund => ({
    providerRefundId: refund.id,
    status: refund.status,
    ...(habit === 'silent' && { leftMinor: leftMinor() }),
  });
  const refund = (amount: number, key?: string): MadeRefund => {
    const known = key === undefined ? undefined : there.refunds.find((each) => each.key === key);
    if (known) return known;
    if (key !== undefined && there.refunding === 'refused') throw no('forbidden');
    if (there.status !== 'succeeded' || amount > leftMinor()) throw no('too_much');
    const status = key !== undefined && there.refunding === 'pending' ? 'pending' : 'succeeded';
    const one = { id: `r${there.refunds.length}`, amountMinor: amount, status, ...(key && { key }) } as const;
    there.refunds.push({ ...one });
    return there.refunds.at(-1) as MadeRefund;
  };

  const provider: PaymentProvider = {
    name: 'office',
    acknowledgement: 'OK',
    create: () => answer(report),
    get: () => answer(report),
    find: () => answer(report),
    capture: () =>
      answer(() => {
        if (there.status !== 'authorized') throw no('not_authorized');
        take(there.amountMinor);
        return report();
      }),
    cancel: () =>
      answer(() => {
        if (there.status === 'succeeded') throw no('paid');
        there.status = 'cancelled';
        return report();
      }),
    refund: ({ refundId, amountMinor: amount }) => answer(() => made(refund(amount, refundId))),
    getRefund: (refundId) =>
      answer(() => {
        const found = there.refunds.find((each) => each.id === refundId);
        if (!found) throw no('not_found');
        return made(found);
      }),
    verifyNotification: () => ({ eventKey: 'event', providerPaymentId: id }),
    ...(habit === 'listing' && {
      refundsOf: () =>
        answer(() =>
          there.refunds.map(
            ({ id: providerRefundId, key, amountMinor: amount, status }): ProviderRefundEntry => ({
              providerRefundId,
              status,
              amountMinor: amount,
              ...(key && { refundId: key }),
            }),
          ),
        ),
    }),
    ...(habit === 'silent' && {
      oneRefundAtATime: true,
      leftAfter: ({ providerRefundId }: NamedRefund) =>
        answer(() => (there.refunds.some((each) => each.id === providerRefundId) ? leftMinor() : undefined)),
    }),
  };

  return {
    id,
    provider,
    there,
    heldMinor,
    refundedMinor,
    /** The payer pays, or declines. */
    payer: (declines: boolean): void => {
      if (there.status !== 'requires_action') return;
      if (declines) there.status = 'failed';
      else if (capture === 'manual') there.status = 'authorized';
      else take(there.amountMinor);
    },
    /** Somebody in the office; what is not possible there does not happen. */
    office: (what: 'capture' | 'void' | 'refund', minor: number): void => {
      if (what === 'capture' && there.status === 'authorized') take(Math.min(minor, there.amountMinor));
      if (what === 'void' && there.status === 'authorized') there.status = 'cancelled';
      if (what === 'refund' && there.status === 'succeeded' && minor <= leftMinor()) refund(minor);
    },
    /** Refunds that are under way end. */
    finishRefunds: (): void => {
      for (const each of there.refunds) if (each.status === 'pending') each.status = 'succeeded';
    },
  };
};
