/** Jobs that a wrong clock of the database has put off: it was ahead when they were claimed or failed, and was then set back. */
import { outlivedClaims } from '../../infra/claims.ts';
import type { Logger } from '../../infra/log.ts';
import type { Pool } from '../../infra/postgres.ts';
import { CLAIM_MS } from './jobClaims.ts';

/** Longer than a job waits after a failure. */
const LONGEST_WAIT = `interval '2 hours'`;
/** Planned jobs can be many. */
const HURRY_EVERY_MS = 600_000;
const LOOK_EVERY_MS = CLAIM_MS / 2;

const CLAIM = `kind || ' ' || id || ' ' || claim || ' ' || claimed_until`;
const FAR = `claimed_until > now() + interval '${CLAIM_MS} milliseconds' and kind = any ($1)`;

/**
 * Has jobs run that failed and wait for a time far ahead, or were claimed by the former release. A job that is planned for
 * such a time is not due yet, and stays.
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

/** Ends claims that last longer than claims do. @param lastsMs how long they are honoured @returns how many, each time */
export const endOutlived = (
  pool: Pool,
  kinds: readonly string[],
  lastsMs: number = CLAIM_MS,
): (() => Promise<number>) => {
  const outlived = outlivedClaims(lastsMs, async () => {
    const { rows } = await pool.query<{ claim: string }>(`select ${CLAIM} as claim from ops.jobs where ${FAR}`, [
      kinds,
    ]);
    return rows.map(({ claim }) => claim);
  });
  return async () => {
    const claims = await outlived();
    if (claims.length === 0) return 0;
    const { rowCount } = await pool.query(
      `update ops.jobs set claim = null, claimed_until = null, run_at = least(run_at, now())
       where ${FAR} and ${CLAIM} = any ($2)`,
      [kinds, claims],
    );
    return rowCount ?? 0;
  };
};

/** Now, and again from time to time. */
export const overdueHurry = (pool: Pool, kinds: readonly string[], log: Logger) => {
  const end = endOutlived(pool, kinds);
  let [lookedAt, hurriedAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return async (): Promise<void> => {
    const now = performance.now();
    if (now - lookedAt < LOOK_EVERY_MS) return;
    const isTime = now - hurriedAt >= HURRY_EVERY_MS;
    const jobs = (await end()) + (isTime ? await hurryOverdue(pool, kinds) : 0);
    lookedAt = now;
    if (isTime) hurriedAt = now;
    if (jobs > 0) log.warn({ jobs }, 'jobs that a wrong clock had put off run now');
  };
};
