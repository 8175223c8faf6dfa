/** Counts the queue at each open lift: from passages at its gates, and from people who record their tracks near it. */
import { addMs, instantOf, MINUTE_MS } from '../../domain/core/instants.ts';
import { operatedOf } from '../../domain/resort/facility.ts';
import { waitingAtGates } from '../../domain/resort/gateQueue.ts';
import { endsOf, type LineString } from '../../domain/resort/geometry.ts';
import { type LiftDetails, lift } from '../../domain/resort/lift.ts';
import { stateAt } from '../../domain/resort/operation.ts';
import { liftQueue, QUEUE_VALID_MS } from '../../domain/resort/queue.ts';
import {
  type BottomStation,
  type LastSeen,
  ON_MOUNTAIN_MS,
  SEEN_MS,
  shareSeen,
  skierQueue,
  standingAtLifts,
} from '../../domain/resort/skierQueue.ts';
import type { Queryable } from '../../infra/postgres.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { defineJob } from '../core/jobs.ts';
import { timezoneNow } from '../platform/timezone.ts';
import { type LastFix, lastFixes } from '../tracking/lastFixes.ts';
import { firstOf } from './clock.ts';
import type { ResortDeps } from './deps.ts';
import { passagesOf, passesSince } from './passages.ts';
import { reportQueue } from './queues.ts';

type Deps = Pick<ResortDeps, 'aggregates' | 'pool' | 'settings'>;

const EVERY_MS = 30_000;
/** A count of people that stays the same is told again after this long, so that it stays valid. */
const AGAIN_MS = 3 * MINUTE_MS;

/** The queue behind the gates as it was at the last passage: nothing while its age would make it invalid. */
const countAtGates = async (
  deps: Deps,
  context: CommandContext,
  liftId: string,
  { capacityPerHour }: LiftDetails,
): Promise<void> => {
  if (capacityPerHour === null || deps.settings.liftGatesAt === 'boarding') return;
  const { arrivals, statuses } = await passagesOf(deps.pool, liftId, context.at);
  const last = arrivals.at(-1)?.at ?? 0;
  const people = waitingAtGates(arrivals, statuses, capacityPerHour);
  if (people === null || last <= Date.parse(context.at) - QUEUE_VALID_MS.scans) return;
  const measuredAt = instantOf(last);
  await reportQueue(deps, context, liftId, 'scans', { people, minutes: null, measuredAt });
};

const setStation = async (db: Queryable, liftId: string, geometry: LineString): Promise<void> => {
  const [[lon, lat] = []] = endsOf(geometry, 'up').bottom;
  await db.query(
    `insert into ops.lift_stations (lift_id, lon, lat) values ($1, $2, $3)
     on conflict (lift_id) do update set lon = excluded.lon, lat = excluded.lat`,
    [liftId, lon, lat],
  );
};
const removeStation = async (db: Queryable, liftId: string): Promise<void> => {
  await db.query('delete from ops.lift_stations where lift_id = $1', [liftId]);
};

const seen = ({ at, lat, lon, speed, beforeAt, beforeLat, beforeLon }: LastFix): LastSeen => ({
  at,
  place: [lon, lat],
  speed,
  before: beforeAt === null ? null : { at: beforeAt, place: [beforeLon as number, beforeLat as number] },
});

interface Counted {
  readonly at: number;
  readonly standing: ReadonlyMap<string, number>;
  readonly share: number | null;
}
/** Everybody is looked at once for all lifts. Of each process. */
const counts = new WeakMap<object, Promise<Counted>>();
const COUNT_MAX_AGE_MS = 10_000;

const countSkiers = async (db: Queryable, at: string): Promise<Counted> => {
  const fixes = await lastFixes(db, addMs(at, -SEEN_MS), at);
  const { rows } = await db.query<{ lift_id: string; lon: number; lat: number }>(
    'select lift_id, lon, lat from ops.lift_stations',
  );
  const stations = rows.map(({ lift_id, lon, lat }): BottomStation => ({ liftId: lift_id, place: [lon, lat] }));
  return {
    at: Date.parse(at),
    standing: standingAtLifts(fixes.map(seen), stations, Date.parse(at)),
    share: shareSeen(fixes.length, await passesSince(db, addMs(at, -ON_MOUNTAIN_MS))),
  };
};

const skiersNow = async ({ pool }: Deps, at: string): Promise<Counted> => {
  const known = await counts.get(pool)?.catch(() => undefined);
  if (known && Math.abs(Date.parse(at) - known.at) < COUNT_MAX_AGE_MS) return known;
  const counted = countSkiers(pool, at);
  counts.set(pool, counted);
  return counted;
};

const countStanding = async (deps: Deps, context: CommandContext, liftId: string): Promise<void> => {
  const { at, standing, share } = await skiersNow(deps, context.at);
  const queue = skierQueue(standing.get(liftId) ?? 0, share);
  const { skiers: told } = (await deps.aggregates.load(liftQueue, liftId)).state;
  if (queue === null) {
    // A number that was told is not true any more; the lower one is not told.
    if (told) await reportQueue(deps, context, liftId, 'skiers', null);
    return;
  }
  const isSame = told !== null && told.people === queue.people && told.isAtLeast === queue.isAtLeast;
  if (isSame && at - Date.parse(told.measuredAt) < AGAIN_MS) return;
  await reportQueue(deps, context, liftId, 'skiers', {
    ...queue,
    minutes: null,
    measuredAt: instantOf(at),
  });
};

/** @returns when to count again; undefined: never, the lift is retired */
const countQueues = async (deps: Deps, context: CommandContext, liftId: string) => {
  const { state } = await deps.aggregates.load(lift, liftId);
  if (state.status === 'none') return undefined;
  const { at } = context;
  const { status, until } = stateAt(operatedOf(state), await timezoneNow(deps), at);
  if (status !== 'open' && status !== 'hold') {
    await removeStation(deps.pool, liftId);
    return state.status === 'retired' ? undefined : { againAt: firstOf(at, [until]) };
  }
  await setStation(deps.pool, liftId, state.details.geometry);
  await countAtGates(deps, followUp(context, 'scans'), liftId, state.details);
  await countStanding(deps, followUp(context, 'skiers'), liftId);
  return { againAt: addMs(at, EVERY_MS) };
};

/** The id is that of the lift. */
export const liftQueueJob = defineJob<object, ResortDeps>('lift_queue_count', ({ id }, { deps, context }) =>
  countQueues(deps, context, id),
);
