/** A projector over the stores of a spec. */
import { type ProjectorDeps, runProjector } from '../../projections/engine/runner.ts';
import { ensureTables } from '../../projections/engine/tableVersions.ts';

export interface Projector {
  /** Fires when the projector stops. */
  readonly signal: AbortSignal;
  stop(): Promise<void>;
}

/** Starts a projector as a system does: what is missing of the tables is made before anything reads them. */
export const startProjector = async (deps: ProjectorDeps): Promise<Projector> => {
  await ensureTables(deps.pool, deps.groups);
  const stopping = new AbortController();
  const running = runProjector(deps, stopping.signal);
  running.catch((err: unknown) => deps.log.error({ err }, 'the projector ended'));
  return {
    signal: stopping.signal,
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};
