/** What lifts and slopes are sent as. */
import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox';
import type { FacilityChange } from '../../commands/resort/facilities.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { type LiftDetails, LiftDetails as LiftSchema } from '../../domain/resort/lift.ts';
import { Override, Reason } from '../../domain/resort/operation.ts';
import { MOST_MINUTES, MOST_WAITING } from '../../domain/resort/queue.ts';
import { type SlopeDetails, SlopeDetails as SlopeSchema } from '../../domain/resort/slope.ts';
import { type SnakeStatic, snakeSchema, toCamel } from '../../infra/naming.ts';

const lift = snakeSchema(LiftSchema).properties;
const slope = snakeSchema(SlopeSchema).properties;

const partial = <P extends TProperties>(properties: P) => Type.Partial(Type.Object(properties)).properties;

export const NewLift = Type.Object(
  { ...partial(lift), name: lift.name, kind: lift.kind, geometry: lift.geometry },
  { $id: 'NewLift' },
);
export const NewSlope = Type.Object(
  { ...partial(slope), name: slope.name, difficulty: slope.difficulty, geometry: slope.geometry },
  { $id: 'NewSlope' },
);

/** What an operator sets by hand. */
export const Operating = {
  status: Type.Optional(
    OneOf(['open', 'closed', 'hold', 'auto'], {
      description: '`hold`: stopped for a short time, with a reason. `auto`: back to the schedule.',
    }),
  ),
  until: Type.Optional(
    Nullable({
      ...Instant,
      description:
        'With `status`: from then on the schedule counts again. Without it, `open` lasts until the schedule closes next on this day at the resort, at the latest until midnight; `closed` and `hold` stay until they are changed. Without a schedule, `open` stays, too.',
    }),
  ),
  reason: Type.Optional(Nullable({ ...Reason, description: 'With `status`: guests see it.' })),
};

export const LiftPatch = Type.Object(
  {
    ...partial(lift),
    ...Operating,
    queue: Type.Optional(
      Nullable(
        Type.Object({
          people: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_WAITING })),
          minutes: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_MINUTES })),
        }),
      ),
    ),
  },
  { $id: 'LiftPatch' },
);
export const SlopePatch = Type.Object({ ...partial(slope), ...Operating }, { $id: 'SlopePatch' });

/** What a change answers. */
export const Changed = Type.Object({
  id: Uuid,
  revision: Type.Integer(),
  override: { ...Nullable(Override), description: 'What is set by hand; null: only the schedule counts.' },
});

interface OperatingFields {
  readonly status?: 'open' | 'closed' | 'hold' | 'auto';
  readonly until?: string | null;
  readonly reason?: string | null;
}

/**
 * What `status`, `until` and `reason` say; undefined: nothing. null: back to the schedule.
 * @throws Rejected `invalid` for an end or a reason of nothing
 */
export const overrideOf = ({ status, until = null, reason = null }: OperatingFields): Override | null | undefined => {
  if ((status === undefined || status === 'auto') && (until !== null || reason !== null))
    throw new Rejected(
      'invalid',
      '`until` and `reason` belong to a `status` that is set by hand: open, closed or hold.',
      { fields: ['status', 'until', 'reason'] },
    );
  if (status === undefined) return undefined;
  return status === 'auto' ? null : { status, until, reason };
};

const common = {
  description: '',
  sourceId: null,
  lengthM: null,
  bottomAltitudeM: null,
  topAltitudeM: null,
  schedule: null,
};
type Omitted<D, K extends keyof D> = Omit<D, K> & Partial<Pick<D, K>>;

/** With what was left out. */
export const newLift = (body: Static<typeof NewLift>): LiftDetails => {
  const given = toCamel(body) as Omitted<LiftDetails, keyof typeof common | 'capacityPerHour' | 'rideMinutes'>;
  return { ...common, capacityPerHour: null, rideMinutes: null, ...given };
};
/** With what was left out. */
export const newSlope = (body: Static<typeof NewSlope>): SlopeDetails => {
  type Absent = keyof typeof common | 'fromLifts' | 'toLifts' | 'toSlopes' | 'groomedAt';
  const given = toCamel(body) as Omitted<SlopeDetails, Absent>;
  return { ...common, fromLifts: [], toLifts: [], toSlopes: [], groomedAt: null, ...given };
};

/** Divides a patch into details and what an operator sets. */
export const changeOf = <D extends TObject>(
  body: OperatingFields & Partial<SnakeStatic<D>>,
): Pick<FacilityChange<Static<D>>, 'details' | 'override'> => {
  const { status, until, reason, ...details } = body;
  return {
    details: toCamel(details) as Partial<Static<D>>,
    override: overrideOf({ ...(status && { status }), ...(until && { until }), ...(reason && { reason }) }),
  };
};
