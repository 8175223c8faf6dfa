/** Nights as columns of numbers. The rules of a stay are tested against SQL and the domain in `search.stores.spec.ts`. */
import { expect, it } from 'vitest';
import { createNights, type NightRow } from '../../projections/catalog/nights.ts';

const row = (day: number, more: Partial<NightRow> = {}): NightRow => ({
  day,
  price_minor: 100,
  has_price: true,
  stop_sell: false,
  min_stay: null,
  max_stay: null,
  closed_to_arrival: false,
  closed_to_departure: false,
  taken: 0,
  ...more,
});

it('replaces the nights of a range and keeps the others', () => {
  const nights = createNights();
  const room = nights.addRoom();
  nights.set(room, 1, 10, 12, [row(10), row(11), row(12)]);
  nights.set(room, 1, 11, 12, [row(11, { price_minor: 250 })]);
  expect(nights.pricesOfStay(10, 2)[room]).toBe(350);
  expect(nights.pricesOfStay(11, 2)[room]).toBeNaN();
  expect(nights.lowestPrice(room, 10, 510)).toBe(100);
  expect(nights.lowestPrice(room, 11, 511)).toBe(250);
  nights.set(room, 1, 11, 11, [row(11, { taken: 1 })]);
  expect(nights.lowestPrice(room, 11, 511)).toBe(Number.POSITIVE_INFINITY);
});

it('holds prices of any size, and the longest stays', () => {
  const nights = createNights();
  const room = nights.addRoom();
  const price_minor = 1e12;
  nights.set(room, 1, 1, 2, [row(1, { price_minor, min_stay: 2, max_stay: 365 }), row(2, { price_minor })]);
  expect(nights.pricesOfStay(1, 2)[room]).toBe(2e12);
  expect(nights.pricesOfStay(1, 1)[room]).toBeNaN();
  nights.set(room, 1, 1, 2, [row(1), row(2)]);
  expect(nights.pricesOfStay(1, 2)[room]).toBe(200);
});

it('grows with the number of rooms', () => {
  const nights = createNights();
  const rooms = Array.from({ length: 3_000 }, () => {
    const room = nights.addRoom();
    nights.set(room, 1, 5, 5, [row(5, { price_minor: room + 1, closed_to_departure: room % 2 === 0 })]);
    return room;
  });
  expect([...nights.pricesOfStay(5, 1)]).toEqual(rooms.map((room) => room + 1));
  nights.set(7, 1, 4, 4, [row(4)]);
  expect(nights.pricesOfStay(4, 1)[7]).toBe(100);
  nights.set(8, 1, 4, 4, [row(4)]);
  expect(nights.pricesOfStay(4, 1)[8]).toBeNaN();
});

it('sells nights without a price of their own at the price of the room', () => {
  const nights = createNights();
  const room = nights.addRoom();
  nights.setPrice(room, 70);
  const unpriced = { price_minor: null, has_price: false };
  nights.set(room, 1, 10, 12, [row(10), row(11, { ...unpriced, taken: 1 }), row(12, { ...unpriced, min_stay: 2 })]);
  expect(nights.pricesOfStay(13, 2)[room]).toBe(140);
  expect(nights.pricesOfStay(12, 2)[room]).toBe(140);
  expect(nights.pricesOfStay(12, 1)[room]).toBeNaN();
  expect(nights.pricesOfStay(9, 2)[room]).toBe(170);
  expect(nights.pricesOfStay(11, 2)[room]).toBeNaN();
  expect(nights.lowestPrice(room, 10, 12)).toBe(100);
  expect(nights.lowestPrice(room, 10, 13)).toBe(70);
  nights.set(room, 1, 13, 13, [row(13, { price_minor: null })]); // not for sale
  expect(nights.pricesOfStay(13, 2)[room]).toBeNaN();
  nights.setPrice(room, null);
  expect(nights.lowestPrice(room, 10, 510)).toBe(100);
});
