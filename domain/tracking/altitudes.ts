/**
 * Altitudes that can be added up. What devices measure is wrong by some metres at every fix, by some more for minutes, and
 * now and then by hundreds. Every window is one of time, so that a day comes to the same however often it is recorded.
 */
import { MINUTE_MS } from '../core/instants.ts';
import { altitudeAlong, type LiftLine } from './lifts.ts';
import { type Fix, metresBetween } from './point.ts';

/** A fix whose altitude is known. `isStanding`: the person stood still there. */
export type Level = Omit<Fix, 'alt'> & { readonly alt: number; readonly isStanding: boolean };

type Known = Omit<Fix, 'alt'> & { readonly alt: number };

/** Of this time before and after a fix the mean counts. */
const MEAN_MS = 7_000;
/** What goes up or down so far and comes back within so short a time is an error: no lift and no run is so short. */
const PEAK = { metres: 50, ms: 25_000 };
/** Of a device that records seldom, a single fix that stands out so far, from others that go in one direction but for noise. */
const SPIKE = { metres: 15, noiseM: 6, noiseShare: 0.2, beyondM: 40, atEndM: 100, atEndMPerS: 5, atEndShare: 0.3 };
/** Lifts do not climb faster, and racers do not drop faster; this much of a step may be noise. */
const FASTEST = { riseMPerS: 7, dropMPerS: 12, noiseM: 25 };
/** Metres up or down a second, of lifts and most skiers. */
const USUAL_M_PER_S = 3;
/** An altitude that has jumped and jumps back within this time was wrong in between. */
const WRONG_FOR_MS = 3 * MINUTE_MS;
/** Who stays within this distance for so long stands. */
const STANDING = { metres: 20, ms: 20_000 };

const medianOf = (values: number[]): number => {
  const sorted = values.sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
};

/** The index range of the fixes within a time around each fix, the same on both sides so that nothing moves in time. */
const around = (
  fixes: readonly Known[],
  ms: number,
  of: (from: number, to: number, index: number) => number,
): number[] => {
  const [start, end] = [(fixes[0] as Known).at, (fixes.at(-1) as Known).at];
  let [from, to] = [0, 0];
  return fixes.map(({ at }, index) => {
    const reach = Math.min(ms, at - start, end - at);
    while ((fixes[from] as Known).at < at - reach) from += 1;
    // The reach shrinks towards the end, so that the last index goes back there.
    while (to + 1 < fixes.length && (fixes[to + 1] as Known).at <= at + reach) to += 1;
    while ((fixes[to] as Known).at > at + reach) to -= 1;
    while (from > 0 && (fixes[from - 1] as Known).at >= at - reach) from -= 1;
    return of(from, to, index);
  });
};

const withAltitudes = <T extends Known>(fixes: readonly T[], altitudes: readonly number[]): T[] =>
  fixes.map((fix, index) => ({ ...fix, alt: altitudes[index] as number }));

/** Altitudes where the device knew none: of the lift that it was on, otherwise between those before and after. */
const filled = (fixes: readonly Fix[], lines: readonly LiftLine[]): Known[] => {
  const altitudes = fixes.map((fix) => (fix.alt === null || fix.alt === 0 ? altitudeAlong(lines, fix) : fix.alt));
  const known = altitudes.flatMap((alt, index) => (alt === null ? [] : [index]));
  if (known.length === 0) return [];
  let next = 0;
  return fixes.map((fix, index) => {
    while (next < known.length && (known[next] as number) < index) next += 1;
    const [before, after] = [known[next - 1] ?? known[next], known[next] ?? known[next - 1]] as [number, number];
    const [a, b] = [altitudes[before] as number, altitudes[after] as number];
    const [from, to] = [(fixes[before] as Fix).at, (fixes[after] as Fix).at];
    return { ...fix, alt: to > from ? a + ((b - a) * (fix.at - from)) / (to - from) : a };
  });
};

/**
 * What the altitude of a fix should be if it stands out of the two on each side; undefined: it does not. It stands out if they
 * go in one direction without it, or if it lies far beyond the lines that lead to it from both sides.
 */
const withoutSpike = (fixes: readonly Known[], index: number): number | undefined => {
  const [a, b, fix, c, d] = [-2, -1, 0, 1, 2].map((n) => fixes[index + n]);
  const [inner, outer] = b ? [b, a] : [c, d];
  if (fix && inner && outer && (!b || !c)) {
    const far = Math.abs(fix.alt - inner.alt);
    const least = Math.max(SPIKE.atEndM, (SPIKE.atEndMPerS * Math.abs(fix.at - inner.at)) / 1_000);
    return far >= least && Math.abs(inner.alt - outer.alt) < SPIKE.atEndShare * far ? inner.alt : undefined;
  }
  if (!b || !fix || !c || Math.sign(fix.alt - b.alt) !== Math.sign(fix.alt - c.alt)) return undefined;
  const sign = Math.sign(fix.alt - b.alt);
  const height = Math.min(Math.abs(fix.alt - b.alt), Math.abs(fix.alt - c.alt));
  if (height < SPIKE.metres) return undefined;
  const noise = Math.max(SPIKE.noiseM, SPIKE.noiseShare * height);
  const steps = [a ? b.alt - a.alt : 0, c.alt - b.alt, d ? d.alt - c.alt : 0];
  const isOneWay = steps.every((step) => step < noise) || steps.every((step) => step > -noise);
  const between = b.alt + ((c.alt - b.alt) * (fix.at - b.at)) / (c.at - b.at);
  if (isOneWay) return between;
  const [left, right] = [
    a ? b.alt + ((b.alt - a.alt) * (fix.at - b.at)) / (b.at - a.at) : b.alt,
    d ? c.alt + ((c.alt - d.alt) * (c.at - fix.at)) / (d.at - c.at) : c.alt,
  ];
  const beyond = Math.min(...[left, right, b.alt, c.alt].map((alt) => sign * (fix.alt - alt)));
  const steepest = Math.max(SPIKE.beyondM, ...steps.map(Math.abs));
  return beyond >= steepest ? sign * Math.max(sign * between, Math.min(sign * left, sign * right)) : undefined;
};

const withoutSpikes = (fixes: readonly Known[]): Known[] =>
  fixes.map((fix, index) => ({ ...fix, alt: withoutSpike(fixes, index) ?? fix.alt }));

/** The nearest fix before or after another one, and not too long, whose altitude is so many metres lower (`sign` 1) or higher. */
const farther = (fixes: readonly Known[], index: number, step: 1 | -1, sign: 1 | -1): Known | undefined => {
  const { alt, at } = fixes[index] as Known;
  for (let n = index + step; ; n += step) {
    const fix = fixes[n];
    if (!fix || Math.abs(fix.at - at) > PEAK.ms) return undefined;
    if (sign * (alt - fix.alt) >= PEAK.metres) return fix;
  }
};

/** Takes out peaks and pits that are too short to be true. */
const withoutShort = (fixes: readonly Known[]): Known[] =>
  fixes.map((fix, index) => {
    for (const sign of [1, -1] as const) {
      const before = farther(fixes, index, -1, sign);
      const after = before && farther(fixes, index, 1, sign);
      if (!before || !after || after.at - before.at > PEAK.ms) continue;
      return { ...fix, alt: before.alt + ((after.alt - before.alt) * (fix.at - before.at)) / (after.at - before.at) };
    }
    return fix;
  });

/** Takes out steps that nobody makes: the altitude was wrong before, or is wrong until it jumps back. */
const withoutJumps = (fixes: readonly Known[]): Known[] => {
  let [offset, jumped, jumpedAt] = [0, 0, Number.NEGATIVE_INFINITY];
  const altitudes = fixes.map((fix, index) => {
    const before = fixes[index - 1];
    if (!before) return fix.alt;
    const [step, seconds] = [fix.alt - before.alt, (fix.at - before.at) / 1_000];
    // Meanwhile the person has moved on.
    const moved = USUAL_M_PER_S * ((fix.at - jumpedAt) / 1_000) + FASTEST.noiseM;
    const isBack =
      jumped !== 0 &&
      fix.at - jumpedAt <= WRONG_FOR_MS &&
      Math.abs(step + jumped) <= Math.max(moved, 0.3 * Math.abs(jumped)) &&
      Math.sign(step) !== Math.sign(jumped);
    if (isBack) {
      offset += jumped;
      jumped = 0;
    } else if (
      step > FASTEST.riseMPerS * seconds + FASTEST.noiseM ||
      -step > FASTEST.dropMPerS * seconds + FASTEST.noiseM
    ) {
      [jumped, jumpedAt] = [step, fix.at];
      offset -= step;
    }
    return fix.alt + offset;
  });
  return withAltitudes(fixes, altitudes);
};

/** Who stands does not change the altitude: all fixes of a stand have its median. */
const withStands = (fixes: readonly Known[]): Level[] => {
  const levels: Level[] = [];
  for (let from = 0; from < fixes.length; ) {
    let { lat, lon } = fixes[from] as Known;
    let to = from;
    for (let next = fixes[to + 1]; next && metresBetween({ lat, lon }, next) <= STANDING.metres; next = fixes[to + 1]) {
      to += 1;
      const weight = 1 / (to - from + 1);
      lat += (next.lat - lat) * weight;
      lon += (next.lon - lon) * weight;
    }
    const isStanding = (fixes[to] as Known).at - (fixes[from] as Known).at >= STANDING.ms;
    if (!isStanding) {
      levels.push({ ...(fixes[from] as Known), isStanding });
      from += 1;
      continue;
    }
    const alt = medianOf(fixes.slice(from, to + 1).map((fix) => fix.alt));
    for (const fix of fixes.slice(from, to + 1)) levels.push({ ...fix, alt, isStanding });
    from = to + 1;
  }
  return levels;
};

const smoothed = (levels: readonly Level[]): Level[] => {
  const sums = [0];
  for (const { alt } of levels) sums.push((sums.at(-1) as number) + alt);
  const means = around(levels, MEAN_MS, (from, to, index) => {
    const { alt, isStanding } = levels[index] as Level;
    return isStanding ? alt : ((sums[to + 1] as number) - (sums[from] as number)) / (to - from + 1);
  });
  return withAltitudes(levels, means);
};

/**
 * The fixes of a stretch with altitudes that can be added up; none where no altitude is known.
 * @param lines the resort's lifts: their altitudes are those of a device on them that knows none
 */
export const levelled = (fixes: readonly Fix[], lines: readonly LiftLine[]): Level[] => {
  const known = filled(fixes, lines);
  return known.length === 0 ? [] : smoothed(withStands(withoutShort(withoutJumps(withoutSpikes(known)))));
};
