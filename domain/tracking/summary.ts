/** What a track comes to. The same for any order of its points, and however often they were sent. */

import { type Static, Type } from '@sinclair/typebox';
import { Count } from '../core/schema.ts';
import { isAtResort, NO_MAP, notWithin, type ResortMap, type Span } from './area.ts';
import { legsOf } from './legs.ts';
import type { LiftLine } from './lifts.ts';
import type { Fix } from './point.ts';
import { type Run, runsAndRides, type Window } from './runs.ts';
import { recordedStretches, stretchesOf } from './stretches.ts';

/** What is counted of a day. Rides on lifts are part of `lifts` and nothing else. */
const dayTotals = {
  /** Metres skied. */
  distanceM: Count,
  /** Metres of descent on runs. */
  verticalM: Count,
  /** Metres climbed on foot. */
  ascentM: Count,
  runs: Count,
  lifts: Count,
  /** Seconds in which the person moved on runs. */
  movingS: Count,
  /** The 95th percentile of the speeds on runs. */
  maxSpeedKmh: Type.Number({ minimum: 0 }),
};
export const DayTotals = Type.Object(dayTotals);
export type DayTotals = Static<typeof DayTotals>;

/** `points`: the fixes that it was made from. */
export const TrackSummary = Type.Object({ points: Count, ...dayTotals });
export type TrackSummary = Static<typeof TrackSummary>;

/** What of a track is compared with others: what was skied at the resort, and not recorded by another device, too. */
export const Compared = Type.Object({ verticalM: Count, distanceM: Count, runs: Count });
export type Compared = Static<typeof Compared>;

const PERCENTILE = 0.95;

/** The value below which this share of the values lies, by the nearest rank; 0 of none. */
const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? 0;

const sumOf = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0);

/**
 * From one fix to the next a device knows a mean speed only. The longer that takes, the lower it is, so that what the device
 * has measured itself counts where it is higher.
 */
const speedOf = (windows: readonly Window[]): number =>
  Math.max(
    percentile(
      windows.map(({ mPerS }) => mPerS),
      PERCENTILE,
    ),
    percentile(
      windows.flatMap(({ measuredMPerS }) => measuredMPerS ?? []),
      PERCENTILE,
    ),
  );

/** @param lines the resort's lifts, if they are known */
export const summarise = (fixes: readonly Fix[], lines: readonly LiftLine[] = []): TrackSummary => {
  const recorded = recordedStretches(fixes);
  const tracks = stretchesOf(recorded, lines).map((stretch) => ({ stretch, legs: legsOf(stretch, lines) }));
  const { runs, rides, ascent } = runsAndRides(tracks);
  const moving = runs.flatMap((run: Run) => run.moving);
  return {
    // A fix without another one near it in time says nothing.
    points: sumOf(recorded, ({ length }) => (length > 1 ? length : 0)),
    distanceM: Math.round(sumOf(moving, ({ metres }) => metres)),
    verticalM: Math.round(sumOf(runs, ({ drop }) => drop)),
    ascentM: Math.round(ascent),
    runs: runs.length,
    lifts: rides.length,
    movingS: Math.round(sumOf(moving, ({ seconds }) => seconds)),
    maxSpeedKmh: Math.round(speedOf(moving) * 36) / 10,
  };
};

/** What a track comes to, and what of it counts beside other tracks. */
export interface Measured {
  readonly summary: TrackSummary;
  /** What it adds to the day of the person; missing: all of it. */
  readonly adds?: TrackSummary;
  readonly compared: Compared;
}

/** @param covered when other devices of the same person recorded: they count for that time */
export const measure = (fixes: readonly Fix[], map: ResortMap = NO_MAP, covered: readonly Span[] = []): Measured => {
  const summary = summarise(fixes, map.lifts);
  const own = notWithin(fixes, covered);
  const added = own.length === fixes.length ? summary : summarise(own, map.lifts);
  const here = own.filter((fix) => isAtResort(map, fix));
  const { verticalM, distanceM, runs } = here.length === own.length ? added : summarise(here, map.lifts);
  return { summary, compared: { verticalM, distanceM, runs }, ...(added !== summary && { adds: added }) };
};
