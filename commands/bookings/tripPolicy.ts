/** What follows from a trip: its bookings, should the request that booked it not have lived to write them. */

import { policy } from '../core/policy.ts';
import { writeBookings } from './trips.ts';

export const tripPolicy = policy('trips', {
  TripBooked: async ({ data }, { deps, context }) => {
    await writeBookings(deps, context, data);
  },
});
