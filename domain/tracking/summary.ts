/** What a track comes to. The same for any order of its points, and however often they were sent. */

import { type Static, Type } from '@sinclair/typebox';
import { Count } from '../core/schema.ts';
import { type Leg, legsOf } from './legs.ts';
import type { LiftLine } from './lifts.ts';
import { type Fix, pathBetween } from './point.ts';
import { type Stretch, stretchesOf } from './stretches.ts';

/** What is counted of a day. Rides on lifts are part of `lifts` and nothing else. */
const dayTotals = {
  /** Metres on the snow. */
  distanceM: Count,
  /** Metres of descent. */
  verticalM: Count,
  /** Metres climbed on foot. */
  ascentM: Count,
  runs: Count,
  lifts: Count,
  /** Seconds in which the person moved. */
  movingS: Count,
  /** The 95th percentile of the speeds over 5 seconds of descent. */
  maxSpeedKmh: Type.Number({ minimum: 0 }),
};
export const DayTotals = Type.Object(dayTotals);
export type DayTotals = Static<typeof DayTotals>;

/** `points`: the fixes that it was made from. */
export const TrackSummary = Type.Object({ points: Count, ...dayTotals });
export type TrackSummary = Static<typeof TrackSummary>;

/** A run drops at least so far. */
const RUN_M = 30;
/** What is higher after a pause than before it was carried up meanwhile: the run is over. */
const CARRIED_M = 30;
/** Less than this is the noise of a device that lies still. */
const STEP_M = 8;
const WINDOW_MS = 5_000;
/** A longer window has no speed, only a mean: of a device that records seldom it tells whether the person moved. */
const LONGEST_WINDOW_S = 15;
const STANDING_M_PER_S = 0.5;
const PERCENTILE = 0.95;

interface Window {
  readonly seconds: number;
  readonly mPerS: number;
}

/** Metres between the fixes of a leg, by steps from one place to the next that is clearly another one. */
const distanceOf = (stretch: Stretch, { from, to }: Leg): number => {
  let metres = 0;
  let anchor = stretch[from] as Fix;
  for (const fix of stretch.slice(from + 1, to + 1)) {
    const step = pathBetween(anchor, fix);
    if (step < STEP_M) continue;
    metres += step;
    anchor = fix;
  }
  return metres;
};

/** The leg in windows of 5 seconds or a little more, and how fast each of them is. */
const windowsOf = (stretch: Stretch, { from, to }: Leg): Window[] => {
  const windows: Window[] = [];
  let first = stretch[from] as Fix;
  for (const fix of stretch.slice(from + 1, to + 1)) {
    const ms = fix.at - first.at;
    if (ms < WINDOW_MS) continue;
    windows.push({ seconds: ms / 1_000, mPerS: pathBetween(first, fix) / (ms / 1_000) });
    first = fix;
  }
  return windows;
};

/** The value below which this share of the values lies, by the nearest rank; 0 of none. */
const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0;

interface Counts {
  runs: number;
  lifts: number;
}

/**
 * Counts runs and rides. A run goes on over bumps and climbs, and over a pause that it has not been carried up in; a ride
 * ends it.
 */
const countsOf = (stretches: readonly { stretch: Stretch; legs: readonly Leg[] }[]): Counts => {
  const counts: Counts = { runs: 0, lifts: 0 };
  let drop = 0;
  let left: number | undefined;
  const endRun = (): void => {
    if (drop >= RUN_M) counts.runs += 1;
    drop = 0;
  };
  for (const { stretch, legs } of stretches) {
    if (left !== undefined && (stretch[0] as Fix).alt - left > CARRIED_M) endRun();
    for (const { kind, rise } of legs) {
      if (kind === 'descent') drop -= rise;
      if (kind !== 'lift') continue;
      endRun();
      counts.lifts += 1;
    }
    left = stretch.at(-1)?.alt;
  }
  endRun();
  return counts;
};

const sumOf = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0);

/** @param lines the resort's lifts, if they are known */
export const summarise = (fixes: readonly Fix[], lines: readonly LiftLine[] = []): TrackSummary => {
  const stretches = stretchesOf(fixes).map((stretch) => ({ stretch, legs: legsOf(stretch, lines) }));
  const onSnow = stretches.flatMap(({ stretch, legs }) =>
    legs
      .filter(({ kind }) => kind !== 'lift')
      .map((leg) => ({
        ...leg,
        metres: distanceOf(stretch, leg),
        moving: windowsOf(stretch, leg).filter(({ mPerS }) => mPerS >= STANDING_M_PER_S),
      })),
  );
  const descents = onSnow.filter(({ kind }) => kind === 'descent');
  const climbs = onSnow.filter(({ kind }) => kind === 'climb');
  const speeds = descents.flatMap(({ moving }) =>
    moving.filter(({ seconds }) => seconds <= LONGEST_WINDOW_S).map(({ mPerS }) => mPerS),
  );
  return {
    points: sumOf(stretches, ({ stretch }) => stretch.length),
    distanceM: Math.round(sumOf(onSnow, ({ metres }) => metres)),
    verticalM: Math.round(sumOf(descents, ({ rise }) => -rise)),
    ascentM: Math.round(sumOf(climbs, ({ rise }) => rise)),
    ...countsOf(stretches),
    movingS: Math.round(sumOf(onSnow, ({ moving }) => sumOf(moving, ({ seconds }) => seconds))),
    maxSpeedKmh: Math.round(percentile(speeds, PERCENTILE) * 36) / 10,
  };
};
