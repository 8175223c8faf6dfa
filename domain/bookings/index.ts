/** The domain manifest of this module. */
import { booking } from './booking.ts';
import { trip } from './trip.ts';

export const bookings = { aggregates: [booking, trip] } as const;
