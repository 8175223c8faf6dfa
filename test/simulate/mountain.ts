/** The mountain of a simulation: the lifts and slopes of the demo, or some of them, beside it so that no station is both. */
import { liftDetails, type SampleLift, sampleLifts, sampleSlopes, slopeDetails } from '../../ops/seed/mountain.ts';

/** Longitude, latitude, altitude in metres. */
export type Place = readonly [number, number, number];

interface SimulatedLift {
  readonly name: string;
  readonly kind: SampleLift['kind'];
  /** Names of the places that it connects. */
  readonly from: string;
  readonly to: string;
  readonly path: readonly Place[];
  /** People in an hour. */
  readonly capacity: number;
  readonly minutes: number;
  /** What is to tell how many wait at it. Lifts whose source is `skiers` have no gates. */
  readonly source: 'scans' | 'skiers' | 'manual';
}
interface SimulatedSlope {
  readonly from: string;
  readonly to: string;
  readonly path: readonly Place[];
}
export interface SimulatedMountain {
  readonly lifts: readonly SimulatedLift[];
  /** Those that lead to a lift. */
  readonly slopes: readonly SimulatedSlope[];
}

/** Degrees to the east of the demo. */
const BESIDE = 1;
const beside = (coordinates: readonly (readonly number[])[]): Place[] =>
  coordinates.map(([lon = 0, lat = 0, alt = 0]) => [lon + BESIDE, lat, alt]);

const YEAR = 2026;
const NO_IDS = { lift: () => '', slope: () => '' };

/** Without gates: people who record their tracks are counted there. No other lift begins at the same place. */
const WITHOUT_GATES: readonly string[] = ['Pikhta', 'Medvezhy', 'Greben'];
/** Operators count there, too: what they say comes before what its gate says. */
const BY_HAND: readonly string[] = ['Strela'];

const sourceOf = (name: string): SimulatedLift['source'] => {
  if (BY_HAND.includes(name)) return 'manual';
  return WITHOUT_GATES.includes(name) ? 'skiers' : 'scans';
};

/** @param capacityOf people in an hour; undefined: the lift does not run */
export const mountainOf = (capacityOf: (lift: SampleLift) => number | undefined): SimulatedMountain => {
  const lifts = sampleLifts.flatMap((sample): SimulatedLift[] => {
    const capacity = capacityOf(sample);
    if (capacity === undefined) return [];
    const { name, kind, from, to, minutes } = sample;
    const { coordinates } = liftDetails(sample, YEAR).geometry;
    return [{ name, kind, from, to, minutes, capacity, path: beside(coordinates), source: sourceOf(name) }];
  });
  const starts = new Set(lifts.map(({ from }) => from));
  const slopes = sampleSlopes
    .filter(({ to }) => starts.has(to))
    .map((sample) => ({
      from: sample.from,
      to: sample.to,
      path: beside(slopeDetails(sample, YEAR, NO_IDS).geometry.coordinates as number[][]),
    }));
  return { lifts, slopes };
};
