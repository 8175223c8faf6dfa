/** Who is on duty for people in need: a list in the order in which they are told. It exists once. */
import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, Rejected } from '../core/decider.ts';
import { Instant, Nullable, Uuid } from '../core/schema.ts';

/** From and until when somebody is on duty; null: without a beginning, without an end. */
export const Shift = Type.Object({ accountId: Uuid, from: Nullable(Instant), until: Nullable(Instant) });
export type Shift = Static<typeof Shift>;
export const MOST_SHIFTS = 200;

const dutyEvents = {
  SosDutySet: { data: Type.Object({ shifts: Type.Array(Shift) }) },
} as const satisfies EventDeclarations;
export type DutyEvent = EventsOf<typeof dutyEvents>;

/** Replaces the list. */
export type DutyCommand = { readonly type: 'SetDuty'; readonly shifts: readonly Shift[] };
export type Duty = readonly Shift[];

const time = (instant: string | null, otherwise: number): number =>
  instant === null ? otherwise : Date.parse(instant);

/** The people who are on duty at a time, in their order, each once. */
export const onDuty = (duty: Duty, at: string): string[] => {
  const now = Date.parse(at);
  const current = duty.filter(({ from, until }) => time(from, -Infinity) <= now && now < time(until, Infinity));
  return [...new Set(current.map(({ accountId }) => accountId))];
};

const decide = ({ shifts }: DutyCommand, state: Duty): DutyEvent[] => {
  if (shifts.some(({ from, until }) => time(from, -Infinity) >= time(until, Infinity)))
    throw new Rejected('invalid', 'A shift must end after it begins: `until` must be later than `from`.', {
      fields: ['shifts'],
    });
  return isDeepStrictEqual(shifts, state) ? [] : [{ type: 'SosDutySet', data: { shifts: [...shifts] } }];
};

export const sosDuty: Decider<Duty, DutyCommand, DutyEvent> = {
  category: 'sosDuty',
  short: 'people of the resort write it',
  events: dutyEvents,
  initial: [],
  decide,
  evolve: (_, event) => event.data.shifts,
};
