/** The domain manifest of this module. */
import { booking } from './booking.ts';
import { trip } from './trip.ts';

/** Why this module holds personal data. */
export const bookingsPurpose = {
  purpose: 'carry out what was booked',
  basis: 'contract',
  seenBy: ['self', 'seller', 'admins'],
} as const;

export const bookings = { aggregates: [booking, trip], purpose: bookingsPurpose } as const;
