import { expect, it } from 'vitest';
import { room } from '../../domain/catalog/room.ts';
import { addDays } from '../../domain/core/dates.ts';
import { season } from '../../ops/seed/season.ts';
import { nightsPriced, roomAdded } from '../catalog/catalogFixtures.ts';
import { specification } from '../kit/given.ts';

const given = specification(room);
const nightsFrom = (today: string, nights: number, price: number) => {
  const ranges = season(today, nights, price).map(({ price: major, ...range }) => ({
    ...range,
    ...(major !== undefined && major !== null && { priceMinor: major * 100 }),
  }));
  given([roomAdded])
    .when({ type: 'PriceNights', ranges, today })
    .then([nightsPriced(...ranges)]);
  return given([roomAdded, nightsPriced(...ranges)]).state.nights;
};

it('prices every night of the season', () => {
  const nights = nightsFrom('2026-11-20', 180, 10_000);
  expect([...nights.keys()].toSorted()).toHaveLength(180);
  for (const { priceMinor } of nights.values()) expect(priceMinor).toBeGreaterThan(0);
});

it('costs more at weekends, and most on holidays, which cannot be booked for one night', () => {
  const nights = nightsFrom('2026-11-20', 180, 10_000);
  expect(nights.get('2026-11-24')).toMatchObject({ priceMinor: 1_000_000, minStay: null });
  expect(nights.get('2026-11-27')).toMatchObject({ priceMinor: 1_250_000, minStay: null });
  expect(nights.get('2027-01-02')).toMatchObject({ priceMinor: 1_900_000, minStay: 4 });
  expect(nights.get('2026-12-31')?.closedToDeparture).toBe(true);
});

it.each(['2026-12-31', '2027-01-05', '2027-05-09', '2028-02-29'])('may begin on %s', (today) => {
  const nights = nightsFrom(today, 60, 5_000);
  expect(nights.size).toBe(60);
  expect(nights.has(today)).toBe(true);
  expect(nights.has(addDays(today, 60))).toBe(false);
});
