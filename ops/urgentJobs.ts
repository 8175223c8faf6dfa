/** Reports urgent jobs that keep failing: they are repeated for ever, so that nobody would hear of them otherwise. */
import type { FailingJobs } from '../commands/core/jobs.ts';
import type { Logger } from '../infra/log.ts';
import { metrics } from '../infra/metrics.ts';

/** Reads them each time it is called, and logs those that begin to fail. */
export const createUrgentJobCheck = (
  read: () => Promise<readonly FailingJobs[]>,
  log: Logger,
): { check(): Promise<void>; faults(): string[] } => {
  let failing: readonly FailingJobs[] = [];
  return {
    check: async () => {
      const before = new Set(failing.map(({ kind }) => kind));
      failing = await read();
      metrics.jobsFailing.reset();
      for (const { kind, count, last_error } of failing) {
        metrics.jobsFailing.set({ kind }, count);
        if (!before.has(kind)) log.error({ kind, count, lastError: last_error }, 'urgent jobs keep failing');
      }
    },
    faults: () =>
      failing.map(({ kind, count, last_error }) => `${count} urgent jobs (${kind}) keep failing: ${last_error}`),
  };
};
