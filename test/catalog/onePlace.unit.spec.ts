import { expect, it } from 'vitest';
import type { BookableItem } from '../../domain/catalog/bookableItem.ts';
import { placeOf } from '../../domain/catalog/onePlace.ts';

const ids = { listingId: 'a', unitId: 'b' };
const slot = { slotStart: '2026-12-01T10:00:00Z', slotEnd: '2026-12-01T12:00:00Z' };

it('a person is at one table, tour or lesson at a time, and books rooms and vehicles for others, too', () => {
  const places = (
    [
      { type: 'restaurant', ...ids, ...slot },
      { type: 'instructor', ...ids, ...slot },
      { type: 'tour', ...ids, ...slot, seats: 2 },
      { type: 'transfer', ...ids, ...slot, busyUntil: slot.slotEnd },
      { type: 'hotel', ...ids, checkIn: '2026-12-01', checkOut: '2026-12-02' },
    ] satisfies BookableItem[]
  ).map((item) => placeOf('booking', item));
  expect(places).toEqual(['booking', 'booking', `a ${slot.slotStart}`, null, null]);
});
