/** Mountains for specs: stations in a row of heights, with lifts up and slopes down between them. */

import { MINUTE_MS } from '../../domain/core/instants.ts';
import { defaultPlanConfig } from '../../domain/plans/config.ts';
import { spotAtLift } from '../../domain/plans/links.ts';
import type { PlanLift, PlanMountain, PlanSlope } from '../../domain/plans/moves.ts';
import type { PlanRequest } from '../../domain/plans/plan.ts';
import { difficulties } from '../../domain/resort/slope.ts';
import { id } from '../resort/resortFixtures.ts';

/** 9:00 in Moscow. */
export const MORNING = Date.parse('2027-01-20T06:00:00Z');
/** From a minute of the morning to another one. */
export const hours = (from: number, to: number) => [{ from: MORNING + from * MINUTE_MS, to: MORNING + to * MINUTE_MS }];
const ALL_DAY = hours(0, 7 * 60);

/** Stations lie a kilometre from each other, and 100 m above each other. */
const station = (n: number): number[] => [40 + n * 0.0125, 43.6, 1_000 + n * 100];

export const liftBetween = (n: number, from: number, to: number, more: Partial<PlanLift> = {}): PlanLift => ({
  id: id(n),
  name: `Lift ${n}`,
  kind: 'chair_lift',
  geometry: { type: 'LineString', coordinates: [station(from), station(to)] },
  lengthM: 1_000,
  bottomAltitudeM: 1_000 + from * 100,
  topAltitudeM: 1_000 + to * 100,
  rideMinutes: 6,
  open: ALL_DAY,
  ...more,
});

interface Between extends Partial<PlanSlope> {
  readonly from: number;
  readonly to: number;
}
export const mountainOf = (lifts: readonly PlanLift[], slopes: readonly Between[]): PlanMountain => {
  const made = slopes.map(
    ({ from, to, ...more }, n): PlanSlope => ({
      id: id(1_000 + n),
      name: `Slope ${n}`,
      difficulty: difficulties[n % 3] as PlanSlope['difficulty'],
      geometry: { type: 'LineString', coordinates: [station(from), station(to)] },
      lengthM: 1_500,
      bottomAltitudeM: 1_000 + to * 100,
      topAltitudeM: 1_000 + from * 100,
      groomedAt: null,
      open: ALL_DAY,
      fromLifts: lifts.filter(({ topAltitudeM }) => topAltitudeM === 1_000 + from * 100).map((lift) => lift.id),
      toLifts: lifts.filter(({ bottomAltitudeM }) => bottomAltitudeM === 1_000 + to * 100).map((lift) => lift.id),
      toSlopes: [],
      ...more,
    }),
  );
  const linked = made.map((slope) => ({
    ...slope,
    toSlopes: made.filter(({ topAltitudeM }) => topAltitudeM === slope.bottomAltitudeM).map((other) => other.id),
  }));
  return { lifts, slopes: linked };
};

interface Size {
  readonly lifts: number;
  readonly slopes: number;
  /** Some close during the day, or open late. */
  readonly closesAtRandom?: boolean;
}
/** The same for the same seed. */
export const randomMountain = (seed: number, { lifts, slopes, closesAtRandom = false }: Size): PlanMountain => {
  let state = seed % 2_147_483_648;
  const below = (n: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * n);
  };
  const open = () => (closesAtRandom ? { open: hours(below(60), 300 + below(120)) } : {});
  const height = Math.ceil(lifts / 3);
  return mountainOf(
    Array.from({ length: lifts }, (_, n) => {
      const from = n === 0 ? 0 : below(height);
      const more = { rideMinutes: 4 + below(6), kind: n % 5 === 0 ? 'gondola' : 'chair_lift', ...open() } as const;
      return liftBetween(n + 1, from, from + 1 + below(3), more);
    }),
    Array.from({ length: slopes }, () => {
      const from = 1 + below(height + 2);
      return { from, to: Math.max(0, from - 1 - below(3)), lengthM: 700 + below(2_500), ...open() };
    }),
  );
};

/** The whole day from the first lift, for somebody who skis everything but experts' slopes. */
export const requestFor = (mountain: PlanMountain, more: Partial<PlanRequest> = {}): PlanRequest => {
  const spot = spotAtLift(mountain.lifts[0] as PlanLift);
  return {
    mountain,
    timezone: 'Europe/Moscow',
    config: defaultPlanConfig,
    level: 'advanced',
    wishes: [],
    from: MORNING,
    until: null,
    start: spot,
    home: spot,
    tables: [],
    waitAt: () => ({ minutes: 3, source: 'typical' }),
    alternatives: 0,
    ...more,
  };
};
