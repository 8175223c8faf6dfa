/** Commands that are decided on, and change nothing: previews run the same code as what they show. */
import { type AnyEvent, type Decider, streamName } from '../../domain/core/decider.ts';
import type { Aggregates } from './handle.ts';

export interface DryRun {
  /** What is counted beside the log is not counted. */
  readonly isDryRun?: true;
}

/**
 * Aggregates that remember what the commands would have changed. Nothing is appended, so that no policy or job follows, and
 * nothing of another system happens.
 */
export const dryRun = <Deps extends { readonly aggregates: Aggregates }>(deps: Deps): Deps & DryRun => {
  const { aggregates: real } = deps;
  const changed = new Map<string, unknown>();
  const load: Aggregates['load'] = async (decider, id, options) => {
    const loaded = await real.load(decider, id, options);
    const known = changed.get(streamName(decider.category, id)) as typeof loaded.state | undefined;
    return { ...loaded, state: known ?? loaded.state };
  };
  const handle: Aggregates['handle'] = async <S, C extends { readonly type: string }, E extends AnyEvent>(
    decider: Decider<S, C, E>,
    id: string,
    command: C,
  ) => {
    const loaded = await load(decider, id);
    const events = decider.decide(command, loaded.state);
    const state = events.reduce(decider.evolve, loaded.state);
    changed.set(streamName(decider.category, id), state);
    return { ...loaded, before: loaded.state, state, events };
  };
  return { ...deps, aggregates: { load, handle }, isDryRun: true };
};
