import { describe, expect, it } from 'vitest';
import type { HotelEvent } from '../../domain/catalog/hotel.ts';
import type { InventoryEvent } from '../../domain/catalog/inventory.ts';
import type { RoomEvent } from '../../domain/catalog/room.ts';
import type { ApiKeyEvent } from '../../domain/partners/apiKey.ts';
import { hotels } from '../../projections/catalog/listings.ts';
import { roomNights } from '../../projections/catalog/roomNights.ts';
import { rooms } from '../../projections/catalog/rooms.ts';
import { apiKeys } from '../../projections/partners/apiKeys.ts';
import { happened, projection } from '../kit/projected.ts';
import {
  hotelAdded,
  hotelDetails,
  hotelId,
  hotelPublished,
  nightsPriced,
  ownerId,
  roomAdded,
  roomDetails,
  roomId,
} from './catalogFixtures.ts';

const [T1, T2] = ['2026-12-01T10:00:00.000Z', '2026-12-02T10:00:00.000Z'] as const;

describe('hotels', () => {
  const rowsAfter = projection(hotels);
  const at = (event: HotelEvent, time: string = T1) => happened('hotel', hotelId, event, time);
  const { cancellationPolicy, charges, images, ...same } = hotelDetails;
  const added = {
    id: hotelId,
    owner_id: ownerId,
    status: 'closed',
    timezone: 'Europe/Moscow',
    currency: 'RUB',
    minor_per_major: 100,
    ...same,
    images: [{ url: 'https://images.test/edelweiss.jpg', is_main: true }],
    cancellation_policy: 'moderate',
    charges: [
      { kind: 'tax', name: 'Resort tax', bps: 200 },
      { kind: 'fee', name: 'Linen', per_night_minor: 15_000 },
    ],
    created_at: T1,
    updated_at: T1,
    revision: 0,
  };

  it('start closed', () => expect(rowsAfter([at(hotelAdded)])).toEqual([added]));
  it('change the fields that the event names', () =>
    expect(
      rowsAfter([at(hotelAdded), at({ type: 'HotelDetailsChanged', data: { ownerId, stars: 5, charges: [] } }, T2)]),
    ).toEqual([{ ...added, stars: 5, charges: [], updated_at: T2 }]));
  it('are published and closed', () => {
    const published = [at(hotelAdded), at(hotelPublished, T2)];
    expect(rowsAfter(published)).toEqual([{ ...added, status: 'published', updated_at: T2 }]);
    expect(rowsAfter([...published, at({ type: 'HotelClosed', data: {} }, T2)])).toEqual([
      { ...added, updated_at: T2 },
    ]);
  });
  it('refuse a change before they exist', () =>
    expect(() => rowsAfter([at(hotelPublished)])).toThrow('row to change does not exist'));
});

describe('rooms', () => {
  const rowsAfter = projection(rooms);
  const at = (event: RoomEvent, time: string = T1) => happened('room', roomId, event, time);
  const { basePriceMinor, ...same } = roomDetails;
  const added = {
    id: roomId,
    hotel_id: hotelId,
    owner_id: ownerId,
    currency: 'RUB',
    ...same,
    base_price_minor: basePriceMinor,
    night_price_minor: basePriceMinor,
    created_at: T1,
    updated_at: T1,
  };

  it('belong to a hotel', () => expect(rowsAfter([at(roomAdded)])).toEqual([added]));
  it('change the fields that the event names', () =>
    expect(
      rowsAfter([at(roomAdded), at({ type: 'RoomDetailsChanged', data: { units: 7, basePriceMinor: 1 } }, T2)]),
    ).toEqual([{ ...added, units: 7, base_price_minor: 1, updated_at: T2 }]));
});

describe('room nights', () => {
  const rowsAfter = projection(roomNights);
  const price = (...ranges: Parameters<typeof nightsPriced>) =>
    happened('room', roomId, nightsPriced(...ranges) as RoomEvent, T1);
  const inventory = (event: InventoryEvent) => happened('inventory', roomId, event, T1);
  const [bookingA, bookingB] = ['0198f3a0-0000-7000-8000-00000000000a', '0198f3a0-0000-7000-8000-00000000000b'];
  const [hold1, hold2] = ['0198f3a0-0000-7000-8000-0000000000c1', '0198f3a0-0000-7000-8000-0000000000c2'];
  const places = (holdId = hold1, bookingId = bookingA, keys = ['2026-12-07', '2026-12-08'], quantity = 1) => ({
    holdId,
    bookingId,
    keys,
    quantity,
  });
  const held = (...args: Parameters<typeof places>) =>
    inventory({ type: 'HoldPlaced', data: { ...places(...args), expiresAt: T2 } });
  const released = (...args: Parameters<typeof places>) =>
    inventory({ type: 'HoldReleased', data: { ...places(...args), reason: 'expired' } });
  const takenOf = (rows: readonly Record<string, unknown>[]) =>
    Object.fromEntries(rows.map((row) => [String(row.night).slice(-2), row.taken]));

  it('have prices and rules; a later range overrides an earlier one', () => {
    const rows = rowsAfter([
      price(
        { from: '2026-12-07', to: '2026-12-09', priceMinor: 100 },
        { from: '2026-12-07', to: '2026-12-14', weekdays: ['tue'], priceMinor: 200, minStay: 2 },
      ),
    ]);
    const night = {
      room_id: roomId,
      stop_sell: false,
      min_stay: null,
      max_stay: null,
      closed_to_arrival: false,
      closed_to_departure: false,
      has_price: true,
      taken: 0,
    };
    expect(rows).toEqual([
      { ...night, night: '2026-12-07', price_minor: 100 },
      { ...night, night: '2026-12-08', price_minor: 200, min_stay: 2 },
    ]);
  });

  it('keep the fields that a later price does not name', () => {
    const [row] = rowsAfter([
      price({ from: '2026-12-07', to: '2026-12-08', priceMinor: 100, stopSell: true }),
      price({ from: '2026-12-07', to: '2026-12-08', priceMinor: null }),
    ]);
    expect(row).toMatchObject({ price_minor: null, stop_sell: true });
  });

  it('are taken by holds and free after their release', () => {
    expect(takenOf(rowsAfter([held()]))).toEqual({ '07': 1, '08': 1 });
    expect(takenOf(rowsAfter([held(), held(hold2, bookingB, ['2026-12-08'], 2)]))).toEqual({ '07': 1, '08': 3 });
    expect(takenOf(rowsAfter([held(), held(hold2, bookingB), released()]))).toEqual({ '07': 1, '08': 1 });
  });

  it('count holds that come before the price', () => {
    const [row] = rowsAfter([held(), price({ from: '2026-12-07', to: '2026-12-08', priceMinor: 100 })]);
    expect(row).toMatchObject({ price_minor: 100, taken: 1 });
  });

  it('ignore slots', () => {
    const slot = ['2026-12-07T12:00:00.000Z'];
    expect(rowsAfter([held(hold1, bookingA, slot), released(hold1, bookingA, slot)])).toEqual([]);
  });

  it('ignore a release without a hold', () => expect(takenOf(rowsAfter([released()]))).toEqual({ '07': 0, '08': 0 }));
});

describe('API keys', () => {
  const rowsAfter = projection(apiKeys);
  const id = '0198f3a0-0000-7000-8000-0000000000d1';
  const at = (event: ApiKeyEvent, time: string = T1) => happened('apiKey', id, event, time);
  const details = { name: 'Partner', scopes: ['hotels:read' as const], allowedDomains: ['p.test'], expiresAt: null };
  const secretHash = 'a'.repeat(64);
  const created = at({ type: 'ApiKeyCreated', data: { ...details, secretHash } });
  const row = {
    id,
    name: 'Partner',
    scopes: ['hotels:read'],
    allowed_domains: ['p.test'],
    expires_at: null,
    created_at: T1,
    rotated_at: null,
    revoked_at: null,
  };

  it('never show the secret', () => expect(rowsAfter([created])).toEqual([row]));
  it('show rotation and revocation', () => {
    const rotated = at({ type: 'ApiKeyRotated', data: { secretHash } }, T2);
    expect(rowsAfter([created, rotated])).toEqual([{ ...row, rotated_at: T2 }]);
    expect(rowsAfter([created, at({ type: 'ApiKeyRevoked', data: {} }, T2)])).toEqual([{ ...row, revoked_at: T2 }]);
  });
});
