/** What must be true of the write side after any history, whatever was lost, late, repeated or interrupted. */
import { expect } from 'vitest';
import { booking } from '../../domain/bookings/booking.ts';
import { inventoryDemand } from '../../domain/catalog/bookableItem.ts';
import { freeAt, inventory } from '../../domain/catalog/inventory.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import type { Posting } from '../../domain/ledger/ledger.ts';
import type { EventOf } from '../../domain/modules.ts';
import { type OpenPayment, payment } from '../../domain/payments/payment.ts';
import { purchase } from '../../domain/purchases/purchase.ts';
import { expectNothingOwed } from './money.ts';
import type { Offer } from './resort.ts';
import type { Simulation } from './simulation.ts';

/** No unit is sold beyond its capacity. */
export const expectNothingOversold = async (simulation: Simulation, offers: readonly Offer[]): Promise<void> => {
  for (const itemId of offers.flatMap(({ itemIds }) => itemIds)) {
    const state = await simulation.stockOf(itemId);
    for (const [key] of state.taken)
      expect(freeAt(state, key, simulation.now()), `free of ${itemId} at ${key}`).toBeGreaterThanOrEqual(0);
  }
};

/** Of these, a no-show has given up its places. */
const KEPT: readonly string[] = ['paid', 'confirmed', 'completed', 'no_show'];
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** For one payable thing: the money received, and the money refunded or being refunded. */
const moneyOf = ({ items, refunds, status }: OpenPayment, itemId: string) => ({
  captured: status === 'succeeded' ? (items.find(({ id }) => id === itemId)?.amountMinor ?? 0) : 0,
  returned: sum(
    Object.values(refunds)
      .filter((refund) => refund.itemId === itemId && refund.status !== 'failed')
      .map(({ amountMinor }) => amountMinor),
  ),
});

/** By how much changes have lowered the price of a paid booking. */
const reductionsOf = (history: readonly Recorded[], bookingId: string): number => {
  const prices = history.flatMap((event) => {
    if (event.streamId !== bookingId) return [];
    if (event.type !== 'BookingCreated' && event.type !== 'BookingRescheduled') return [];
    const { totalMinor, change } = event.data as EventOf<'BookingRescheduled'>['data'];
    return [{ totalMinor, isPaid: change !== undefined }];
  });
  return sum(
    prices.map(({ totalMinor, isPaid }, n) =>
      isPaid ? Math.max(0, (prices[n - 1]?.totalMinor ?? 0) - totalMinor) : 0,
    ),
  );
};

/** The reconciliation looks at all payments: it may end a refund of an earlier history, whose postings began there. */
const expectBooks = (history: readonly Recorded[]): void => {
  const begun = new Set(history.filter(({ type }) => type === 'PaymentCreated').map(({ stream }) => stream));
  const balances = new Map<string, number>();
  for (const { data, id, category, stream } of history) {
    const { postings = [] } = data as { postings?: readonly Posting[] };
    expect(sum(postings.map(({ amountMinor }) => amountMinor)), `postings of ${id}`).toBe(0);
    if (category === 'payment' && !begun.has(stream)) continue;
    for (const { account, amountMinor } of postings) balances.set(account, (balances.get(account) ?? 0) + amountMinor);
  }
  expect(sum([...balances.values()])).toBe(0);
  // A refund after the owner was paid out comes from other money at the provider, which the owner owes from then on.
  const owed = sum([...balances].map(([account, balance]) => (/^available/.test(account) ? Math.max(0, balance) : 0)));
  for (const [account, balance] of balances) {
    if (/^(held|commission|service|payout)/.test(account)) expect(balance, account).toBeLessThanOrEqual(0);
    if (/^nominal/.test(account)) expect(balance, account).toBeGreaterThanOrEqual(0);
    if (/^clearing/.test(account)) expect(balance + owed, account).toBeGreaterThanOrEqual(0);
  }
};

/** Call it when everything has settled. @returns all recorded events */
export const expectAllIsWell = async (
  simulation: Simulation,
  offers: readonly Offer[],
): Promise<readonly Recorded[]> => {
  const node = simulation.fresh();
  await expectNothingOversold(simulation, offers);
  const history = await simulation.history();
  expectBooks(history);
  expectNothingOwed(history);

  const payments = new Map<string, OpenPayment>();
  for (const { category, streamId } of history) {
    if (category !== 'payment' || payments.has(streamId)) continue;
    const { state } = await node.aggregates.load(payment, streamId);
    if (state.status !== 'none') payments.set(streamId, state);
  }
  const held = new Map<string, Set<string>>();
  for (const { id } of simulation.bookings) {
    const { state } = await node.aggregates.load(booking, id);
    if (state.status === 'none') continue;
    const { unitId } = inventoryDemand(state.item);
    const waiting = ['pending_payment', 'paid', 'confirmed'];
    expect(waiting, `${id} waits for ever: ${JSON.stringify(state)}`).not.toContain(state.status);
    const paidBy = state.paymentIds.flatMap((paymentId) => payments.get(paymentId) ?? []);
    if (KEPT.includes(state.status)) {
      if (state.status !== 'no_show') held.set(unitId, (held.get(unitId) ?? new Set()).add(state.holdId));
      const captured = sum(paidBy.map((each) => moneyOf(each, id).captured));
      expect(captured, `${id} is ${state.status}`).toBe(state.totalMinor + reductionsOf(history, id));
    }
    for (const [paymentId, each] of payments) {
      const { captured, returned } = moneyOf(each, id);
      expect(returned, 'refunds are never more than what came').toBeLessThanOrEqual(captured);
      // Money that pays for nothing is refunded in full.
      if (!state.paymentIds.includes(paymentId)) expect(returned, `${paymentId} did not pay for ${id}`).toBe(captured);
    }
  }
  for (const { id } of simulation.purchases) {
    const { state } = await node.aggregates.load(purchase, id);
    if (state.status === 'none') continue;
    expect(state.status, `${id} waits for ever`).not.toBe('pending_payment');
    for (const [paymentId, each] of payments) {
      const { captured, returned } = moneyOf(each, id);
      if (paymentId !== state.paymentId) expect(returned, `${paymentId} did not pay for ${id}`).toBe(captured);
      else expect(captured, `${id} is ${state.status}`).toBe(state.totalMinor);
    }
  }
  // Capacity is taken by live bookings only.
  for (const itemId of offers.flatMap(({ itemIds }) => itemIds)) {
    const { state } = await node.aggregates.load(inventory, itemId);
    for (const [holdId, hold] of state.holds) {
      expect(hold.expiresAt, `hold ${holdId} of ${hold.bookingId} waits for ever`).toBeNull();
      expect(held.get(itemId)?.has(holdId), `hold ${holdId} of ${hold.bookingId}`).toBe(true);
    }
  }
  for (const each of payments.values()) {
    expect(['succeeded', 'failed', 'cancelled', 'expired']).toContain(each.status);
    for (const { status } of Object.values(each.refunds))
      expect(['succeeded', 'failed', 'manual_review']).toContain(status);
  }
  return history;
};
