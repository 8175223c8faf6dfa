/** A day of skiers on a mountain, invented from a seed: what they really do. It asks and tells nobody. */
import { HOUR_MS, MINUTE_MS } from '../../domain/core/instants.ts';
import { metresBetween } from '../../domain/resort/geometry.ts';
import { randomFrom } from '../kit/random.ts';
import type { Place, SimulatedMountain } from './mountain.ts';

/** All times are in milliseconds since the epoch. */
export interface Plan {
  readonly mountain: SimulatedMountain;
  readonly skiers: number;
  /** Which share of them record their tracks. */
  readonly recording: number;
  readonly seed: number;
  readonly from: number;
  readonly until: number;
}

interface Leg {
  readonly from: number;
  readonly to: number;
  readonly path: readonly Place[];
}
interface Skier {
  readonly records: boolean;
  readonly legs: Leg[];
  /** When each run ended, and how far down it led, in metres. */
  readonly runs: { readonly at: number; readonly drop: number }[];
}
interface Ride {
  readonly skier: number;
  /** Index of the lift. */
  readonly lift: number;
  readonly cameAt: number;
  readonly boardsAt: number;
}
export interface Day extends Plan {
  readonly people: readonly Skier[];
  /** In the order in which they came. */
  readonly rides: readonly Ride[];
}

/** People of a chair or a cabin. */
export const SEATS = 4;
/** All have come to their first lift by then. */
const COME_WITHIN_MS = 10 * MINUTE_MS;
const [SLOWEST, FASTEST] = [6, 11]; // metres a second, downhill
/** How often somebody at the bottom of a slope takes another one where a lift begins, too. */
const GOES_ON = 0.3;

const lengthOf = (path: readonly Place[]): number =>
  path.slice(1).reduce((sum, place, n) => sum + metresBetween(path[n] as Place, place), 0);
const firstOf = (path: readonly Place[]): Place => path[0] as Place;
const lastOf = (path: readonly Place[]): Place => path.at(-1) as Place;

/** Chairs leave one after the other; whoever comes takes the first seat that is free. */
const chairLift = (capacity: number, from: number) => {
  const everyMs = (SEATS / capacity) * HOUR_MS;
  let [chair, taken] = [0, 0];
  return (cameAt: number): number => {
    const next = Math.ceil((cameAt - from) / everyMs);
    if (next > chair) [chair, taken] = [next, 0];
    else if (taken === SEATS) [chair, taken] = [chair + 1, 0];
    taken += 1;
    return from + chair * everyMs;
  };
};

/** The same plan leads to the same day. */
export const simulateDay = (plan: Plan): Day => {
  const { mountain, from, until } = plan;
  const random = randomFrom(plan.seed);
  const oneOf = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const lifts = mountain.lifts.map((lift, index) => ({ ...lift, index, board: chairLift(lift.capacity, from) }));
  const liftsAt = (place: string) => lifts.filter((lift) => lift.from === place);
  const slopesAt = (place: string) => mountain.slopes.filter((slope) => slope.from === place);

  const rides: Ride[] = [];
  // By the second in which somebody comes to a lift: in the order of time, without sorting all of them again.
  const coming = new Map<number, { skier: number; lift: number; at: number }[]>();
  const come = (skier: number, lift: number, at: number): void => {
    const second = Math.floor(at / 1_000);
    coming.set(second, [...(coming.get(second) ?? []), { skier, lift, at }]);
  };
  const people = Array.from({ length: plan.skiers }, (_, n): Skier => {
    const lift = oneOf(lifts);
    const at = from + random() * COME_WITHIN_MS;
    const [lon, lat, alt] = firstOf(lift.path);
    come(n, lift.index, at);
    const walk: Leg = { from, to: at, path: [[lon - 0.008, lat, alt], firstOf(lift.path)] };
    return { records: n < plan.skiers * plan.recording, legs: [walk], runs: [] };
  });

  /** Down from a place, until a lift is taken. */
  const ski = ({ legs, runs }: Skier, top: string, at: number): { readonly lift: number; readonly at: number } => {
    let [place, time, drop] = [top, at, 0];
    for (;;) {
      const [down, up] = [slopesAt(place), liftsAt(place)];
      const takesLift = up.length > 0 && (down.length === 0 || (place !== top && random() > GOES_ON));
      if (takesLift || down.length === 0) {
        if (drop > 0) runs.push({ at: time, drop });
        return { lift: oneOf(up).index, at: time };
      }
      const slope = oneOf(down);
      const took = (lengthOf(slope.path) / (SLOWEST + random() * (FASTEST - SLOWEST))) * 1_000;
      legs.push({ from: time, to: time + took, path: slope.path });
      drop += firstOf(slope.path)[2] - lastOf(slope.path)[2];
      [place, time] = [slope.to, time + took];
    }
  };
  for (let second = Math.floor(from / 1_000); second <= until / 1_000; second += 1)
    for (const { skier, lift: index, at } of (coming.get(second) ?? []).toSorted((a, b) => a.at - b.at)) {
      const [who, lift] = [people[skier] as Skier, lifts[index] as (typeof lifts)[number]];
      const boardsAt = lift.board(at);
      const upAt = boardsAt + lift.minutes * MINUTE_MS;
      rides.push({ skier, lift: index, cameAt: at, boardsAt });
      who.legs.push({ from: at, to: boardsAt, path: [firstOf(lift.path)] });
      who.legs.push({ from: boardsAt, to: upAt, path: lift.path });
      const next = ski(who, lift.to, upAt);
      come(skier, next.lift, next.at);
    }
  return { ...plan, people, rides };
};

/** How many people wait at a lift: all, or those who record. */
export const waitingAt = ({ rides, people }: Day, lift: number, at: number, who: 'all' | 'recorders' = 'all'): number =>
  rides.filter(
    (ride) =>
      ride.lift === lift && ride.cameAt <= at && at < ride.boardsAt && (who === 'all' || people[ride.skier]?.records),
  ).length;

const M_PER_DEGREE = 111_195;
const NOISE_M = 4;

/** The piece of a way on which a skier is, and how much of it lies behind. */
const pieceAt = ({ people }: Day, skier: number, at: number) => {
  const legs = people[skier]?.legs ?? [];
  const leg = legs.findLast(({ from }) => from <= at) ?? (legs[0] as Leg);
  const pieces = leg.path.length - 1;
  const part = Math.min(1, Math.max(0, (at - leg.from) / (leg.to - leg.from || 1))) * pieces;
  const [from, to] = [leg.path[Math.floor(part)] as Place, leg.path[Math.ceil(part)] as Place];
  const tookMs = at > leg.to ? Number.POSITIVE_INFINITY : (leg.to - leg.from) / pieces;
  return { from, to, share: part - Math.floor(part), tookMs };
};

/** Where a skier is, as a phone sees it. */
export const placeAt = (day: Day, skier: number, at: number): Place => {
  const { from, to, share } = pieceAt(day, skier, at);
  const between = (n: 0 | 1 | 2): number => from[n] + (to[n] - from[n]) * share;
  const random = randomFrom(day.seed + skier * 7_919 + Math.floor(at / 1_000));
  const noise = () => ((random() - 0.5) * 2 * NOISE_M) / M_PER_DEGREE;
  return [between(0) + noise(), between(1) + noise(), between(2) + (random() - 0.5) * 2];
};

/** How fast a skier is, in metres a second, as a phone measures it. */
export const speedAt = (day: Day, skier: number, at: number): number => {
  const { from, to, tookMs } = pieceAt(day, skier, at);
  return tookMs > 0 ? (metresBetween(from, to) / tookMs) * 1_000 : 0;
};
