/** Lists of bookings on a real database, and the realtime messages that the projector makes of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BookingEvent } from '../../domain/bookings/booking.ts';
import type { BookingTerms } from '../../domain/bookings/bookingEvents.ts';
import { exactly } from '../../infra/paging.ts';
import { inTransaction } from '../../infra/postgres.ts';
import { accountById } from '../../projections/accounts/accounts.ts';
import { type BookingFilter, bookingFor, listBookings } from '../../projections/bookings/bookings.ts';
import { followHotels } from '../../projections/catalog/followHotels.ts';
import { searchHotels } from '../../projections/catalog/hotelSearch.ts';
import { searchedKinds } from '../../projections/catalog/listingFilters.ts';
import { searchListings } from '../../projections/catalog/listingSearch.ts';
import { applyBatch } from '../../projections/engine/applyEvents.ts';
import type { Change } from '../../projections/engine/changes.ts';
import { type ReadDb, readDb } from '../../projections/engine/readDb.ts';
import { ensureTables } from '../../projections/engine/tableVersions.ts';
import type { Viewer } from '../../projections/engine/wire.ts';
import { groups, models } from '../../projections/modules.ts';
import { hotelAdded, hotelPublished, roomAdded } from '../catalog/catalogFixtures.ts';
import { happened } from '../kit/projected.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { at, BOOKING, confirmed, creation, GUEST, id, PROVIDER, ROOM } from './bookingFixtures.ts';

const HOTEL = id(9);
const LESSON = id(20);
const lesson: Partial<BookingTerms> = {
  item: {
    type: 'instructor',
    listingId: id(21),
    unitId: id(21),
    slotStart: '2026-03-09T20:00:00.000Z',
    slotEnd: '2026-03-09T22:00:00.000Z',
  },
  startsOn: '2026-03-10', // in the local time of the place
};
const createdWith = (terms: Partial<BookingTerms>): BookingEvent => ({
  type: 'BookingCreated',
  data: { ...creation, ...terms },
});

let stores: Stores;
let db: ReadDb;
let changes: Change[];
let following: Awaited<ReturnType<typeof followHotels>>;
beforeAll(async () => {
  stores = await freshStores();
  db = readDb(stores.pool);
  await ensureTables(stores.pool, groups);
  const events = [
    happened('booking', BOOKING, createdWith({}), at(0)), // before the catalog shows its titles
    happened('hotel', HOTEL, hotelAdded, at(0)),
    happened('hotel', HOTEL, hotelPublished, at(0)),
    happened('room', ROOM, roomAdded, at(0)),
    happened('booking', BOOKING, confirmed, at(5)),
    happened('booking', LESSON, createdWith(lesson), at(10)),
  ];
  changes = await inTransaction(stores.pool, async (client) => {
    const made: Change[] = [];
    for (const model of models) {
      const target = { model, table: model.name, publishes: true };
      const refuse = (_: unknown, reason: string) => Promise.reject(new Error(reason));
      made.push(...(await applyBatch(client, target, events, new Map(), refuse)));
    }
    return made;
  });
  const positions = { follow: () => undefined, isListening: () => true };
  following = await followHotels({ ...stores, db, positions, now: () => at(0) });
});
afterAll(() => following.stop());

describe('the list of bookings', () => {
  const found = async (filter: Partial<BookingFilter>) => (await listed(filter)).rows.map((row) => row.toJSON().id);
  const listed = (filter: Partial<BookingFilter>) =>
    listBookings(db, guest, { userId: GUEST, page: 1, perPage: 20, ...filter });

  it.each([
    ['the day before the stay', '2026-03-07', []],
    ['the day of arrival', '2026-03-08', [BOOKING]],
    ['the last night', '2026-03-09', [BOOKING]],
    ['the day of departure and the local day of a slot', '2026-03-10', [LESSON]],
    ['the day after', '2026-03-11', []],
  ])('finds what covers %s', async (_, date, ids) => expect(await found({ date })).toEqual(ids));

  it('combines the date with other filters', async () => {
    expect(await found({ date: '2026-03-09', type: 'instructor' })).toEqual([]);
    expect(await found({ date: '2026-03-10', type: 'instructor' })).toEqual([LESSON]);
    expect(await found({ date: '2026-03-09', to: '2026-03-07' })).toEqual([]);
  });
  it('counts all rows also where the page has none', async () => {
    expect(await listed({ page: 2 })).toEqual({ rows: [], total: exactly(2) });
    expect(await listed({ userId: id(99) })).toEqual({ rows: [], total: exactly(0) });
    expect(await listed({ perPage: 1, page: 2 })).toMatchObject({ rows: [{}], total: exactly(2) });
  });
  it('is of one guest or one seller, newest first', async () => {
    expect(await found({})).toEqual([LESSON, BOOKING]);
    expect(await found({ userId: id(99) })).toEqual([]);
    expect(await found({ sellerId: PROVIDER })).toEqual([LESSON, BOOKING]);
  });
});

it.each<[string, number, () => Promise<unknown>]>([
  ['a page of bookings', 2, () => listBookings(db, guest, { userId: GUEST, page: 1, perPage: 20 })],
  ['a booking', 2, () => bookingFor(db, guest, BOOKING)],
  ['an account', 1, () => accountById(db, GUEST)],
  ['a page of hotels', 1, () => searchHotels(db, { at: at(0), sort: 'name', page: 1, perPage: 20 })],
  [
    'a page of tours',
    1,
    () => searchListings(db, searchedKinds.tour, { asked: {}, sort: 'name', page: 1, perPage: 20 }),
  ],
])('%s takes %i statements', async (_, expected, read) => {
  await read(); // what is kept in memory is there
  let statements = 0;
  const count = () => {
    statements += 1;
  };
  stores.pool.on('acquire', count);
  await read();
  stores.pool.off('acquire', count);
  expect(statements).toBe(expected);
});

const guest = { id: GUEST, role: 'tourist' };

describe('the wire form of a booking', () => {
  const shownTo = async (viewer: Viewer, bookingId = BOOKING) => (await bookingFor(db, viewer, bookingId))?.toJSON();
  const seller = { id: PROVIDER, role: 'hotelier' };
  const admin = { id: id(50), role: 'admin' };
  const toldOn = (channel: string, bookingId = BOOKING) =>
    changes
      .map((change) => ({ ...change, data: JSON.parse(change.data) as { id: string } }))
      .filter((change) => change.channel === channel && change.data.id === bookingId);

  it('is the same in replies and realtime messages, for the guest and for the seller', async () => {
    expect(toldOn(`realtime:user_${GUEST}`)).toEqual([
      expect.objectContaining({ type: 'booking.created', data: await shownTo(guest) }),
    ]);
    expect(toldOn(`provider_${PROVIDER}`)).toEqual([
      expect.objectContaining({ type: 'booking.created', data: await shownTo(seller) }),
    ]);
  });
  it('shows titles, nights and both units of money', async () =>
    expect(await shownTo(guest)).toMatchObject({
      status: 'confirmed',
      item_id: ROOM,
      unit_id: ROOM,
      listing_id: HOTEL,
      title: 'Edelweiss',
      unit_title: 'Double with a view',
      nights: 2,
      total: 200,
      total_minor: 20_000,
    }));
  it('names the listing as the item, and leaves titles empty that the catalog does not show', async () =>
    expect(await shownTo(guest, LESSON)).toMatchObject({
      item_id: id(21),
      unit_id: id(21),
      title: null,
      unit_title: null,
      nights: null,
    }));
  it('shows the commission to the seller and to admins, never to the guest', async () => {
    const { commission, ...rest } = (await shownTo(seller)) ?? {};
    expect(commission).toEqual({
      rule: 'default',
      rate_bps: 1_000,
      commission: 20,
      commission_minor: 2_000,
      provider: 180,
      provider_minor: 18_000,
    });
    expect(await shownTo(guest)).toEqual(rest);
    expect(await shownTo(admin)).toEqual({ ...rest, commission });
  });
});
