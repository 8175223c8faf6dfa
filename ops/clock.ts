/**
 * Compares the clock of this process with that of the database. Leases and jobs go by the database's clock; times in
 * events, holds and tokens by that of the process, so that a difference must be noticed.
 */
import type { Logger } from '../infra/log.ts';
import { metrics } from '../infra/metrics.ts';
import type { Queryable } from '../infra/postgres.ts';

/** Above this many seconds, holds end visibly early or late. */
const MAX_SKEW_S = 5;

/** Seconds by which this process is ahead; half the time of the query is the uncertainty. */
export const clockSkew = async (db: Queryable): Promise<number> => {
  const askedAt = Date.now();
  const { rows } = await db.query<{ at: number }>('select extract(epoch from clock_timestamp())::float8 as at');
  return (askedAt + Date.now()) / 2_000 - (rows[0]?.at ?? 0);
};

/** Measures each time it is called, and logs a difference when it begins and when it ends. */
export const createClockCheck = (
  measure: () => Promise<number>,
  log: Logger,
): { check(): Promise<void>; faults(): string[] } => {
  let skew = 0;
  const isOff = () => Math.abs(skew) > MAX_SKEW_S;
  return {
    check: async () => {
      const wasOff = isOff();
      skew = await measure();
      metrics.clockSkewSeconds.set(skew);
      if (isOff() && !wasOff) log.warn({ seconds: skew }, 'the clock differs from that of the database');
      if (!isOff() && wasOff) log.info('the clock agrees with that of the database again');
    },
    faults: () =>
      isOff() ? [`The clock differs by ${Math.round(skew)} s from that of the database: synchronise both (NTP).`] : [],
  };
};
