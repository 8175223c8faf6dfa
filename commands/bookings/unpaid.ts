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
import { toSnake } from '../../infra/naming.ts';
import { inTransaction, type Pool } from '../../infra/postgres.ts';
import { scaled } from '../../infra/scaled.ts';
import type { DryRun } from '../core/dryRun.ts';
import type { CommandContext } from '../core/handle.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import { type BookedTime, forgetTimes, forgetTimesOf } from './bookedTimes.ts';

export const unpaidMigrations = migrations('bookings', {
  personalData: {
    'ops.unpaid_bookings': {
      nothing: 'ids of bookings and accounts, until the bookings are paid or expire',
      retention: [{ after: 'until' }],
    },
    'ops.booked_times': {
      nothing: 'ids of bookings, accounts and listings with their times, until the bookings are over',
      retention: [{ after: 'until' }],
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
  // The times of bookings by account: what costs nothing counts for its listing, and a person is at one place at a time.
  '0003_booked_times': `
    create table ops.booked_times (
      -- the booking's; of a change that is being made, one of its own
      id uuid primary key,
      booking_id uuid not null,
      user_id uuid not null,
      listing_id uuid not null,
      kind text not null,
      -- what is at the same time at another place of the kind overlaps; null: nothing does
      place text,
      starts_at timestamptz not null,
      ends_at timestamptz not null,
      is_free boolean not null,
      -- the end of its hold, or of the booking once it is paid: it does not count from then on
      until timestamptz not null
    );
    create index booked_times_user on ops.booked_times (user_id);
    create index booked_times_booking on ops.booked_times (booking_id);
    create index booked_times_until on ops.booked_times (until);

    create function ops.count_bookings(asked jsonb) returns jsonb language plpgsql as $$
    declare
      lock_key bigint;
      new record;
      item record;
      other uuid;
      refusal jsonb;
      answers jsonb := '[]';
    begin
      for lock_key in
        select distinct hashtextextended('unpaid ' || account, 0) from jsonb_to_recordset(asked) as (account uuid) order by 1
      loop
        perform pg_advisory_xact_lock(lock_key);
      end loop;
      for new in
        select * from rows from (jsonb_to_recordset(asked)
          as (account uuid, ids uuid[], booked_as uuid, until timestamptz, now_is timestamptz, most integer,
            most_free integer, times jsonb)) with ordinality
        order by ordinality
      loop
        refusal := null;
        begin
          for item in
            select * from rows from (jsonb_to_recordset(new.times)
              as (id uuid, booking uuid, listing uuid, kind text, place text, starts_at timestamptz, ends_at timestamptz,
                is_free boolean, nth integer)) with ordinality
            order by ordinality
          loop
            other := (select t.booking_id from ops.booked_times as t
              where t.user_id = new.account and t.kind = item.kind and t.booking_id <> item.booking
                and t.until > new.now_is and t.place <> item.place
                and t.starts_at < item.ends_at and t.ends_at > item.starts_at
              order by t.starts_at, t.id limit 1);
            if other is not null then
              refusal := jsonb_build_object('why', 'overlapping', 'other', other, 'index', item.nth);
              raise exception using errcode = 'HB001';
            end if;
            if item.is_free and (select count(distinct t.booking_id) from ops.booked_times as t
              where t.user_id = new.account and t.listing_id = item.listing and t.booking_id <> item.booking
                and t.until > new.now_is and t.is_free) >= new.most_free then
              refusal := jsonb_build_object('why', 'free', 'listing', item.listing, 'index', item.nth);
              raise exception using errcode = 'HB001';
            end if;
            insert into ops.booked_times as t
              (id, booking_id, user_id, listing_id, kind, place, starts_at, ends_at, is_free, until)
            values (item.id, item.booking, new.account, item.listing, item.kind, item.place, item.starts_at, item.ends_at,
              item.is_free, new.until)
            on conflict (id) do update set until = greatest(t.until, excluded.until);
          end loop;
          if (select count(distinct booked_as) from ops.unpaid_bookings as u
            where u.user_id = new.account and u.booked_as <> new.booked_as and u.until > new.now_is) >= new.most then
            refusal := jsonb_build_object('why', 'unpaid');
            raise exception using errcode = 'HB001';
          end if;
          insert into ops.unpaid_bookings (booking_id, user_id, booked_as, until)
          select id, new.account, new.booked_as, new.until from unnest(new.ids) as of_it (id)
          on conflict (booking_id) do update set until = excluded.until;
        exception when sqlstate 'HB001' then
          null;
        end;
        answers := answers || jsonb_build_array(refusal);
      end loop;
      return answers;
    end $$;
  `,
});

const MOST_BOOKINGS = 5;
const MOST_PERCENT = 10;
/** Bookings ahead of one listing that cost nothing. */
const MOST_FREE = 5;

/** The limits of one account, which follow the operator's factor; null when there are none. */
export const unpaidLimits = ({ rateLimits }: Pick<PaymentDeps['settings'], 'rateLimits'>) =>
  rateLimits === 0
    ? null
    : {
        bookings: scaled(MOST_BOOKINGS, rateLimits),
        percentOfItem: MOST_PERCENT * rateLimits,
        free: scaled(MOST_FREE, rateLimits),
      };

interface Unpaid {
  /** The trip, or the booking itself. */
  readonly bookedAs: string;
  readonly bookingIds: readonly string[];
  /** The end of their holds. */
  readonly until: string;
  /** When they are, in the order of the items of a trip; none: they take no time that counts. */
  readonly times?: readonly BookedTime[];
}

const COUNTED_AT_ONCE = 100;

const COUNT = 'select ops.count_bookings($1) as counted';

/** Why something was not counted. `index`: of the item. */
type Refusal =
  | { readonly why: 'unpaid' }
  | { readonly why: 'overlapping'; readonly other: string; readonly index: number }
  | { readonly why: 'free'; readonly listing: string; readonly index: number };

/** What was refused of what is to be counted, in one statement for all requests of one turn of the event loop. */
const counted = gatherBy(async (pool: Pool, asked: readonly object[]) => {
  const { rows } = await pool.query<{ counted: (Refusal | null)[] }>(COUNT, [JSON.stringify(asked)]);
  return rows[0]?.counted ?? [];
}, COUNTED_AT_ONCE);

/** The same for a preview: nothing stays counted. */
const countedOnTrial = (pool: Pool, asked: object): Promise<Refusal | null> =>
  inTransaction(
    pool,
    async (client) => {
      const { rows } = await client.query<{ counted: (Refusal | null)[] }>(COUNT, [JSON.stringify([asked])]);
      await client.query('rollback to savepoint uncounted');
      return rows[0]?.counted[0] ?? null;
    },
    ['savepoint uncounted'],
  );

type Limits = NonNullable<ReturnType<typeof unpaidLimits>>;

const refused = (refusal: Refusal, { bookings, free }: Limits, isOfSeveral: boolean): Rejected => {
  if (refusal.why === 'unpaid')
    return new Rejected(
      'too_many_holds',
      `An account can have ${bookings} unpaid bookings at a time. Pay for one or cancel it first.`,
      { most: bookings },
    );
  const which = isOfSeveral ? { index: refusal.index } : {};
  if (refusal.why === 'free')
    return new Rejected(
      'too_many_free',
      `An account can have ${free} bookings here that cost nothing. Cancel one first, or wait until one is over.`,
      { most: free, listing_id: refusal.listing, ...which },
    );
  return new Rejected(
    'overlapping_booking',
    'You have another booking of this kind at this time. Cancel or move it first, choose another time, or change its number of guests.',
    { booking_id: refusal.other, ...which },
  );
};

/** @param account whose bookings they are */
const count = async (
  { pool, isDryRun }: Pick<CountingDeps, 'pool' | 'isDryRun'>,
  limits: Limits,
  account: string,
  at: string,
  unpaid: Unpaid,
): Promise<void> => {
  const { bookingIds, bookedAs: booked_as, until, times = [] } = unpaid;
  // What costs nothing is paid in its reply.
  const free = times.flatMap(({ booking, isFree }) => (isFree ? [booking] : []));
  const ids = bookingIds.filter((id) => !free.includes(id));
  const { bookings, free: most_free } = limits;
  const most = ids.length > 0 ? bookings : null;
  const asked = { account, ids, booked_as, until, now_is: at, most, most_free, times: times.map(toSnake) };
  const refusal = isDryRun ? await countedOnTrial(pool, asked) : await counted(pool, asked);
  if (refusal) throw refused(refusal, limits, bookingIds.length > 1);
};

type CountingDeps = Pick<PaymentDeps, 'pool' | 'settings' | 'log'> & DryRun;

/**
 * Counts new bookings of the actor, then makes them with `work`. If that is refused, or a dry run, they do not count.
 * @throws Rejected `too_many_holds`, `too_many_free`, `overlapping_booking`
 */
export const withinUnpaidLimit = <T>(
  deps: CountingDeps,
  { actor, at }: CommandContext,
  unpaid: Unpaid,
  work: () => Promise<T>,
): Promise<T> => counting(deps, { account: actor.id, at }, unpaid, () => noLongerBooked(deps, unpaid.bookingIds), work);

/**
 * Counts the new times of a booking that is to change, beside those it has, while `work` changes it.
 * @throws Rejected `too_many_free`, `overlapping_booking`
 */
export const withinTimes = <T>(
  deps: CountingDeps,
  { account, at }: { readonly account: string; readonly at: string },
  change: Pick<Unpaid, 'bookedAs' | 'until'> & { readonly times: readonly BookedTime[] },
  work: () => Promise<T>,
): Promise<T> => {
  if (change.times.length === 0) return work();
  const ids = change.times.map(({ id }) => id);
  return counting(deps, { account, at }, { ...change, bookingIds: [] }, () => forgetTimes(deps, ids), work);
};

const counting = async <T>(
  deps: CountingDeps,
  { account, at }: { readonly account: string; readonly at: string },
  unpaid: Unpaid,
  undo: () => Promise<void>,
  work: () => Promise<T>,
): Promise<T> => {
  const limits = unpaidLimits(deps.settings);
  if (!limits) return work();
  await count(deps, limits, account, at, unpaid);
  if (deps.isDryRun) return work();
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error; // they may exist
    await undo().catch((err: unknown) => {
      deps.log.warn({ err, bookedAs: unpaid.bookedAs }, 'what was refused counts until its hold would have ended');
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

/** They were paid. What they take of the guest's time counts on. */
export const noLongerUnpaid = ({ pool }: Pick<PaymentDeps, 'pool'>, bookingIds: readonly string[]): Promise<void> =>
  uncount(pool, bookingIds);

/** They have ended, or were never made. */
export const noLongerBooked = async (deps: Pick<PaymentDeps, 'pool'>, bookingIds: readonly string[]): Promise<void> => {
  await noLongerUnpaid(deps, bookingIds);
  await forgetTimesOf(deps, bookingIds);
};

const UNTIL = `
  with times as (update ops.booked_times set until = $2 where booking_id = $1 and until < $2)
  update ops.unpaid_bookings set until = $2 where booking_id = $1`;

/** The hold of a booking was extended: it counts until then. */
export const unpaidUntil = async (
  { pool }: Pick<PaymentDeps, 'pool'>,
  bookingId: string,
  until: string,
): Promise<void> => {
  await pool.query(UNTIL, [bookingId, until]);
};
