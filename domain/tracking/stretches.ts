/**
 * From fixes as they were sent to the stretches of a track: in order of time, without outliers, each without a pause. What
 * happens within a pause is unknown, so that nothing is ever measured from one stretch to the next.
 */
import { MINUTE_MS } from '../core/instants.ts';
import { type Fix, metresBetween, wrongPosition } from './point.ts';

/** Fixes in order of time, with altitudes that are smoothed. */
export type Stretch = readonly Fix[];

const FASTEST_M_PER_S = 150 / 3.6;
/** Two fixes so far apart in time have a pause between them. */
export const PAUSE_MS = MINUTE_MS;
/** So many fixes that agree with each other show that the one before them was the outlier. */
const WITNESSES = 3;
/** Fixes that an altitude is averaged over. */
const SMOOTHED_OVER = 5;

/** In order of time, each number and each time once. The same for any order in which they came. */
const ordered = (fixes: readonly Fix[]): Fix[] => {
  const usable = fixes.filter((fix) => wrongPosition(fix) === undefined).sort((a, b) => a.at - b.at || a.seq - b.seq);
  const seen = new Set<number>();
  let last: number | undefined;
  return usable.filter(({ seq, at }) => {
    if (seen.has(seq) || at === last) return false;
    seen.add(seq);
    last = at;
    return true;
  });
};

/** The uncertainty of both ends is not movement. */
const isTooFast = (a: Fix, b: Fix): boolean =>
  Math.max(0, metresBetween(a, b) - a.acc - b.acc) > (FASTEST_M_PER_S * (b.at - a.at)) / 1_000;

/**
 * Divides fixes at pauses, and drops those that nobody could have reached. When several dropped ones agree with each other,
 * the track goes on there, as a stretch of its own.
 */
const divided = (fixes: readonly Fix[]): Fix[][] => {
  const stretches: Fix[][] = [];
  let current: Fix[] = [];
  let suspects: Fix[] = [];
  const begin = (first: Fix[]): void => {
    current = first;
    suspects = [];
    stretches.push(current);
  };
  for (const fix of fixes) {
    const last = current.at(-1);
    if (!last || fix.at - last.at > PAUSE_MS) begin([fix]);
    else if (!isTooFast(last, fix)) {
      current.push(fix);
      suspects = [];
    } else {
      const suspect = suspects.at(-1);
      suspects = suspect && !isTooFast(suspect, fix) ? [...suspects, fix] : [fix];
      if (suspects.length === WITNESSES) begin(suspects);
    }
  }
  return stretches;
};

/** The average of the neighbours on both sides, of fewer at the ends, so that it is never moved in time. */
const smoothed = (stretch: readonly Fix[]): Stretch =>
  stretch.map((fix, index) => {
    const reach = Math.min((SMOOTHED_OVER - 1) / 2, index, stretch.length - 1 - index);
    let sum = 0;
    for (let near = index - reach; near <= index + reach; near += 1) sum += (stretch[near] as Fix).alt;
    const { seq, at, lat, lon, acc } = fix;
    return { seq, at, lat, lon, alt: sum / (2 * reach + 1), acc };
  });

/** A stretch of one fix says nothing. */
export const stretchesOf = (fixes: readonly Fix[]): Stretch[] =>
  divided(ordered(fixes))
    .filter(({ length }) => length > 1)
    .map(smoothed);
