/**
 * What guests are owed, from the log alone. Payments say what was captured and refunded; the terms of what was paid for,
 * and who ended it when, say what may be kept. What an ending says about its refund is not asked.
 */
import { expect } from 'vitest';
import { penaltyPercentAt } from '../../domain/catalog/cancellation.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { percentage } from '../../domain/core/money.ts';
import type { EventOf, EventType } from '../../domain/modules.ts';

type Log = readonly Recorded[];

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const ofType = <T extends EventType>(log: Log, ...types: readonly T[]): Recorded<EventOf<T>>[] =>
  log.filter((event): event is Recorded<EventOf<T>> => types.some((type) => type === event.type));

/** How much of a captured amount may be kept, by payment; nothing of payments that did not pay for it. */
interface Claim {
  readonly itemId: string;
  readonly paidBy: string | null;
  readonly keepable: (capturedMinor: number) => number;
}

const bookingClaims = (log: Log): Claim[] =>
  ofType(log, 'BookingCreated').map(({ streamId: itemId, data }) => {
    const own = log.filter(({ category, streamId }) => category === 'booking' && streamId === itemId);
    const [paid] = ofType(own, 'BookingPaid');
    const [ended] = ofType(own, 'BookingCancelled', 'BookingRejected');
    const terms = [data, ...ofType(own, 'BookingRescheduled').map((event) => event.data)].at(-1) ?? data;
    const percent = (at: string) => penaltyPercentAt(data.cancellationPolicy, terms.startsAt, at);
    const keepable = (captured: number): number => {
      if (!ended) return captured;
      if (ended.data.by !== 'guest') return 0;
      return Math.min(captured, percentage(terms.totalMinor, percent(ended.meta.at) * 100));
    };
    return { itemId, paidBy: paid?.data.paymentId ?? null, keepable };
  });

const purchaseClaims = (log: Log): Claim[] =>
  ofType(log, 'PurchaseMade').map(({ streamId: itemId, data: { startsAt } }) => {
    const own = log.filter(({ category, streamId }) => category === 'purchase' && streamId === itemId);
    const [paid] = ofType(own, 'PurchasePaid');
    const [ended] = ofType(own, 'PurchaseCancelled');
    const isLate = ended?.data.by === 'guest' && Date.parse(ended.meta.at) >= Date.parse(startsAt);
    const keepable = (captured: number): number => (!ended || isLate ? captured : 0);
    return { itemId, paidBy: paid?.data.paymentId ?? null, keepable };
  });

/** The refunds that were requested of an item, in the order of the log, without those that failed. */
const refundsOf = (own: Log, itemId: string) => {
  const failed = new Set(ofType(own, 'RefundFailed').map(({ data }) => data.refundId));
  return ofType(own, 'RefundRequested')
    .map(({ data }) => data)
    .filter((refund) => refund.itemId === itemId && !failed.has(refund.refundId));
};

/**
 * The system refunds everything beyond what may be kept, and nothing else, counting what people had refunded before.
 * @param log everything that was recorded, when nothing more happens
 */
export const expectNothingOwed = (log: Log): void => {
  const payments = new Map<string, Recorded[]>();
  for (const event of log)
    if (event.category === 'payment') payments.set(event.streamId, [...(payments.get(event.streamId) ?? []), event]);
  for (const { itemId, paidBy, keepable } of [...bookingClaims(log), ...purchaseClaims(log)])
    for (const [paymentId, own] of payments) {
      const items = ofType(own, 'PaymentCreated').flatMap(({ data }) => data.items);
      const amount = items.find(({ id }) => id === itemId)?.amountMinor ?? 0;
      const captured = ofType(own, 'PaymentSucceeded').length > 0 ? amount : 0;
      const kept = paymentId === paidBy ? keepable(captured) : 0;

      const refunds = refundsOf(own, itemId);
      const first = refunds.findIndex(({ cause }) => cause !== 'requested');
      const before = refunds.slice(0, first < 0 ? refunds.length : first);
      const bySystem = refunds.filter(({ cause }) => cause !== 'requested').map(({ amountMinor }) => amountMinor);
      const had = sum(before.map(({ amountMinor }) => amountMinor));
      const what = `refunds of ${itemId} by ${paymentId}: ${captured} captured, ${kept} to keep, ${had} refunded before`;
      expect(sum(bySystem), what).toBe(Math.max(0, captured - had - kept));
    }
};
