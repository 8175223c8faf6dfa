/** Holds and bookings on the real stores: crowds, crashes between the two streams, time running out. */

import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  cancelBooking,
  confirmBooking,
  createBooking,
  rejectBooking,
  updateBooking,
} from '../../commands/bookings/bookings.ts';
import { bookingDue } from '../../commands/bookings/policy.ts';
import { bookTrip } from '../../commands/bookings/trips.ts';
import { priceNights } from '../../commands/catalog/rooms.ts';
import { cancelOwnPayment, processPayment } from '../../commands/payments/payments.ts';
import { booking } from '../../domain/bookings/booking.ts';
import { freeAt } from '../../domain/catalog/inventory.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { addMs, HOUR_MS, instantOf, MINUTE_MS, msBetween } from '../../domain/core/instants.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { contextOf } from '../kit/context.ts';
import { changed } from '../kit/deps.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { createStage, dyingBefore, type Settings, type Stage } from './stage.ts';

let stage: Stage;
const begin = async (settings: Settings = {}) => {
  stage = await createStage(await freshStores(), settings);
};

const free = async (night: number) => freeAt(await stage.stock(), stage.day(night), new Date().toISOString());
const noHoldLeft = () => until(async () => (await stage.stock()).holds.size === 0);

describe('a crowd', () => {
  it('of two hundred for the last three rooms: three bookings, 197 times sold out, no hold left', async () => {
    await begin({ units: 3 });
    stage.work();
    const nodes = [stage.node, stage.newNode()];
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        stage.book(randomUUID(), nodes[n % 2]).then(
          ({ bookingId }) => bookingId,
          (error: unknown) => {
            if (error instanceof Rejected) return error;
            throw error;
          },
        ),
      ),
    );
    const booked = outcomes.filter((outcome) => typeof outcome === 'string');
    const refused = outcomes.filter((outcome) => outcome instanceof Rejected);
    expect(booked).toHaveLength(3);
    expect(refused.map(({ code }) => code)).toEqual(Array(197).fill('sold_out'));
    const { holds } = await stage.stock();
    expect([...holds].map(([, hold]) => hold.bookingId).toSorted()).toEqual(booked.toSorted());
    expect(await free(30)).toBe(0);
  });
});

describe('unpaid bookings of one account', () => {
  const limited = (node = stage.node) => changed(node, { settings: { rateLimits: 1 } });
  const book = (guest: string, night: number, node = limited()) =>
    createBooking(node, contextOf(guest), stage.stay(night, night + 1, 2));
  const codeOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'booked',
      (error: unknown) => (error instanceof Rejected ? error.code : String(error)),
    );

  it('are five at most, also when they are made at once in two processes, and a trip is one', async () => {
    await begin({ units: 30 });
    stage.work();
    const guest = randomUUID();
    const items = [1, 2, 3].map((night) => stage.stay(night, night + 1, 2));
    const { bookings } = await bookTrip(limited(), contextOf(guest), { items });
    const nodes = [limited(), limited(stage.newNode())];
    const codes = await Promise.all(Array.from({ length: 9 }, (_, n) => codeOf(book(guest, 10 + n, nodes[n % 2]))));
    expect(codes.toSorted()).toEqual([...Array(4).fill('booked'), ...Array(5).fill('too_many_holds')]);
    expect(await codeOf(book(randomUUID(), 40))).toBe('booked');
    expect(await codeOf(createBooking(stage.node, contextOf(guest), stage.stay(40, 41, 2)))).toBe('booked'); // no limits
    for (const { bookingId } of bookings) {
      expect(await codeOf(book(guest, 50))).toBe('too_many_holds');
      await stage.cancel(bookingId, guest);
    }
    await until(async () => (await codeOf(book(guest, 50))) === 'booked');
  });

  it('do not count when they were refused, and are the same when they are repeated', async () => {
    await begin({ units: 1 });
    stage.work();
    await book(randomUUID(), 30);
    const guest = randomUUID();
    for (let n = 0; n < 6; n += 1) expect(await codeOf(book(guest, 30))).toBe('sold_out');
    const context = contextOf(guest);
    for (let n = 0; n < 6; n += 1) await createBooking(limited(), context, stage.stay(31, 32, 2));
    expect(await codeOf(book(guest, 32))).toBe('booked');
  });

  it('take a tenth of the rooms at most', async () => {
    await begin({ units: 20 });
    const guest = randomUUID();
    const codes = await Promise.all(Array.from({ length: 4 }, () => codeOf(book(guest, 30))));
    expect(codes.toSorted()).toEqual(['booked', 'booked', 'too_many_holds', 'too_many_holds']);
    expect(await codeOf(book(guest, 31))).toBe('booked');
    expect(await codeOf(book(randomUUID(), 30))).toBe('booked');
  });
});

describe('a crash between hold and booking', () => {
  it('leaves a hold that expires, and the room to others', async () => {
    await begin({ units: 1, holdTtlMs: 500 });
    const dying = dyingBefore(stage.node, 'CreateBooking');
    await expect(stage.book(randomUUID(), dying)).rejects.toThrow(StoreUnavailable);
    expect((await stage.stock()).holds.size).toBe(1);
    stage.work();
    await noHoldLeft();
    await stage.book();
  });

  it('is completed by repeating the request', async () => {
    await begin({ units: 1 });
    const guest = randomUUID();
    const context = contextOf(guest);
    await expect(stage.book(guest, dyingBefore(stage.node, 'CreateBooking'), context)).rejects.toThrow(
      StoreUnavailable,
    );
    const later = { ...context, at: addMs(context.at, 20_000) };
    const { bookingId, booking: made } = await stage.book(guest, stage.newNode(), later);
    expect(await stage.book(guest, stage.newNode(), later)).toMatchObject({ bookingId });
    const holds = [...(await stage.stock()).holds].map(([, hold]) => hold.expiresAt);
    expect(holds).toEqual([made.holdExpiresAt]);
  });

  it('that lasts longer than the hold lets the late booking expire', async () => {
    await begin({ units: 1, holdTtlMs: 300 });
    stage.work();
    const guest = randomUUID();
    const context = contextOf(guest);
    await expect(stage.book(guest, dyingBefore(stage.node, 'CreateBooking'), context)).rejects.toThrow(
      StoreUnavailable,
    );
    await noHoldLeft();
    const late = await stage.book(guest, stage.node, context);
    await stage.untilBooking(late.bookingId, 'expired');
    await noHoldLeft();
  });
});

describe('booking', () => {
  beforeEach(() => begin());

  it('releases the hold at once when the booking is refused', async () => {
    const own = createBooking(stage.node, stage.owner(), stage.stay(30, 32, 1));
    await expect(own).rejects.toMatchObject({ code: 'forbidden' });
    expect((await stage.stock()).holds.size).toBe(0);
  });

  it.each([
    ['past', { checkIn: -1, checkOut: 2, guests: 1 }, 'invalid'],
    ['no night', { checkIn: 5, checkOut: 5, guests: 1 }, 'invalid'],
    ['too many guests', { checkIn: 5, checkOut: 6, guests: 3 }, 'invalid'],
    ['not for sale', { checkIn: 59, checkOut: 62, guests: 1 }, 'not_bookable'],
  ])('refuses what cannot be had: %s', async (_, { checkIn, checkOut, guests }, code) => {
    const closed = { from: stage.day(60), to: stage.day(62), price: null };
    await priceNights(stage.node, stage.owner(), stage.roomId, [closed]);
    const request = stage.stay(checkIn, checkOut, guests);
    await expect(createBooking(stage.node, contextOf(randomUUID()), request)).rejects.toMatchObject({ code });
    expect((await stage.stock()).holds.size).toBe(0);
  });

  it('freezes price, commission and policy', async () => {
    const { booking } = await stage.book();
    expect(booking).toMatchObject({
      sellerId: stage.ownerId,
      totalMinor: 20_000,
      commission: { commissionMinor: 2_000, providerMinor: 18_000 },
      cancellationPolicy: { name: 'moderate' },
      status: 'pending_payment',
    });
  });

  it('is not visible to other users', async () => {
    const { bookingId } = await stage.book();
    const stranger = contextOf(randomUUID());
    await expect(confirmBooking(stage.node, stranger, bookingId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(stage.cancel(bookingId, randomUUID())).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('time', () => {
  it('ends a hold even when its job was moved back: handlers to two streams set it in any order', async () => {
    await begin();
    const { bookingId, booking: made } = await stage.book();
    expect(await stage.runHoldExpiry(bookingId, addMs(made.holdExpiresAt, -1))).toEqual({
      againAt: made.holdExpiresAt,
    });
    expect((await stage.booking(bookingId)).status).toBe('pending_payment');
    expect(await stage.runHoldExpiry(bookingId, made.holdExpiresAt)).toBeUndefined();
    expect((await stage.booking(bookingId)).status).toBe('expired');
  });

  it('expires what is not paid, and frees the room', async () => {
    await begin({ units: 1, holdTtlMs: 1_500 });
    const { bookingId, booking: made } = await stage.book();
    // At the last moment of the hold, however late it is by now.
    const next = contextOf(randomUUID(), 'tourist', addMs(made.holdExpiresAt, -1));
    await expect(stage.book(next.actor.id, stage.node, next)).rejects.toMatchObject({ code: 'sold_out' });
    stage.work();
    await stage.untilBooking(bookingId, 'expired');
    await noHoldLeft();
    await until(async () => (await stage.jobs()).length === 0); // a job is deleted after what it did is recorded
  });

  it('runs the same with two workers, and when one of them stops', async () => {
    await begin({ units: 20, holdTtlMs: 600 });
    const first = stage.work(stage.newNode());
    stage.work(stage.newNode());
    // One after the other: at once, the last of them may wait longer than a request does.
    const booked = [];
    for (let n = 0; n < 20; n += 1) booked.push(await stage.book());
    await first.stop();
    for (const { bookingId } of booked) await stage.untilBooking(bookingId, 'expired');
    await noHoldLeft();
  });
});

describe('moving to other dates', () => {
  const move = (bookingId: string, userId: string, from: number, to: number, node = stage.node, at?: string) =>
    updateBooking(node, contextOf(userId, 'tourist', at), bookingId, {
      checkIn: stage.day(from),
      checkOut: stage.day(to),
    });

  it('places a new hold at a new price, and releases the former one', async () => {
    await begin({ units: 1 });
    stage.work();
    const guest = randomUUID();
    const { bookingId } = await stage.book(guest);
    const { booking } = await move(bookingId, guest, 31, 34); // overlaps with itself
    expect(booking).toMatchObject({ totalMinor: 30_000, commission: { commissionMinor: 3_000 } });
    await until(async () => (await stage.stock()).holds.size === 1);
    expect([await free(30), await free(31), await free(33), await free(34)]).toEqual([1, 0, 0, 1]);
  });

  it('changes nothing when one of the nights is taken', async () => {
    await begin({ units: 1 });
    const guest = randomUUID();
    const { bookingId, booking } = await stage.book(guest);
    const request = stage.stay(33, 34, 1);
    await createBooking(stage.node, contextOf(randomUUID()), request);
    await expect(move(bookingId, guest, 31, 34)).rejects.toMatchObject({
      code: 'sold_out',
      facts: { key: stage.day(33) },
    });
    expect(await stage.booking(bookingId)).toEqual(booking);
    expect((await stage.stock()).holds.size).toBe(2);
  });

  it('keeps the old dates after a crash half-way; the new hold expires', async () => {
    await begin({ units: 1, holdTtlMs: 1_000 });
    const guest = randomUUID();
    const { bookingId, booking } = await stage.book(guest);
    const inTime = addMs(booking.holdExpiresAt, -1);
    const dying = dyingBefore(stage.node, 'Reschedule');
    await expect(move(bookingId, guest, 40, 41, dying, inTime)).rejects.toThrow(StoreUnavailable);
    expect(await stage.booking(bookingId)).toEqual(booking);
    expect((await stage.stock()).holds.size).toBe(2);
    stage.work();
    await stage.untilBooking(bookingId, 'expired');
    await noHoldLeft();
  });

  it('frees the old dates after a crash right after it', async () => {
    await begin({ units: 1 });
    const guest = randomUUID();
    const { bookingId } = await stage.book(guest);
    await expect(move(bookingId, guest, 40, 41, dyingBefore(stage.node, 'ReleaseHold'))).rejects.toThrow(
      StoreUnavailable,
    );
    expect(await free(30)).toBe(0);
    stage.work();
    await until(async () => (await free(30)) === 1);
    expect(await free(40)).toBe(0);
  });
});

describe('the reply to what ends or moves a booking comes when its places are free: without a worker, after', () => {
  const nights = () => ({ checkIn: stage.day(40), checkOut: stage.day(41) });
  it.each([
    ['its cancellation', (guest: string, id: string) => stage.cancel(id, guest)],
    ['its rejection', (_: string, id: string) => rejectBooking(stage.node, stage.owner(), id, null)],
    ['a change of dates', (guest: string, id: string) => updateBooking(stage.node, contextOf(guest), id, nights())],
  ])('%s', async (_, act) => {
    await begin({ units: 1 });
    const guest = randomUUID();
    for (let round = 0; round < 6; round += 1) {
      const { bookingId } = await stage.book(guest); // more than may be unpaid at a time
      await act(guest, bookingId);
      await stage.cancel(bookingId, guest).catch(() => undefined); // moved: the other dates too
    }
    expect(await free(30)).toBe(1);
  });

  it('a cancellation that died before it freed them, when it is repeated', async () => {
    await begin({ units: 1 });
    const guest = randomUUID();
    const { bookingId } = await stage.book(guest);
    const dying = dyingBefore(stage.node, 'ReleaseHold');
    await expect(cancelBooking(dying, contextOf(guest), bookingId, null)).rejects.toThrow(StoreUnavailable);
    expect(await free(30)).toBe(0);
    await stage.cancel(bookingId, guest);
    expect(await free(30)).toBe(1);
  });

  it('a booking that costs nothing: it is paid', async () => {
    await begin();
    await priceNights(stage.node, stage.owner(), stage.roomId, [{ from: stage.day(0), to: stage.day(60), price: 0 }]);
    const { booking } = await stage.book();
    expect(booking).toMatchObject({ status: 'paid', totalMinor: 0 });
    expect([...(await stage.stock()).holds].map(([, { expiresAt }]) => expiresAt)).toEqual([null]);
  });
});

describe('its provider', () => {
  it('rejects an unpaid booking, and its places are released', async () => {
    await begin();
    stage.work();
    const { bookingId } = await stage.book();
    await rejectBooking(stage.node, stage.owner(), bookingId, 'renovation');
    expect(await stage.booking(bookingId)).toMatchObject({ status: 'rejected', ending: { by: 'provider' } });
    await noHoldLeft();
  });
});

it('is held by repeated payments no longer than one payment may last', async () => {
  const settings = { holdTtlMs: 30 * MINUTE_MS, paymentTtlMs: HOUR_MS };
  await begin(settings);
  const guest = randomUUID();
  const { bookingId } = await stage.book(guest);
  const payAfter = async (minutes: number) => {
    const context = contextOf(guest, 'tourist', instantOf(Date.now() + minutes * MINUTE_MS));
    const { paymentId } = await processPayment(stage.node, context, {
      things: [{ kind: 'booking', id: bookingId }],
      method: 'card',
    });
    await cancelOwnPayment(stage.node, contextOf(guest), paymentId);
  };
  for (const minutes of [0, 29, 58, 80]) await payAfter(minutes);
  const { keptFrom, holdExpiresAt } = await stage.booking(bookingId);
  expect(msBetween(keptFrom ?? '', holdExpiresAt)).toBe(settings.paymentTtlMs);
  await expect(payAfter(95)).rejects.toMatchObject({ code: 'hold_expired' });
});

it('is completed once it is over, unless it was cancelled', async () => {
  await begin();
  const { bookingId } = await stage.book();
  const ctx = { deps: stage.node, context: contextOf('system') };
  const job = { id: bookingId, data: {}, attempt: 1 };
  await bookingDue.run(job, ctx);
  expect((await stage.booking(bookingId)).status).toBe('pending_payment');
  const { holdId } = await stage.booking(bookingId);
  const { at } = ctx.context;
  const known = { at, knownAt: at };
  const paid = {
    type: 'MarkPaid',
    by: 'system',
    paymentId: randomUUID(),
    amountMinor: 20_000,
    holdId,
    ...known,
  } as const;
  await stage.node.aggregates.handle(booking, bookingId, paid, contextOf('system'));
  const { endsAt } = await stage.booking(bookingId);
  expect(await bookingDue.run(job, ctx)).toEqual({ againAt: endsAt });
  await bookingDue.run(job, { ...ctx, context: contextOf('system', 'system', endsAt) });
  expect((await stage.booking(bookingId)).status).toBe('completed');
});
