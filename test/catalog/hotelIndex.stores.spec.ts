/** The index of hotels on the real stores: it shows what the projector writes, whatever happens to the connection. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancelBooking } from '../../commands/bookings/bookings.ts';
import { addListing, changeListing } from '../../commands/catalog/listings.ts';
import { addRoom, changeRoom, priceNights } from '../../commands/catalog/rooms.ts';
import { listingKinds } from '../../domain/catalog/listings.ts';
import { followHotels } from '../../projections/catalog/followHotels.ts';
import type { HotelSearch } from '../../projections/catalog/hotelQuery.ts';
import { searchHotels } from '../../projections/catalog/hotelSearch.ts';
import { hotels, tours } from '../../projections/catalog/listings.ts';
import { roomNights } from '../../projections/catalog/roomNights.ts';
import { type Positions, watchPositions } from '../../projections/engine/positions.ts';
import { type ReadDb, readDb } from '../../projections/engine/readDb.ts';
import { rebuild } from '../../projections/engine/rebuild.ts';
import { lag } from '../../projections/engine/status.ts';
import { groups, models } from '../../projections/modules.ts';
import { createStage, type Stage, TIMEZONE } from '../bookings/stage.ts';
import { contextOf } from '../kit/context.ts';
import { type Projector, startProjector, untilHeard } from '../kit/projector.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { hotelDetails, roomDetails } from './catalogFixtures.ts';

let stores: Stores;
let stage: Stage;
let positions: Positions;
let db: ReadDb;
let following: Awaited<ReturnType<typeof followHotels>>;
let projector: Projector;
beforeAll(async () => {
  stores = await freshStores();
  stage = await createStage(stores, { units: 1 });
  projector = await startProjector({ ...stage.node, groups });
  positions = await watchPositions(stores.pool, stores.databaseUrl, stores.log, models);
  db = readDb(stores.pool);
  following = await followHotels({ ...stage.node, db, positions });
});
afterAll(async () => {
  await following.stop();
  await positions.stop();
});

const projected = () => until(async () => (await lag(stage.node, groups)).events === 0);
const filled = () => until(async () => (await following.current()) !== undefined);

const searchOf = (more: Partial<HotelSearch>): HotelSearch => ({
  at: new Date().toISOString(),
  sort: 'name',
  page: 1,
  perPage: 50,
  ...more,
});

/** What the index finds, with the lowest prices; one that is read for the search must find the same. */
const found = async (more: Partial<HotelSearch> = {}) => {
  await projected();
  await untilHeard(positions, stores.pool, hotels);
  await filled();
  const asked = searchOf(more);
  const [byReading, byIndex] = [await searchHotels(readDb(stores.pool), asked), await searchHotels(db, asked)];
  expect(byIndex).toEqual(byReading);
  return byIndex.rows.map(({ form, min_price_minor }) => [(form.toJSON() as { name: string }).name, min_price_minor]);
};
const nights = (from: number, to: number) => ({ stay: { checkIn: stage.day(from), checkOut: stage.day(to) } });
const LODGE = hotelDetails.name;

it('follows bookings, cancellations, prices, rooms and hotels', async () => {
  const { node, owner, day } = stage;
  expect(await found(nights(30, 32))).toEqual([[LODGE, 10_000]]);
  const guest = randomUUID();
  const { bookingId } = await stage.book(guest);
  expect(await found(nights(30, 32))).toEqual([]);
  expect(await found(nights(32, 33))).toEqual([[LODGE, 10_000]]);
  await cancelBooking(node, contextOf(guest), bookingId, null);
  stage.work();
  // Both are compared once the worker has freed the nights: it may do so between two readings.
  await until(async () => (await searchHotels(readDb(stores.pool), searchOf(nights(30, 32)))).total.count === 1);
  expect(await found(nights(30, 32))).toEqual([[LODGE, 10_000]]);

  await priceNights(node, owner(), stage.roomId, [{ from: day(31), to: day(32), price: 160, minStay: 2 }]);
  expect(await found(nights(30, 32))).toEqual([[LODGE, 13_000]]);
  expect(await found(nights(31, 32))).toEqual([]);

  const place = { ownerId: stage.ownerId, timezone: TIMEZONE, currency: 'RUB' };
  const details = { ...hotelDetails, name: 'Another', charges: [] };
  const hotel = await addListing(node, owner(), listingKinds.hotel, { ...place, details });
  const { basePriceMinor, ...room } = roomDetails;
  const { id } = await addRoom(node, owner(), hotel.id, { ...room, units: 1, pricePerNight: 50 });
  await priceNights(node, owner(), id, [{ from: day(30), to: day(40), price: 50 }]);
  expect(await found(nights(30, 32))).toEqual([
    ['Another', 5_000],
    [LODGE, 13_000],
  ]);
  await changeRoom(node, owner(), id, { units: 0 });
  await changeListing(node, owner(), listingKinds.hotel, stage.hotelId, {
    details: { name: 'Zarya' },
  });
  expect(await found(nights(30, 32))).toEqual([['Zarya', 13_000]]);
  await changeRoom(node, owner(), id, { units: 1 });
  expect(await found()).toEqual([
    ['Another', 5_000],
    ['Zarya', 10_000],
  ]);
});

it('is filled anew after a rebuild and after a lost connection; nothing of before is found meanwhile', async () => {
  const before = await found(nights(30, 32));
  const index = await following.current();
  await stores.pool.query(`update read.room_nights set price_minor = 1 where night = $1`, [stage.day(30)]);
  await rebuild(stage.node, roomNights, { mode: 'rebuild', signal: projector.signal });
  await until(async () => ![undefined, index].includes(await following.current()));
  expect(await found(nights(30, 32))).toEqual(before);

  await stores.pool.query(`update read.room_nights set price_minor = 7 where night = $1`, [stage.day(30)]);
  const { rowCount } = await stores.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'positions' and datname = current_database()`,
  );
  expect(rowCount).toBe(1);
  await until(() => !positions.isListening());
  const asked = searchOf({ perPage: 1, ...nights(30, 31) });
  await until(async () => (await following.current()) !== undefined);
  expect((await searchHotels(db, asked)).rows[0]?.min_price_minor).toBe(7);
  await found(nights(30, 31));
});

it('follows no rebuild of other models', async () => {
  await filled();
  const index = await following.current();
  await rebuild(stage.node, tours, { mode: 'rebuild', signal: projector.signal });
  await projected();
  await untilHeard(positions, stores.pool, hotels);
  expect(await following.current()).toBe(index);
});

describe('an index that cannot be filled', () => {
  it('refuses searches over all hotels, and a few hotels are read from their tables', async () => {
    const unread = readDb(stores.pool);
    const never = await followHotels({
      ...stage.node,
      db: unread,
      positions: { follow: () => undefined, isListening: () => false },
    });
    await projected();
    const [all, one, words] = [
      searchHotels(unread, searchOf(nights(30, 32))),
      searchHotels(unread, searchOf({ hotelId: stage.hotelId })),
      searchHotels(unread, searchOf({ q: 'Zarya', ...nights(30, 32) })),
    ];
    await expect(all).rejects.toMatchObject({ code: 'unavailable', facts: { retry_after_s: expect.any(Number) } });
    expect(await one).toEqual(await searchHotels(db, searchOf({ hotelId: stage.hotelId })));
    expect((await words).total.count).toBe(1);
    await never.stop();
  });
});

it('shows no less than what was known to be projected when it was asked', async () => {
  let tell: (lines: readonly string[]) => void = () => undefined;
  const follow: Positions['follow'] = (models, onChange) => {
    if (models.some(({ name }) => name === roomNights.name)) tell = onChange;
  };
  const slow = readDb(stores.pool);
  const one = await followHotels({ ...stage.node, db: slow, positions: { follow, isListening: () => true } });
  expect(await one.current()).toBeDefined();
  await stores.pool.query(`update read.room_nights set price_minor = 9 where night = $1`, [stage.day(30)]);
  tell([`${stage.roomId} ${stage.day(30)} ${stage.day(30)}`]);
  const { rows } = await searchHotels(slow, searchOf(nights(30, 31)));
  expect(rows.find(({ id }) => id === stage.hotelId)?.min_price_minor).toBe(9);
  await one.stop();
});
