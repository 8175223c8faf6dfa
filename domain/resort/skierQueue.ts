/**
 * The queue at a lift, from people who record their tracks and stand at its lower station. They are a sample: their number
 * is divided by the share of skiers who are seen now. They are counted, never named.
 */
import { HOUR_MS, MINUTE_MS } from '../core/instants.ts';
import { metresBetween } from './geometry.ts';
import { MOST_WAITING } from './queue.ts';

/** Longitude and latitude. */
type Place = readonly [number, number];

/** Where somebody was last. Times are in milliseconds since the epoch. */
export interface LastSeen {
  readonly at: number;
  readonly place: Place;
  /** In metres a second, as the device has measured it; null: it has not. */
  readonly speed: number | null;
  /** The fix before; null: there is none. */
  readonly before: { readonly at: number; readonly place: Place } | null;
}
/** The lower station of an open lift. */
export interface BottomStation {
  readonly liftId: string;
  readonly place: Place;
}

/** An older fix says nothing of now: devices send what they have every half minute. */
export const SEEN_MS = 2 * MINUTE_MS;
/** A queue is so near to its station. */
const NEAR_M = 60;
/** Of two stations that are equally far, nobody can say at which one somebody waits. */
const CLEARLY_M = 25;
/** People who are faster ride by, or up. Without a measured speed, fixes that are further apart in time do not tell. */
const MOVING = { mPerS: 2, withinMs: 15_000 };

/** Fewer are not told: they could be recognised. */
export const FEWEST_COUNTED = 5;
/** A share is computed from at least this many, of which it is a share and who are seen. */
const FEWEST_FOR_SHARE = { scanned: 50, seen: 20 };

const isMoving = ({ at, place, speed, before }: LastSeen): boolean => {
  if (speed !== null) return speed > MOVING.mPerS;
  if (before === null || at <= before.at || at - before.at > MOVING.withinMs) return false;
  return (metresBetween(before.place, place) / (at - before.at)) * 1_000 > MOVING.mPerS;
};

/** The lift at whose lower station a place is; undefined: at none, or it could be another one. */
const liftNear = (place: Place, stations: readonly BottomStation[]): string | undefined => {
  const near = stations
    .map(({ liftId, place: station }) => ({ liftId, metres: metresBetween(place, station) }))
    .toSorted((a, b) => a.metres - b.metres);
  const [nearest, second] = near;
  if (!nearest || nearest.metres > NEAR_M) return undefined;
  return second && second.metres - nearest.metres < CLEARLY_M ? undefined : nearest.liftId;
};

/** How many people stand at the lower station of each lift. @param now in milliseconds since the epoch */
export const standingAtLifts = (
  skiers: readonly LastSeen[],
  stations: readonly BottomStation[],
  now: number,
): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const skier of skiers) {
    if (now - skier.at > SEEN_MS || isMoving(skier)) continue;
    const liftId = liftNear(skier.place, stations);
    if (liftId !== undefined) counts.set(liftId, (counts.get(liftId) ?? 0) + 1);
  }
  return counts;
};

/**
 * Of whom it is taken that they are on the mountain: passes with which somebody passed a gate within this time. Few
 * ride for longer where there is no gate, and few leave within it.
 */
export const ON_MOUNTAIN_MS = 2 * HOUR_MS;

/**
 * Which share of the skiers could be counted; null: not known.
 * @param seen people with a fix that is young enough to be counted, wherever they are
 * @param scanned passes that are on the mountain
 */
export const shareSeen = (seen: number, scanned: number): number | null =>
  scanned < FEWEST_FOR_SHARE.scanned || seen < FEWEST_FOR_SHARE.seen ? null : Math.min(1, seen / scanned);

/** What to tell of people who were counted; null: nothing. */
export const skierQueue = (
  counted: number,
  share: number | null,
): { readonly people: number; readonly isAtLeast?: true } | null => {
  if (counted < FEWEST_COUNTED) return null;
  if (share !== null) return { people: Math.min(MOST_WAITING, Math.round(counted / share)) };
  // In steps, so that nobody's coming or going can be seen.
  return { people: counted - (counted % FEWEST_COUNTED), isAtLeast: true };
};
