/** Jobs that a wrong clock of the database has put off. */
import type { Logger } from '../../infra/log.ts';
import type { Pool } from '../../infra/postgres.ts';

/** Longer than a job that was due ever waits: for the end of a claim, or after a failure. */
const LONGEST_WAIT = `interval '2 hours'`;
const HURRY_EVERY_MS = 600_000;

/**
 * Has jobs run that were due and wait for a time far ahead: the database's clock was ahead when they were claimed or failed,
 * and was then set back. A job that is planned for such a time is not due yet, and stays.
 * @returns how many
 */
export const hurryOverdue = async (pool: Pool, kinds: readonly string[]): Promise<number> => {
  const { rowCount } = await pool.query(
    `update ops.jobs set run_at = now()
     where run_at > now() + ${LONGEST_WAIT} and run_at < 'infinity' and due_at <= now() and kind = any ($1)`,
    [kinds],
  );
  return rowCount ?? 0;
};

/** Now, and again from time to time: planned jobs can be many. */
export const overdueHurry = (pool: Pool, kinds: readonly string[], log: Logger) => {
  let hurriedAt = Number.NEGATIVE_INFINITY;
  return async (): Promise<void> => {
    if (performance.now() - hurriedAt < HURRY_EVERY_MS) return;
    const jobs = await hurryOverdue(pool, kinds);
    hurriedAt = performance.now();
    if (jobs > 0) log.warn({ jobs }, 'jobs that a wrong clock had put off run now');
  };
};
