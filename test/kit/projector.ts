/** A projector over the stores of a spec. */
import type { Pool } from '../../infra/postgres.ts';
import { livePosition } from '../../projections/engine/checkpoint.ts';
import type { Positions } from '../../projections/engine/positions.ts';
import type { ReadModel } from '../../projections/engine/readModel.ts';
import { type ProjectorDeps, runProjector } from '../../projections/engine/runner.ts';
import { ensureTables } from '../../projections/engine/tableVersions.ts';
import { endsWithSpec } from './ending.ts';
import { until } from './until.ts';

export interface Projector {
  /** Fires when the projector stops. */
  readonly signal: AbortSignal;
  stop(): Promise<void>;
}

/**
 * Starts a projector as a system does: what is missing of the tables is made before anything reads them. It ends with the
 * spec.
 */
export const startProjector = async (deps: ProjectorDeps): Promise<Projector> => {
  await ensureTables(deps.pool, deps.groups);
  const stopping = new AbortController();
  const running = runProjector(deps, stopping.signal);
  running.catch((err: unknown) => deps.log.error({ err }, 'the projector ended'));
  return {
    signal: stopping.signal,
    stop: endsWithSpec(async () => {
      stopping.abort();
      await running;
    }),
  };
};

/**
 * Waits until a process has heard of all that is projected into a model: it is told a moment later, and answers from what it
 * has in memory until then.
 */
export const untilHeard = async (
  positions: Pick<Positions, 'reached'>,
  pool: Pool,
  model: Pick<ReadModel, 'name'>,
): Promise<void> => {
  const position = await livePosition(pool, model);
  if (position) await until(() => positions.reached(position, 1_000, [model]));
};
