/** Which tracks nobody can have skied, and which are copies of others. Pure: it says what looks wrong, not who cheats. */
import { fnv1a } from '../core/fnv1a.ts';
import type { Fix } from './point.ts';
import type { Suspicion } from './review.ts';
import type { TrackSummary } from './summary.ts';

/** What one person can do in a day, generously. */
export const MOST_A_DAY = {
  distanceM: 300_000,
  verticalM: 40_000,
  runs: 300,
  lifts: 300,
  ascentM: 15_000,
  movingS: 86_400,
  maxSpeedKmh: 150,
};
/** Faster than skiers on public slopes, and slower than a car: the 95th percentile of a track, not a single moment. */
const FASTEST_KMH = 130;
/** Metres of descent a second of movement, over a whole track. Racers in a steep downhill drop 8. */
const FASTEST_DROP = 10;

/** What looks wrong in the numbers of a track. @param isMocked whether the device says that positions were simulated */
export const suspicionsOf = (summary: TrackSummary, isMocked: boolean): Suspicion[] => {
  const { maxSpeedKmh, verticalM, distanceM, runs, movingS } = summary;
  const found: [Suspicion['kind'], boolean][] = [
    ['impossible_speed', maxSpeedKmh > FASTEST_KMH],
    [
      'impossible_vertical',
      verticalM > MOST_A_DAY.verticalM || runs > MOST_A_DAY.runs || verticalM > FASTEST_DROP * Math.max(60, movingS),
    ],
    ['impossible_distance', distanceM > MOST_A_DAY.distanceM],
    ['mock_location', isMocked],
  ];
  return found.flatMap(([kind, is]) => (is ? [{ kind }] : []));
};

/** Numbers of a fingerprint. With half of them in common, chance is ruled out. */
const PRINT_SIZE = 64;
/** A track with fewer places says nothing. */
const LEAST_PLACES = 2 * PRINT_SIZE;

/** 31 bits: it fits PostgreSQL's `int`. */
const hashOf = (text: string): number => {
  const hash = fnv1a(text);
  // The last characters must reach all bits: the smallest hashes are a sample of the places only then.
  const mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 1;
};

/**
 * The fingerprint of the places of a track, to 0.1 m: a sample of them that is the same for the same places (the smallest
 * hashes), in whatever order and at whatever times they were visited. Noise makes every real track another one, also of
 * devices that are carried side by side. Empty: too few places.
 */
export const printOf = (fixes: readonly Pick<Fix, 'lat' | 'lon'>[]): number[] => {
  const hashes = new Set(fixes.map(({ lat, lon }) => hashOf(`${lat.toFixed(6)} ${lon.toFixed(6)}`)));
  return hashes.size < LEAST_PLACES ? [] : [...hashes].toSorted((a, b) => a - b).slice(0, PRINT_SIZE);
};

/** Whether at least half of the places of two tracks are the same, estimated from their fingerprints. */
export const isCopy = (a: readonly number[], b: readonly number[]): boolean => {
  if (a.length === 0 || b.length === 0) return false;
  const both = [...new Set([...a, ...b])].toSorted((x, y) => x - y).slice(0, PRINT_SIZE);
  const [inA, inB] = [new Set(a), new Set(b)];
  return both.filter((hash) => inA.has(hash) && inB.has(hash)).length >= PRINT_SIZE / 2;
};
