/**
 * What is left of a restore once the tables are in: they are upgraded, who was erased since is erased again, and the read
 * models are built from the log.
 */
import type { Position } from '../../domain/core/decider.ts';
import type { EventStore } from '../../eventstore/client/index.ts';
import { assertSameLog } from '../../eventstore/identity.ts';
import { isAfter } from '../../eventstore/subscribe.ts';
import { type Migrations, migrateOps } from '../../infra/migrations.ts';
import { createPool } from '../../infra/postgres.ts';
import { sleep } from '../../infra/retry.ts';
import { groupPositions } from '../../projections/engine/checkpoint.ts';
import { listParked } from '../../projections/engine/parked.ts';
import { type ProjectorDeps, runProjector } from '../../projections/engine/runner.ts';
import { CommandFailed } from '../cli/failed.ts';
import { allMigrations } from '../tables.ts';

export interface RestoreDeps extends ProjectorDeps {
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** Erases again who was erased after the backup. Returns how many erasures are not complete. */
  readonly eraseAgain: () => Promise<number>;
  readonly signal: AbortSignal;
  readonly onProgress?: (what: string, share: number, events: number) => void;
}

export interface Completed {
  readonly read_models: number;
  /** Erasures that wait for a system outside. The workers repeat them; until then these people are shown. */
  readonly unfinished_erasures: number;
}

/** Without a time limit: a step may write every row of a table. */
export const migrate = async ({ databaseUrl, log }: RestoreDeps, steps: readonly Migrations[]): Promise<void> => {
  const pool = createPool(databaseUrl, { max: 1, applicationName: 'migrate', log, statementTimeoutMs: 0 });
  try {
    await migrateOps(pool, steps);
  } finally {
    await pool.end();
  }
};

const POLL_MS = 200;

const lastEventOf = async (store: EventStore): Promise<Position | null> => {
  const { events } = await store.readAll({ direction: 'backwards', max: 100 });
  return events[0]?.position ?? null;
};

/** Builds all read models from the log. @throws CommandFailed when an event could not be applied */
const buildReadModels = async (deps: RestoreDeps, events: number): Promise<void> => {
  const stopping = new AbortController();
  const head = await lastEventOf(deps.store);
  let failure: unknown;
  const projecting = runProjector(deps, stopping.signal).catch((error: unknown) => {
    failure = error;
  });
  try {
    for (;;) {
      if (failure !== undefined) throw failure;
      if (deps.signal.aborted) throw new CommandFailed('interrupted: start the system, it builds the rest');
      const positions = await groupPositions(deps.pool);
      const behind = deps.groups
        .map(({ name }) => positions.get(name))
        .filter((at) => head && (!at || isAfter(head, at)));
      if (!head || behind.length === 0) break;
      const share = Math.min(...behind.map((at) => (at ? Number(at.commit) / Number(head.commit) : 0)));
      deps.onProgress?.('read models', share, Math.round(share * events));
      await sleep(POLL_MS, deps.signal);
    }
  } finally {
    stopping.abort();
    await projecting;
  }
  const [parked] = await listParked(deps.pool);
  if (parked)
    throw new CommandFailed(
      `everything is restored, but ${parked.stream} does not fit ${parked.model}: see npm run projections -- parked`,
    );
};

/**
 * What is left once the tables are restored.
 * @throws CommandFailed: a start of the system does the same, and this command refuses stores with data
 */
export const complete = async (deps: RestoreDeps, events: number): Promise<Completed> => {
  try {
    await migrate(deps, allMigrations);
    await assertSameLog(deps.pool, deps.store, { emptyDatabase: 'adopts' });
    const unfinished = await deps.eraseAgain();
    await buildReadModels(deps, events);
    return { read_models: deps.groups.flatMap(({ models }) => models).length, unfinished_erasures: unfinished };
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    throw new CommandFailed(
      `everything is restored, but what follows from it was not completed (${(error as Error).message}). Do not repeat the restore: start the system, it does the rest`,
      { cause: error },
    );
  }
};
