/** Aggregates in memory, for specs of commands that need no store: each command is decided at once on its stream. */
import type { Aggregates } from '../../commands/core/handle.ts';
import { type AnyEvent, type Decider, streamName } from '../../domain/core/decider.ts';

export interface MemoryAggregates extends Aggregates {
  /** Appends events as they are. */
  given(stream: string, events: readonly AnyEvent[]): void;
  /** The state as it is now. */
  stateOf<S, C, E extends AnyEvent>(decider: Decider<S, C, E>, id: string): S;
}

/** @param before runs before each command: other actors can act there, and a process can die there */
export const memoryAggregates = (
  before: (command: { readonly type: string }) => Promise<void> = async () => undefined,
): MemoryAggregates => {
  const streams = new Map<string, readonly AnyEvent[]>();
  const load = <S, C, E extends AnyEvent>(decider: Decider<S, C, E>, id: string) => {
    const events = (streams.get(streamName(decider.category, id)) ?? []) as E[];
    const revision = events.length > 0 ? BigInt(events.length - 1) : null;
    return { state: events.reduce(decider.evolve, decider.initial), revision, position: null };
  };
  const given = (stream: string, events: readonly AnyEvent[]) =>
    void streams.set(stream, [...(streams.get(stream) ?? []), ...events]);
  return {
    given,
    stateOf: (decider, id) => load(decider, id).state,
    load: async (decider, id) => load(decider, id),
    handle: async (decider, id, command) => {
      await before(command);
      const { state } = load(decider, id);
      const events = decider.decide(command, state);
      given(streamName(decider.category, id), events);
      return { ...load(decider, id), before: state, events };
    },
  };
};
