/**
 * Limits on what one account holds without paying: so many bookings, where a trip counts as one, and a share of the
 * units of an item. The bookings are counted in a table under a lock of the account, so the limit is exact however many
 * requests and processes there are. A booking that was paid or has ended counts until its event is handled. The share
 * is decided by the inventory.
 */
import { Rejected } from '../../domain/core/decider.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { migrations } from '../../infra/migrations.ts';
import { inTransaction, type Pool } from '../../infra/postgres.ts';
import type { CommandContext } from '../core/handle.ts';
import type { PaymentDeps } from '../payments/deps.ts';

export const unpaidMigrations = migrations('bookings', {
  holds: { 'ops.unpaid_bookings': { nothing: 'ids of bookings and accounts, until the bookings are paid or expire' } },
  '0001_unpaid': `
    create table ops.unpaid_bookings (
      booking_id uuid primary key,
      user_id uuid not null,
      -- the trip, or the booking itself: what counts as one
      booked_as uuid not null,
      -- the end of its hold: it does not count from then on, even if its row was never deleted
      until timestamptz not null
    );
    create index unpaid_bookings_user on ops.unpaid_bookings (user_id);
    create index unpaid_bookings_until on ops.unpaid_bookings (until);
  `,
});

const MOST_BOOKINGS = 5;
const MOST_PERCENT = 10;

/** The limits of one account, which follow the operator's factor; null when there are none. */
export const unpaidLimits = ({ rateLimits }: Pick<PaymentDeps['settings'], 'rateLimits'>) =>
  rateLimits === 0
    ? null
    : { bookings: Math.max(1, Math.round(MOST_BOOKINGS * rateLimits)), percentOfItem: MOST_PERCENT * rateLimits };

interface Unpaid {
  /** The trip, or the booking itself. */
  readonly bookedAs: string;
  readonly bookingIds: readonly string[];
  /** The end of their holds. */
  readonly until: string;
}

const count = (pool: Pool, most: number, { actor, at }: CommandContext, unpaid: Unpaid): Promise<void> =>
  inTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`unpaid ${actor.id}`]);
    const { rows } = await client.query<{ others: number }>(
      `select count(distinct booked_as)::integer as others from ops.unpaid_bookings
       where user_id = $1 and booked_as <> $2 and until > $3`,
      [actor.id, unpaid.bookedAs, at],
    );
    if ((rows[0]?.others ?? 0) >= most)
      throw new Rejected(
        'too_many_holds',
        `An account can have ${most} unpaid bookings at a time. Pay for one or cancel it first.`,
        { most },
      );
    await client.query(
      `insert into ops.unpaid_bookings (booking_id, user_id, booked_as, until)
       select id, $2::uuid, $3::uuid, $4::timestamptz from unnest($1::uuid[]) as new (id)
       on conflict (booking_id) do update set until = excluded.until`,
      [unpaid.bookingIds, actor.id, unpaid.bookedAs, unpaid.until],
    );
  });

/**
 * Counts new bookings of the actor as unpaid, then makes them with `work`. If that is refused, they do not count.
 * @throws Rejected `too_many_holds`
 */
export const withinUnpaidLimit = async <T>(
  { pool, settings, log }: Pick<PaymentDeps, 'pool' | 'settings' | 'log'>,
  context: CommandContext,
  unpaid: Unpaid,
  work: () => Promise<T>,
): Promise<T> => {
  const limits = unpaidLimits(settings);
  if (!limits) return work();
  await count(pool, limits.bookings, context, unpaid);
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error; // they may exist
    await noLongerUnpaid({ pool }, unpaid.bookingIds).catch((err: unknown) => {
      log.warn(
        { err, bookings: unpaid.bookingIds },
        'refused bookings count as unpaid until their hold would have ended',
      );
    });
    throw error;
  }
};

/** They were paid or have ended. */
export const noLongerUnpaid = async (
  { pool }: Pick<PaymentDeps, 'pool'>,
  bookingIds: readonly string[],
): Promise<void> => {
  await pool.query('delete from ops.unpaid_bookings where booking_id = any ($1::uuid[])', [bookingIds]);
};

/** The hold of a booking was extended: it counts until then. */
export const unpaidUntil = async (
  { pool }: Pick<PaymentDeps, 'pool'>,
  bookingId: string,
  until: string,
): Promise<void> => {
  await pool.query('update ops.unpaid_bookings set until = $2 where booking_id = $1', [bookingId, until]);
};

export const pruneUnpaid = async (pool: Pool): Promise<void> => {
  await pool.query('delete from ops.unpaid_bookings where until < now()');
};
