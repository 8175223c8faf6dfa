/** Claims: what a process has for itself until a time by the database's clock, so that others wait, and no longer. */
import type { Logger } from './log.ts';
import { besidePool, type Pool } from './postgres.ts';

/** So much longer than a claim lasts, its end may be ahead. */
const STEP = `interval '1 second'`;

/**
 * SQL: somebody has what the row is about. A claim that ends further ahead than claims last was made before the database's
 * clock was set back, and is not honoured.
 * @param until the column with the end of the claim; null: there is none
 * @param lasts how long claims last, an interval in SQL
 */
export const isClaimed = (until: string, lasts: string): string =>
  `coalesce(${until} between clock_timestamp() and clock_timestamp() + ${lasts} + ${STEP}, false)`;

/**
 * Finds claims that were honoured for as long as a claim lasts, counted by the clock of this process, and still end further
 * ahead than that: they were made before the database's clock was set back. Somebody who is at work renews, and so changes,
 * a claim.
 * @param far asks for the claims that end further ahead than claims last, each as a text with its end
 */
export const outlivedClaims = (
  lastsMs: number,
  far: () => Promise<readonly string[]>,
): (() => Promise<readonly string[]>) => {
  let seen = new Map<string, number>();
  return async () => {
    const now = performance.now();
    seen = new Map((await far()).map((claim) => [claim, seen.get(claim) ?? now]));
    return [...seen].filter(([, since]) => now - since >= lastsMs).map(([claim]) => claim);
  };
};

/** The connections for claims, each beside the pool that does the work. */
const connections = new WeakMap<Pool, { readonly pool: Pool; users: number }>();
const QUERY_TIMEOUT_MS = 2_000;

/**
 * Opens a connection beside `pool` over which claims are renewed, or shares the one that is open: neither a full pool nor a
 * long batch costs a process its claims. It closes with its last user.
 */
export const shareConnection = (pool: Pool, log: Logger): { readonly pool: Pool; leave(): Promise<void> } => {
  const [statementTimeoutMs, answerTimeoutMs] = [QUERY_TIMEOUT_MS, QUERY_TIMEOUT_MS];
  const options = { max: 1, applicationName: 'leases', statementTimeoutMs, answerTimeoutMs, log };
  const connection = connections.get(pool) ?? { pool: besidePool(pool, options), users: 0 };
  connections.set(pool, connection);
  connection.users += 1;
  let left = false;
  return {
    pool: connection.pool,
    leave: async () => {
      if (left) return;
      left = true;
      connection.users -= 1;
      if (connection.users > 0) return;
      connections.delete(pool);
      await connection.pool.end();
    },
  };
};
