/** The guest of a booking, for its seller: who comes, when, and how to reach them. Personal data of the person who booked. */
import { type Static, Type } from '@sinclair/typebox';
import { DAY_MS } from '../core/instants.ts';
import { Nullable, Personal } from '../core/schema.ts';

/** null: not told. `arrivalTime`: `HH:MM` by the clocks of the place. */
export const Guest = Type.Object({
  name: Nullable(Personal(Type.String())),
  phone: Nullable(Personal(Type.String())),
  arrivalTime: Nullable(Personal(Type.String())),
});
export type Guest = Static<typeof Guest>;

/** What bookings say that were made before 0.2.0. */
export const NOBODY: Guest = { name: null, phone: null, arrivalTime: null };

/** How long a seller sees the guest after the booking is over. */
const SEEN_MS = 7 * DAY_MS;
const ENDED_EARLY: readonly string[] = ['cancelled', 'rejected', 'expired'];

/** Whether the seller still sees the guest. All instants are RFC 3339. */
export const isGuestSeen = (
  booking: { readonly status: string; readonly endsAt: string; readonly updatedAt: string },
  at: string,
): boolean => {
  const end = Date.parse(booking.endsAt);
  const over = ENDED_EARLY.includes(booking.status) ? Math.min(end, Date.parse(booking.updatedAt)) : end;
  return Date.parse(at) <= over + SEEN_MS;
};
