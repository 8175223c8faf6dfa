/** Nights as columns of numbers: they answer what the rules of a stay say. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type PricingHotel, quoteStay } from '../../domain/catalog/pricing.ts';
import { type OwnTerms, termsOf, UNPRICED } from '../../domain/catalog/room.ts';
import { lowestPrice, MAX_NIGHTS } from '../../domain/catalog/stayRules.ts';
import { addDays, datesBetween } from '../../domain/core/dates.ts';
import { createNights, dayNumber, type NightOfRoom } from '../../projections/catalog/nights.ts';
import { today } from './catalogFixtures.ts';

const night = (day: number, more: Partial<NightOfRoom> = {}): NightOfRoom => ({
  ...UNPRICED,
  day,
  priceMinor: 100,
  left: 1,
  ...more,
});

const DAYS = 45;
const ownTerms: fc.Arbitrary<OwnTerms> = fc.record(
  {
    stopSell: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
    minStay: fc.option(fc.integer({ min: 1, max: 32 }), { freq: 1 }),
    maxStay: fc.option(fc.integer({ min: 1, max: 365 }), { freq: 1 }),
    closedToArrival: fc.boolean(),
    closedToDeparture: fc.boolean(),
    priceMinor: fc.option(fc.constantFrom(0, 5_000, 7_000, 2 ** 31 - 1, 2 ** 31, 1e12), { freq: 9 }),
  },
  { requiredKeys: ['stopSell', 'minStay', 'maxStay', 'closedToArrival', 'closedToDeparture'] },
);
const aRoom = fc.record({
  nightPriceMinor: fc.option(fc.constantFrom(6_000, 2 ** 33)),
  units: fc.integer({ min: 0, max: 2 }),
  nights: fc.array(
    fc.record({
      day: fc.integer({ min: 0, max: DAYS }),
      own: ownTerms,
      taken: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 3 })),
    }),
    { maxLength: DAYS },
  ),
});

it('sells the same stays at the same price as the rules, and has the same lowest price', () => {
  const hotel: PricingHotel = {
    status: 'published',
    currency: 'RUB',
    timezone: 'UTC',
    confirmation: 'instant',
    charges: [],
  };
  const first = dayNumber(today);
  let sold = 0;
  fc.assert(
    fc.property(fc.array(aRoom, { minLength: 1, maxLength: 3 }), (rooms) => {
      const nights = createNights();
      const known = rooms.map(({ nightPriceMinor, units, nights: set }) => {
        const number = nights.addRoom();
        const own = new Map(set.map((each) => [addDays(today, each.day), each.own]));
        const taken = new Map(set.map((each) => [addDays(today, each.day), each.taken]));
        const left = (date: string) => units - (taken.get(date) ?? 0);
        nights.setOthers(number, { ...termsOf(undefined, nightPriceMinor), left: units });
        const rows = [...own].map(([date, terms]) => ({
          ...termsOf(terms, nightPriceMinor),
          day: dayNumber(date),
          left: left(date),
        }));
        nights.set(number, first, first + DAYS, rows);
        return { number, room: { capacity: 2, nightPriceMinor, nights: own }, left };
      });
      for (const length of [1, 2, 3, MAX_NIGHTS])
        for (let day = 0; day + length <= DAYS; day += 1) {
          const dates = { checkIn: addDays(today, day), checkOut: addDays(today, day + length) };
          const prices = nights.pricesOfStay(first + day, length);
          for (const { number, room, left } of known) {
            const { price, reasons } = quoteStay(room, hotel, { ...dates, guests: 2, at: `${today}T09:00:00Z` }, left);
            if (reasons.length > 0) expect(prices[number], reasons.join()).toBeNaN();
            else expect(prices[number]).toBe(price?.baseMinor);
            if (reasons.length === 0) sold += 1;
          }
        }
      for (const { number, room, left } of known)
        for (const [day, end] of [
          [0, DAYS + 10],
          [0, 20],
          [30, DAYS],
        ] as const) {
          const dates = datesBetween(addDays(today, day), addDays(today, end));
          expect(nights.lowestPrice(number, first + day, first + end)).toBe(
            lowestPrice(room, dates, left) ?? Number.POSITIVE_INFINITY,
          );
        }
    }),
    { numRuns: 25 },
  );
  expect(sold).toBeGreaterThan(500);
});

it('replaces the nights of a range and keeps the others', () => {
  const nights = createNights();
  const room = nights.addRoom();
  nights.set(room, 10, 12, [night(10), night(11), night(12)]);
  nights.set(room, 11, 12, [night(11, { priceMinor: 250 })]);
  expect(nights.pricesOfStay(10, 2)[room]).toBe(350);
  expect(nights.pricesOfStay(11, 2)[room]).toBeNaN();
  expect(nights.lowestPrice(room, 10, 510)).toBe(100);
  expect(nights.lowestPrice(room, 11, 511)).toBe(250);
  nights.set(room, 11, 11, [night(11, { left: 0 })]);
  expect(nights.lowestPrice(room, 11, 511)).toBe(Number.POSITIVE_INFINITY);
});

it('holds prices of any size, and the longest stays', () => {
  const nights = createNights();
  const room = nights.addRoom();
  const priceMinor = 1e12;
  nights.set(room, 1, 2, [night(1, { priceMinor, minStay: 2, maxStay: 365 }), night(2, { priceMinor })]);
  expect(nights.pricesOfStay(1, 2)[room]).toBe(2e12);
  expect(nights.pricesOfStay(1, 1)[room]).toBeNaN();
  nights.set(room, 1, 2, [night(1), night(2)]);
  expect(nights.pricesOfStay(1, 2)[room]).toBe(200);
});

it('grows with the number of rooms', () => {
  const nights = createNights();
  const rooms = Array.from({ length: 3_000 }, () => {
    const room = nights.addRoom();
    nights.set(room, 5, 5, [night(5, { priceMinor: room + 1, closedToDeparture: room % 2 === 0 })]);
    return room;
  });
  expect([...nights.pricesOfStay(5, 1)]).toEqual(rooms.map((room) => room + 1));
  nights.set(7, 4, 4, [night(4)]);
  expect(nights.pricesOfStay(4, 1)[7]).toBe(100);
  nights.set(8, 4, 4, [night(4)]);
  expect(nights.pricesOfStay(4, 1)[8]).toBeNaN();
});

it('sells nights without a price of their own at the price of the room', () => {
  const nights = createNights();
  const room = nights.addRoom();
  nights.setOthers(room, { ...night(0), priceMinor: 70 });
  const unpriced = { priceMinor: 70 };
  nights.set(room, 10, 12, [night(10), night(11, { ...unpriced, left: 0 }), night(12, { ...unpriced, minStay: 2 })]);
  expect(nights.pricesOfStay(13, 2)[room]).toBe(140);
  expect(nights.pricesOfStay(12, 2)[room]).toBe(140);
  expect(nights.pricesOfStay(12, 1)[room]).toBeNaN();
  expect(nights.pricesOfStay(9, 2)[room]).toBe(170);
  expect(nights.pricesOfStay(11, 2)[room]).toBeNaN();
  expect(nights.lowestPrice(room, 10, 12)).toBe(100);
  expect(nights.lowestPrice(room, 10, 13)).toBe(70);
  nights.set(room, 13, 13, [night(13, { priceMinor: null })]); // not for sale
  expect(nights.pricesOfStay(13, 2)[room]).toBeNaN();
});
