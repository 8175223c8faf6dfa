/**
 * What a resort operates: lifts and slopes. Both have the same life (added, changed, opened and closed by hand, retired)
 * and differ only in their details, so each is one declaration: `facility({ name: 'Lift', … })`.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Static, type TObject, type TOptional, type TProperties, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclaration, Rejected, requireExisting } from '../core/decider.ts';
import { differences } from '../core/differences.ts';
import { type IfRevision, refuseOutdated } from '../core/revision.ts';
import { markOf, NO_WORDS, saidBefore, type WordsMark } from '../core/saidBefore.ts';
import { Nullable } from '../core/schema.ts';
import { checkGeometry, type LineOrField } from './geometry.ts';
import { checkOverride, type Operated, Override, Reason, withEnd } from './operation.ts';
import { checkSchedule, type Schedule } from './schedule.ts';

/** What every facility has. */
export interface Common {
  readonly geometry: LineOrField;
  readonly schedule: Schedule | null;
  readonly bottomAltitudeM: number | null;
  readonly topAltitudeM: number | null;
}

export interface OpenFacility<Details> {
  readonly status: 'operated' | 'retired';
  readonly details: Details;
  readonly override: Override | null;
  /** Why it was retired. */
  readonly words: WordsMark;
  /** Rises with every change. */
  readonly revision: number;
}
export type Facility<Details> = { readonly status: 'none' } | OpenFacility<Details>;

export type FacilityCommand<Details> =
  | { readonly type: 'AddFacility'; readonly details: Details }
  | (IfRevision & {
      readonly type: 'ChangeFacility';
      readonly details: Partial<Details>;
      /** undefined: it stays as it is; null: back to the schedule. */
      readonly override?: Override | null | undefined;
      readonly at: string;
      /** IANA name, of the resort. */
      readonly timezone: string;
    })
  | ({ readonly type: 'RetireFacility'; readonly reason: string | null } & IfRevision);

/** What its state at an instant follows from. */
export const operatedOf = <D extends Pick<Common, 'schedule'>>({
  status,
  details,
  override,
}: OpenFacility<D>): D & Operated => ({ ...details, override, isRetired: status === 'retired' });

type Optionals<P extends TProperties> = { [K in keyof P]: TOptional<P[K]> };
const OverrideChange = Type.Object({ override: Nullable(Override) });
const Retired = Type.Object({ reason: Nullable(Reason) });
type Declared<N extends string, P extends TProperties> = {
  readonly [T in `${N}Added`]: EventDeclaration<TObject<P>>;
} & {
  readonly [T in `${N}Changed`]: EventDeclaration<TObject<Optionals<P>>>;
} & {
  readonly [T in `${N}OverrideSet`]: EventDeclaration<typeof OverrideChange>;
} & {
  readonly [T in `${N}Retired`]: EventDeclaration<typeof Retired>;
};
export type FacilityEvent<N extends string, Details> =
  | { readonly type: `${N}Added`; readonly data: Details }
  | { readonly type: `${N}Changed`; readonly data: Partial<Details> }
  | { readonly type: `${N}OverrideSet`; readonly data: Static<typeof OverrideChange> }
  | { readonly type: `${N}Retired`; readonly data: Static<typeof Retired> };

/** @param name names the events and, with a lower-case first letter, the category of the streams and the noun in errors */
export const facility = <const N extends string, P extends TProperties, Details extends object = Static<TObject<P>>>(
  name: N,
  details: TObject<P>,
): Decider<Facility<Details>, FacilityCommand<Details>, FacilityEvent<N, Details>> & {
  readonly events: Declared<N, P>;
} => {
  type State = Facility<Details>;
  type Event = FacilityEvent<N, Details>;
  const noun = name.charAt(0).toLowerCase() + name.slice(1);
  const events = {
    [`${name}Added`]: { data: details },
    [`${name}Changed`]: { data: Type.Partial(details) },
    [`${name}OverrideSet`]: { data: OverrideChange },
    [`${name}Retired`]: { data: Retired },
  } as unknown as Declared<N, P>;
  // The compiler cannot derive the type of an event from a name that is put together when the program runs.
  const made = (suffix: string, data: object): Event[] => [{ type: `${name}${suffix}`, data } as unknown as Event];

  /** @param changed of the details that are then all */
  const check = ({ geometry, schedule, ...changed }: Partial<Common>, all: Common): void => {
    if (geometry) checkGeometry(geometry);
    if (schedule) checkSchedule(schedule);
    const { bottomAltitudeM: bottom, topAltitudeM: top } = all;
    const isSet = changed.bottomAltitudeM !== undefined || changed.topAltitudeM !== undefined;
    if (isSet && bottom !== null && top !== null && bottom > top)
      throw new Rejected('invalid', `The lower end is at ${bottom} m, above the upper one at ${top} m.`, {
        fields: ['bottom_altitude_m', 'top_altitude_m'],
      });
  };
  const change = (
    command: Extract<FacilityCommand<Details>, { readonly type: 'ChangeFacility' }>,
    state: OpenFacility<Details>,
  ): Event[] => {
    const { at, timezone } = command;
    refuseOutdated(`This ${noun}`, command, state.revision);
    const changed = differences(state.details, command.details as object);
    const all = { ...(state.details as unknown as Common), ...(changed as Partial<Common>) };
    check(changed as Partial<Common>, all);
    const { schedule } = all;
    // What was opened before it had a schedule gets an end with it.
    const wanted = command.override === undefined && 'schedule' in changed ? state.override : command.override;
    const override = wanted && withEnd(wanted, schedule, timezone, at);
    const isSet = override !== undefined && !isDeepStrictEqual(override, state.override);
    if (isSet && override) checkOverride(override, at);
    return [
      ...(Object.keys(changed).length > 0 ? made('Changed', changed) : []),
      ...(isSet ? made('OverrideSet', { override }) : []),
    ];
  };

  const decide = (command: FacilityCommand<Details>, state: State): Event[] => {
    if (command.type === 'AddFacility') {
      if (state.status !== 'none') {
        if (Object.keys(differences(state.details, command.details)).length > 0)
          throw new Rejected('conflict', `This ${noun} already exists with other details.`);
        return [];
      }
      check(command.details as Partial<Common>, command.details as unknown as Common);
      return made('Added', command.details);
    }
    requireExisting(state, noun);
    switch (command.type) {
      case 'ChangeFacility':
        if (state.status === 'retired') throw new Rejected('invalid_transition', `This ${noun} is retired.`);
        return change(command, state);
      case 'RetireFacility':
        if (state.status === 'retired')
          return saidBefore(`This ${noun} was retired before`, state.words, command.reason);
        refuseOutdated(`This ${noun}`, command, state.revision);
        return made('Retired', { reason: command.reason });
    }
  };

  const evolve = (state: State, { type, data }: Event): State => {
    if (type === `${name}Added`)
      return { status: 'operated', details: data as Details, override: null, words: NO_WORDS, revision: 1 };
    if (state.status === 'none') return state;
    const next = { ...state, revision: state.revision + 1 };
    if (type === `${name}Changed`) return { ...next, details: { ...state.details, ...data } };
    if (type === `${name}Retired`)
      return { ...next, status: 'retired', words: markOf((data as Static<typeof Retired>).reason) };
    return { ...next, override: (data as Static<typeof OverrideChange>).override };
  };

  const short = 'people of the resort change it now and then';
  return { category: noun, short, events, initial: { status: 'none' }, decide, evolve };
};
