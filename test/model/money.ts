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

/** How much may be kept of what the payments of an item captured; nothing of payments that did not pay for it. */
interface Claim {
  readonly itemId: string;
  readonly paidBy: readonly string[];
  /** The first event that leads to a refund by the system, if there is one. */
  readonly firstRefund: Recorded | undefined;
  readonly keepable: (capturedMinor: number) => number;
}

/** What a guest loses beside the price: the most that a change has cost in percent, and what changes have kept. */
const changesOf = (own: Log, { cancellationPolicy, ...created }: EventOf<'BookingCreated'>['data']) => {
  const proposals = ofType(own, 'BookingChangeProposed');
  const countsHours = created.timezone === undefined;
  let terms: Pick<typeof created, 'startsAt' | 'timezone' | 'totalMinor'> = created;
  let [floor, kept] = [0, 0];
  for (const { data } of ofType(own, 'BookingRescheduled')) {
    const proposal = proposals.find((each) => each.data.holdId === data.holdId);
    if (data.change !== undefined && proposal?.data.by === 'guest') {
      floor = Math.max(floor, penaltyPercentAt(cancellationPolicy, { ...terms, countsHours }, proposal.meta.at));
      kept += percentage(Math.max(0, terms.totalMinor - data.totalMinor), floor * 100);
    }
    terms = data;
  }
  const percentAt = (at: string) =>
    Math.max(floor, penaltyPercentAt(cancellationPolicy, { ...terms, countsHours }, at));
  return { kept, percentAt, totalMinor: terms.totalMinor };
};

const bookingClaims = (log: Log): Claim[] =>
  ofType(log, 'BookingCreated').map(({ streamId: itemId, data }) => {
    const own = log.filter(({ category, streamId }) => category === 'booking' && streamId === itemId);
    const changes = ofType(own, 'BookingRescheduled').filter((event) => event.data.change !== undefined);
    const payments = [...ofType(own, 'BookingPaid').map((event) => event.data), ...changes.map((e) => e.data.change)];
    const [ended] = ofType(own, 'BookingCancelled', 'BookingRejected');
    const { kept, percentAt, totalMinor } = changesOf(own, data);
    const keepable = (captured: number): number => {
      if (!ended) return Math.min(captured, totalMinor + kept);
      if (ended.data.by !== 'guest') return 0;
      return Math.min(captured, kept + percentage(totalMinor, percentAt(ended.meta.at) * 100));
    };
    const paidBy = payments.flatMap((each) => each?.paymentId ?? []);
    return { itemId, paidBy, firstRefund: [...changes, ended][0], keepable };
  });

const purchaseClaims = (log: Log): Claim[] =>
  ofType(log, 'PurchaseMade').map(({ streamId: itemId, data: { startsAt } }) => {
    const own = log.filter(({ category, streamId }) => category === 'purchase' && streamId === itemId);
    const [paid] = ofType(own, 'PurchasePaid');
    const [ended] = ofType(own, 'PurchaseCancelled');
    const isLate = ended?.data.by === 'guest' && Date.parse(ended.meta.at) >= Date.parse(startsAt);
    const keepable = (captured: number): number => (!ended || isLate ? captured : 0);
    return { itemId, paidBy: paid ? [paid.data.paymentId] : [], firstRefund: ended, keepable };
  });

/** The refunds that were requested of an item, in the order of the log, without those that failed. */
const refundsOf = (own: Log, itemId: string) => {
  const failed = new Set(ofType(own, 'RefundFailed').map(({ data }) => data.refundId));
  return ofType(own, 'RefundRequested').filter(({ data }) => data.itemId === itemId && !failed.has(data.refundId));
};

const capturedOf = (own: Log, itemId: string): number => {
  const items = ofType(own, 'PaymentCreated').flatMap(({ data }) => data.items);
  const amount = items.find(({ id }) => id === itemId)?.amountMinor ?? 0;
  return ofType(own, 'PaymentSucceeded').length > 0 ? amount : 0;
};
const amountOf = (refunds: readonly Recorded<EventOf<'RefundRequested'>>[]): number =>
  sum(refunds.map(({ data }) => data.amountMinor));
const bySystem = ({ data }: Recorded<EventOf<'RefundRequested'>>): boolean => data.cause !== 'requested';

/** One payment: the system refunds what may not be kept, less what people had refunded before. */
const expectExactly = (own: Log, itemId: string, keepable: Claim['keepable'], what: string): void => {
  const captured = capturedOf(own, itemId);
  const refunds = refundsOf(own, itemId);
  const first = refunds.findIndex(bySystem);
  const had = amountOf(refunds.slice(0, first < 0 ? refunds.length : first));
  const kept = keepable(captured);
  const said = `refunds of ${itemId} by ${what}: ${captured} captured, ${kept} to keep, ${had} refunded before`;
  expect(amountOf(refunds.filter(bySystem)), said).toBe(Math.max(0, captured - had - kept));
};

/**
 * Several payments and refunds of a booking: what people have refunded before all of them counts, what they have
 * refunded in between may count.
 */
const expectWithin = (log: Log, { itemId, firstRefund, keepable }: Claim, captured: number, refunds: Log): void => {
  const all = ofType(refunds, 'RefundRequested');
  const byPeople = all.filter((each) => !bySystem(each));
  const before = byPeople.filter((each) => firstRefund && log.indexOf(each) < log.indexOf(firstRefund));
  const owed = captured - keepable(captured);
  const said = `refunds of ${itemId}: ${captured} captured, ${owed} owed, ${amountOf(before)} refunded before`;
  const refunded = amountOf(all.filter(bySystem));
  expect(refunded, said).toBeGreaterThanOrEqual(Math.max(0, owed - amountOf(byPeople)));
  expect(refunded, said).toBeLessThanOrEqual(Math.max(0, owed - amountOf(before)));
};

/**
 * The system refunds everything beyond what may be kept, and nothing else, counting what people had refunded before.
 * @param log everything that was recorded, when nothing more happens
 */
export const expectNothingOwed = (log: Log): void => {
  const payments = new Map<string, Recorded[]>();
  for (const event of log)
    if (event.category === 'payment') payments.set(event.streamId, [...(payments.get(event.streamId) ?? []), event]);
  for (const claim of [...bookingClaims(log), ...purchaseClaims(log)]) {
    const { itemId, paidBy, keepable } = claim;
    const isSimple = paidBy.length < 2 && claim.firstRefund?.type !== 'BookingRescheduled';
    for (const [paymentId, own] of payments)
      if (!paidBy.includes(paymentId)) expectExactly(own, itemId, () => 0, paymentId);
      else if (isSimple) expectExactly(own, itemId, keepable, paymentId);
    if (isSimple) continue;
    const paying = paidBy.map((paymentId) => payments.get(paymentId) ?? []);
    const captured = sum(paying.map((own) => capturedOf(own, itemId)));
    expectWithin(
      log,
      claim,
      captured,
      paying.flatMap((own) => refundsOf(own, itemId)),
    );
  }
};
