/** The price of a room is that of nights without one of their own. */
import { describe, expect, it } from 'vitest';
import { type RoomEvent, room, termsAt } from '../../domain/catalog/room.ts';
import { specification } from '../kit/given.ts';
import { nightsPriced, ownerId, roomAdded } from './catalogFixtures.ts';

const given = specification(room);
const { sellsNights: _, ...former } = roomAdded.data;
const before: RoomEvent = { type: 'RoomAdded', data: former };
const night = '2026-12-07';
const priceOf = (...events: RoomEvent[]) =>
  termsAt(
    events.reduce((state, event) => room.evolve(state, event), room.initial),
    night,
  ).priceMinor;
const ofNight = (priceMinor: number | null) => nightsPriced({ from: night, to: '2026-12-08', priceMinor });
const ruled = nightsPriced({ from: night, to: '2026-12-08', minStay: 2 });
const send = (basePriceMinor: number) => ({ type: 'ChangeRoomDetails', ownerId, basePriceMinor }) as const;
const sent = (basePriceMinor: number): RoomEvent => ({
  type: 'RoomDetailsChanged',
  data: { ownerId, basePriceMinor, sellsNights: true },
});

describe('a night', () => {
  const { basePriceMinor } = former;
  it('has the price of the room, its own, or none', () => {
    expect(priceOf(roomAdded)).toBe(basePriceMinor);
    expect(priceOf(roomAdded, ruled)).toBe(basePriceMinor);
    expect(priceOf(roomAdded, ofNight(7))).toBe(7);
    expect(priceOf(roomAdded, ofNight(null))).toBeNull();
    expect(priceOf(roomAdded, ofNight(7), sent(9))).toBe(7);
    expect(priceOf(roomAdded, ruled, sent(9))).toBe(9);
    expect(priceOf(roomAdded, sent(0))).toBeNull();
  });

  it('of a room of before has none until the price is sent again', () => {
    expect(priceOf(before, ruled)).toBeNull();
    expect(priceOf(before, { type: 'RoomDetailsChanged', data: { ownerId, basePriceMinor: 5 } })).toBeNull();
    given([before])
      .when(send(basePriceMinor))
      .thenOnce([sent(basePriceMinor)]);
    expect(priceOf(before, sent(basePriceMinor))).toBe(basePriceMinor);
    expect(priceOf(before, ofNight(null), sent(basePriceMinor))).toBeNull();
  });
});
