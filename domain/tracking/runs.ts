/** The runs and rides of a track, from its legs. A run is what leads downhill from one ride to the next. */
import type { Level } from './altitudes.ts';
import { isUnrecordedLift, type Leg, LONG_STAND_MS, metresOf } from './legs.ts';
import { offsetTo, pathBetween } from './point.ts';
import type { Stretch } from './stretches.ts';

/** A run drops at least so far. */
const RUN_M = 30;
/** Of this time the speed is told; of that one it is told whether it is that of skiing, so that errors say less. */
const WINDOW_MS = 5_000;
const LONG_WINDOW_MS = 20_000;
const STANDING_M_PER_S = 0.5;
/**
 * Who was carried up skis when they go down faster than people walk; who was not, when they are faster than people jog: in
 * a quarter of the time in which they move.
 */
const SKIING = { afterRideMPerS: 2, mPerS: 5 };
/** On the flat, who is slower walks, and their way is not part of the run. */
const WALKING = { mPerS: 2, gradient: 0.02 };
/** A lift that stops goes on in the same direction, within this angle and time. */
const SAME_RIDE = { radians: 0.3, ms: 10 * 60_000 };

/** A part of a descent, of some seconds or as long as the device takes from one fix to the next. */
export interface Window {
  readonly seconds: number;
  /** Metres on its way. */
  readonly metres: number;
  /** From its beginning to its end. */
  readonly mPerS: number;
  readonly drop: number;
  /** As the device measured it, at the end; null: it did not. */
  readonly measuredMPerS: number | null;
}

export interface Run {
  /** Metres of descent. */
  readonly drop: number;
  /** The parts in which the person moved. */
  readonly moving: readonly Window[];
}

interface Ride {
  readonly from: Level;
  readonly to: Level;
}

export interface RunsAndRides {
  readonly runs: readonly Run[];
  readonly rides: readonly Ride[];
  /** Metres climbed on foot. */
  readonly ascent: number;
}

const windowsOf = (stretch: Stretch, { from, to }: Leg, atLeastMs: number): Window[] => {
  // What is left at the end belongs to the last window.
  const bounds = [from];
  for (let index = from + 1; index <= to; index += 1)
    if ((stretch[index] as Level).at - (stretch[bounds.at(-1) as number] as Level).at >= atLeastMs) bounds.push(index);
  if (bounds.length > 1) bounds[bounds.length - 1] = to;
  return bounds.slice(1).map((last, index): Window => {
    const first = bounds[index] as number;
    const [start, end] = [stretch[first] as Level, stretch[last] as Level];
    const seconds = (end.at - start.at) / 1_000;
    const path = pathBetween(start, end);
    // Steps of a device that moves slowly are noise; its straight way is known.
    const metres = Math.max(path, metresOf(stretch, first, last));
    return { seconds, metres, mPerS: path / seconds, drop: start.alt - end.alt, measuredMPerS: end.speed ?? null };
  });
};

/** The speed below which this share of the time lies that was spent in the windows; 0 of none. */
const speedAt = (windows: readonly Window[], share: number): number => {
  const sorted = windows.toSorted((a, b) => a.mPerS - b.mPerS);
  let left = share * sorted.reduce((sum, { seconds }) => sum + seconds, 0);
  for (const { seconds, mPerS } of sorted) {
    left -= seconds;
    if (left <= 0) return mPerS;
  }
  return sorted.at(-1)?.mPerS ?? 0;
};

const isWalked = ({ mPerS, drop, seconds }: Window): boolean =>
  mPerS < WALKING.mPerS && Math.abs(drop) < WALKING.gradient * mPerS * seconds;

/** What leads downhill since the last ride, or since a climb on foot. */
interface Descent {
  readonly drop: number;
  readonly short: readonly Window[];
  readonly long: readonly Window[];
  readonly afterRide: boolean;
}

const isMoving = (window: Window): boolean => window.mPerS >= STANDING_M_PER_S && !isWalked(window);
const isSkied = ({ long, afterRide }: Descent): boolean =>
  speedAt(long.filter(isMoving), 0.75) >= (afterRide ? SKIING.afterRideMPerS : SKIING.mPerS);

/** Descents with nothing but climbs between them as a run, as far as they were skied. */
const runOf = (descents: readonly Descent[]): Run[] => {
  const skied = descents.filter(isSkied);
  const drop = skied.reduce((sum, each) => sum + each.drop, 0);
  return drop >= RUN_M ? [{ drop, moving: skied.flatMap(({ short }) => short.filter(isMoving)) }] : [];
};

const directionOf = ({ from, to }: Ride): number => {
  const { east, north } = offsetTo(from, to);
  return Math.atan2(east, north);
};

/** Whether a ride is the same one after a stop, or after a time in which nothing was recorded. */
const goesOn = (before: Ride, ride: Ride): boolean => {
  const turned = Math.abs(directionOf(before) - directionOf(ride));
  return ride.from.at - before.to.at <= SAME_RIDE.ms && Math.min(turned, 2 * Math.PI - turned) <= SAME_RIDE.radians;
};

const isLongStand = (stretch: Stretch, { from, to, kind }: Leg): boolean => {
  const [first, last] = [stretch[from] as Level, stretch[to] as Level];
  return kind === 'flat' && first.isStanding && last.isStanding && last.at - first.at >= LONG_STAND_MS;
};

/**
 * Runs and rides in their order. A run goes on over climbs, and over a pause that nobody was carried up in; a ride ends it.
 * Small rises are taken off its drop. What leads to a drive or on from it is no run, unless the person has stood for long
 * in between.
 */
export const runsAndRides = (
  tracks: readonly { readonly stretch: Stretch; readonly legs: readonly Leg[] }[],
): RunsAndRides => {
  const runs: Run[] = [];
  const rides: Ride[] = [];
  let [ascent, isDriving] = [0, false];
  const next = (afterRide: boolean): Descent => ({ drop: 0, short: [], long: [], afterRide });
  // The last one goes on. What was done until the last long stand is kept for what a drive follows.
  let descents: readonly Descent[] = [next(false)];
  let beforeStand: readonly Descent[] = [];
  let left: Level | undefined;
  const endRun = (of: readonly Descent[], afterRide: boolean): void => {
    runs.push(...runOf(of));
    [descents, beforeStand] = [[next(afterRide)], []];
  };
  const ride = (one: Ride): void => {
    const before = rides.at(-1);
    const hasDropped = descents.reduce((sum, { drop }) => sum + drop, 0) >= RUN_M;
    if (before && !hasDropped && goesOn(before, one)) rides[rides.length - 1] = { ...before, to: one.to };
    else rides.push(one);
    endRun(descents, true);
    isDriving = false;
  };
  const change = (of: (last: Descent) => Partial<Descent>): void => {
    const last = descents.at(-1) as Descent;
    descents = [...descents.slice(0, -1), { ...last, ...of(last) }];
  };
  const take = (stretch: Stretch, leg: Leg): void => {
    if (leg.kind === 'lift') ride({ from: stretch[leg.from] as Level, to: stretch[leg.to] as Level });
    else if (leg.kind === 'drive') {
      endRun(beforeStand, false);
      isDriving = true;
    } else if (leg.kind === 'climb') {
      ascent += leg.rise;
      descents = [...descents, next(false)];
    } else if (isLongStand(stretch, leg)) [beforeStand, isDriving] = [descents, false];
    else if (leg.kind === 'descent' && !isDriving)
      change(({ drop, short, long }) => ({
        drop: drop - leg.rise,
        short: [...short, ...windowsOf(stretch, leg, WINDOW_MS)],
        long: [...long, ...windowsOf(stretch, leg, LONG_WINDOW_MS)],
      }));
    else if (leg.rise > 0) change(({ drop }) => ({ drop: Math.max(0, drop - leg.rise) }));
  };
  for (const { stretch, legs } of tracks) {
    const first = stretch[0] as Level;
    if (left && isUnrecordedLift(left, first)) ride({ from: left, to: first });
    for (const leg of legs) take(stretch, leg);
    left = stretch.at(-1);
  }
  endRun(descents, false);
  return { runs, rides, ascent };
};
