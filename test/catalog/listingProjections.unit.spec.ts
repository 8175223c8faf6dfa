import { describe, expect, it } from 'vitest';
import type { InventoryEvent } from '../../domain/catalog/inventory.ts';
import type { AnyEvent } from '../../domain/core/decider.ts';
import { toSnake } from '../../infra/naming.ts';
import { companies, instructors, restaurants, tours, transfers } from '../../projections/catalog/listings.ts';
import { slotHolds } from '../../projections/catalog/slotHolds.ts';
import type { ReadModel } from '../../projections/engine/readModel.ts';
import { skiPassTariffs } from '../../projections/passes/tariffs.ts';
import { insuranceProducts } from '../../projections/purchases/insurance.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { happened, projection } from '../kit/projected.ts';
import { insuranceDetails, tariffDetails } from '../purchases/productFixtures.ts';
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
  };

  it('begins closed', () => expect(rowsAfter([added])).toEqual([row]));
  it('changes what the event names', () =>
    expect(rowsAfter([added, at('DetailsChanged', { ownerId: OWNER, name: 'Renamed' }, T2)])).toEqual([
      { ...row, name: 'Renamed', updated_at: T2 },
    ]));
  it('is published and closed', () => {
    const published = [added, at('Published', {}, T2)];
    expect(rowsAfter(published)).toEqual([{ ...row, status: 'published', updated_at: T2 }]);
    expect(rowsAfter([...published, at('Closed', {}, T2)])).toEqual([{ ...row, updated_at: T2 }]);
  });
  it('does not change before it is there', () => expect(() => rowsAfter([at('Published', {})])).toThrow('no row'));
});

describe('what is held of slots', () => {
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

  it('is counted slot by slot', () => {
    expect(rowsAfter([held(1, 11, [NOON], 3)])).toEqual([
      { item_id: SMALL, slot: NOON, holds: { [id(1)]: { booking_id: id(11), quantity: 3 } }, taken: 3 },
    ]);
    expect(takenOf(held(1, 11), held(2, 12, [QUARTER], 2))).toEqual({ [NOON]: 1, [QUARTER]: 3 });
  });
  it('is one however an instant is written', () =>
    expect(takenOf(held(1, 11, ['2026-12-07T15:00:00+03:00']))).toEqual({ [NOON]: 1 }));
  it('counts the holds of one booking once, at the most that any of them takes', () =>
    expect(takenOf(held(1, 11), held(2, 11, [QUARTER], 2))).toEqual({ [NOON]: 1, [QUARTER]: 2 }));
  it('is gone when nothing is held any more', () => {
    expect(takenOf(held(1, 11), held(2, 12, [NOON]), released(1, 11))).toEqual({ [NOON]: 1 });
    expect(takenOf(released(1, 11))).toEqual({});
  });
  it('has nothing to do with nights', () =>
    expect(rowsAfter([held(1, 11, ['2026-12-07']), released(1, 11, ['2026-12-07'])])).toEqual([]));
});
