/** The domain manifest of this module. */
import { booking } from './booking.ts';
import { bookingsPurpose } from './purpose.ts';
import { trip } from './trip.ts';

export const bookings = { aggregates: [booking, trip], purpose: bookingsPurpose } as const;
