/**
 * Who watches what, with the price and the freedom that they know: a table, because the log cannot be asked for the people
 * who watch a thing. A policy keeps it like the favourites.
 */

import { favoriteOf, favorites, type Target } from '../../domain/favorites/favorites.ts';
import { favoritesPurpose } from '../../domain/favorites/index.ts';
import type { WatchReason } from '../../domain/favorites/kinds.ts';
import { gatherBy } from '../../infra/gather.ts';
import { groupBy } from '../../infra/groupBy.ts';
import { migrations } from '../../infra/migrations.ts';
import type { Pool, Queryable } from '../../infra/postgres.ts';
import type { CoreDeps } from '../core/deps.ts';

/** Things that are asked about in one statement. */
const MOST_AT_ONCE = 500;

export const watchMigrations = migrations('favorites', {
  '0001_watches': `
    create table ops.favorite_watches (
      person_id uuid not null,
      kind text not null,
      target_id uuid not null,
      reasons text[] not null,
      -- of the stay that is watched; null: whatever the dates
      check_in date,
      check_out date,
      guests integer,
      -- as the person knows them; null: not looked at yet, and for the price also that there was never one
      price_minor bigint,
      is_free boolean,
      -- how often something was told
      told integer not null default 0,
      primary key (person_id, kind, target_id)
    );
    create index favorite_watches_target on ops.favorite_watches (target_id);
    create index favorite_watches_check_in on ops.favorite_watches (check_in);
    -- which hotel a room is in
    create table ops.favorite_rooms (room_id uuid primary key, hotel_id uuid not null);
    create index favorite_rooms_hotel on ops.favorite_rooms (hotel_id);
  `,
  personalData: {
    'ops.favorite_watches': {
      whose: 'person_id',
      exported: ['kind', 'target_id', 'reasons', 'check_in', 'check_out', 'guests'],
      erased: 'deleted',
      why: favoritesPurpose,
      retention: [{ after: 'check_in', isDay: true, days: 1 }],
    },
    'ops.favorite_rooms': { nothing: 'ids of rooms and hotels' },
  },
});

/** Makes the row of a watch like the log has it now. What is known stays if the watch is the same. */
export const keepWatch = async (
  { aggregates, pool }: Pick<CoreDeps, 'aggregates' | 'pool'>,
  person: string,
  target: Target,
): Promise<void> => {
  const watch = favoriteOf((await aggregates.load(favorites, person)).state, target)?.watch;
  const key = [person, target.kind, target.id];
  if (!watch) {
    await pool.query('delete from ops.favorite_watches where person_id = $1 and kind = $2 and target_id = $3', key);
    return;
  }
  const { reasons, stay } = watch;
  await pool.query(
    `insert into ops.favorite_watches as w (person_id, kind, target_id, reasons, check_in, check_out, guests)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (person_id, kind, target_id) do update set reasons = excluded.reasons, check_in = excluded.check_in,
       check_out = excluded.check_out, guests = excluded.guests, price_minor = null, is_free = null
     where (w.reasons, w.check_in, w.check_out, w.guests)
       is distinct from (excluded.reasons, excluded.check_in, excluded.check_out, excluded.guests)`,
    [...key, reasons, stay?.checkIn ?? null, stay?.checkOut ?? null, stay?.guests ?? null],
  );
};

export const rememberRoom = async (pool: Queryable, roomId: string, hotelId: string): Promise<void> => {
  await pool.query('insert into ops.favorite_rooms (room_id, hotel_id) values ($1, $2) on conflict do nothing', [
    roomId,
    hotelId,
  ]);
};

export const roomsOfHotel = async (pool: Queryable, hotelId: string): Promise<string[]> => {
  const { rows } = await pool.query<{ room_id: string }>(
    'select room_id from ops.favorite_rooms where hotel_id = $1 order by room_id',
    [hotelId],
  );
  return rows.map(({ room_id }) => room_id);
};

/** What is watched of a thing and, if it is a room, of its hotel. Those of one turn of the event loop are asked together. */
export const watchedBy = gatherBy(async (pool: Pool, ids: readonly string[]): Promise<string[][]> => {
  const { rows } = await pool.query<{ id: string; target_id: string }>(
    `with asked as (select distinct id from unnest($1::uuid[]) as asked (id)),
     things as (
       select id, id as target_id from asked
       union select a.id, r.hotel_id from asked a join ops.favorite_rooms r on r.room_id = a.id
     )
     select * from things t where exists (select from ops.favorite_watches w where w.target_id = t.target_id)`,
    [ids],
  );
  const watched = groupBy(rows, ({ id }) => id);
  return ids.map((id) => (watched.get(id) ?? []).map(({ target_id }) => target_id));
}, MOST_AT_ONCE);

export interface WatchRow {
  readonly person_id: string;
  readonly kind: string;
  readonly target_id: string;
  readonly reasons: readonly WatchReason[];
  /** `YYYY-MM-DD`. */
  readonly check_in: string | null;
  readonly check_out: string | null;
  readonly guests: number | null;
  readonly price_minor: number | null;
  readonly is_free: boolean | null;
  readonly told: number;
}

const WATCHES = `
  select person_id, kind, target_id, reasons, check_in::text, check_out::text, guests, price_minor, is_free, told
  from ops.favorite_watches where target_id = $1`;

/** What one person watches of a thing. */
export const watchesOfOne = async (pool: Queryable, targetId: string, person: string): Promise<WatchRow[]> =>
  (await pool.query<WatchRow>(`${WATCHES} and person_id = $2`, [targetId, person])).rows;

/** Some watches of a thing, ordered by person. @param after the person of the last row before; null: from the first on */
export const watchesOf = async (
  pool: Queryable,
  targetId: string,
  after: string | null,
  most: number,
): Promise<WatchRow[]> => {
  const { rows } = await pool.query<WatchRow>(
    `${WATCHES} and ($2::uuid is null or person_id > $2) order by person_id limit $3`,
    [targetId, after, most],
  );
  return rows;
};

/** What the person knows from now on. @returns whether it was still as in `row`; otherwise nothing is changed */
export const learn = async (
  db: Queryable,
  row: WatchRow,
  known: Pick<WatchRow, 'price_minor' | 'is_free' | 'told'>,
): Promise<boolean> => {
  const { rowCount } = await db.query(
    `update ops.favorite_watches set price_minor = $4, is_free = $5, told = $6
     where person_id = $1 and kind = $2 and target_id = $3 and price_minor is not distinct from $7
       and is_free is not distinct from $8 and told = $9 and check_in is not distinct from $10::date`,
    [
      ...[row.person_id, row.kind, row.target_id, known.price_minor, known.is_free, known.told],
      ...[row.price_minor, row.is_free, row.told, row.check_in],
    ],
  );
  return rowCount === 1;
};
