/** Promo codes on the real stores: concurrent checkouts, processes that die, holds that end, and the money of a discount. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createBooking, rejectBooking, updateBooking } from '../../commands/bookings/bookings.ts';
import { bookingUses } from '../../commands/bookings/promoUses.ts';
import { bookTrip } from '../../commands/bookings/trips.ts';
import type { CommandContext } from '../../commands/core/handle.ts';
import { syncPayment } from '../../commands/payments/askProvider.ts';
import { createPromoCode, promoCodeId } from '../../commands/promotions/promoCodes.ts';
import { Contended } from '../../domain/core/decider.ts';
import { addMs, HOUR_MS } from '../../domain/core/instants.ts';
import { promoCode } from '../../domain/promotions/promoCode.ts';
import type { PromoTerms } from '../../domain/promotions/terms.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { derivedId } from '../../infra/ids.ts';
import {
  createStage,
  dyingBefore,
  interruptedBefore,
  type Node,
  type Settings,
  type Stage,
} from '../bookings/stage.ts';
import { contextOf } from '../kit/context.ts';
import { changed } from '../kit/deps.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { promoTerms } from './promoFixtures.ts';

let stage: Stage;

const CODE = 'SNOW-27';
const begin = async (terms: Partial<PromoTerms> = {}, settings: Settings = {}) => {
  stage = await createStage(await freshStores(), { units: 20, ...settings });
  await createPromoCode(stage.node, contextOf(randomUUID(), 'admin'), CODE, { ...promoTerms, ...terms });
};
/** Two nights for 200.00. */
const book = (context: CommandContext = contextOf(randomUUID()), node: Node = stage.node) =>
  createBooking(node, context, { ...stage.stay(30, 32, 2), promo: ' snow-27 ' });
/** A process whose holds last longer than a spec. */
const patient = (): Node => changed(stage.node, { settings: { holdTtlMs: HOUR_MS } });
const uses = async () => {
  const { state } = await stage.node.aggregates.load(promoCode, promoCodeId(CODE));
  return state.status === 'none' ? [] : [...state.uses].map(([itemId, { taken }]) => ({ itemId, taken }));
};
const paid = async (bookingId: string, userId: string) => {
  const { paymentId } = await stage.pay(bookingId, userId);
  stage.provider.says(paymentId, 'succeeded');
  await syncPayment(stage.node, contextOf('system'), paymentId);
  return paymentId;
};

it('are never used more often than they allow by checkouts at the same time', async () => {
  await begin({ uses: 3 });
  const nodes = [stage.node, stage.newNode(), stage.newNode()];
  const checkouts = Array.from({ length: 12 }, (_, n) => book(contextOf(randomUUID()), nodes[n % nodes.length]));
  const outcomes = await Promise.allSettled(checkouts);
  const booked = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  expect(booked.map(({ booking }) => booking.totalMinor)).toEqual([18_000, 18_000, 18_000]);
  expect(new Set(refused.map(({ code, facts }) => `${code} ${facts.reason}`))).toEqual(
    new Set(['promo_refused used_up']),
  );
  expect((await uses()).map(({ itemId }) => itemId).toSorted()).toEqual(
    booked.map(({ bookingId }) => bookingId).toSorted(),
  );
  // Whoever was refused holds no places.
  expect((await stage.stock()).holds.size).toBe(3);
});

it('are not reserved for what is refused anyway', async () => {
  await begin({ uses: 1 });
  const item = { ...stage.stay(30, 32, 2), promo: CODE };
  const dearer = { ...item, expectedTotal: 1 };
  const refusals = [
    createBooking(stage.node, stage.owner(), item),
    createBooking(stage.node, contextOf(randomUUID()), dearer),
    bookTrip(stage.node, stage.owner(), { items: [item] }),
    bookTrip(stage.node, contextOf(randomUUID()), { items: [dearer] }),
    bookTrip(stage.node, contextOf(randomUUID()), { items: [item], expectedTotal: 1 }),
  ].map((refused) =>
    refused.then(
      () => 'booked',
      (error: unknown) => (error as { code: string }).code,
    ),
  );
  expect(await Promise.all(refusals)).toEqual([
    ...['forbidden', 'price_changed'],
    ...['forbidden', 'price_changed', 'price_changed'],
  ]);
  const events = await stage.node.store.read(`promoCode-${promoCodeId(CODE)}`);
  expect(events.map(({ type }) => type)).toEqual(['PromoCodeCreated']);
});

describe('a process that dies', () => {
  it('keeps its use for the same request, wherever it died', async () => {
    await begin({ uses: 3 });
    for (const command of ['ReservePromoUse', 'PlaceHold', 'CreateBooking']) {
      const context = contextOf(randomUUID());
      await expect(book(context, dyingBefore(stage.node, command))).rejects.toThrow(StoreUnavailable);
      const { bookingId } = await book(context, stage.newNode());
      expect((await uses()).map((use) => use.itemId)).toContain(bookingId);
    }
    expect(await uses()).toHaveLength(3);
  });

  it('loses it when nobody asks again', async () => {
    await begin({ firstBookingOnly: true }, { holdTtlMs: 500 });
    stage.work();
    // The first booking is claimed, and nothing else is done; then a use is reserved, too.
    const claimed = contextOf(randomUUID());
    await expect(book(claimed, dyingBefore(stage.node, 'ReservePromoUse'))).rejects.toThrow(StoreUnavailable);
    await bookingUses.due.runNow(stage.node.jobs, derivedId(claimed.commandId, 'booking'));
    await until(async () => (await stage.node.pool.query('select 1 from ops.first_bookings')).rowCount === 0);
    await expect(book(undefined, dyingBefore(stage.node, 'PlaceHold'))).rejects.toThrow(StoreUnavailable);
    const [use] = await uses();
    expect(use).toMatchObject({ taken: false });
    await bookingUses.due.runNow(stage.node.jobs, use?.itemId ?? '');
    await until(async () => (await uses()).length === 0);
  });
});

it('are not claimed for a first booking when others are faster each time', async () => {
  await begin({ firstBookingOnly: true });
  const contended = interruptedBefore(stage.node, 'ReservePromoUse', () => Promise.reject(new Contended()));
  await expect(book(undefined, contended)).rejects.toThrow(Contended);
  expect((await stage.node.pool.query('select 1 from ops.first_bookings')).rowCount).toBe(0);
});

describe('a use', () => {
  it('is given back by a hold that ends unpaid, a booking that cannot be made, and an unpaid one that is cancelled', async () => {
    await begin({ uses: 1 }, { units: 1, holdTtlMs: 1_000 });
    const full = await createBooking(stage.node, contextOf(randomUUID()), stage.stay(30, 32, 2));
    // At the last moment of the hold, however late it is by now.
    const next = contextOf(randomUUID(), 'tourist', addMs(full.booking.holdExpiresAt, -1));
    await expect(book(next)).rejects.toMatchObject({ code: 'sold_out' });
    expect(await uses()).toEqual([]);
    const worker = stage.work();
    await stage.untilBooking(full.bookingId, 'expired');
    await worker.stop(); // it would end the next hold before anybody has looked
    const { bookingId } = await book();
    expect(await uses()).toEqual([{ itemId: bookingId, taken: false }]);
    stage.work();
    await stage.untilBooking(bookingId, 'expired');
    await until(async () => (await uses()).length === 0);
    const context = contextOf(randomUUID());
    const again = await book(context, patient());
    await stage.cancel(again.bookingId, context.actor.id);
    await until(async () => (await uses()).length === 0);
  });

  it('is taken with the payment, stays when the guest cancels, and comes back when the seller rejects', async () => {
    await begin({ uses: 2 }, { confirmation: 'on_request' });
    stage.work();
    const [one, other] = [contextOf(randomUUID()), contextOf(randomUUID())];
    const [kept, rejected] = [await book(one), await book(other)];
    for (const [{ bookingId }, { actor }] of [[kept, one] as const, [rejected, other] as const]) {
      await paid(bookingId, actor.id);
      await stage.untilBooking(bookingId, 'paid');
    }
    expect((await uses()).map(({ taken }) => taken)).toEqual([true, true]);
    await stage.cancel(kept.bookingId, one.actor.id);
    await rejectBooking(stage.node, stage.owner(), rejected.bookingId, null);
    await until(async () => (await uses()).length === 1);
    await until(() => stage.handledAll());
    expect(await uses()).toEqual([{ itemId: kept.bookingId, taken: true }]);
  });

  it('that others have by now makes late money go back', async () => {
    await begin({ uses: 1 }, { holdTtlMs: 1_000 });
    const context = contextOf(randomUUID());
    const { bookingId } = await book(context);
    const { paymentId } = await stage.pay(bookingId, context.actor.id);
    stage.provider.says(paymentId, 'cancelled');
    stage.work();
    await stage.untilBooking(bookingId, 'expired');
    await until(async () => (await uses()).length === 0);
    const next = await book(undefined, patient());
    stage.provider.says(paymentId, 'succeeded');
    await syncPayment(stage.node, contextOf('system'), paymentId);
    await until(async () => Object.values((await stage.payment(paymentId)).refunds).length === 1);
    expect((await stage.booking(bookingId)).status).toBe('expired');
    expect((await uses()).map((use) => use.itemId)).toEqual([next.bookingId]);
  });
});

it('are for first bookings only where they say so, also of two codes at once', async () => {
  await begin({ firstBookingOnly: true, uses: 9, usesPerPerson: 9 });
  const other = { ...promoTerms, firstBookingOnly: true };
  await createPromoCode(stage.node, contextOf(randomUUID(), 'admin'), 'OTHER', other);
  const userId = randomUUID();
  const both = await Promise.allSettled([
    book(contextOf(userId)),
    createBooking(stage.newNode(), contextOf(userId), { ...stage.stay(40, 42, 2), promo: 'OTHER' }),
  ]);
  const [first] = both.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  stage.work();
  // The first one came to nothing: the next is the first.
  await stage.cancel(first?.bookingId ?? '', userId);
  await until(async () => (await stage.node.pool.query('select 1 from ops.first_bookings')).rowCount === 0);
  const { bookingId } = await book(contextOf(userId));
  await paid(bookingId, userId);
  await stage.untilBooking(bookingId, 'paid');
  await until(() => stage.handledAll());
  await expect(book(contextOf(userId))).rejects.toMatchObject({
    code: 'promo_refused',
    facts: { reason: 'not_first' },
  });
});

describe('a discount of 50 % that the platform bears', () => {
  const half = { percentBps: 5_000, uses: 9, usesPerPerson: 9 };
  it('pays the seller in full, and goes back with the refund', async () => {
    await begin(half);
    stage.work();
    const context = contextOf(randomUUID());
    const { bookingId, booking } = await book(context);
    expect(booking).toMatchObject({
      totalMinor: 10_000,
      commission: { commissionMinor: 2_000, providerMinor: 18_000 },
    });
    const paymentId = await paid(bookingId, context.actor.id);
    await stage.untilBooking(bookingId, 'paid');
    expect(await stage.payment(paymentId)).toMatchObject({
      amountMinor: 10_000,
      parts: { [bookingId]: { heldMinor: 18_000, platformMinor: 2_000, promotionMinor: 10_000 } },
    });
    await stage.cancel(bookingId, context.actor.id);
    const refunded = async () => Object.values((await stage.payment(paymentId)).refunds)[0]?.status === 'succeeded';
    await until(refunded);
    expect((await stage.payment(paymentId)).parts[bookingId]).toEqual({
      ...{ heldMinor: 0, availableMinor: 0, platformMinor: 0, promotionMinor: 0 },
    });
  });

  it('falls with a lower price, and does not rise with a higher one', async () => {
    await begin(half);
    const context = contextOf(randomUUID());
    const { bookingId } = await book(context);
    const change = (checkOut: number) =>
      updateBooking(stage.node, contextOf(context.actor.id), bookingId, { checkOut: stage.day(checkOut) });
    expect((await change(31)).booking).toMatchObject({ totalMinor: 5_000, promotion: { discountMinor: 5_000 } });
    expect((await change(33)).booking).toMatchObject({
      ...{ totalMinor: 25_000, promotion: { discountMinor: 5_000 } },
      commission: { commissionMinor: 3_000, providerMinor: 27_000 },
    });
  });

  it('is given for each item of a trip, or the trip is refused', async () => {
    await begin({ ...half, uses: 2, usesPerPerson: 2 });
    const item = (from: number) => ({ ...stage.stay(from, from + 1, 2), promo: CODE });
    const trip = (...days: number[]) => bookTrip(stage.node, contextOf(randomUUID()), { items: days.map(item) });
    await expect(trip(30, 32, 34)).rejects.toMatchObject({ code: 'promo_refused', facts: { index: 2 } });
    expect(await uses()).toEqual([]);
    expect((await trip(30, 32)).trip.totalMinor).toBe(10_000);
    expect(await uses()).toHaveLength(2);
  });
});
