/**
 * Limits on what one account holds without paying: a number of bookings, where a trip counts as one, and a share of the
 * units of an item. The bookings are counted in a table under a lock of the account, so the limit is exact however many
 * requests and processes there are. A booking that was paid or has ended counts until its event is handled. The share
 * is decided by the inventory.
 */
import { Rejected } from '../../domain/core/decider.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { gatherBy } from '../../infra/gather.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Pool } from '../../infra/postgres.ts';
import { scaled } from '../../infra/scaled.ts';
import type { CommandContext } from '../core/handle.ts';
import type { PaymentDeps } from '../payments/deps.ts';

export const unpaidMigrations = migrations('bookings', {
  holds: {
    'ops.unpaid_bookings': {
      nothing: 'ids of bookings and accounts, until the bookings are paid or expire',
      kept: [{ after: 'until' }],
    },
  },
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
  // Many at once, in one statement instead of a transaction of five for each. Each query of a function sees what was
  // committed before it, so that it counts what another process has added while this one waited for the locks. They are
  // taken in one order everywhere, so that no two statements wait for each other for ever.
  '0002_count_unpaid': `
    create function ops.count_unpaid(asked jsonb) returns boolean[] language plpgsql as $$
    declare
      lock_key bigint;
      new record;
      is_counted boolean;
      counted boolean[] := '{}';
    begin
      for lock_key in
        select distinct hashtextextended('unpaid ' || account, 0) from jsonb_to_recordset(asked) as (account uuid) order by 1
      loop
        perform pg_advisory_xact_lock(lock_key);
      end loop;
      for new in
        select * from rows from (jsonb_to_recordset(asked)
          as (account uuid, ids uuid[], booked_as uuid, until timestamptz, now_is timestamptz, most integer)) with ordinality
        order by ordinality
      loop
        is_counted := (select count(distinct booked_as) from ops.unpaid_bookings as u
          where u.user_id = new.account and u.booked_as <> new.booked_as and u.until > new.now_is) < new.most;
        counted := counted || is_counted;
        if is_counted then
          insert into ops.unpaid_bookings (booking_id, user_id, booked_as, until)
          select id, new.account, new.booked_as, new.until from unnest(new.ids) as of_it (id)
          on conflict (booking_id) do update set until = excluded.until;
        end if;
      end loop;
      return counted;
    end $$;
  `,
});

const MOST_BOOKINGS = 5;
const MOST_PERCENT = 10;

/** The limits of one account, which follow the operator's factor; null when there are none. */
export const unpaidLimits = ({ rateLimits }: Pick<PaymentDeps['settings'], 'rateLimits'>) =>
  rateLimits === 0 ? null : { bookings: scaled(MOST_BOOKINGS, rateLimits), percentOfItem: MOST_PERCENT * rateLimits };

interface Unpaid {
  /** The trip, or the booking itself. */
  readonly bookedAs: string;
  readonly bookingIds: readonly string[];
  /** The end of their holds. */
  readonly until: string;
}

const COUNTED_AT_ONCE = 100;

/**
 * It does not wait for the disk, which would take longer than to count. What a crash of the server forgets are bookings of
 * the last half second: their guests may make as many more.
 */
const COUNT = `select ops.count_unpaid($1) as counted, set_config('synchronous_commit', 'off', true)`;

/** Whether bookings were counted, in one statement for all requests of one turn of the event loop. */
const counted = gatherBy(async (pool: Pool, asked: readonly object[]) => {
  const { rows } = await pool.query<{ counted: boolean[] }>(COUNT, [JSON.stringify(asked)]);
  return rows[0]?.counted ?? [];
}, COUNTED_AT_ONCE);

const count = async (pool: Pool, most: number, { actor, at }: CommandContext, unpaid: Unpaid): Promise<void> => {
  const { bookingIds: ids, bookedAs: booked_as, until } = unpaid;
  if (!(await counted(pool, { account: actor.id, ids, booked_as, until, now_is: at, most })))
    throw new Rejected(
      'too_many_holds',
      `An account can have ${most} unpaid bookings at a time. Pay for one or cancel it first.`,
      { most },
    );
};

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

/** In the order of their ids, so that two of these statements wait for each other and never deadlock. */
const UNCOUNT = `
  delete from ops.unpaid_bookings where booking_id in (
    select booking_id from ops.unpaid_bookings where booking_id = any ($1::uuid[]) order by booking_id for update)`;

/** One statement for all that end while another is written. */
const uncount = gatherBy(
  async (pool: Pool, ended: readonly (readonly string[])[]) => {
    await pool.query(UNCOUNT, [ended.flat()]);
    return ended.map(() => undefined);
  },
  COUNTED_AT_ONCE,
  1,
);

/** They were paid or have ended. */
export const noLongerUnpaid = ({ pool }: Pick<PaymentDeps, 'pool'>, bookingIds: readonly string[]): Promise<void> =>
  uncount(pool, bookingIds);

/** The hold of a booking was extended: it counts until then. */
export const unpaidUntil = async (
  { pool }: Pick<PaymentDeps, 'pool'>,
  bookingId: string,
  until: string,
): Promise<void> => {
  await pool.query('update ops.unpaid_bookings set until = $2 where booking_id = $1', [bookingId, until]);
};
