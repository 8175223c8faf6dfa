/** The legs of a stretch: where it climbs and where it drops, seen with a hysteresis, and what each of them is. */

import type { Level } from './altitudes.ts';
import { isAlong, type LiftLine } from './lifts.ts';
import { metresBetween, offsetTo, pathBetween } from './point.ts';
import type { Stretch } from './stretches.ts';

/** Altitude turns when it has moved so far away from its last extreme. Less is noise. */
export const HYSTERESIS_M = 15;
/**
 * A lift rises at least so far, so fast and so steeply, and is no faster than a cable car. Whoever climbs on foot is slower,
 * and roads are flatter and wind. A slow one (a drag lift on a gentle slope) is known by its speed on the ground.
 */
const LIFT = { riseM: 30, mPerS: 0.5, gradient: 0.07, fastestMPerS: 13 };
const SLOW_LIFT = { alongMPerS: 2, gradient: 0.1, besideM: 25 };
/** Cable cars are faster than other lifts, and straight; others may have a corner. */
const CABLE_CAR = { alongMPerS: 7.5, besideM: 40 };
/** How much longer the way of a lift with corners is than the straight line, by steps of so many metres. */
const CORNERS = { share: 1.1, stepM: 50 };
/** How many fixes of a straight ride may seem to be beside it. */
const STRAYING = 0.1;
/** How far from its place at each time a cabin may be: metres, or the way of so many seconds. */
const STEADY = { metres: 20, seconds: 3 };
/** Nobody goes so fast, so far on the flat or uphill but in a vehicle. */
const DRIVE = { mPerS: 6, metres: 500 };
/** A slope is at least so steep. What drops less on its way is a road, a walk or noise. */
const SLOPE_GRADIENT = 0.03;
/** A drop leads at least so far away, and so far for each of its metres. Who sits at a table stays where they are. */
const AWAY = { metres: 50, perMetre: 0.7 };
/** Less than this is the noise of a device that lies still. */
const STEP_M = 8;
/** Who stands for so long may go on in another way. */
export const LONG_STAND_MS = 60_000;
/** Tops and bottoms are found by the lines on both sides, from so far before and after them. */
const LINE_MS = 8_000;
/** How much of a step between two fixes the lines may miss: people ski faster and slower. */
const UNSTEADY = 0.2;

/** Indexes of the first and the last fix. Legs follow each other: each begins where the one before it ends. */
export interface Leg {
  readonly from: number;
  readonly to: number;
  /**
   * `descent`: downhill on a slope. `climb`: uphill on foot, or a bump. `lift`: carried by a lift, up or down. `drive`:
   * carried otherwise. `flat`: none of these.
   */
  readonly kind: 'descent' | 'climb' | 'lift' | 'drive' | 'flat';
  /** Metres from the first to the last fix; negative for a drop. */
  readonly rise: number;
  /** On its way, by steps from one place to the next that is clearly another one. */
  readonly metres: number;
}

/** The indexes at which altitude turns, by a running baseline: the extreme since the last turn. */
const turnsOf = (stretch: Stretch): number[] => {
  const altOf = (index: number): number => stretch[index]?.alt ?? 0;
  const turns: number[] = [];
  let [low, high, direction] = [0, 0, 0];
  for (let index = 1; index < stretch.length; index += 1) {
    if (altOf(index) < altOf(low)) low = index;
    if (altOf(index) > altOf(high)) high = index;
    if (direction >= 0 && altOf(high) - altOf(index) >= HYSTERESIS_M) {
      turns.push(high);
      low = index;
      direction = -1;
    } else if (direction <= 0 && altOf(index) - altOf(low) >= HYSTERESIS_M) {
      turns.push(low);
      high = index;
      direction = 1;
    }
    // Only the extreme in the present direction counts; the other one begins anew at each turn.
    if (direction < 0) high = low;
    if (direction > 0) low = high;
  }
  if (direction !== 0) turns.push(direction < 0 ? low : high);
  return turns;
};

/** The indexes at which somebody has stood for long begins and ends: what follows may be another thing. */
const standsOf = (stretch: Stretch): number[] => {
  const ends: number[] = [];
  for (let from = 0; from < stretch.length; from += 1) {
    if (!stretch[from]?.isStanding) continue;
    let to = from;
    while (stretch[to + 1]?.isStanding && stretch[to + 1]?.alt === stretch[from]?.alt) to += 1;
    if ((stretch[to] as Level).at - (stretch[from] as Level).at >= LONG_STAND_MS) ends.push(from, to);
    from = to;
  }
  return ends;
};

/** The fix before or after another one that is at least some seconds away. */
const away = (stretch: Stretch, index: number, step: 1 | -1): number => {
  let found = index + step;
  const { at } = stretch[index] ?? { at: Number.NaN };
  while (stretch[found] && Math.abs((stretch[found] as Level).at - at) < LINE_MS) found += step;
  return found;
};

/**
 * The altitude of a turn. Means cut it off, and of a device that records seldom it lies between two fixes: it is where the
 * line that leads up to it meets the one that leads down. Who stood at the top has fixes there.
 */
const turnAt = (stretch: Stretch, index: number): number => {
  const at = stretch[index] as Level;
  const [before, after] = [away(stretch, index, -1), away(stretch, index, 1)];
  const [a, b, c, d] = [away(stretch, before, -1), before, after, away(stretch, after, 1)].map((n) => stretch[n]);
  if (!a || !b || !c || !d || at.isStanding || b.isStanding || c.isStanding) return at.alt;
  const [left, right] = [(b.alt - a.alt) / (b.at - a.at), (d.alt - c.alt) / (d.at - c.at)];
  if (Math.sign(left) === Math.sign(right)) return at.alt;
  const atLeft = b.alt + left * (at.at - b.at);
  const atRight = c.alt - right * (c.at - at.at);
  const nearer = left > 0 ? Math.min(atLeft, atRight) : Math.max(atLeft, atRight);
  const step = Math.max(Math.abs(at.alt - b.alt), Math.abs(at.alt - c.alt));
  if (Math.abs(nearer - at.alt) > Math.max(HYSTERESIS_M / 3, UNSTEADY * step)) return at.alt;
  const meet = (c.alt - b.alt + left * b.at - right * c.at) / (left - right);
  if (meet < b.at || meet > c.at) return at.alt;
  const top = b.alt + left * (meet - b.at);
  return left > 0 ? Math.max(at.alt, top) : Math.min(at.alt, top);
};

/** Metres between fixes, by steps from one place to the next that is clearly another one. */
export const metresOf = (stretch: Stretch, from: number, to: number, stepM = STEP_M): number => {
  let metres = 0;
  let anchor = stretch[from] as Level;
  for (let index = from + 1; index <= to; index += 1) {
    const step = pathBetween(anchor, stretch[index] as Level);
    if (step < stepM) continue;
    metres += step;
    anchor = stretch[index] as Level;
  }
  return metres;
};

/** Where a rise or drop was this share of it, between two fixes. */
const placeAt = (
  stretch: Stretch,
  { from, to, rise }: Pick<Leg, 'from' | 'to' | 'rise'>,
  share: number,
  last: boolean,
) => {
  const base = (stretch[from] as Level).alt;
  const shareOf = (index: number): number => ((stretch[index] as Level).alt - base) / rise;
  let after = last ? to : from;
  if (last) while (after > from && shareOf(after - 1) >= share) after -= 1;
  else while (after < to && shareOf(after) <= share) after += 1;
  const before = Math.max(from, after - 1);
  const [a, b] = [stretch[before] as Level, stretch[after] as Level];
  const part = Math.min(1, Math.max(0, (share - shareOf(before)) / (shareOf(after) - shareOf(before) || 1)));
  const between = (name: 'at' | 'lat' | 'lon' | 'alt'): number => a[name] + (b[name] - a[name]) * part;
  return { index: after, at: between('at'), lat: between('lat'), lon: between('lon'), alt: between('alt') };
};

/** Whether nearly all fixes lie on the line from the first to the last one, so many metres beside it at most. */
const isStraight = (part: Stretch, besideM: number): boolean => {
  const [first, last] = [part[0] as Level, part.at(-1) as Level];
  const line = offsetTo(first, last);
  const length = Math.hypot(line.east, line.north) || 1;
  const beside = part.filter((fix) => {
    const at = offsetTo(first, fix);
    return Math.abs(at.east * line.north - at.north * line.east) / length > besideM;
  });
  return beside.length <= part.length * STRAYING;
};

/** Whether only a lift goes uphill so. @param way from a tenth to nine tenths of the rise: people wait below and stand above */
const isLift = (way: Stretch): boolean => {
  const [start, end] = [way[0] as Level, way.at(-1) as Level];
  const [rise, metres, seconds] = [
    end.alt - start.alt,
    Math.max(1, metresBetween(start, end)),
    (end.at - start.at) / 1_000,
  ];
  const [along, gradient] = [metres / seconds, rise / metres];
  if (along > LIFT.fastestMPerS || gradient < LIFT.gradient) return false;
  if (along > CABLE_CAR.alongMPerS) return isStraight(way, CABLE_CAR.besideM);
  if (rise / seconds >= LIFT.mPerS)
    return metresOf(way, 0, way.length - 1, CORNERS.stepM) <= CORNERS.share * Math.hypot(metres, rise) + CORNERS.stepM;
  return along >= SLOW_LIFT.alongMPerS && gradient >= SLOW_LIFT.gradient && isStraight(way, SLOW_LIFT.besideM);
};

/**
 * Whether somebody was carried up by a lift from one fix to another while nothing was recorded: many watches record nothing
 * on lifts. How long it took says little, because nobody knows how long they waited.
 */
export const isUnrecordedLift = (from: Level, to: Level): boolean => {
  const [rise, metres, seconds] = [to.alt - from.alt, metresBetween(from, to), (to.at - from.at) / 1_000];
  return (
    rise >= LIFT.riseM &&
    metres >= Math.max(AWAY.metres, AWAY.perMetre * rise) &&
    rise >= LIFT.gradient * metres &&
    metres <= LIFT.fastestMPerS * seconds
  );
};

/** The fastest that skis glide on a slope, in metres a second: against air and snow, on a long way, generously. */
const fastestOn = (gradient: number): number => Math.sqrt(Math.max(0, gradient - 0.02) / 0.000_2);

const leadsAway = (stretch: Stretch, from: number, to: number, rise: number): boolean => {
  const first = stretch[from] as Level;
  const least = Math.max(AWAY.metres, AWAY.perMetre * Math.abs(rise));
  for (let index = from; index <= to; index += 1)
    if (metresBetween(first, stretch[index] as Level) >= least) return true;
  return false;
};

/** A rise or a drop between a tenth and nine tenths of it. */
const middleOf = (stretch: Stretch, leg: Pick<Leg, 'from' | 'to' | 'rise'>): Stretch => {
  const [start, end] = [placeAt(stretch, leg, 0.1, false), placeAt(stretch, leg, 0.9, true)];
  const at = (place: typeof start): Level => ({ ...(stretch[place.index] as Level), ...place });
  return [at(start), ...stretch.slice(start.index, end.index), at(end)];
};

/** Whether a way downhill is straight and as fast everywhere: a run under a lift is neither. */
const isSteady = (way: Stretch): boolean => {
  const [first, last] = [way[0] as Level, way.at(-1) as Level];
  const speed = pathBetween(first, last) / ((last.at - first.at) / 1_000);
  const hasItsPlace = ({ at, lat, lon }: Level): boolean => {
    const share = (at - first.at) / (last.at - first.at);
    const place = { lat: first.lat + (last.lat - first.lat) * share, lon: first.lon + (last.lon - first.lon) * share };
    return metresBetween(place, { lat, lon }) <= Math.max(STEADY.metres, STEADY.seconds * speed);
  };
  return way.filter(hasItsPlace).length >= way.length * (1 - STRAYING);
};

const speedOf = (way: Stretch): number =>
  metresOf(way, 0, way.length - 1) / Math.max(1, ((way.at(-1) as Level).at - (way[0] as Level).at) / 1_000);

const kindOf = (stretch: Stretch, leg: Omit<Leg, 'kind'>, lines: readonly LiftLine[]): Leg['kind'] => {
  const { from, to, rise, metres } = leg;
  if (Math.abs(rise) < HYSTERESIS_M) {
    const isFast = speedOf(stretch.slice(from, to + 1)) >= DRIVE.mPerS && metres >= DRIVE.metres;
    return isFast ? 'drive' : 'flat';
  }
  if (lines.some((line) => isAlong(line, stretch, from, to)) && (rise > 0 || isSteady(stretch.slice(from, to + 1))))
    return 'lift';
  const gradient = Math.abs(rise) / Math.max(1, metres);
  const way = middleOf(stretch, leg);
  if (rise < 0) {
    if (!leadsAway(stretch, from, to, rise)) return 'flat';
    if (speedOf(way) > Math.max(DRIVE.mPerS, fastestOn(gradient))) return 'drive';
    return gradient >= SLOPE_GRADIENT ? 'descent' : 'flat';
  }
  if (rise < LIFT.riseM) return 'flat';
  if (isLift(way)) return 'lift';
  if (speedOf(way) >= DRIVE.mPerS) return 'drive';
  const [start, end] = [way[0] as Level, way.at(-1) as Level];
  if (!leadsAway(stretch, from, to, rise) || gradient < SLOPE_GRADIENT) return 'flat';
  return (end.alt - start.alt) / ((end.at - start.at) / 1_000) >= LIFT.mPerS ? 'lift' : 'climb';
};

/** @param lines the resort's lifts: without them, a lift that carries people down is taken for a descent */
export const legsOf = (stretch: Stretch, lines: readonly LiftLine[]): Leg[] => {
  const turns = new Set(turnsOf(stretch));
  const bounds = [...new Set([0, ...turns, ...standsOf(stretch), stretch.length - 1])].sort((a, b) => a - b);
  const altitudes = bounds.map((index) => (turns.has(index) ? turnAt(stretch, index) : (stretch[index] as Level).alt));
  return bounds.slice(1).map((to, index): Leg => {
    const from = bounds[index] as number;
    const rise = (altitudes[index + 1] as number) - (altitudes[index] as number);
    const leg = { from, to, rise, metres: metresOf(stretch, from, to) };
    return { ...leg, kind: kindOf(stretch, leg, lines) };
  });
};
