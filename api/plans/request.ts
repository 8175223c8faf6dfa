/** What is asked of the planner, with all that it needs to know. */
import { todayIn } from '../../domain/core/dates.ts';
import { instantOf, MINUTE_MS } from '../../domain/core/instants.ts';
import type { Difficulty, PlanConfig, PlanWish } from '../../domain/plans/config.ts';
import { type Spot, spotAtLift, spotAtSlope } from '../../domain/plans/links.ts';
import type { PlanMountain } from '../../domain/plans/moves.ts';
import type { PlanRequest } from '../../domain/plans/plan.ts';
import { type LunchTable, lunchTables } from '../../projections/plans/lunch.ts';
import { planMountainAt, waitsFrom } from '../../projections/plans/mountain.ts';
import { mountainNow, mountainRows } from '../../projections/resort/mountain.ts';
import { typicalWaitsNow } from '../../projections/resort/typicalWaits.ts';
import type { App } from '../http/app.ts';
import { refuseQuery } from '../http/errors.ts';

export interface Asked {
  /** In milliseconds since the epoch. */
  readonly start: number;
  readonly end: number | null;
  readonly level: Difficulty;
  readonly wishes: readonly PlanWish[];
  /** Ids of a lift or a slope; undefined: the lowest lift, and where the day begins. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly guests: number;
}

/** What a day is planned on; the same for all requests of that day. */
export interface Ground {
  readonly mountain: PlanMountain;
  readonly timezone: string;
  readonly waits: Omit<Parameters<typeof waitsFrom>[0], 'config'>;
}

/** @param start in milliseconds since the epoch @param at now, RFC 3339 */
export const groundFor = async (app: App, start: number, at: string): Promise<Ground> => {
  const [rows, { lifts }] = await Promise.all([mountainRows(app), mountainNow(app, at)]);
  const { timezone } = rows;
  const typical = await typicalWaitsNow(app.db, { timezone, today: todayIn(timezone, at) }, at);
  const mountain = planMountainAt(rows, instantOf(start));
  return { mountain, timezone, waits: { lifts, timezone, typical, now: Date.parse(at) } };
};

export interface NamedSpot {
  readonly type: 'lift' | 'slope';
  readonly id: string;
  readonly name: string;
  readonly spot: Spot;
}

/** @throws HttpError 422 for an id that is neither a lift nor a slope in use */
const spotOf = (mountain: PlanMountain, field: 'from' | 'to', id: string): NamedSpot => {
  const lift = mountain.lifts.find((each) => each.id === id);
  if (lift) return { type: 'lift', id, name: lift.name, spot: spotAtLift(lift) };
  const slope = mountain.slopes.find((each) => each.id === id);
  if (slope) return { type: 'slope', id, name: slope.name, spot: spotAtSlope(slope) };
  return refuseQuery(field, 'unknown', 'is neither a lift nor a slope of this resort: send the id of one');
};

/** Where most days begin: the lowest lift that runs on the day. */
const lowest = ({ lifts }: PlanMountain): NamedSpot | null => {
  const height = ({ bottomAltitudeM }: (typeof lifts)[number]): number => bottomAltitudeM ?? Number.MAX_SAFE_INTEGER;
  const [lift] = lifts.filter(({ open }) => open.length > 0).toSorted((a, b) => height(a) - height(b));
  return lift ? { type: 'lift', id: lift.id, name: lift.name, spot: spotAtLift(lift) } : null;
};

export interface PlanOf {
  readonly from: NamedSpot;
  readonly to: NamedSpot;
  readonly tables: readonly LunchTable[];
  readonly request: PlanRequest;
}

/**
 * @returns null when no lift runs on the day, so that there is nowhere to begin
 * @throws HttpError 422 for a place that does not exist
 */
export const planOf = (
  { mountain, timezone, waits }: Ground,
  asked: Asked,
  config: PlanConfig,
  tables: readonly LunchTable[],
  alternatives: number,
): PlanOf | null => {
  const from = asked.from === undefined ? lowest(mountain) : spotOf(mountain, 'from', asked.from);
  const to = asked.to === undefined ? from : spotOf(mountain, 'to', asked.to);
  if (from === null || to === null) return null;
  const { level, wishes, end } = asked;
  const request: PlanRequest = {
    mountain,
    timezone,
    config,
    level,
    wishes,
    from: Math.ceil(asked.start / MINUTE_MS) * MINUTE_MS,
    until: end,
    start: from.spot,
    home: to.spot,
    tables,
    waitAt: waitsFrom({ ...waits, config }),
    alternatives,
  };
  return { from, to, tables, request };
};

/** The tables that the lunch may be at; none when no lunch is wished for. */
export const tablesFor = async (
  app: App,
  { mountain, timezone }: Ground,
  { wishes, start, guests }: Asked,
  at: string,
): Promise<readonly LunchTable[]> =>
  wishes.includes('lunch')
    ? lunchTables(app.db, mountain, { date: todayIn(timezone, instantOf(start)), guests, at })
    : [];
