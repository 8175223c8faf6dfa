/** A plan of the day on the wire. */
import { type Static, Type } from '@sinclair/typebox';
import { instantOf, MINUTE_MS } from '../../domain/core/instants.ts';
import { toMajor } from '../../domain/core/money.ts';
import { rounded } from '../../domain/core/numbers.ts';
import { Currency, Instant, Minor, Nullable, OneOf, Tagged, Uuid } from '../../domain/core/schema.ts';
import type { Difficulty } from '../../domain/plans/config.ts';
import type { DayPlan as Day, PlanNote, Planned } from '../../domain/plans/plan.ts';
import { planNotes } from '../../domain/plans/plan.ts';
import { reasons, type Step } from '../../domain/plans/steps.ts';
import { waitSources } from '../../domain/plans/timetable.ts';
import { liftKinds } from '../../domain/resort/lift.ts';
import { difficulties } from '../../domain/resort/slope.ts';
import type { LunchTable } from '../../projections/plans/lunch.ts';

const Metres = Type.Integer({ minimum: 0 });
const Minutes = Type.Integer({ minimum: 0 });
const timed = {
  starts_at: Instant,
  ends_at: Instant,
  why: Type.Array(OneOf(reasons), { description: 'Why it is part of the plan.' }),
};

const TableOffer = Type.Object(
  {
    restaurant_id: Uuid,
    name: Type.String(),
    slot_start: Instant,
    slot_end: Instant,
    total: Type.Number({ description: 'The deposit for the party.' }),
    total_minor: Minor,
    currency: Currency,
    booking: Type.Object(
      {
        method: Type.Literal('POST'),
        path: Type.String({ examples: ['/api/v1/restaurants/…/table-bookings'] }),
        body: Type.Object({ slot_start: Instant, guests: Type.Integer(), expected_total: Type.Number() }),
      },
      { description: 'The request that books it. Nothing is held until then.' },
    ),
  },
  { $id: 'PlannedTable' },
);

const LiftRide = Type.Object(
  {
    type: Type.Literal('lift'),
    ...timed,
    lift_id: Uuid,
    name: Type.String(),
    kind: OneOf(liftKinds),
    direction: OneOf(['up', 'down']),
    wait_minutes: Minutes,
    wait_source: OneOf(waitSources, {
      description: '`reported` now, `typical` for the weekday and time, or `assumed` because nothing is known.',
    }),
    vertical_m: Metres,
  },
  { $id: 'PlannedLift' },
);
const Run = Type.Object(
  {
    type: Type.Literal('slope'),
    ...timed,
    slope_id: Uuid,
    name: Type.String(),
    difficulty: OneOf(difficulties),
    distance_m: Metres,
    vertical_m: Metres,
  },
  { $id: 'PlannedRun' },
);
const Lunch = Type.Object(
  {
    type: Type.Literal('lunch'),
    ...timed,
    /** null: no table is free by the way. */
    table: Nullable(TableOffer),
  },
  { $id: 'PlannedLunch' },
);
const Wait = Type.Object({ type: Type.Literal('wait'), ...timed }, { $id: 'PlannedWait' });

export const DayPlan = Type.Object(
  {
    points: Type.Number({ description: 'What it is worth by the weights. It compares plans of one reply.' }),
    starts_at: Instant,
    ends_at: Instant,
    descent_m: { ...Metres, description: 'Vertical metres on slopes.' },
    distance_m: { ...Metres, description: 'Metres on slopes.' },
    runs: Type.Integer(),
    lift_rides: Type.Integer(),
    waiting_minutes: Minutes,
    steps: Type.Array(Tagged('type', [LiftRide, Run, Lunch, Wait])),
    depends_on: Type.Object(
      { lifts: Type.Array(Uuid), slopes: Type.Array(Uuid) },
      { description: 'When one of these closes, the plan must be made again.' },
    ),
  },
  { $id: 'DayPlan' },
);
export type DayPlan = Static<typeof DayPlan>;

type Noted = Pick<Planned, 'notes' | 'possibleAt'> & { readonly level: Difficulty };
const NOTES: Readonly<Record<PlanNote, (noted: Noted) => string>> = {
  nothing_open: () => 'No lift runs long enough in these hours. Choose other hours, or another day.',
  no_slopes: ({ level, possibleAt }) =>
    `No slope that is ${upTo(level)} is open in these hours. ${instead(possibleAt, 'Choose other hours, or another day.')}`,
  no_way_back: ({ level, possibleAt }) =>
    `In these hours no way with slopes that are ${upTo(level)} leads back to the end of the day. ${instead(possibleAt, 'Ask for more time or another `to`.')}`,
  no_time_for_lunch: () => 'These hours leave no time for lunch, so the plan has none.',
  no_free_table: () => 'No table is free by the way at lunchtime, so the lunch has none.',
  few_slopes: ({ level }) => `Few slopes that are ${upTo(level)} lead back from here, so the plan repeats them.`,
  ends_early: ({ level }) =>
    `The plan ends early: afterwards, no lift and slope that is ${upTo(level)} is open long enough and leads back in time, or the queues are too long.`,
};
const upTo = (level: Difficulty): string => (level === difficulties[0] ? level : `${level} or easier`);
const instead = (level: Difficulty | null, otherwise: string): string =>
  level === null ? otherwise : `From the level ${level} on, there is a plan. ${otherwise}`;

export const Notes = Type.Array(Type.Object({ code: OneOf(planNotes), detail: Type.String() }), {
  description: 'Why the plan is not all that was asked for.',
});
export const notesOf = (noted: Noted): Static<typeof Notes> =>
  noted.notes.map((code) => ({ code, detail: NOTES[code](noted) }));

const metres = Math.round;

interface Offer {
  readonly tables: readonly LunchTable[];
  readonly guests: number;
}

const tableOffer = (
  { restaurantId, name, slotStart, slotEnd, totalMinor, currency }: LunchTable,
  guests: number,
): Static<typeof TableOffer> => {
  const total = toMajor(totalMinor, currency);
  const path = `/api/v1/restaurants/${restaurantId}/table-bookings`;
  return {
    restaurant_id: restaurantId,
    name,
    slot_start: slotStart,
    slot_end: slotEnd,
    total,
    total_minor: totalMinor,
    currency,
    booking: { method: 'POST', path, body: { slot_start: slotStart, guests, expected_total: total } },
  };
};

const stepOf = (step: Step, { tables, guests }: Offer): DayPlan['steps'][number] => {
  const at = { starts_at: instantOf(step.startsAt), ends_at: instantOf(step.endsAt), why: [...step.why] };
  switch (step.type) {
    case 'lift': {
      const { lift, direction, wait, verticalM } = step;
      const waits = { wait_minutes: wait.minutes, wait_source: wait.source };
      const { id: lift_id, name, kind } = lift;
      return { type: 'lift', ...at, lift_id, name, kind, direction, ...waits, vertical_m: metres(verticalM) };
    }
    case 'slope': {
      const { slope, distanceM, verticalM } = step;
      const { id: slope_id, name, difficulty } = slope;
      const measured = { distance_m: metres(distanceM), vertical_m: metres(verticalM) };
      return { type: 'slope', ...at, slope_id, name, difficulty, ...measured };
    }
    case 'lunch': {
      const table = step.table === null ? undefined : tables[step.table];
      return { type: 'lunch', ...at, table: table ? tableOffer(table, guests) : null };
    }
    case 'wait':
      return { type: 'wait', ...at };
  }
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** @param offer what the tables of its lunch are */
export const dayPlan = ({ points, steps }: Day, offer: Offer): DayPlan => {
  const runs = steps.filter((step) => step.type === 'slope');
  const rides = steps.filter((step) => step.type === 'lift');
  const idle = steps.filter((step) => step.type === 'wait');
  return {
    points: rounded(points, 2),
    starts_at: instantOf(steps[0]?.startsAt ?? 0),
    ends_at: instantOf(steps.at(-1)?.endsAt ?? 0),
    descent_m: metres(sum(runs.map(({ verticalM }) => verticalM))),
    distance_m: metres(sum(runs.map(({ distanceM }) => distanceM))),
    runs: runs.length,
    lift_rides: rides.length,
    waiting_minutes:
      sum(rides.map(({ wait }) => wait.minutes)) +
      metres(sum(idle.map(({ startsAt, endsAt }) => endsAt - startsAt)) / MINUTE_MS),
    steps: steps.map((step) => stepOf(step, offer)),
    depends_on: {
      lifts: [...new Set(rides.map(({ lift }) => lift.id))],
      slopes: [...new Set(runs.map(({ slope }) => slope.id))],
    },
  };
};
