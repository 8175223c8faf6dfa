/** Jobs that do not end: they take room, and are not run again by the same process. */
import type { Logger } from '../../infra/log.ts';
import { metrics } from '../../infra/metrics.ts';

/** Most jobs never take this long: what they wait for has a time limit, or should have one. */
export const HANGS_AFTER_MS = 600_000;

/**
 * The outcome of a running job. One that takes too long is logged again and again, and counted in `jobs_hanging`.
 * @param longestMs how long a job of its kind may take
 */
export const reportHanging = async <T>(
  job: { readonly kind: string; readonly id: string },
  log: Logger,
  outcome: Promise<T>,
  longestMs = HANGS_AFTER_MS,
): Promise<T> => {
  const begunAt = performance.now();
  let hangs = false;
  const report = () => {
    if (!hangs) metrics.jobsHanging.inc({ kind: job.kind });
    hangs = true;
    const minutes = Math.round((performance.now() - begunAt) / 60_000);
    log.error(
      { kind: job.kind, id: job.id, minutes },
      'a job does not end; this process does not run it again before a restart',
    );
  };
  const timer = setInterval(report, longestMs).unref();
  try {
    return await outcome;
  } finally {
    clearInterval(timer);
    if (hangs) metrics.jobsHanging.dec({ kind: job.kind });
  }
};
