/**
 * Claims of jobs: one process works on a job, and the others leave it alone for now. A claim is short, and renewed while the
 * job runs, so that others soon take over from a process that was killed. Its end is by the database's clock.
 */
import { isClaimed, shareConnection } from '../../infra/claims.ts';
import { gatherBy } from '../../infra/gather.ts';
import type { Logger } from '../../infra/log.ts';
import type { Pool } from '../../infra/postgres.ts';
import { sleep } from '../../infra/retry.ts';
import { IDLE_MS, JOBS_CHANNEL, keyOf } from './jobChanges.ts';

/** How long a claim lasts unless it is renewed. */
export const CLAIM_MS = 20_000;
const CLAIMED_FOR = `interval '${CLAIM_MS} milliseconds'`;
const IS_CLAIMED = isClaimed('claimed_until', CLAIMED_FOR);
const RENEW_MS = CLAIM_MS / 4;
/** A claim counts as lost so long before its end: until it is looked at again, it could be over. */
const LOST_EARLY_MS = 2 * RENEW_MS;
/** Waits at least this long, so that a job which another worker is claiming does not cause a busy loop. */
const LEAST_WAIT_MS = 5;
const DELETED_AT_ONCE = 64;

export interface ClaimedJob {
  readonly kind: string;
  readonly id: string;
  readonly due_at: string;
  /** Tells this claim from others of the same job. */
  readonly claim: string;
  readonly data: object;
  readonly correlation_id: string;
  readonly attempts: number;
}

/**
 * SQL: the job was not set anew since it was claimed: `run_at` is the end of the claim then. Processes of the former release
 * know no other claim, and change `run_at` alone. Not written as `=`, or the job would be looked for among all claims.
 */
const AS_CLAIMED = 'run_at is not distinct from claimed_until';

const notRunning = (parameter: string): string => `kind || ' ' || id <> all (${parameter}::text[])`;

/**
 * Claims due jobs, by the database's clock, for `CLAIM_MS`.
 * @param running the keys of those that this process still runs, also if their claims have ended
 */
export const claim = async (
  pool: Pool,
  kinds: readonly string[],
  most: number,
  running: readonly string[] = [],
): Promise<ClaimedJob[]> => {
  const { rows } = await pool.query<ClaimedJob>(
    `update ops.jobs t set run_at = now() + ${CLAIMED_FOR}, claimed_until = now() + ${CLAIMED_FOR},
       claim = gen_random_uuid(), attempts = attempts + 1
     from (select kind, id from ops.jobs where run_at <= now() and run_at < 'infinity' and kind = any ($1)
           and not ${IS_CLAIMED} and ${notRunning('$3')} order by run_at limit $2 for update skip locked) due
     where t.kind = due.kind and t.id = due.id
     returning t.kind, t.id, t.due_at, t.claim, t.data, t.correlation_id, t.attempts`,
    [kinds, most, running],
  );
  return rows;
};

/** Milliseconds until a job is due, or the claim of another process ends. @param running as for `claim` */
export const untilNext = async (
  pool: Pool,
  kinds: readonly string[],
  running: readonly string[] = [],
): Promise<number> => {
  const { rows } = await pool.query<{ ms: number | null }>(
    `select (extract(epoch from least(
       (select run_at from ops.jobs where run_at < 'infinity' and kind = any ($1) and not ${IS_CLAIMED}
        and ${notRunning('$2')} order by run_at limit 1),
       (select claimed_until from ops.jobs where claimed_until is not null and kind = any ($1) and ${IS_CLAIMED}
        and ${notRunning('$2')} order by claimed_until limit 1)
     ) - now()) * 1000)::float8 as ms`,
    [kinds, running],
  );
  return Math.ceil(Math.min(IDLE_MS, Math.max(LEAST_WAIT_MS, rows[0]?.ms ?? IDLE_MS)));
};

/** SQL: deletes jobs, and notes that they are done. @param chosen which ones, as `using …` or `where …` */
const deleteAndNote = (chosen: string): string => `
  with done as (
    delete from ops.jobs as job ${chosen}
    returning job.kind, job.id, job.correlation_id, job.attempts, job.last_error
  ), noted as (
    insert into ops.done_jobs (kind, id, correlation_id, attempts, last_error, done_at)
    select kind, id, correlation_id, attempts, last_error, clock_timestamp() from done
  )
  select kind, id from done`;
const DELETE_DONE = deleteAndNote(`using (
    select kind, id from ops.jobs
    where (kind, id, claim) in (select * from unnest($1::text[], $2::text[], $3::uuid[])) and ${AS_CLAIMED}
    for update skip locked) as claimed
  where job.kind = claimed.kind and job.id = claimed.id`);
const OWN = 'kind = $1 and id = $2 and claim = $3';
const DELETE_LEFT = deleteAndNote(`where ${OWN} and ${AS_CLAIMED}`);
const columnsOf = (jobs: readonly ClaimedJob[]) => [
  jobs.map(({ kind }) => kind),
  jobs.map(({ id }) => id),
  jobs.map((job) => job.claim),
];
const keyedBy = (job: ClaimedJob) => [job.kind, job.id, job.claim];

/**
 * Deletes a job that is done, and says whether it was still as it was claimed. Those that are done while others are being
 * deleted are deleted together. One that a transaction is just changing is left to it: the others would wait for it.
 */
const deleteDone = gatherBy(
  async (pool: Pool, done: readonly ClaimedJob[]) => {
    const { rows } = await pool.query<{ kind: string; id: string }>(DELETE_DONE, columnsOf(done));
    const deleted = new Set(rows.map(keyOf));
    return done.map((job) => deleted.has(keyOf(job)));
  },
  DELETED_AT_ONCE,
  1,
);

/**
 * SQL: gives a claim up. @param columns what is set, unless the job was set anew meanwhile: then that counts. Other processes
 * are told where it is due at once.
 */
const giveUp = (columns: Readonly<Record<string, string>>): string => {
  const changes = Object.entries(columns).map(
    ([column, value]) => `, ${column} = case when ${AS_CLAIMED} then ${value} else ${column} end`,
  );
  return `with given as (
      update ops.jobs set claim = null, claimed_until = null${changes.join('')} where ${OWN} returning run_at
    ) select pg_notify('${JOBS_CHANNEL}', '') from given where run_at <= now()`;
};
const SET_ANEW = giveUp({});
const AGAIN = giveUp({ run_at: '$4::timestamptz', due_at: '$4::timestamptz', attempts: '0' });
// By the database's clock, like every comparison with `run_at`: the clock of this process may differ.
const FAILED = giveUp({
  run_at: `coalesce(now() + $4::float8 * interval '1 millisecond', 'infinity')`,
  last_error: '$5::text',
});

/**
 * Records that a job is done. Its row can be locked, by the claim of another process, which changes nothing: it is waited for
 * then, or the job would run again. @returns whether it was not set anew meanwhile
 */
export const endJob = async (pool: Pool, job: ClaimedJob): Promise<boolean> => {
  if (await deleteDone(pool, job)) return true;
  if (((await pool.query(DELETE_LEFT, keyedBy(job))).rowCount ?? 0) > 0) return true;
  await pool.query(SET_ANEW, keyedBy(job));
  return false;
};

/** Has a job run again at that time, as a new one. */
export const repeatJob = async (pool: Pool, job: ClaimedJob, at: string): Promise<void> => {
  await pool.query(AGAIN, [...keyedBy(job), at]);
};

/** Records that a job failed. @param waitMs until the next attempt; null: it is parked until an operator retries it */
export const failJob = async (pool: Pool, job: ClaimedJob, waitMs: number | null, error: string): Promise<void> => {
  await pool.query(FAILED, [...keyedBy(job), waitMs, error]);
};

/** What another statement is just changing is renewed the next time: nobody waits, and nobody claims it meanwhile. */
const RENEW = `
  update ops.jobs as job set claimed_until = now() + ${CLAIMED_FOR},
    run_at = case when own.as_claimed then now() + ${CLAIMED_FOR} else job.run_at end
  from (
    select kind, id, ${AS_CLAIMED} as as_claimed from ops.jobs
    where (kind, id, claim) in (select * from unnest($1::text[], $2::text[], $3::uuid[])) for update skip locked
  ) as own
  where job.kind = own.kind and job.id = own.id
  returning job.kind, job.id`;

/** Renews claims. @returns the keys of those that were renewed */
export const renewClaims = async (pool: Pool, jobs: readonly ClaimedJob[]): Promise<ReadonlySet<string>> => {
  const { rows } = await pool.query<{ kind: string; id: string }>(RENEW, columnsOf(jobs));
  return new Set(rows.map(keyOf));
};

interface Held {
  /** By the clock of this process, as the others. */
  sureUntil: number;
  /** After it, the job hangs: another process may try. */
  readonly renewedUntil: number;
  readonly lost: AbortController;
}

export interface ClaimKeeper {
  /**
   * Renews the claim of a job that was claimed just now, until it is let go.
   * @param longestMs after so long it is not renewed any more
   * @returns a signal that fires when another process may have the job
   */
  keep(job: ClaimedJob, longestMs: number): AbortSignal;
  letGo(job: ClaimedJob): void;
  stop(): Promise<void>;
}

/** Keeps the claims of a process, over the connection that leases have for themselves: a full pool costs none of them. */
export const createClaimKeeper = (work: Pool, log: Logger, renewMs: number = RENEW_MS): ClaimKeeper => {
  const { pool, leave } = shareConnection(work, log);
  const held = new Map<ClaimedJob, Held>();
  const ended = new AbortController();
  const renew = async (): Promise<void> => {
    const askedAt = performance.now();
    const jobs = [...held].flatMap(([job, { renewedUntil }]) => (askedAt < renewedUntil ? [job] : []));
    const renewed = jobs.length > 0 ? await renewClaims(pool, jobs) : new Set<string>();
    for (const job of jobs) {
      const one = held.get(job);
      // Counted from before the request, so that a claim never lasts longer by our clock than by the database's.
      if (one && renewed.has(keyOf(job))) one.sureUntil = askedAt + CLAIM_MS;
    }
  };
  const rounds = (async () => {
    for (;;) {
      await sleep(renewMs, ended.signal);
      if (ended.signal.aborted) return;
      await renew().catch((err: unknown) => log.warn({ err }, 'the claims of jobs were not renewed'));
      const soon = performance.now() + LOST_EARLY_MS;
      for (const { sureUntil, lost } of held.values()) if (sureUntil < soon) lost.abort();
    }
  })();
  return {
    keep: (job, longestMs) => {
      const [now, lost] = [performance.now(), new AbortController()];
      held.set(job, { sureUntil: now + CLAIM_MS, renewedUntil: now + longestMs, lost });
      return lost.signal;
    },
    letGo: (job) => void held.delete(job),
    stop: async () => {
      ended.abort();
      await rounds;
      await leave();
    },
  };
};
