/** Tables that are free for lunch near the lifts and slopes. */
import { sql } from 'kysely';
import { placesOf } from '../../domain/plans/links.ts';
import type { PlanMountain } from '../../domain/plans/moves.ts';
import { BY_THE_WAY_M, type FreeTable } from '../../domain/plans/plan.ts';
import { areNear } from '../../domain/resort/geometry.ts';
import { type RestaurantRow, restaurants } from '../catalog/listings.ts';
import { offeredTables } from '../catalog/slotOffers.ts';
import { kilometresTo } from '../catalog/sql.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';

/** A sitting that can be booked. */
export interface LunchTable extends FreeTable {
  readonly restaurantId: string;
  readonly name: string;
  readonly currency: string;
  readonly slotStart: string;
  readonly slotEnd: string;
  /** The deposit. */
  readonly totalMinor: number;
}

/** Restaurants that are looked at, the nearest to the middle of the mountain first; of those by the way, this many. */
const MOST_SEARCHED = 100;
const MOST_BY_THE_WAY = 8;
const SEARCH_KM = 30;

const publishedAround = (db: ReadDb, [lon = 0, lat = 0]: readonly number[]): Promise<RestaurantRow[]> => {
  const distance = kilometresTo('location', { lat, lon });
  return tables(db, restaurants)
    .selectFrom('restaurants')
    .selectAll()
    .where('status', '=', 'published')
    .where(sql<boolean>`${distance} <= ${SEARCH_KM}`)
    .orderBy(distance)
    .orderBy('id')
    .limit(MOST_SEARCHED)
    .execute();
};

export interface LunchAsked {
  /** `YYYY-MM-DD`, at the resort. */
  readonly date: string;
  readonly guests: number;
  /** Now, RFC 3339. */
  readonly at: string;
}

/** The free tables at restaurants by the way, one for each restaurant and time: the smallest that seats the party. */
export const lunchTables = async (
  db: ReadDb,
  mountain: PlanMountain,
  { date, guests, at }: LunchAsked,
): Promise<readonly LunchTable[]> => {
  const places = placesOf(mountain);
  const [middle] = places;
  if (!middle) return [];
  const near = (await publishedAround(db, middle))
    .filter(({ location: { longitude, latitude } }) => areNear([[longitude, latitude]], places, BY_THE_WAY_M))
    .slice(0, MOST_BY_THE_WAY);
  const found = await Promise.all(
    near.map(async (row) => {
      const free = (await offeredTables(db, row, { date, guests, at })).filter(({ available }) => available);
      const bySlot = new Map(free.toReversed().map((slot) => [slot.slotStart, slot]));
      return [...bySlot.values()].map(
        ({ slotStart, slotEnd, totalMinor }): LunchTable => ({
          place: [row.location.longitude, row.location.latitude],
          startsAt: Date.parse(slotStart),
          restaurantId: row.id,
          name: row.name,
          currency: row.currency,
          slotStart,
          slotEnd,
          totalMinor,
        }),
      );
    }),
  );
  return found.flat();
};
