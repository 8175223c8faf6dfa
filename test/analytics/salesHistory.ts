/** Bookings that were made, paid and ended, with their money: a history of sellers, for specs that count what it costs. */
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from '../../domain/core/instants.ts';
import { captured, drawn, type PaidItem, partsOf, refunded, released } from '../../domain/ledger/ledger.ts';
import { inTransaction, type Pool } from '../../infra/postgres.ts';
import { applyBatch } from '../../projections/engine/applyEvents.ts';
import type { ReadModel } from '../../projections/engine/readModel.ts';
import { creation, id, paymentTerms } from '../bookings/bookingFixtures.ts';
import { happened } from '../kit/projected.ts';

type Happened = ReturnType<typeof happened>;

/** What becomes of a booking, by its number. */
export const fateOf = (n: number) => {
  const isStarted = n % 11 !== 0;
  const isExpired = isStarted && n % 9 === 0;
  const isPaid = isStarted && !isExpired;
  return { isStarted, isExpired, isPaid, isCancelled: isPaid && n % 7 === 0, isAsked: n % 2 === 0 };
};

/**
 * A booking for 200.00 with a commission of a tenth. It is paid two minutes after it was made; after an hour it is confirmed,
 * cancelled or has expired; after two hours the money is back; after three it is released.
 */
export const soldBooking = (n: number, sellerId: string, at: string): Happened[] => {
  const [bookingId, paymentId, currency] = [id(1_000_000 + n), id(2_000_000 + n), 'RUB'];
  const fate = fateOf(n);
  const item: PaidItem = {
    id: bookingId,
    ownerId: sellerId,
    service: null,
    amountMinor: 20_000,
    commissionMinor: 2_000,
  };
  const after = (ms: number) => addMs(at, ms);
  const booking = (type: string, data: object, when: string) => happened('booking', bookingId, { type, data }, when);
  const payment = (type: string, data: object, when: string) => happened('payment', paymentId, { type, data }, when);
  const paid = { itemId: bookingId, amountMinor: 20_000, currency };
  const made = [booking('BookingCreated', { ...creation, sellerId }, at)];
  if (!fate.isStarted) return made;
  const started = [
    ...made,
    payment(
      'PaymentCreated',
      {
        ...paymentTerms,
        items: [{ kind: 'booking', id: bookingId, ownerId: sellerId, amountMinor: 20_000, commissionMinor: 2_000 }],
      },
      after(MINUTE_MS),
    ),
  ];
  if (fate.isExpired) return [...started, booking('BookingExpired', {}, after(HOUR_MS))];
  const answerBy = fate.isAsked ? { answerBy: after(DAY_MS) } : {};
  const bought = [
    ...started,
    payment(
      'PaymentSucceeded',
      { ...paid, providerPaymentId: 'p', postings: captured('yookassa', [item]) },
      after(2 * MINUTE_MS),
    ),
    booking('BookingPaid', { paymentId, amountMinor: 20_000, ...answerBy }, after(2 * MINUTE_MS)),
  ];
  if (fate.isCancelled)
    return [
      ...bought,
      booking(
        'BookingCancelled',
        { by: 'guest', penaltyPercent: 0, penaltyMinor: 0, refundMinor: 20_000, reason: null, userId: creation.userId },
        after(HOUR_MS),
      ),
      payment(
        'RefundSucceeded',
        { ...paid, refundId: paymentId, postings: refunded('yookassa', item, drawn(partsOf(item), 20_000)) },
        after(2 * HOUR_MS),
      ),
    ];
  return [
    ...bought,
    booking('BookingConfirmed', {}, after(HOUR_MS)),
    payment(
      'ShareReleased',
      { ...paid, ownerId: sellerId, postings: released(sellerId, 18_000, bookingId) },
      after(3 * HOUR_MS),
    ),
  ];
};

let commit = 0n;
/** Projects events into the tables of some models, in the order of their times. */
export const project = (pool: Pool, models: readonly ReadModel[], events: readonly Happened[]): Promise<void> =>
  inTransaction(pool, async (client) => {
    const placed = events
      .toSorted((a, b) => (a.at < b.at ? -1 : 1))
      .map((event) => {
        commit += 1n;
        return { ...event, position: { commit, prepare: commit } };
      });
    for (const model of models) {
      const refuse = (_: unknown, reason: string) => Promise.reject(new Error(`${model.name}: ${reason}`));
      await applyBatch(client, { model, table: model.name }, placed, new Map(), refuse);
    }
  });
