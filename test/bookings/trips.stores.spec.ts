/** Trips on the real stores: everything or nothing, wherever the process dies. */

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { bookTrip, unpaidOf } from '../../commands/bookings/trips.ts';
import { addListing } from '../../commands/catalog/listings.ts';
import { addRoom, priceNights } from '../../commands/catalog/rooms.ts';
import { syncPayment } from '../../commands/payments/askProvider.ts';
import { processPayment } from '../../commands/payments/payments.ts';
import { booking } from '../../domain/bookings/booking.ts';
import { trip } from '../../domain/bookings/trip.ts';
import { listingKinds } from '../../domain/catalog/listings.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { derivedId } from '../../infra/ids.ts';
import { hotelDetails, roomDetails } from '../catalog/catalogFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { createOffers } from './offers.ts';
import { createStage, dyingBefore, type Settings, type Stage } from './stage.ts';

let stage: Stage;
const begin = async (settings: Settings = {}) => {
  stage = await createStage(await freshStores(), settings);
};

/** Three stays, one after the other. */
const items = () => [stage.stay(30, 32, 2), stage.stay(33, 34, 1), stage.stay(35, 38, 2)];
const book = (context = contextOf(randomUUID()), node = stage.node) =>
  bookTrip(node, context, { items: items(), notes: 'a birthday' });
const statusOf = async (bookingId: string) => (await stage.node.aggregates.load(booking, bookingId)).state.status;
const holds = async () => (await stage.stock()).holds.size;

/** Everything that a trip of three writes, in order. */
const steps = [
  ['PlaceHold', 1],
  ['PlaceHold', 2],
  ['PlaceHold', 3],
  ['BookTrip', 1],
  ['CreateBooking', 1],
  ['CreateBooking', 2],
  ['CreateBooking', 3],
] as const;
/** The steps after which it is booked. */
const isBooked = ([command]: (typeof steps)[number]) => command === 'CreateBooking';

/** A trip for each step, whose process dies before it. */
const dieEverywhere = () =>
  Promise.all(
    steps.map(async (step) => {
      const context = contextOf(randomUUID());
      const [command, nth] = step;
      await expect(book(context, dyingBefore(stage.node, command, nth))).rejects.toThrow(StoreUnavailable);
      return { step, context, tripId: derivedId(context.commandId, 'trip') };
    }),
  );

it('books everything at once, and is the same trip when repeated', async () => {
  await begin({ units: 1 });
  const context = contextOf(randomUUID());
  const booked = await book(context);
  expect(booked.trip).toMatchObject({ userId: context.actor.id, notes: 'a birthday', totalMinor: 60_000 });
  expect(booked.bookings.map((each) => each.booking.totalMinor)).toEqual([20_000, 10_000, 30_000]);
  expect(booked.bookings.every((each) => each.booking.status === 'pending_payment')).toBe(true);
  expect(await book(context, stage.newNode())).toEqual(booked);
  expect(await holds()).toBe(3);
});

describe('a process that dies between two steps', () => {
  it('is completed by repeating the request, wherever it died', async () => {
    await begin({ units: steps.length });
    const died = await dieEverywhere();
    const booked = await Promise.all(died.map(({ context }) => book(context, stage.newNode())));
    expect(booked.map(({ tripId }) => tripId)).toEqual(died.map(({ tripId }) => tripId));
    expect(await holds()).toBe(3 * steps.length);
    for (const { bookings } of booked)
      for (const { bookingId, booking: made } of bookings)
        expect((await stage.stock()).holds.get(made.holdId)).toMatchObject({ bookingId });
  });

  it('leaves everything or nothing after time has passed', async () => {
    await begin({ units: steps.length, holdTtlMs: 1_500 });
    const died = await dieEverywhere();
    stage.work();
    for (const { step, tripId } of died) {
      const { state } = await stage.node.aggregates.load(trip, tripId);
      expect(state.status, step.join()).toBe(isBooked(step) ? 'booked' : 'none');
      if (state.status !== 'none')
        for (const { bookingId } of state.bookings) await until(async () => (await statusOf(bookingId)) === 'expired');
    }
    await until(async () => (await holds()) === 0);
    for (const { step, context, tripId } of died.filter(({ step }) => !isBooked(step))) {
      expect((await stage.node.aggregates.load(trip, tripId)).state.status, step.join()).toBe('none');
      for (const index of items().keys()) {
        const bookingId = derivedId(derivedId(context.commandId, `item ${index}`), 'booking');
        expect(await statusOf(bookingId)).toBe('none');
      }
    }
  });
});

describe('a trip of which one item is refused', () => {
  it('names the item, and holds nothing', async () => {
    await begin({ units: 1 });
    await bookTrip(stage.node, contextOf(randomUUID()), { items: [stage.stay(33, 34, 1)] });
    await expect(book()).rejects.toMatchObject({ code: 'sold_out', facts: { index: 1, key: stage.day(33) } });
    expect(await holds()).toBe(1);
    const twice = { items: [stage.stay(40, 41, 1), stage.stay(41, 42, 1), stage.stay(40, 42, 1)] };
    await expect(bookTrip(stage.node, contextOf(randomUUID()), twice)).rejects.toMatchObject({
      code: 'sold_out',
      facts: { index: 2 },
    });
    expect(await holds()).toBe(1);
  });

  it('is refused before anything is held where the request is at fault, or has two currencies', async () => {
    await begin();
    const wrong = { items: [stage.stay(30, 32, 2), stage.stay(33, 34, 99)] };
    await expect(bookTrip(stage.node, contextOf(randomUUID()), wrong)).rejects.toMatchObject({
      code: 'invalid',
      facts: { index: 1, reasons: ['capacity'] },
    });
    await expect(book(stage.owner())).rejects.toMatchObject({ code: 'forbidden', facts: { index: 0 } });

    const { node, owner, ownerId, day } = stage;
    const abroad = { ownerId, timezone: 'Europe/Moscow', currency: 'EUR', details: { ...hotelDetails, charges: [] } };
    const hotel = await addListing(node, owner(), listingKinds.hotel, abroad);
    const { basePriceMinor, ...details } = roomDetails;
    const room = await addRoom(node, owner(), hotel.id, { ...details, pricePerNight: 100 });
    await priceNights(node, owner(), room.id, [{ from: day(0), to: day(60), price: 100 }]);
    const both = { items: [stage.stay(30, 32, 2), { ...stage.stay(33, 34, 1), itemId: room.id }] };
    await expect(bookTrip(node, contextOf(randomUUID()), both)).rejects.toMatchObject({ code: 'invalid' });
    expect(await holds()).toBe(0);
  });
});

it('of all booking types is paid at once; free items are paid already; a cancelled item is refunded', async () => {
  await begin();
  const { node, cancel, untilBooking } = stage;
  const { list, requestFor } = createOffers(stage);
  const kinds = ['tour', 'restaurant', 'transfer', 'instructor'] as const;
  const listed = [
    await list.tour(),
    await list.restaurant({ depositPerGuestMinor: 0 }),
    await list.transfer(),
    await list.instructor(),
  ];
  const slots = kinds.map((kind, index) => requestFor(kind, listed[index]?.id ?? '', 30 + index));
  stage.work();
  const context = contextOf(randomUUID());
  const { actor } = context;
  const {
    tripId,
    trip: booked,
    bookings,
  } = await bookTrip(node, context, { items: [stage.stay(29, 30, 2), ...slots] });
  expect(booked.totalMinor).toBe(10_000 + 900_000 + 0 + 300_000 + 800_000);
  const [room = '', tour = '', table = '', ride = '', lesson = ''] = bookings.map(({ bookingId }) => bookingId);
  await untilBooking(table, 'paid');
  await cancel(room, actor.id);

  await expect(unpaidOf(node, contextOf(randomUUID()).actor, tripId)).rejects.toMatchObject({ code: 'not_found' });
  const things = await unpaidOf(node, actor, tripId);
  expect(things.map(({ id }) => id)).toEqual([tour, ride, lesson]);
  const how = { things, tripId, method: 'card' } as const;
  const { paymentId, payment } = await processPayment(node, contextOf(actor.id), how);
  expect(payment).toMatchObject({ tripId, amountMinor: 2_000_000, items: things });
  stage.provider.says(paymentId, 'succeeded');
  await syncPayment(node, contextOf('system'), paymentId);
  for (const { id } of things) await untilBooking(id, 'paid');
  await expect(unpaidOf(node, actor, tripId)).rejects.toMatchObject({ code: 'invalid_transition' });

  await cancel(ride, actor.id);
  await until(() => stage.provider.refunded.length === 1);
  expect(stage.provider.refunded).toMatchObject([{ amountMinor: 300_000 }]);
  expect((await stage.booking(lesson)).status).toBe('paid');
});
