/**
 * What was told of a lift or a slope: its state at the minute in which it changed. Clocks change a state without anybody
 * doing something; these events are the record of it.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclaration, snapshot } from '../core/decider.ts';
import { addMs, isAfter } from '../core/instants.ts';
import { Instant, Nullable } from '../core/schema.ts';
import { type Operated, OperatingState, stateAt } from './operation.ts';
import { Queue, type QueueReports, queueAt } from './queue.ts';

/** A lift is told of at most once in this many milliseconds. */
const TOLD_EVERY_MS = 5_000;

export const LiftTold = Type.Object({ ...OperatingState.properties, ...Queue.properties });
export type LiftTold = Static<typeof LiftTold>;
export const SlopeTold = OperatingState;
export type SlopeTold = Static<typeof SlopeTold>;

/** What there is to tell of a lift at an instant. @param timezone IANA name, of the resort */
export const liftStateAt = (
  lift: Operated & { readonly capacityPerHour: number | null },
  reports: QueueReports,
  timezone: string,
  at: string,
): LiftTold => {
  const state = stateAt(lift, timezone, at);
  return { ...state, ...queueAt(reports, lift.capacityPerHour, state.status, at) };
};

/** Nothing else is told before `quietUntil`. */
const Quiet = Type.Object({ quietUntil: Instant });

export interface TellState<T> {
  readonly type: 'TellState';
  readonly state: T;
  readonly at: string;
}
interface Last<T> {
  readonly told: T;
  readonly quietUntil: string;
}
export type Told<T> = Last<T> | null;

/** When a state that differs from the last may be told; null: it is the last. */
export const mayTellAt = <T>(told: Told<T>, state: T, at: string): string | null => {
  if (told === null) return at;
  if (isDeepStrictEqual(told.told, state)) return null;
  return isAfter(told.quietUntil, at) ? told.quietUntil : at;
};

interface ToldEvent<N extends string, T> {
  readonly type: N;
  readonly data: T & Static<typeof Quiet>;
}

const teller = <const N extends string, T extends object>(
  category: string,
  type: N,
  schema: typeof LiftTold | typeof SlopeTold,
): Decider<Told<T>, TellState<T>, ToldEvent<N, T>> & { readonly events: { readonly [K in N]: EventDeclaration } } => ({
  category,
  events: { [type]: { data: Type.Object({ ...schema.properties, ...Quiet.properties }) } } as unknown as {
    readonly [K in N]: EventDeclaration;
  },
  initial: null,
  decide: ({ state, at }, told) => {
    if (mayTellAt(told, state, at) !== at) return [];
    const quietUntil = addMs(at, TOLD_EVERY_MS);
    return [{ type, data: { ...state, quietUntil } }];
  },
  evolve: (_, { data: { quietUntil, ...told } }) => ({ told: told as unknown as T, quietUntil }),
  snapshot: snapshot({
    version: 1,
    packed: Type.Object({ told: Nullable(schema), quietUntil: Type.String() }),
    pack: (state: Told<T>) => ({ told: state?.told ?? null, quietUntil: state?.quietUntil ?? '' }) as never,
    unpack: ({ told, quietUntil }) => (told === null ? null : { told: told as unknown as T, quietUntil }),
  }),
});

export const liftTold = teller<'LiftStateTold', LiftTold>('liftState', 'LiftStateTold', LiftTold);
export const slopeTold = teller<'SlopeStateTold', SlopeTold>('slopeState', 'SlopeStateTold', SlopeTold);
