import { expect, it } from 'vitest';
import { type TripEvent, trip, tripEvents } from '../../domain/bookings/trip.ts';
import { createCodec } from '../../eventstore/codec.ts';
import { specification } from '../kit/given.ts';
import { BOOKING, creation, GUEST, HOLD, id } from './bookingFixtures.ts';

const given = specification(trip);
const booked: TripEvent = {
  type: 'TripBooked',
  data: {
    userId: GUEST,
    notes: 'a birthday',
    currency: 'RUB',
    totalMinor: 40_000,
    bookings: [
      { bookingId: BOOKING, terms: { ...creation, notes: 'late arrival' } },
      { bookingId: id(66), terms: { ...creation, holdId: id(44) } },
    ],
  },
};

it('is booked once, with all of its bookings', () => {
  given([])
    .when({ type: 'BookTrip', ...booked.data })
    .thenOnce([booked]);
  given([booked])
    .when({
      type: 'BookTrip',
      ...booked.data,
      bookings: [{ bookingId: BOOKING, terms: { ...creation, holdId: HOLD } }],
    })
    .then([]);
});

it('stores notes encrypted', async () => {
  const vault = { keyToWrite: async () => Buffer.alloc(32), keysToRead: async () => new Map() };
  const meta = { commandId: id(1), actor: { kind: 'user', id: GUEST, role: 'tourist' } } as never;
  const [stored] = await createCodec(tripEvents, vault).encode('trip-x', [booked], meta);
  for (const secret of ['birthday', 'late']) expect(JSON.stringify(stored?.data)).not.toContain(secret);
});
