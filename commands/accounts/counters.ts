/**
 * Counters that all nodes share, each for a limited time: failed attempts, and messages that were sent. Keys are keyed
 * fingerprints, so that the table names nobody.
 */
import { Rejected } from '../../domain/core/decider.ts';
import { msBetween } from '../../domain/core/instants.ts';
import type { RejectionCode } from '../../domain/core/rejections.ts';
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
  holds: { 'ops.attempts': { nothing: 'counts under keyed fingerprints, for some hours', kept: [{ after: 'until' }] } },
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
  /** When it starts again at zero, RFC 3339. */
  readonly until: string;
}

/** A counter was full; nothing was counted. */
export class CounterFull extends Error {
  override readonly name = 'CounterFull';
  readonly key: string;
  /** Seconds until it counts again, at least 1. */
  readonly seconds: number;
  constructor(key: string, seconds: number) {
    super(`the counter is full for ${seconds} s`);
    this.key = key;
    this.seconds = seconds;
  }
}

/** Counts in all counters, or in none. @throws CounterFull, of those that are full the one that is full longest */
export const count = async (pool: Pool, all: readonly Counter[], at: string): Promise<readonly Count[]> => {
  const counters = all.filter(({ max }) => max > 0);
  if (counters.length === 0) return [];
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<Count>(
      `insert into ops.attempts as a (key, count, until)
       select key, times, $3::timestamptz + seconds * interval '1 second'
       from unnest($1::uuid[], $2::integer[], $4::integer[]) as new (key, seconds, times) order by key
       on conflict (key) do update set
         count = case when a.until <= $3 then excluded.count else a.count + excluded.count end,
         until = case when a.until <= $3 then excluded.until else a.until end
       returning key, count, until`,
      [
        counters.map(({ key }) => key),
        counters.map(({ seconds }) => seconds),
        at,
        counters.map(({ times = 1 }) => times),
      ],
    );
    const max = new Map(counters.map((counter) => [counter.key, counter.max]));
    const full = rows.filter((row) => row.count > (max.get(row.key) ?? 0));
    const [longest] = full.toSorted((a, b) => Date.parse(b.until) - Date.parse(a.until));
    if (longest) throw new CounterFull(longest.key, Math.max(1, Math.ceil(msBetween(at, longest.until) / 1_000)));
    return rows;
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
  code: RejectionCode = 'too_many_attempts',
): Promise<readonly Count[]> =>
  count(pool, counters, at).catch((error: unknown) => {
    if (!(error instanceof CounterFull)) throw error;
    throw new Rejected(code, detail(error.seconds), { retry_after_s: error.seconds });
  });

/** Takes one count back from each of `keys`; those of `cleared` start again at zero. */
export const uncount = async (pool: Pool, keys: readonly string[], cleared: readonly string[] = []): Promise<void> => {
  await pool.query(
    `update ops.attempts set count = case when key = any($2) then 0 else greatest(0, count - 1) end
     where key in (select key from ops.attempts where key = any($1) order by key for update)`,
    [keys, cleared],
  );
};
