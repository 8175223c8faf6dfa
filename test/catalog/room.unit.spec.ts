import { describe, expect, it } from 'vitest';
import { type NightRange, room, UNPRICED } from '../../domain/catalog/room.ts';
import { addDays } from '../../domain/core/dates.ts';
import { specification } from '../kit/given.ts';
import { hotelId, nightsPriced, ownerId, roomAdded, roomDetails, today } from './catalogFixtures.ts';

const given = specification(room);
const { sellsNights: _sells, ...entered } = roomAdded.data;
const add = { type: 'AddRoom', ...entered } as const;
const price = (...ranges: NightRange[]) => ({ type: 'PriceNights', ranges, today }) as const;
const week: NightRange = { from: '2026-12-07', to: '2026-12-14', priceMinor: 1_000_000 };

describe('adding a room', () => {
  it('records it once', () => given([]).when(add).thenOnce([roomAdded]));
  it('is refused under the id of another', () =>
    given([roomAdded])
      .when({ ...add, units: 9 })
      .then('conflict'));
});

/** As events of before are read: they name no owner. */
const { ownerId: _, sellsNights: __, ...formerData } = roomAdded.data;
const formerRoom = { type: 'RoomAdded', data: formerData } as const;

describe('changing a room', () => {
  it('records what differs', () =>
    given([roomAdded])
      .when({ type: 'ChangeRoomDetails', ownerId, units: 5, capacity: roomDetails.capacity })
      .thenOnce([{ type: 'RoomDetailsChanged', data: { ownerId, units: 5 } }]));
  it('needs a room', () => given([]).when({ type: 'ChangeRoomDetails', ownerId, units: 5 }).then('not_found'));
  it('says all that a room shows whose events named no owner, so that it is sealed', () =>
    given([formerRoom])
      .when({ type: 'ChangeRoomDetails', ownerId, units: 5 })
      .thenOnce([{ type: 'RoomDetailsChanged', data: { ownerId, ...roomDetails, units: 5 } }]));
});

describe('sealing a room', () => {
  const seal = { type: 'SealRoom', ownerId } as const;
  it('says once more what it shows, now that its owner is known', () =>
    given([formerRoom])
      .when(seal)
      .thenOnce([{ type: 'RoomDetailsChanged', data: { ownerId, ...roomDetails } }]));
  it('adds nothing where the owner is known', () => given([roomAdded]).when(seal).then([]));
  it('needs a room', () => given([]).when(seal).then('not_found'));
});

describe('pricing nights', () => {
  it('records the ranges once', () =>
    given([roomAdded])
      .when(price(week))
      .thenOnce([nightsPriced(week)]));
  it('says nothing of nights that were so before', () =>
    given([roomAdded, nightsPriced(week)])
      .when(price({ from: '2026-12-08', to: '2026-12-10', priceMinor: 1_000_000 }))
      .then([]));
  it('needs a room', () => given([]).when(price(week)).then('not_found'));

  it.each([
    ['that end before they begin', { from: '2026-12-09', to: '2026-12-09' }],
    ['that are past', { from: '2026-11-01', to: today }],
    ['too far ahead', { from: '2028-04-01', to: addDays(today, 501) }],
    ['that are too many', { from: addDays(today, -400), to: addDays(today, 101) }],
    ['with a least stay beyond the longest', { from: '2026-12-07', to: '2026-12-09', minStay: 5, maxStay: 3 }],
  ])('refuses ranges %s', (_, range) => given([roomAdded]).when(price(range)).then('invalid'));

  it('forgets the nights that are past', () => {
    const { nights } = given([
      roomAdded,
      nightsPriced(week),
      nightsPriced({ from: '2028-12-01', to: '2028-12-08' }),
    ]).state;
    expect([...nights.keys()].map((night) => night.slice(0, 7))).toEqual(Array(7).fill('2028-12'));
  });

  it('goes to the last day that is sold', () => {
    const far = { from: addDays(today, 499), to: addDays(today, 500), priceMinor: 1 };
    given([roomAdded])
      .when(price(far))
      .thenOnce([nightsPriced(far)]);
  });

  it('refuses a rule that would contradict one from before', () =>
    given([roomAdded, nightsPriced({ ...week, minStay: 5 })])
      .when(price({ from: '2026-12-08', to: '2026-12-09', maxStay: 4 }))
      .then('invalid'));
});

describe('the nights of a room', () => {
  const night = (date: string, ...ranges: NightRange[]) =>
    given([roomAdded, ...ranges.map((range) => nightsPriced(range))]).state.nights.get(date);

  it('are those from the first up to, not including, the last', ({ expect }) => {
    expect(night('2026-12-07', week)).toEqual({ ...UNPRICED, priceMinor: 1_000_000 });
    expect(night('2026-12-13', week)).toEqual({ ...UNPRICED, priceMinor: 1_000_000 });
    expect(night('2026-12-14', week)).toBeUndefined();
  });

  it('keep what a later range does not name, and lose what it sets to null', ({ expect }) => {
    const later: NightRange = { from: week.from, to: week.to, minStay: 2, stopSell: true };
    expect(night('2026-12-09', week, later)).toEqual({
      ...UNPRICED,
      priceMinor: 1_000_000,
      minStay: 2,
      stopSell: true,
    });
    expect(night('2026-12-09', week, later, { from: week.from, to: week.to, minStay: null, priceMinor: null })).toEqual(
      {
        ...UNPRICED,
        stopSell: true,
      },
    );
  });

  it('can be those of some weekdays; ranges of one command apply in order', ({ expect }) => {
    const weekend: NightRange = { ...week, weekdays: ['fri', 'sat'], priceMinor: 1_500_000 };
    const { state } = given([roomAdded, nightsPriced(week, weekend)]);
    const prices = [...state.nights].map(([date, { priceMinor }]) => [date.slice(-2), priceMinor]);
    expect(prices).toEqual([
      ['07', 1_000_000],
      ['08', 1_000_000],
      ['09', 1_000_000],
      ['10', 1_000_000],
      ['11', 1_500_000],
      ['12', 1_500_000],
      ['13', 1_000_000],
    ]);
    expect(state.hotelId).toBe(hotelId);
  });
});
