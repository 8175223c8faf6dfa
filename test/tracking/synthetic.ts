/** Synthetic tracks of which the truth is known: what a skier did exactly, and what a device with noise has recorded. */
import type { Fix } from '../../domain/tracking/point.ts';
import { randomFrom } from '../kit/random.ts';

/** What was really done. */
interface Truth {
  distanceM: number;
  verticalM: number;
  runs: number;
  lifts: number;
  fastestKmh: number;
}

const START = Date.parse('2026-01-10T07:00:00Z');
const [LAT, LON] = [43.68, 40.2];
const M_PER_DEGREE = 111_195;

/** A person who moves by metres from a start on a mountain, recorded once a second. */
export const skier = ({ seed = 1, noise = 1, startMs = START } = {}) => {
  const random = randomFrom(seed);
  const gauss = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const fixes: Fix[] = [];
  const truth: Truth = { distanceM: 0, verticalM: 0, runs: 0, lifts: 0, fastestKmh: 0 };
  let [east, north, alt, at, seq] = [0, 0, 2_000, startMs, 0];
  // Errors of positions drift: that of the next second is much like the one before.
  let [driftEast, driftNorth] = [0, 0];
  const record = (): void => {
    driftEast = 0.95 * driftEast + 0.8 * noise * gauss();
    driftNorth = 0.95 * driftNorth + 0.8 * noise * gauss();
    fixes.push({
      seq: seq++,
      at,
      lat: LAT + (north + driftNorth + 0.5 * noise * gauss()) / M_PER_DEGREE,
      lon: LON + (east + driftEast + 0.5 * noise * gauss()) / (M_PER_DEGREE * Math.cos((LAT * Math.PI) / 180)),
      alt: alt + 2.5 * noise * gauss(),
      acc: 5,
    });
    at += 1_000;
  };
  const move = (heading: number, metres: number, rise: number): void => {
    east += metres * Math.sin(heading);
    north += metres * Math.cos(heading);
    alt += rise;
    record();
  };
  const one = {
    fixes,
    truth,
    /** Turns down the slope: `mPerS` on the ground, 1 metre of drop on 4. A bump is a climb in the middle of it. */
    run: (drop: number, mPerS: number, bump = 0) => {
      const seconds = Math.round(drop / (mPerS / 4));
      for (let s = 0; s < seconds; s += 1) {
        if (bump > 0 && s === Math.floor(seconds / 2)) for (let up = 0; up < bump; up += 0.25) move(Math.PI, 1, 0.25);
        move(Math.PI + 0.9 * Math.sin((2 * Math.PI * s) / 12), mPerS, -mPerS / 4);
      }
      truth.distanceM += seconds * Math.hypot(mPerS, mPerS / 4) + bump * 4 * Math.hypot(1, 0.25);
      truth.verticalM += (seconds * mPerS) / 4;
      truth.runs += 1;
      truth.fastestKmh = Math.max(truth.fastestKmh, mPerS * 3.6);
      return one;
    },
    /** A chairlift: 5 m/s along the rope. */
    lift: (rise: number) => {
      for (let up = 0; up < rise; up += 1.5) move(0, 4.8, 1.5);
      truth.lifts += 1;
      return one;
    },
    /** A cable car downhill, 10 m/s. */
    cabinDown: (drop: number) => {
      for (let down = 0; down < drop; down += 3) move(Math.PI, 9.5, -3);
      truth.lifts += 1;
      return one;
    },
    climb: (rise: number) => {
      for (let up = 0; up < rise; up += 0.2) move(0, 0.8, 0.2);
      truth.distanceM += (rise / 0.2) * Math.hypot(0.8, 0.2);
      return one;
    },
    stand: (seconds: number) => {
      for (let s = 0; s < seconds; s += 1) move(0, 0, 0);
      return one;
    },
    /** The device is off, and is carried meanwhile. */
    off: (seconds: number, { rise = 0, metres = 0 } = {}) => {
      at += seconds * 1_000;
      alt += rise;
      north += metres;
      return one;
    },
    /** Where the person is, without noise. */
    place: () => ({
      lat: LAT + north / M_PER_DEGREE,
      lon: LON + east / (M_PER_DEGREE * Math.cos((LAT * Math.PI) / 180)),
    }),
  };
  return one;
};
