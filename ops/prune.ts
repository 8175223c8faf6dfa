/** Deletes expired rows once an hour. Every worker does so, which is harmless. */
import { pruneIdempotencyKeys } from '../api/http/idempotency.ts';
import type { Prune } from '../commands/core/module.ts';
import { type CommandDeps, modulePrunes } from '../commands/modules.ts';
import { sleep } from '../infra/retry.ts';
import { pruneSessions } from '../infra/sessions.ts';
import { pruneChanges } from '../projections/engine/changes.ts';

const EVERY_MS = 3_600_000;

const prunings: readonly Prune<CommandDeps['settings']>[] = [
  pruneSessions,
  pruneIdempotencyKeys,
  pruneChanges,
  ...modulePrunes,
];

/** Runs until `signal` fires. */
export const pruneHourly = async (
  { pool, settings, log }: Pick<CommandDeps, 'pool' | 'settings' | 'log'>,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    for (const prune of prunings)
      await prune(pool, settings).catch((err: unknown) =>
        log.warn({ err, prune: prune.name }, 'pruning failed and is repeated in an hour'),
      );
    await sleep(EVERY_MS, signal);
  }
};
