/**
 * Counters that all nodes share, each for a limited time: failed attempts, and messages that were sent. Keys are keyed
 * fingerprints, so that the table names nobody.
 */
import { Rejected } from '../../domain/core/decider.ts';
import { msBetween } from '../../domain/core/instants.ts';
import { migrations } from '../../infra/migrations.ts';
import { inTransaction, type Pool } from '../../infra/postgres.ts';

export const counterMigrations = migrations('accounts', {
  '0001_attempts': `
    create table ops.attempts (
      key uuid primary key,
      count integer not null,
      until timestamptz not null
    );
    create index attempts_until on ops.attempts (until);
  `,
  '0002_running_attempts': `
    -- how many of the count have begun and not ended; the last one of them began at begun_at
    alter table ops.attempts add column running integer not null default 0;
    alter table ops.attempts add column begun_at timestamptz;
  `,
  personalData: {
    'ops.attempts': { nothing: 'counts under keyed fingerprints, for some hours', retention: [{ after: 'until' }] },
  },
});

export interface Counter {
  readonly key: string;
  /** How much it may count before `count` refuses. `Infinity`: it only counts. 0: no limit, so that it is not counted. */
  readonly max: number;
  /** How long it counts, from its first count on. */
  readonly seconds: number;
  /** How much is counted; 1 by default. */
  readonly times?: number;
}

export interface Count {
  readonly key: string;
  readonly count: number;
  /** How many of the count have begun and not ended, this one included. */
  readonly running: number;
  /** When it starts again at zero, RFC 3339. */
  readonly until: string;
}

/** A counter was full; nothing was counted. */
export class CounterFull extends Error {
  override readonly name = 'CounterFull';
  readonly key: string;
  /** Seconds until it counts again, at least 1. */
  readonly seconds: number;
  /** Whether it may have room before that, because attempts that it counts may still succeed. */
  readonly isUndecided: boolean;
  constructor(key: string, seconds: number, isUndecided: boolean) {
    super(`the counter is full for ${seconds} s`);
    this.key = key;
    this.seconds = seconds;
    this.isUndecided = isUndecided;
  }
}

/** After this long, what has begun and not ended is taken for ended: its process is gone. */
const ENDS_WITHIN = `interval '30 seconds'`;

/**
 * Counts in all counters, or in none.
 * @param begins whether what is counted is an attempt that ends with `uncount` or `fail`
 * @throws CounterFull, of those that are full the one that is full longest
 */
export const count = async (
  pool: Pool,
  all: readonly Counter[],
  at: string,
  begins = false,
): Promise<readonly Count[]> => {
  const counters = all.filter(({ max }) => max > 0);
  if (counters.length === 0) return [];
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<Count>(
      `insert into ops.attempts as a (key, count, until, running, begun_at)
       select key, times, $3::timestamptz + seconds * interval '1 second', $5, now()
       from unnest($1::uuid[], $2::integer[], $4::integer[]) as new (key, seconds, times) order by key
       on conflict (key) do update set
         count = case when a.until <= $3 then excluded.count else a.count + excluded.count end,
         until = case when a.until <= $3 then excluded.until else a.until end,
         running = case when a.until <= $3 or a.begun_at < now() - ${ENDS_WITHIN} then excluded.running
                        else a.running + excluded.running end,
         begun_at = excluded.begun_at
       returning key, count, until, running`,
      [
        counters.map(({ key }) => key),
        counters.map(({ seconds }) => seconds),
        at,
        counters.map(({ times = 1 }) => times),
        begins ? 1 : 0,
      ],
    );
    const max = new Map(counters.map((counter) => [counter.key, counter.max]));
    const full = rows.filter((row) => row.count > (max.get(row.key) ?? 0));
    const [longest] = full.toSorted((a, b) => Date.parse(b.until) - Date.parse(a.until));
    if (!longest) return rows;
    const seconds = Math.max(1, Math.ceil(msBetween(at, longest.until) / 1_000));
    const isUndecided = full.every((row) => row.count - row.running < (max.get(row.key) ?? 0));
    throw new CounterFull(longest.key, seconds, isUndecided);
  });
};

/**
 * Counts in all counters, or in none and refuses.
 * @param detail what the person is told, of the seconds until it counts again
 * @throws Rejected `code`, with `retry_after_s`
 */
export const countOrRefuse = (
  pool: Pool,
  counters: readonly Counter[],
  at: string,
  detail: (seconds: number) => string,
  code: 'too_many_attempts' | 'upload_limit' | 'sms_unavailable' = 'too_many_attempts',
): Promise<readonly Count[]> =>
  count(pool, counters, at).catch((error: unknown) => {
    if (!(error instanceof CounterFull)) throw error;
    throw new Rejected(code, detail(error.seconds), { retry_after_s: error.seconds });
  });

const EACH = 'key in (select key from ops.attempts where key = any($1) order by key for update)';

/** Takes one count back from each of `keys`; those of `cleared` keep only the attempts that have not ended. */
export const uncount = async (pool: Pool, keys: readonly string[], cleared: readonly string[] = []): Promise<void> => {
  await pool.query(
    `update ops.attempts set running = greatest(0, running - 1),
       count = greatest(0, case when key = any($2) then running - 1 else count - 1 end) where ${EACH}`,
    [keys, cleared],
  );
};

/** Ends an attempt that counts. */
export const fail = async (pool: Pool, keys: readonly string[]): Promise<void> => {
  await pool.query(`update ops.attempts set running = greatest(0, running - 1) where ${EACH}`, [keys]);
};
