/** What is sold by the slot, on the real stores: held, sold out, moved, expired, paid late; each kind by its own places. */

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { confirmBooking, createBooking, updateBooking } from '../../commands/bookings/bookings.ts';
import { markNoShow } from '../../commands/bookings/noShows.ts';
import { bookingDue, holdExpiry } from '../../commands/bookings/policy.ts';
import type { BookingRequest } from '../../commands/bookings/quote.ts';
import { changeListing } from '../../commands/catalog/listings.ts';
import { syncPayment } from '../../commands/payments/askProvider.ts';
import { processPayment } from '../../commands/payments/payments.ts';
import { account } from '../../domain/accounts/account.ts';
import { inventoryDemand } from '../../domain/catalog/bookableItem.ts';
import { listingKinds } from '../../domain/catalog/listings.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { addMinutes, addMs, HOUR_MS, msBetween } from '../../domain/core/instants.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { derivedId } from '../../infra/ids.ts';
import { contextOf } from '../kit/context.ts';
import { changed } from '../kit/deps.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { car, createOffers, slotKinds, table } from './offers.ts';
import { createStage, dyingBefore, type Settings, type Stage } from './stage.ts';

let stage: Stage;
let offers: ReturnType<typeof createOffers>;
const begin = async (settings: Settings = {}) => {
  stage = await createStage(await freshStores(), settings);
  offers = createOffers(stage);
};

const soldOut = { code: 'sold_out' };
/** The provider has the money, and we have asked. */
const pays = async (paymentId: string) => {
  stage.provider.says(paymentId, 'succeeded');
  await syncPayment(stage.node, contextOf('system'), paymentId);
};

describe('every kind', () => {
  it('is held, sells out, is rescheduled whole or not at all, and is refused for its seller', async () => {
    await begin();
    stage.work();
    const prices = { tour: 900_000, restaurant: 100_000, transfer: 300_000, instructor: 800_000 };
    for (const kind of slotKinds) {
      const { id } = await offers.list[kind]();
      const guest = randomUUID();
      const { bookingId, booking } = await offers.book(offers.requestFor(kind, id, 30), guest);
      expect(booking, kind).toMatchObject({
        status: 'pending_payment',
        sellerId: stage.ownerId,
        item: { type: kind, listingId: id, slotStart: offers.start(30) },
        startsOn: stage.day(30),
        startsAt: offers.start(30),
        totalMinor: prices[kind],
        cancellationPolicy: { name: 'flexible' },
      });
      expect(await offers.left(bookingId), kind).toBe(0);
      await expect(offers.book(offers.requestFor(kind, id, 30)), kind).rejects.toMatchObject(soldOut);
      await expect(offers.book(offers.requestFor(kind, id, 30, 99)), kind).rejects.toMatchObject({ code: 'invalid' });
      await expect(offers.book(offers.requestFor(kind, id, 29), stage.ownerId)).rejects.toMatchObject({
        code: 'forbidden',
      });

      await offers.book(offers.requestFor(kind, id, 31));
      const onto = offers.move(bookingId, guest, { slotStart: offers.start(31) });
      await expect(onto, kind).rejects.toMatchObject(soldOut);
      expect(await stage.booking(bookingId)).toEqual(booking);
      const moved = await offers.move(bookingId, guest, { slotStart: offers.start(32), guests: 1 });
      expect(moved.booking, kind).toMatchObject({ guests: 1, startsAt: offers.start(32), startsOn: stage.day(32) });
      await expect(offers.move(bookingId, guest, { checkIn: stage.day(30) })).rejects.toMatchObject({
        code: 'invalid',
      });
      await until(async () => (await offers.holdsOf(booking.item.unitId)).length === 2);
      await offers.book(offers.requestFor(kind, id, 30));
    }
  });

  it('is held until it begins at the latest, and money that comes later is refunded', async () => {
    await begin();
    const { id } = await offers.list.tour();
    const guest = randomUUID();
    const start = offers.start(30);
    const at = (seconds: number) => addMs(start, seconds * 1_000);
    const later = (seconds: number) => ({ ...contextOf(guest), at: at(seconds) });
    const { bookingId, booking } = await offers.book(offers.requestFor('tour', id, 30), guest, stage.node, later(-30));
    expect(booking.holdExpiresAt).toBe(start);
    const pay = (seconds: number) =>
      processPayment(stage.node, later(seconds), { things: [{ kind: 'booking', id: bookingId }], method: 'card' });
    const { paymentId } = await pay(-20);
    expect((await stage.booking(bookingId)).holdExpiresAt).toBe(start);

    stage.provider.says(paymentId, 'processing');
    const deps = changed(stage.node, { now: () => at(0) });
    const job = { id: booking.holdId, data: { unitId: id, bookingId }, attempt: 1 };
    await holdExpiry.run(job, { deps, context: later(0) });
    expect((await stage.booking(bookingId)).status).toBe('expired');
    await expect(pay(1)).rejects.toMatchObject({ code: 'invalid_transition' });

    stage.provider.says(paymentId, 'succeeded');
    await syncPayment(stage.node, later(1), paymentId);
    stage.work(changed(stage.node, { now: () => at(2) }));
    await until(async () => Object.values((await stage.payment(paymentId)).refunds)[0]?.amountMinor === 900_000);
    expect((await stage.booking(bookingId)).status).toBe('expired');
  });

  it('cannot be paid from its start on', async () => {
    await begin();
    const { id } = await offers.list.tour();
    const guest = randomUUID();
    const start = offers.start(30);
    const before = { ...contextOf(guest), at: addMinutes(start, -1) };
    const { bookingId } = await offers.book(offers.requestFor('tour', id, 30), guest, stage.node, before);
    const things = [{ kind: 'booking', id: bookingId }] as const;
    const pay = processPayment(stage.node, { ...contextOf(guest), at: start }, { things, method: 'card' });
    await expect(pay).rejects.toMatchObject({ code: 'hold_expired' });
    expect((await offers.holdsOf(id))[0]?.[1].expiresAt).toBe(start);
  });

  it('moves to a slot that begins sooner with a hold that ends sooner', async () => {
    await begin();
    const { id } = await offers.list.tour();
    const guest = randomUUID();
    const start = offers.start(30);
    const at = addMs(start, -30_000);
    const context = { ...contextOf(guest), at };
    const { bookingId } = await offers.book(offers.requestFor('tour', id, 31), guest, stage.node, context);
    const { booking } = await updateBooking(stage.node, { ...contextOf(guest), at }, bookingId, { slotStart: start });
    expect(booking.holdExpiresAt).toBe(start);
    const holds = (await offers.holdsOf(id)).filter(([holdId]) => holdId === booking.holdId);
    expect(holds.map(([, hold]) => hold.expiresAt)).toEqual([start]);
  });

  it('expires unpaid; a late payment holds the places again, or is refunded when they are taken', async () => {
    await begin({ holdTtlMs: 2_500 });
    const begun = async (want: BookingRequest, guest = randomUUID()) => {
      const { bookingId } = await offers.book(want, guest);
      return { bookingId, paymentId: (await stage.pay(bookingId, guest)).paymentId };
    };
    const listed = await Promise.all(
      slotKinds.map(async (kind) => {
        const { id } = await offers.list[kind]();
        const again = () => offers.requestFor(kind, id, 31);
        return { lucky: await begun(offers.requestFor(kind, id, 30)), unlucky: await begun(again()), again };
      }),
    );
    stage.work();
    // Who books then is not to lose the places before they have paid, however slow the machine is.
    const patient = changed(stage.node, { settings: { holdTtlMs: HOUR_MS } });
    await Promise.all(
      listed.map(async ({ lucky, unlucky, again }) => {
        for (const { bookingId } of [lucky, unlucky]) await stage.untilBooking(bookingId, 'expired');
        await pays(lucky.paymentId);
        await stage.untilBooking(lucky.bookingId, 'paid');
        expect(await offers.left(lucky.bookingId)).toBe(0);

        const guest = randomUUID();
        const { bookingId } = await offers.book(again(), guest, patient);
        const things = [{ kind: 'booking', id: bookingId }] as const;
        await pays((await processPayment(patient, contextOf(guest), { things, method: 'card' })).paymentId);
        await stage.untilBooking(bookingId, 'paid');
        await pays(unlucky.paymentId);
        const refunds = async () => Object.values((await stage.payment(unlucky.paymentId)).refunds);
        await until(async () => (await refunds())[0]?.status === 'succeeded');
        const { status, totalMinor } = await stage.booking(unlucky.bookingId);
        expect(status).toBe('expired');
        expect(await refunds()).toMatchObject([{ amountMinor: totalMinor }]);
      }),
    );
  });

  it('is refused by the listing’s rules, and for an invalid time', async () => {
    await begin();
    const at = (id: string, more: object) =>
      offers.book({ ...offers.requestFor('tour', id, 30), ...more } as BookingRequest);
    const { id } = await offers.list.tour();
    const refused = (more: object, code: string, reasons: string[]) =>
      expect(at(id, more)).rejects.toMatchObject({ code, facts: { reasons } });
    await refused({ slotStart: addMinutes(offers.start(30), 15) }, 'not_bookable', ['not_offered']);
    await refused({ slotStart: addMinutes(offers.start(30), 1) }, 'invalid', ['off_grid']);
    await refused({ slotStart: offers.start(-1) }, 'invalid', ['past']);
    await refused({ slotStart: '9999-12-31T23:45:00Z' }, 'invalid', ['too_far']);
    await expect(at(id, { slotStart: '2026-12-31T23:59:60Z' })).rejects.toMatchObject({ code: 'invalid' });
    await expect(at(randomUUID(), {})).rejects.toMatchObject({ code: 'not_found' });
    const { id: instructor } = await offers.list.instructor();
    const lesson = { ...offers.requestFor('instructor', instructor, 30), slotEnd: addMinutes(offers.start(30), 30) };
    await expect(offers.book(lesson as BookingRequest)).rejects.toMatchObject({ facts: { reasons: ['too_short'] } });
  });
});

describe('a tour', () => {
  it('never has more guests than seats, however many groups book at once', async () => {
    await begin();
    const seats = 25;
    const { id } = await offers.list.tour({ seats });
    const nodes = [stage.node, stage.newNode()];
    const taken = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const guests = 1 + (n % 3);
        return offers.book(offers.requestFor('tour', id, 30, guests), randomUUID(), nodes[n % 2]).then(
          () => guests,
          (error: unknown) => {
            if (error instanceof Rejected && error.code === 'sold_out') return 0;
            throw error;
          },
        );
      }),
    );
    expect(taken.reduce((sum, guests) => sum + guests, 0)).toBe(seats);
  });

  it('takes more seats for a group that grows, as long as there are some', async () => {
    await begin();
    stage.work();
    const { id } = await offers.list.tour({ seats: 5 });
    const guest = randomUUID();
    const { bookingId } = await offers.book(offers.requestFor('tour', id, 30, 2), guest);
    await offers.book(offers.requestFor('tour', id, 30, 1));
    await expect(offers.move(bookingId, guest, { guests: 5 })).rejects.toMatchObject(soldOut);
    const { booking } = await offers.move(bookingId, guest, { guests: 4 });
    expect(booking).toMatchObject({ item: { seats: 4 }, totalMinor: 1_800_000 });
    await until(async () => (await offers.holdsOf(id)).length === 2);
    expect(await offers.left(bookingId)).toBe(0);
  });
});

describe('a restaurant', () => {
  const itemOf = async (bookingId: string) => (await stage.booking(bookingId)).item.unitId;

  it('books the smallest free table, and another one when the group grows', async () => {
    await begin();
    stage.work();
    const { id, tables } = await offers.list.restaurant({}, [table(6), table(2), table(4)]);
    const seatsOf = async (bookingId: string) => {
      const itemId = await itemOf(bookingId);
      return tables.find((each) => each.id === itemId)?.seats;
    };
    const guest = randomUUID();
    const input = offers.requestFor('restaurant', id, 30);
    const first = await offers.book(input, guest);
    const second = await offers.book(input);
    expect([await seatsOf(first.bookingId), await seatsOf(second.bookingId)]).toEqual([2, 4]);

    const before = await itemOf(first.bookingId);
    await offers.move(first.bookingId, guest, { guests: 5 });
    expect(await seatsOf(first.bookingId)).toBe(6);
    await until(async () => (await offers.holdsOf(before)).length === 0);
    await offers.book(input);
    await expect(offers.book(input)).rejects.toMatchObject(soldOut);
  });

  it('holds one table for one request, whatever came free between its attempts', async () => {
    await begin();
    const { id, tables } = await offers.list.restaurant({}, [table(2), table(4)]);
    const [small, large] = tables.map((each) => each.id);
    const input = offers.requestFor('restaurant', id, 30);
    const other = randomUUID();
    const { bookingId } = await offers.book(input, other);
    const [guest, worker] = [randomUUID(), stage.work()];
    const context = contextOf(guest);
    const dying = dyingBefore(stage.node, 'CreateBooking');
    await expect(offers.book(input, guest, dying, context)).rejects.toThrow(StoreUnavailable);
    await stage.cancel(bookingId, other);
    await until(async () => (await offers.holdsOf(small ?? '')).length === 0);
    const again = await offers.book(input, guest, stage.newNode(), context);
    expect(again.booking.item.unitId).toBe(large);
    expect((await offers.holdsOf(small ?? '')).length).toBe(0);
    await worker.stop();
  });

  it('that is asked for again after its owner made sittings longer is held for all of the longer one', async () => {
    await begin();
    const { id, tables } = await offers.list.restaurant({ sittingMinutes: 60 });
    const input = offers.requestFor('restaurant', id, 30);
    const context = contextOf(randomUUID());
    const dying = dyingBefore(stage.node, 'CreateBooking');
    await expect(offers.book(input, context.actor.id, dying, context)).rejects.toThrow(StoreUnavailable);
    await changeListing(stage.node, stage.owner(), listingKinds.restaurant, id, { details: { sittingMinutes: 120 } });
    const { booking } = await offers.book(input, context.actor.id, stage.newNode(), context);
    const held = new Map(await offers.holdsOf(tables[0]?.id ?? '')).get(booking.holdId);
    expect(held?.keys).toEqual(inventoryDemand(booking.item).keys);
    expect(held?.keys).toHaveLength(8);
  });

  it('that asks for no deposit is paid for at once, and takes no money', async () => {
    await begin();
    const { id } = await offers.list.restaurant({ depositPerGuestMinor: 0 });
    const guest = randomUUID();
    const context = contextOf(guest);
    const request = offers.requestFor('restaurant', id, 30);
    const dying = dyingBefore(stage.newNode(), 'MarkPaid');
    await expect(createBooking(dying, context, request)).rejects.toThrow(StoreUnavailable);
    const bookingId = derivedId(context.commandId, 'booking');
    expect(await stage.booking(bookingId)).toMatchObject({ status: 'pending_payment', totalMinor: 0, lines: [] });
    stage.work();
    await stage.untilBooking(bookingId, 'paid');
    const { booking } = await createBooking(stage.node, context, request);
    expect(booking.status).toBe('paid');
    await expect(stage.pay(bookingId, guest)).rejects.toMatchObject({ code: 'invalid_transition' });
    expect((await offers.holdsOf(booking.item.unitId))[0]?.[1].expiresAt).toBeNull();
    await until(async () => (await stage.jobs()).includes('booking_due'));
    await confirmBooking(stage.node, stage.owner(), bookingId);
    await stage.cancel(bookingId, guest);
    await until(async () => (await offers.holdsOf(booking.item.unitId)).length === 0);
    await until(async () => (await stage.jobs()).length === 0);
  });
});

it('a transfer books the cheapest free vehicle or the named one, and has it back after the ride', async () => {
  await begin();
  const { id, vehicles } = await offers.list.transfer([car('Van', 7, 500_000), car('Sedan', 3, 300_000)]);
  const [van, sedan] = vehicles.map((each) => each.id);
  const input = offers.requestFor('transfer', id, 30);
  const book = async (more: object = {}) => (await offers.book({ ...input, ...more } as BookingRequest)).booking.item;
  expect(await book({ guests: 5 })).toMatchObject({ unitId: van, busyUntil: addMinutes(offers.start(30), 60 + 75) });
  expect(await book()).toMatchObject({ unitId: sedan });
  await expect(book()).rejects.toMatchObject(soldOut);
  await expect(book({ vehicleId: randomUUID() })).rejects.toMatchObject({ code: 'not_found' });
  await expect(book({ vehicleClass: 'bus' })).rejects.toMatchObject({ code: 'invalid' });
  const after = (minutes: number) => ({ slotStart: addMinutes(offers.start(30), minutes), vehicleId: sedan });
  await expect(book(after(120))).rejects.toMatchObject(soldOut);
  expect(await book(after(135))).toMatchObject({ unitId: sedan });
});

describe('time', () => {
  it('rejects what its seller has not answered, refunds all money, and tells the seller', async () => {
    await begin();
    const seller = {
      role: 'instructor',
      email: 'seller@example.com',
      phone: null,
      firstName: '',
      lastName: '',
    } as const;
    const opening = { type: 'OpenAccount', asOf: 0, ...seller, language: 'en', passwordHash: 'x' } as const;
    await stage.node.aggregates.handle(account, stage.ownerId, opening, contextOf('system'));
    stage.work();
    const { id } = await offers.list.instructor();
    const guest = randomUUID();
    const { bookingId } = await offers.book(offers.requestFor('instructor', id, 1), guest);
    const { paymentId } = await stage.pay(bookingId, guest);
    await pays(paymentId);
    await stage.untilBooking(bookingId, 'paid');
    await until(async () => (await stage.jobs()).includes('booking_due'));
    await expect(markNoShow(stage.node, stage.owner(), bookingId)).rejects.toMatchObject({
      code: 'invalid_transition',
    });
    const ctx = { deps: stage.node, context: contextOf('system', 'system', offers.start(1)) };
    await bookingDue.run({ id: bookingId, data: {}, attempt: 1 }, ctx);
    expect(await stage.booking(bookingId)).toMatchObject({
      status: 'rejected',
      ending: { by: 'system', refundMinor: 800_000 },
    });
    await until(async () => Object.values((await stage.payment(paymentId)).refunds)[0]?.status === 'succeeded');
    // Another policy gives the places back than the one that refunds.
    await until(async () => (await offers.left(bookingId)) === 1);
    const told = 'select from ops.notifications where person_id = $1 and name = $2';
    await until(async () => {
      const { rowCount } = await stage.node.pool.query(told, [stage.ownerId, 'seller_answer_overdue']);
      return rowCount === 1;
    });
  });

  it('holds places for an unfinished payment no longer than a payment may last', async () => {
    const paymentTtlMs = 600_000;
    await begin({ units: 1, paymentTtlMs });
    const guest = randomUUID();
    const { bookingId, booking: booked } = await stage.book(guest);
    const { paymentId } = await stage.pay(bookingId, guest);
    stage.provider.says(paymentId, 'processing');
    await syncPayment(stage.node, contextOf('system'), paymentId);
    stage.provider.away = true; // nobody can say any more: what is known is that it is being paid
    /** @returns when the hold ends, after its job ran at the time at which it would have ended */
    const atItsEnd = async (endsAt: string) => {
      await stage.runHoldExpiry(bookingId, endsAt);
      return (await stage.booking(bookingId)).holdExpiresAt;
    };
    const { holdExpiresAt: first } = booked;
    let [last, next] = [first, await atItsEnd(first)];
    while (next !== last) [last, next] = [next, await atItsEnd(next)];
    expect(msBetween(first, last)).toBe(paymentTtlMs);
    expect(await stage.booking(bookingId)).toMatchObject({ status: 'expired' });
    stage.provider.away = false;
    await stage.book();
  });

  it('lets the seller record a no-show after the start', async () => {
    await begin();
    stage.work();
    const { id } = await offers.list.restaurant({ depositPerGuestMinor: 0 });
    const { bookingId } = await offers.book(offers.requestFor('restaurant', id, 1));
    await stage.untilBooking(bookingId, 'paid');
    await confirmBooking(stage.node, stage.owner(), bookingId);
    const later = contextOf(stage.ownerId, 'restaurant', addMinutes(offers.start(1), 30));
    expect((await markNoShow(stage.node, later, bookingId)).booking.status).toBe('no_show');
    await expect(stage.cancel(bookingId, stage.ownerId)).rejects.toMatchObject({ code: 'invalid_transition' });
  });
});
