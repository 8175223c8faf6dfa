import { describe, expect, it } from 'vitest';
import type { InventoryEvent } from '../../domain/catalog/inventory.ts';
import type { AnyEvent } from '../../domain/core/decider.ts';
import { toSnake } from '../../infra/naming.ts';
import { companies, hotels, instructors, restaurants, tours, transfers } from '../../projections/catalog/listings.ts';
import { slotHolds } from '../../projections/catalog/slotHolds.ts';
import type { ReadModel } from '../../projections/engine/readModel.ts';
import { skiPassTariffs } from '../../projections/passes/tariffs.ts';
import { insuranceProducts } from '../../projections/purchases/insurance.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { happened, projection } from '../kit/projected.ts';
import { insuranceDetails, tariffDetails } from '../purchases/productFixtures.ts';
import { hotelDetails } from './catalogFixtures.ts';
import {
  companyDetails,
  fixed,
  instructorDetails,
  LISTING,
  OWNER,
  restaurantDetails,
  SMALL,
  tourDetails,
  transferDetails,
} from './listingFixtures.ts';

const [T1, T2] = ['2026-12-01T10:00:00.000Z', '2026-12-02T10:00:00.000Z'] as const;

describe.each([
  ['Hotel', hotels, hotelDetails],
  ['Tour', tours, tourDetails],
  ['Restaurant', restaurants, restaurantDetails],
  ['Transfer', transfers, transferDetails],
  ['Instructor', instructors, instructorDetails],
  ['Company', companies, companyDetails],
  ['SkiPassTariff', skiPassTariffs, tariffDetails],
  ['InsuranceProduct', insuranceProducts, insuranceDetails],
] as const)('the read model of a kind: %s', (name, model, details) => {
  const rowsAfter = projection(model as unknown as ReadModel);
  const at = (type: string, data: object, time: string = T1) =>
    happened(name.toLowerCase(), LISTING, { type: `${name}${type}`, data } as AnyEvent, time);
  const added = at('Added', { ...fixed, ...details });
  const row = {
    id: LISTING,
    owner_id: OWNER,
    status: 'closed',
    timezone: 'Europe/Moscow',
    currency: 'RUB',
    minor_per_major: 100,
    ...toSnake(details),
    created_at: T1,
    updated_at: T1,
    revision: 0,
  };

  it('starts closed', () => expect(rowsAfter([added])).toEqual([row]));
  if ('confirmation' in details)
    it('is confirmed as its kind is, where an event of an earlier release does not say', () => {
      const { confirmation: _, ...former } = details;
      expect(rowsAfter([at('Added', { ...fixed, ...former })])).toEqual([row]);
    });
  it('changes the fields that the event names', () =>
    expect(rowsAfter([added, at('DetailsChanged', { ownerId: OWNER, name: 'Renamed' }, T2)])).toEqual([
      { ...row, name: 'Renamed', updated_at: T2 },
    ]));
  it('is published and closed', () => {
    const published = [added, at('Published', {}, T2)];
    expect(rowsAfter(published)).toEqual([{ ...row, status: 'published', updated_at: T2 }]);
    expect(rowsAfter([...published, at('Closed', {}, T2)])).toEqual([{ ...row, updated_at: T2 }]);
  });
  it('has the revision of its stream', () =>
    expect(rowsAfter([added, { ...at('Published', {}), revision: 7n }])).toMatchObject([{ revision: 7 }]));
  it('refuses a change before it exists', () =>
    expect(() => rowsAfter([at('Published', {})])).toThrow('row to change does not exist'));
});

describe('the held places of slots', () => {
  const rowsAfter = projection(slotHolds);
  const inventory = (event: InventoryEvent) => happened('inventory', SMALL, event, T1);
  const [NOON, QUARTER] = ['2026-12-07T12:00:00.000Z', '2026-12-07T12:15:00.000Z'] as const;
  const places = (hold: number, booking: number, keys: string[] = [NOON, QUARTER], quantity = 1) => ({
    holdId: id(hold),
    bookingId: id(booking),
    keys,
    quantity,
  });
  const held = (...args: Parameters<typeof places>) =>
    inventory({ type: 'HoldPlaced', data: { ...places(...args), expiresAt: T2 } });
  const released = (...args: Parameters<typeof places>) =>
    inventory({ type: 'HoldReleased', data: { ...places(...args), reason: 'expired' } });
  const takenOf = (...events: ReturnType<typeof inventory>[]) =>
    Object.fromEntries(rowsAfter(events).map((row) => [row.slot, row.taken]));

  it('are counted for each slot', () => {
    expect(rowsAfter([held(1, 11, [NOON], 3)])).toEqual([{ unit_id: SMALL, slot: NOON, taken: 3 }]);
    expect(takenOf(held(1, 11), held(2, 12, [QUARTER], 2))).toEqual({ [NOON]: 1, [QUARTER]: 3 });
  });
  it('are the same however the instant is written', () =>
    expect(takenOf(held(1, 11, ['2026-12-07T15:00:00+03:00']))).toEqual({ [NOON]: 1 }));
  it('have no row when nothing is held', () => {
    expect(takenOf(held(1, 11), held(2, 12, [NOON]), released(1, 11))).toEqual({ [NOON]: 1 });
    expect(takenOf(released(1, 11))).toEqual({});
  });
  it('ignore nights', () =>
    expect(rowsAfter([held(1, 11, ['2026-12-07']), released(1, 11, ['2026-12-07'])])).toEqual([]));
});
