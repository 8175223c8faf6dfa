/** The legs of a stretch: where it climbs and where it drops, seen with a hysteresis, and what each of them is. */
import { isAlong, type LiftLine } from './lifts.ts';
import type { Stretch } from './stretches.ts';

/** Altitude turns when it has moved so far away from its last extreme. Less is noise. */
export const HYSTERESIS_M = 10;
/** A lift rises at least so far, and so fast. Whoever climbs on foot is slower; a bump in a run is lower. */
const LIFT = { riseM: 30, mPerS: 0.4 };

/** Indexes of the first and the last fix. Legs follow each other: each begins where the one before it ends. */
export interface Leg {
  readonly from: number;
  readonly to: number;
  /**
   * `descent`: downhill, on the snow. `climb`: uphill on foot, or a bump. `lift`: carried, up or down. `flat`: neither,
   * at the ends of a stretch.
   */
  readonly kind: 'descent' | 'climb' | 'lift' | 'flat';
  /** Metres from the first to the last fix; negative for a drop. */
  readonly rise: number;
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

/** Metres a second between a tenth and nine tenths of a rise: people wait in queues and stand at the top. */
const rateOf = (stretch: Stretch, from: number, to: number, rise: number): number => {
  const part = stretch.slice(from, to + 1);
  const base = part[0]?.alt ?? 0;
  const first = part.findLast(({ alt }) => alt <= base + 0.1 * rise);
  const last = part.find(({ alt }) => alt >= base + 0.9 * rise);
  if (!first || !last || last.at <= first.at) return Number.POSITIVE_INFINITY;
  return ((last.alt - first.alt) / (last.at - first.at)) * 1_000;
};

const kindOf = (stretch: Stretch, from: number, to: number, rise: number, lines: readonly LiftLine[]): Leg['kind'] => {
  if (Math.abs(rise) < HYSTERESIS_M) return 'flat';
  if (lines.some((line) => isAlong(line, stretch, from, to))) return 'lift';
  if (rise < 0) return 'descent';
  return rise >= LIFT.riseM && rateOf(stretch, from, to, rise) >= LIFT.mPerS ? 'lift' : 'climb';
};

/** @param lines the resort's lifts: without them, a lift that carries people down is taken for a descent */
export const legsOf = (stretch: Stretch, lines: readonly LiftLine[]): Leg[] => {
  const bounds = [...new Set([0, ...turnsOf(stretch), stretch.length - 1])];
  return bounds.slice(1).map((to, index): Leg => {
    const from = bounds[index] ?? 0;
    const rise = (stretch[to]?.alt ?? 0) - (stretch[from]?.alt ?? 0);
    return { from, to, rise, kind: kindOf(stretch, from, to, rise, lines) };
  });
};
