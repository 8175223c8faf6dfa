/** A lift. */
import { type Static, Type } from '@sinclair/typebox';
import { Nullable, OneOf } from '../core/schema.ts';
import { facility } from './facility.ts';
import { LineString } from './geometry.ts';
import { Schedule } from './schedule.ts';

export const liftKinds = [
  'cable_car',
  'gondola',
  'funicular',
  'chair_lift',
  'mixed_lift',
  'drag_lift',
  't_bar',
  'j_bar',
  'platter',
  'rope_tow',
  'magic_carpet',
  'railway',
] as const;

const Metres = (what: string) =>
  Nullable(
    Type.Integer({ minimum: 0, maximum: 100_000, description: `${what} in metres; null: that of the geometry.` }),
  );

/** What lifts and slopes have in common. */
export const FACILITY_FIELDS = {
  name: Type.String({ minLength: 1, maxLength: 120 }),
  description: Type.String({ maxLength: 2_000 }),
  /** What names it where it was imported from. It stays when the geometry changes. */
  sourceId: Nullable(Type.String({ minLength: 1, maxLength: 200 })),
  lengthM: Metres('Length'),
  bottomAltitudeM: Metres('Altitude of the lower end'),
  topAltitudeM: Metres('Altitude of the upper end'),
  schedule: Nullable(Schedule),
};

export const LiftDetails = Type.Object({
  ...FACILITY_FIELDS,
  kind: OneOf(liftKinds),
  geometry: LineString,
  /** People that it carries in an hour; null: unknown, and then nothing is said of waiting times from people counted. */
  capacityPerHour: Nullable(Type.Integer({ minimum: 1, maximum: 20_000 })),
  rideMinutes: Nullable(Type.Number({ minimum: 0.1, maximum: 240 })),
});
export type LiftDetails = Static<typeof LiftDetails>;

export const lift = facility('Lift', LiftDetails);
