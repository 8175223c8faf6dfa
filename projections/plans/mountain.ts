/** The mountain as the planner sees it: what is open when on a day, and the waits to be expected. */
import { addDays, instantIn, localTime, todayIn, type Weekday, weekdayOf } from '../../domain/core/dates.ts';
import { instantOf, MINUTE_MS } from '../../domain/core/instants.ts';
import type { PlanConfig } from '../../domain/plans/config.ts';
import type { PlanLift, PlanMountain, PlanSlope } from '../../domain/plans/moves.ts';
import type { ExpectedWait, WaitAt } from '../../domain/plans/timetable.ts';
import { openWithin } from '../../domain/resort/operation.ts';
import type { LiftRow, SlopeRow } from '../resort/facilities.ts';
import { type MountainRows, measures } from '../resort/mountain.ts';
import type { TypicalWaits } from '../resort/typicalWaits.ts';

const shared = (row: LiftRow | SlopeRow, timezone: string, day: { readonly from: number; readonly to: number }) => {
  const { length_m, bottom_altitude_m, top_altitude_m } = measures(row);
  return {
    id: row.id,
    name: row.name,
    lengthM: length_m,
    bottomAltitudeM: bottom_altitude_m,
    topAltitudeM: top_altitude_m,
    open: openWithin({ ...row, isRetired: false }, timezone, day),
  };
};

const isInUse = ({ retired_at }: LiftRow | SlopeRow): boolean => retired_at === null;

/** What is in use, for the whole of a date, `YYYY-MM-DD` at the resort. Pure. */
export const planMountainOn = ({ timezone, lifts, slopes }: MountainRows, date: string): PlanMountain => {
  const midnight = (of: string): number => Date.parse(instantIn(timezone, of, '00:00'));
  const day = { from: midnight(date), to: midnight(addDays(date, 1)) };
  return {
    lifts: lifts.filter(isInUse).map(
      (row): PlanLift => ({
        ...shared(row, timezone, day),
        kind: row.kind,
        geometry: row.geometry,
        rideMinutes: row.ride_minutes,
      }),
    ),
    slopes: slopes.filter(isInUse).map(
      (row): PlanSlope => ({
        ...shared(row, timezone, day),
        difficulty: row.difficulty,
        geometry: row.geometry,
        groomedAt: row.groomed_at,
        fromLifts: row.from_lifts,
        toLifts: row.to_lifts,
        toSlopes: row.to_slopes,
      }),
    ),
  };
};

const MOST_KEPT = 8;
const kept = new WeakMap<MountainRows, Map<string, PlanMountain>>();

/** The same, kept for some dates until a lift or a slope changes. @param instant RFC 3339, on that date */
export const planMountainAt = (rows: MountainRows, instant: string): PlanMountain => {
  const date = todayIn(rows.timezone, instant);
  const known = kept.get(rows) ?? new Map<string, PlanMountain>();
  kept.set(rows, known);
  const mountain = known.get(date) ?? planMountainOn(rows, date);
  known.delete(date);
  known.set(date, mountain);
  for (const oldest of [...known.keys()].slice(0, -MOST_KEPT)) known.delete(oldest);
  return mountain;
};

const QUARTER_MS = 15 * MINUTE_MS;
/** What is reported now is what to expect for this long. */
const REPORTED_MS = 30 * MINUTE_MS;

interface Waits {
  /** The lifts as they are now. */
  readonly lifts: readonly { readonly id: string; readonly queue_minutes: number | null }[];
  readonly timezone: string;
  readonly typical: TypicalWaits;
  readonly config: Pick<PlanConfig, 'default_wait_minutes'>;
  /** In milliseconds since the epoch. */
  readonly now: number;
}

/** What is reported now counts for the next half hour, then what is typical at that time, then what is configured. */
export const waitsFrom = ({ lifts, timezone, typical, config, now }: Waits): WaitAt => {
  const reported = new Map(lifts.map(({ id, queue_minutes }) => [id, queue_minutes]));
  const namedQuarters = new Map<number, { readonly weekday: Weekday; readonly from: string }>();
  const quarterAt = (time: number) => {
    const start = Math.floor(time / QUARTER_MS) * QUARTER_MS;
    const known = namedQuarters.get(start);
    if (known) return known;
    const [date = '', from = ''] = localTime(timezone, instantOf(start)).split(' ');
    const quarter = { weekday: weekdayOf(date), from };
    namedQuarters.set(start, quarter);
    return quarter;
  };
  const assumed: ExpectedWait = { minutes: config.default_wait_minutes, source: 'assumed' };
  return (liftId, time) => {
    const queue = time < now + REPORTED_MS ? (reported.get(liftId) ?? null) : null;
    if (queue !== null) return { minutes: queue, source: 'reported' };
    const { weekday, from } = quarterAt(time);
    const minutes = typical(liftId, weekday, from);
    return minutes === undefined ? assumed : { minutes: Math.ceil(minutes), source: 'typical' };
  };
};
