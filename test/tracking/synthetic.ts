/** Invented days of which the truth is known: what a person did exactly, and what a device with its errors has recorded. */
import type { Fix } from '../../domain/tracking/point.ts';
import { randomFrom } from '../kit/random.ts';

/** What was really done. */
interface Truth {
  /** Metres skied. */
  distanceM: number;
  /** Metres of descent on skis. */
  verticalM: number;
  runs: number;
  lifts: number;
  fastestKmh: number;
}

/** Where the person really was, once a second; `isRide`: on a lift. `isOff`: the device was switched off. */
interface Moment {
  readonly at: number;
  readonly east: number;
  readonly north: number;
  readonly alt: number;
  readonly mPerS: number;
  readonly isRide: boolean;
  readonly isOff: boolean;
}

/** How a device records. Errors are in metres (standard deviations), times in seconds. */
export interface Device {
  readonly seed?: number;
  /** Seconds from one fix to the next, and how much they differ. */
  readonly every?: number;
  readonly jitter?: number;
  /** Of each altitude by itself, and of all of some minutes. */
  readonly altitude?: number;
  readonly altitudeDrift?: number;
  readonly position?: number;
  /** Share of the altitudes that are wrong by up to 250 m; of bursts of them, 3 to 20 seconds long, per hour. */
  readonly outliers?: number;
  readonly burstsAnHour?: number;
  /** Which part of each ride is recorded. */
  readonly rides?: 'whole' | 'ends' | 'none';
  /** `some`: every other altitude is missing. */
  readonly altitudes?: 'known' | 'missing' | 'zero' | 'some';
  readonly speed?: boolean;
}

const START = Date.parse('2026-01-10T07:00:00Z');
// On the mountain of the demo: what is skied elsewhere is not compared with others.
const [LAT, LON] = [43.66, 40.3];
const M_PER_DEGREE = 111_195;
const DRIFT_S = 120;

interface Slope {
  readonly gradient?: number;
  /** Stops of 10 to 30 seconds, about every minute. */
  readonly stops?: boolean;
  readonly bump?: number;
  /** How far a turn leads away from the fall line, in radians. */
  readonly turns?: number;
  /** Speeds rise and fall around the mean one. */
  readonly unsteady?: boolean;
  /** It is the rest of the run before. */
  readonly goesOn?: boolean;
}

/** A person who moves by metres from a start on a mountain. The same seed leads to the same day. */
export const person = ({ seed = 1, startMs = START, device = {} as Device } = {}) => {
  const random = randomFrom(seed);
  const moments: Moment[] = [];
  const truth: Truth = { distanceM: 0, verticalM: 0, runs: 0, lifts: 0, fastestKmh: 0 };
  let [east, north, alt, at] = [0, 0, 2_000, startMs];
  let isRide = false;
  let isOff = false;
  const move = (heading: number, metres: number, rise: number): void => {
    east += metres * Math.sin(heading);
    north += metres * Math.cos(heading);
    alt += rise;
    moments.push({ at, east, north, alt, mPerS: Math.hypot(metres, rise), isRide, isOff });
    at += 1_000;
  };
  const ride = (rise: number, perS: number, gradient: number, heading: number): void => {
    isRide = true;
    for (let done = 0; done < Math.abs(rise); done += perS) move(heading, perS / gradient, Math.sign(rise) * perS);
    isRide = false;
    truth.lifts += 1;
  };
  const one = {
    moments,
    truth,
    /** Turns down the slope; `mPerS` on the ground. A bump is a climb in the middle. */
    run: (
      drop: number,
      mPerS: number,
      { gradient = 0.25, stops, bump = 0, turns = 0.9, unsteady, goesOn }: Slope = {},
    ) => {
      let [left, s, nextStop] = [drop, 0, 40 + 40 * random()];
      let climbed = false;
      const phase = random() * 6;
      for (; left > 0; s += 1) {
        if (stops && s > nextStop) {
          one.stand(10 + Math.round(20 * random()));
          nextStop = s + 40 + 40 * random();
        }
        if (bump > 0 && !climbed && left < drop / 2) {
          for (let up = 0; up < bump; up += 0.25) move(Math.PI, 1, 0.25);
          climbed = true;
        }
        const speed = mPerS * (unsteady ? 1 + 0.35 * Math.sin(s / 9 + phase) : 1);
        const fall = Math.min(left, speed * gradient * (unsteady ? 1 + 0.3 * Math.sin(s / 23 + phase) : 1));
        move(Math.PI + turns * Math.sin((2 * Math.PI * s) / 12), speed, -fall);
        left -= fall;
        truth.distanceM += Math.hypot(speed, fall);
        truth.fastestKmh = Math.max(truth.fastestKmh, speed * 3.6);
      }
      truth.verticalM += drop;
      truth.runs += goesOn ? 0 : 1;
      return one;
    },
    /** A chairlift: metres of rise a second, and how steep. */
    lift: (rise: number, { perS = 1.5, gradient = 0.3125, heading = 0 } = {}) => {
      ride(rise, perS, gradient, heading);
      return one;
    },
    /** A cable car downhill, 10 m/s. */
    cabinDown: (drop: number) => {
      ride(-drop, 3, 0.316, Math.PI);
      return one;
    },
    climb: (rise: number) => {
      for (let up = 0; up < rise; up += 0.2) move(0, 0.8, 0.2);
      return one;
    },
    stand: (seconds: number) => {
      for (let s = 0; s < seconds; s += 1) move(0, 0, 0);
      return one;
    },
    /** On foot on a winding way: `mPerS` 1.3 walks, 3 jogs. Its hills have a wave of `hills` metres up and down. */
    walk: (metres: number, { mPerS = 1.3, hills = 0, down = 0 } = {}) => {
      const seconds = Math.round(metres / mPerS);
      for (let s = 0; s < seconds; s += 1) {
        const wave = (n: number): number => (hills / 2) * Math.sin((2 * Math.PI * n * mPerS) / 1_600);
        move(0.8 * Math.sin(s / 90), mPerS, wave(s + 1) - wave(s) - down / seconds);
      }
      return one;
    },
    /** A car on a winding road, over a pass of this height. */
    drive: (metres: number, { mPerS = 15, pass = 0, down = 0 } = {}) => {
      const seconds = Math.round(metres / mPerS);
      for (let s = 0; s < seconds; s += 1) {
        const height = (n: number): number => pass * (1 - Math.abs((2 * n) / seconds - 1));
        const speed = mPerS * (1 + 0.25 * Math.sin(s / 30));
        move(1.1 * Math.sin(s / 25), speed, height(s + 1) - height(s) - down / seconds);
      }
      return one;
    },
    /** The device is off, and is carried meanwhile. */
    off: (seconds: number, { rise = 0, metres = 0 } = {}) => {
      isOff = true;
      for (let s = 0; s < seconds; s += 1) move(0, metres / seconds, rise / seconds);
      isOff = false;
      return one;
    },
    /** What the device has recorded so far. */
    get fixes(): Fix[] {
      return recorded(moments, device);
    },
    /** Where the person is. */
    place: () => ({ ...placeOf({ east, north }), alt }),
  };
  return one;
};
export type Person = ReturnType<typeof person>;

const placeOf = ({ east, north }: Pick<Moment, 'east' | 'north'>) => ({
  lat: LAT + north / M_PER_DEGREE,
  lon: LON + east / (M_PER_DEGREE * Math.cos((LAT * Math.PI) / 180)),
});

/** Which moments of a ride a device records: its first and last 45 seconds are its ends. */
const ridesOf = (moments: readonly Moment[], rides: NonNullable<Device['rides']>): readonly Moment[] => {
  if (rides === 'whole') return moments;
  const isRecorded = (n: number): boolean => {
    if (!moments[n]?.isRide) return true;
    return rides === 'ends' && !(moments[n - 45]?.isRide && moments[n + 45]?.isRide);
  };
  return moments.filter((_, n) => isRecorded(n));
};

/** What a device records of a day. */
export const recorded = (
  moments: readonly Moment[],
  {
    seed = 1,
    every = 1,
    jitter = 0,
    altitude = 2.5,
    altitudeDrift = 0,
    position = 3,
    outliers = 0,
    burstsAnHour = 0,
    rides = 'whole',
    altitudes = 'known',
    speed = false,
  }: Device = {},
): Fix[] => {
  const random = randomFrom(seed * 7_919 + every);
  const gauss = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  // Errors drift: that of the next second is much like the one before.
  const drifting = (deviation: number) => {
    const keeps = Math.exp(-1 / DRIFT_S);
    let error = deviation * gauss();
    return (): number => {
      error = keeps * error + Math.sqrt(1 - keeps ** 2) * deviation * gauss();
      return error;
    };
  };
  const [up, east, north] = [drifting(altitudeDrift), drifting(0.8 * position), drifting(0.8 * position)];
  let [next, burstUntil, burst, seq] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0];
  const fixes: Fix[] = [];
  for (const moment of ridesOf(moments, rides)) {
    const [upError, eastError, northError] = [up(), east(), north()];
    if (moment.at > burstUntil && random() < burstsAnHour / 3_600) {
      burstUntil = moment.at + (3 + 17 * random()) * 1_000;
      burst = (random() < 0.5 ? -1 : 1) * (60 + 190 * random());
    }
    if (moment.at < next || moment.isOff) continue;
    next = moment.at + Math.max(1, every + Math.round(jitter * (2 * random() - 1))) * 1_000;
    const spike = random() < outliers ? (random() < 0.5 ? -1 : 1) * (60 + 190 * random()) : 0;
    const error = upError + altitude * gauss() + spike + (moment.at <= burstUntil ? burst : 0);
    const place = placeOf({
      east: moment.east + eastError + 0.3 * position * gauss(),
      north: moment.north + northError + 0.3 * position * gauss(),
    });
    const isKnown = altitudes === 'known' || (altitudes === 'some' && seq % 2 === 0);
    fixes.push({
      seq: seq++,
      at: moment.at,
      ...place,
      alt: isKnown ? moment.alt + error : altitudes === 'zero' ? 0 : null,
      acc: 5,
      speed: speed ? Math.max(0, moment.mPerS + 0.3 * gauss()) : null,
    });
  }
  return fixes;
};

/** A person whose device records once a second. `noise`: how much of the usual error. */
export const skier = ({ seed = 1, noise = 1, startMs = START } = {}) =>
  person({ seed, startMs, device: { seed, altitude: 2.5 * noise, position: 3 * noise } });
