/** All lifts and slopes with their states at an instant. They are kept in memory, and computed again when one changes. */
import { Type } from '@sinclair/typebox';
import { DAY_MS } from '../../domain/core/instants.ts';
import { altitudesOf, type LineOrField, lengthOf } from '../../domain/resort/geometry.ts';
import { type OperatingState, stateAt } from '../../domain/resort/operation.ts';
import { nextQueueEnd } from '../../domain/resort/queue.ts';
import { liftStateAt, SlopeTold } from '../../domain/resort/toldState.ts';
import { snakeSchema, toSnake } from '../../infra/naming.ts';
import { type KeptDeps, keptTable } from '../engine/keptTable.ts';
import { tables } from '../engine/readDb.ts';
import { configRevisions, timezoneNow } from '../platform/config.ts';
import { type LiftRow, resortLifts, resortSlopes, type SlopeRow } from './facilities.ts';
import { liftStateFields, shownLiftState } from './states.ts';

const { queue_reports: _, override: __, ...liftFields } = resortLifts.row.properties;
const { override: ___, ...slopeFields } = resortSlopes.row.properties;
export const Lift = Type.Object({ ...liftFields, ...liftStateFields }, { $id: 'Lift' });
export type Lift = (typeof Lift)['static'];
export const Slope = Type.Object({ ...slopeFields, ...snakeSchema(SlopeTold).properties }, { $id: 'Slope' });
export type Slope = (typeof Slope)['static'];

/** What all states follow from. */
export interface MountainRows {
  readonly timezone: string;
  readonly lifts: readonly LiftRow[];
  readonly slopes: readonly SlopeRow[];
}

/** The mountain at an instant. */
export interface Mountain {
  readonly timezone: string;
  /** By name; also those that are retired. */
  readonly lifts: readonly Lift[];
  readonly slopes: readonly Slope[];
  /** It is like this from then, */
  readonly from: number;
  /** until then. */
  readonly until: number;
}

/** What is not set is measured on the geometry. */
export const measures = (row: {
  readonly geometry: LineOrField;
  readonly length_m: number | null;
  readonly bottom_altitude_m: number | null;
  readonly top_altitude_m: number | null;
}) => {
  const { bottom, top } = altitudesOf(row.geometry);
  return {
    length_m: row.length_m ?? lengthOf(row.geometry),
    bottom_altitude_m: row.bottom_altitude_m ?? bottom,
    top_altitude_m: row.top_altitude_m ?? top,
  };
};

const isRetired = ({ retired_at }: LiftRow | SlopeRow): boolean => retired_at !== null;

const liftAt = (row: LiftRow, timezone: string, at: string): Lift => {
  const { queue_reports, override, ...shown } = row;
  const operated = { ...row, isRetired: isRetired(row), capacityPerHour: row.capacity_per_hour };
  return { ...shown, ...measures(row), ...shownLiftState(liftStateAt(operated, queue_reports, timezone, at)) };
};
const slopeAt = (row: SlopeRow, timezone: string, at: string): Slope => {
  const { override, ...shown } = row;
  return { ...shown, ...measures(row), ...toSnake(stateAt({ ...row, isRetired: isRetired(row) }, timezone, at)) };
};

/** Pure. @param at RFC 3339 */
export const mountainAt = ({ timezone, lifts, slopes }: MountainRows, at: string): Mountain => {
  const shown = {
    lifts: lifts.map((row) => liftAt(row, timezone, at)),
    slopes: slopes.map((row) => slopeAt(row, timezone, at)),
  };
  const states: readonly Pick<OperatingState, 'until'>[] = [...shown.lifts, ...shown.slopes];
  const ends = [
    ...states.flatMap(({ until }) => until ?? []),
    ...lifts.flatMap((row) => nextQueueEnd(row.queue_reports, at) ?? []),
  ].map(Date.parse);
  // States look some days ahead only.
  const from = Date.parse(at);
  return { timezone, ...shown, from, until: Math.min(from + DAY_MS, ...ends) };
};

const computed = new WeakMap<MountainRows, Mountain>();

const models = [resortLifts, resortSlopes, configRevisions];

/** All lifts and slopes as they were set, from memory. */
export const mountainRows = keptTable(models, async (deps): Promise<MountainRows> => {
  const from = tables(deps.db, resortLifts, resortSlopes);
  const [timezone, lifts, slopes] = await Promise.all([
    timezoneNow(deps),
    from.selectFrom('resort_lifts').selectAll().orderBy('name').orderBy('id').execute(),
    from.selectFrom('resort_slopes').selectAll().orderBy('name').orderBy('id').execute(),
  ]);
  return { timezone, lifts, slopes };
});

/** The mountain at an instant, from memory. */
export const mountainNow = async (deps: KeptDeps, at: string): Promise<Mountain> => {
  const rows = await mountainRows(deps);
  const before = computed.get(rows);
  const time = Date.parse(at);
  if (before && before.from <= time && time < before.until) return before;
  const mountain = mountainAt(rows, at);
  computed.set(rows, mountain);
  return mountain;
};
