/** Nobody hoards what costs nothing, and nobody is at two tables at once. */
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { confirmBooking, createBooking, updateBooking } from '../../commands/bookings/bookings.ts';
import { markNoShow } from '../../commands/bookings/noShows.ts';
import { bookTrip } from '../../commands/bookings/trips.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { addMinutes } from '../../domain/core/instants.ts';
import { contextOf } from '../kit/context.ts';
import { changed } from '../kit/deps.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { createOffers, table } from './offers.ts';
import { createStage, type Stage } from './stage.ts';

let stage: Stage;
let offers: ReturnType<typeof createOffers>;
beforeAll(async () => {
  stage = await createStage(await freshStores(), { units: 30 });
  offers = createOffers(stage);
  stage.work();
});

let guest = '';
beforeEach(() => {
  guest = randomUUID();
});
const limited = (node = stage.node) => changed(node, { settings: { rateLimits: 1 } });
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'booked',
    (error: unknown) => (error instanceof Rejected ? error.code : String(error)),
  );
/** A restaurant with thirty tables for two. */
const restaurant = async (more: object = {}) =>
  (await offers.list.restaurant({ depositPerGuestMinor: 0, ...more }, [table(2, 30)])).id;
const request = (id: string, day: number) => offers.requestFor('restaurant', id, day);
const book = (id: string, day: number, node = limited()) => createBooking(node, contextOf(guest), request(id, day));
const rows = async (): Promise<number> =>
  (await stage.node.pool.query('select from ops.booked_times where user_id = $1', [guest])).rowCount ?? 0;

describe('tables that cost nothing', () => {
  it('are five at one restaurant, also when they are booked at once in two processes, and more elsewhere', async () => {
    const [one, other] = [await restaurant(), await restaurant()];
    const nodes = [limited(), limited(stage.newNode())];
    const codes = await Promise.all(Array.from({ length: 12 }, (_, n) => codeOf(book(one, 1 + n, nodes[n % 2]))));
    expect(codes.toSorted()).toEqual([...Array(5).fill('booked'), ...Array(7).fill('too_many_free')]);
    expect(await codeOf(book(other, 20))).toBe('booked');
    expect(await codeOf(createBooking(stage.node, contextOf(guest), request(one, 21)))).toBe('booked'); // no limits
  });

  it('give their place back when they are cancelled', async () => {
    const one = await restaurant();
    const made = [];
    for (let day = 1; day <= 5; day += 1) made.push(await book(one, day));
    await until(async () => (await rows()) === 5 || undefined);
    expect(await codeOf(book(one, 6))).toBe('too_many_free');
    await stage.cancel(made[0]?.bookingId ?? '', guest);
    expect(await codeOf(book(one, 6))).toBe('booked');
  });

  it('count after they are paid, and not when they were refused', async () => {
    const one = await restaurant();
    const { bookingId } = await book(one, 3);
    await until(() => stage.handledAll());
    expect(await codeOf(book(one, 3))).toBe('overlapping_booking');
    expect(await rows()).toBe(1);
    await confirmBooking(stage.node, stage.owner(), bookingId);
    const later = contextOf(stage.ownerId, 'restaurant', addMinutes(offers.start(3), 30));
    await markNoShow(stage.node, later, bookingId);
    await until(async () => (await rows()) === 0 || undefined);
  });
});

describe('one person', () => {
  it('is at one table at a time, however many requests come at once', async () => {
    const ids = await Promise.all([restaurant(), restaurant(), restaurant({ depositPerGuestMinor: 10_000 })]);
    const nodes = [limited(), limited(stage.newNode())];
    const codes = await Promise.all(ids.map((id, n) => codeOf(book(id, 2, nodes[n % 2]))));
    expect(codes.toSorted()).toEqual(['booked', 'overlapping_booking', 'overlapping_booking']);
  });

  it('may be where the listing allows it, and books a lesson beside a table', async () => {
    const [strict, lax] = [await restaurant(), await restaurant({ allowOverlapping: true })];
    await book(strict, 2);
    expect(await codeOf(book(lax, 2))).toBe('booked');
    const { id } = await offers.list.instructor();
    expect(await codeOf(createBooking(limited(), contextOf(guest), offers.requestFor('instructor', id, 2)))).toBe(
      'booked',
    );
  });

  it('books more seats on the same departure, and not on another one', async () => {
    const [one, other] = [await offers.list.tour({ seats: 40 }), await offers.list.tour({ seats: 40 })];
    const seats = (id: string) => codeOf(createBooking(limited(), contextOf(guest), offers.requestFor('tour', id, 2)));
    expect([await seats(one.id), await seats(one.id), await seats(other.id)]).toEqual([
      'booked',
      'booked',
      'overlapping_booking',
    ]);
  });

  it('has no two tables at once in a trip, of which nothing counts then', async () => {
    const one = await restaurant();
    const items = [stage.stay(30, 32, 2), request(one, 2), request(one, 2)];
    await expect(bookTrip(limited(), contextOf(guest), { items })).rejects.toMatchObject({
      code: 'overlapping_booking',
      facts: { index: 2 },
    });
    expect(await rows()).toBe(0);
    expect(await codeOf(bookTrip(limited(), contextOf(guest), { items: items.slice(0, 2) }))).toBe('booked');
  });

  it('does not move a table to the time of another one', async () => {
    const one = await restaurant();
    const { bookingId } = await book(one, 2);
    await book(one, 3);
    const move = (day: number) =>
      codeOf(updateBooking(limited(), contextOf(guest), bookingId, { slotStart: offers.start(day) }));
    expect(await move(3)).toBe('overlapping_booking');
    expect(await move(4)).toBe('booked');
    await until(() => stage.handledAll());
    expect(await codeOf(book(one, 2))).toBe('booked');
    expect(await codeOf(book(one, 4))).toBe('overlapping_booking');
  });

  it('who booked before is counted once the worker has read the log', async () => {
    const one = await restaurant();
    await createBooking(stage.node, contextOf(guest), request(one, 2)); // as before there were limits
    await until(async () => (await rows()) === 1 || undefined);
    expect(await codeOf(book(one, 2))).toBe('overlapping_booking');
  });
});
