/**
 * Who has booked before. A promo code that is only for first bookings claims the first booking of a person; the claim is
 * given up when that booking comes to nothing. Everybody who pays for a booking has booked before from then on.
 */
import { promotionsPurpose } from '../../domain/promotions/index.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Pool } from '../../infra/postgres.ts';

export const firstBookingMigrations = migrations('promotions', {
  personalData: {
    'ops.first_bookings': {
      whose: 'user_id',
      exported: ['booking_id', 'is_paid'],
      erased: 'deleted',
      why: promotionsPurpose,
      retention: 'account',
    },
  },
  '0001_first_bookings': `
    create table ops.first_bookings (
      user_id uuid primary key,
      booking_id uuid not null,
      -- false: claimed by a booking that is not paid yet
      is_paid boolean not null
    );
    create index first_bookings_booking on ops.first_bookings (booking_id) where not is_paid;
  `,
});

interface OfBooking {
  readonly userId: string;
  readonly bookingId: string;
}

/** Whether the booking is the person's first. It is from then on: for another one this is false. */
export const claimFirstBooking = async (pool: Pool, { userId, bookingId }: OfBooking): Promise<boolean> => {
  const { rows } = await pool.query<{ booking_id: string }>(
    `insert into ops.first_bookings as f (user_id, booking_id, is_paid) values ($1, $2, false)
     on conflict (user_id) do update set user_id = f.user_id returning booking_id`,
    [userId, bookingId],
  );
  return rows[0]?.booking_id === bookingId;
};

/** Whether the person could claim the booking as their first. Nothing is claimed. */
export const couldBeFirst = async (pool: Pool, { userId, bookingId }: OfBooking): Promise<boolean> => {
  const { rows } = await pool.query<{ booking_id: string }>(
    'select booking_id from ops.first_bookings where user_id = $1',
    [userId],
  );
  return rows.every(({ booking_id }) => booking_id === bookingId);
};

/** The booking comes to nothing: another one can be the first. */
export const unclaimFirstBooking = async (pool: Pool, bookingId: string): Promise<void> => {
  await pool.query('delete from ops.first_bookings where booking_id = $1 and not is_paid', [bookingId]);
};

/** The person has paid for a booking. */
export const recordPaidBooking = async (pool: Pool, { userId, bookingId }: OfBooking): Promise<void> => {
  await pool.query(
    `insert into ops.first_bookings as f (user_id, booking_id, is_paid) values ($1, $2, true)
     on conflict (user_id) do update set booking_id = $2, is_paid = true where not f.is_paid`,
    [userId, bookingId],
  );
};
