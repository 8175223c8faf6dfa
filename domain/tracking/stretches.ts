/**
 * From fixes as they were sent to the stretches of a track: in order of time, without outliers, each without a pause. What
 * happens within a pause is unknown: only that somebody is much higher after it is told, because only a lift does that.
 */
import { MINUTE_MS } from '../core/instants.ts';
import { type Level, levelled } from './altitudes.ts';
import type { LiftLine } from './lifts.ts';
import { type Fix, metresBetween, wrongPosition } from './point.ts';

/** Fixes in order of time, whose altitudes are known and smooth. */
export type Stretch = readonly Level[];

const FASTEST_M_PER_S = 150 / 3.6;
/**
 * Two fixes so far apart in time have a pause between them. Of a device that records seldom, a pause is three times as long
 * as its fixes are usually apart, within these bounds.
 */
export const PAUSE_MS = 3 * MINUTE_MS;
const LONGEST_PAUSE_MS = 15 * MINUTE_MS;
/** So many fixes that agree with each other show that the one before them was the outlier. */
const WITNESSES = 3;

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

/** How long a pause is at least, by the fixes of a track in the order of time. */
const pauseOf = (fixes: readonly Fix[]): number => {
  const steps = fixes.slice(1).map(({ at }, index) => at - (fixes[index] as Fix).at);
  const usual = steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  return Math.min(LONGEST_PAUSE_MS, Math.max(PAUSE_MS, 3 * usual));
};

/** The uncertainty of both ends is not movement. */
const isTooFast = (a: Fix, b: Fix): boolean =>
  Math.max(0, metresBetween(a, b) - a.acc - b.acc) > (FASTEST_M_PER_S * (b.at - a.at)) / 1_000;

/**
 * Divides fixes at pauses, and drops those that nobody could have reached. When several dropped ones agree with each other,
 * the track goes on there, as a stretch of its own.
 */
const divided = (fixes: readonly Fix[]): Fix[][] => {
  const pauseMs = pauseOf(fixes);
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
    if (!last || fix.at - last.at > pauseMs) begin([fix]);
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

/** Fixes without pauses and outliers, as the device sent them. */
export const recordedStretches = (fixes: readonly Fix[]): Fix[][] => divided(ordered(fixes));

/** Those whose altitudes are known. @param lines the resort's lifts, which tell altitudes where the device knows none */
export const stretchesOf = (recorded: readonly (readonly Fix[])[], lines: readonly LiftLine[] = []): Stretch[] =>
  recorded.map((fixes) => levelled(fixes, lines)).filter(({ length }) => length > 0);
