/**
 * The grammar of decider specs:
 *
 *     const given = specification(booking);
 *     given([created, paid]).when({ type: 'CancelBooking', … }).then([{ type: 'BookingCancelled', data: … }]);
 *     given([cancelled]).when({ type: 'PayBooking', … }).then('invalid_transition');
 *
 * Events, given and decided, are held against their declared schema: what the codec would refuse fails here too. States go
 * through their snapshot: decisions do not depend on what it loses.
 */
import type { TSchema } from '@sinclair/typebox';
import { expect } from 'vitest';
import { type AnyEvent, changedNothing, type Decider } from '../../domain/core/decider.ts';
import type { RejectionCode } from '../../domain/core/rejections.ts';
import { explain, validator } from '../../infra/validation.ts';

/** One validator for each declaration: making one takes longer than most specs. */
const validators = new WeakMap<object, ReturnType<typeof validator>>();
const validatorOf = (declaration: { readonly data: TSchema }): ReturnType<typeof validator> => {
  const known = validators.get(declaration) ?? validator(declaration.data);
  validators.set(declaration, known);
  return known;
};

export const specification = <State, Command, Event extends AnyEvent>(decider: Decider<State, Command, Event>) => {
  const assertStorable = (event: Event): void => {
    const declaration = decider.events[event.type];
    if (!declaration) throw new Error(`${event.type} is not declared by ${decider.category}`);
    const valid = validatorOf(declaration);
    if (!valid(event.data)) throw new Error(`${event.type} does not fit its schema: ${explain(valid.errors)}`);
  };
  const fold = (state: State, events: readonly Event[]): State => {
    for (const event of events) assertStorable(event);
    return kept(events.reduce(decider.evolve, state));
  };
  /** The state as it comes back from its snapshot, where it has one. */
  const kept = (state: State): State => {
    if (!decider.snapshot) return state;
    return decider.snapshot.unpack(JSON.parse(JSON.stringify(decider.snapshot.pack(state))) as never);
  };

  return (events: readonly Event[]) => {
    const before = fold(decider.initial, events);
    return {
      /** The state these events lead to. */
      state: before,
      when: (command: Command) => ({
        // biome-ignore lint/suspicious/noThenProperty: the word of the grammar; nobody awaits a specification
        then: (expected: readonly Event[] | RejectionCode): void => {
          const happened = outcome(() => decider.decide(command, before));
          if (typeof happened !== 'string') fold(before, happened);
          expect(happened).toEqual(expected);
        },
        /** These events, and nothing more when the same command comes again. */
        thenOnce: (expected: readonly Event[]): void => {
          const happened = decider.decide(command, before);
          expect(happened).toEqual(expected);
          expect(outcome(() => decider.decide(command, fold(before, happened)))).toEqual([]);
        },
      }),
    };
  };
};

/** What was decided, or the code of what was thrown. */
const outcome = <Event>(decide: () => Event[]): Event[] | RejectionCode => {
  try {
    return decide();
  } catch (error) {
    if (changedNothing(error)) return error.code;
    throw error;
  }
};
