/**
 * Protection against brute force: failed attempts are counted in one table for all nodes. An attempt counts from its
 * start and is subtracted when it succeeds, so that concurrent attempts do not bypass the limit.
 */
import { Rejected } from '../../domain/core/decider.ts';
import { migrations } from '../../infra/migrations.ts';
import { inTransaction, type Pool } from '../../infra/postgres.ts';
import type { CommandContext } from '../core/handle.ts';
import type { AccountDeps } from './deps.ts';

export const attemptMigrations = migrations('accounts', {
  '0001_attempts': `
    create table ops.attempts (
      key uuid primary key,
      count integer not null,
      until timestamptz not null
    );
    create index attempts_until on ops.attempts (until);
  `,
  holds: { 'ops.attempts': { nothing: 'counts under keyed fingerprints, for an hour' } },
});

interface Limit {
  readonly by: readonly ('subject' | 'address')[];
  /** Failures before the next attempt is refused. */
  readonly max: number;
  readonly seconds: number;
}
const BY_SUBJECT_AND_ADDRESS: Limit = { by: ['subject', 'address'], max: 5, seconds: 900 };
const BY_SUBJECT: Limit = { by: ['subject'], max: 20, seconds: 3_600 };
const BY_ADDRESS: Limit = { by: ['address'], max: 100, seconds: 3_600 };

/** One-time codes also limit the attempts for each code, so the strictest limit is not needed for them. */
export const LIMITS = {
  password: [BY_SUBJECT_AND_ADDRESS, BY_SUBJECT, BY_ADDRESS],
  code: [BY_SUBJECT, BY_ADDRESS],
} as const;

interface Counter extends Limit {
  readonly key: string;
}

/** Many people can share an IP address, so that limit follows the operator's factor. */
const countersOf = (
  deps: Pick<AccountDeps, 'vault' | 'settings'>,
  limits: readonly Limit[],
  who: { subject: string; address: string },
): Counter[] =>
  limits
    .map((limit) => ({
      ...limit,
      max: limit === BY_ADDRESS ? Math.round(limit.max * deps.settings.rateLimits) : limit.max,
      key: deps.vault.fingerprint('attempts', limit.by.map((part) => `${part}=${who[part]}`).join('\u0000')),
    }))
    .filter(({ max }) => max > 0);

/** Counts one attempt against all counters, or none and throws. */
const begin = (pool: Pool, counters: readonly Counter[], at: string): Promise<void> =>
  inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ key: string; count: number; until: string }>(
      `insert into ops.attempts as a (key, count, until)
       select key, 1, $3::timestamptz + seconds * interval '1 second'
       from unnest($1::uuid[], $2::integer[]) as new (key, seconds) order by key
       on conflict (key) do update set
         count = case when a.until <= $3 then 1 else a.count + 1 end,
         until = case when a.until <= $3 then excluded.until else a.until end
       returning key, count, until`,
      [counters.map(({ key }) => key), counters.map(({ seconds }) => seconds), at],
    );
    const max = new Map(counters.map((counter) => [counter.key, counter.max]));
    const full = rows.filter(({ key, count }) => count > (max.get(key) ?? 0));
    if (full.length === 0) return;
    const until = Math.max(...full.map((row) => Date.parse(row.until)));
    const seconds = Math.max(1, Math.ceil((until - Date.parse(at)) / 1_000));
    throw new Rejected('too_many_attempts', `Too many failed attempts. Try again in ${seconds} s.`, {
      retry_after_s: seconds,
    });
  });

/** After a success the counter of subject and address starts at zero again. */
const undoAttempt = async (pool: Pool, counters: readonly Counter[]): Promise<void> => {
  const both = counters.filter(({ by }) => by.length === 2).map(({ key }) => key);
  await pool.query(
    `update ops.attempts set count = case when key = any($2) then 0 else greatest(0, count - 1) end
     where key in (select key from ops.attempts where key = any($1) order by key for update)`,
    [counters.map(({ key }) => key), both],
  );
};

/**
 * Runs `attempt` unless too many have failed. A result of `null` is a failure.
 * @param subject the target of the attempts: an identifier or an account
 * @throws Rejected `too_many_attempts`, with `retry_after_s`
 */
export const limited = async <T>(
  deps: Pick<AccountDeps, 'vault' | 'settings' | 'pool'>,
  context: Pick<CommandContext, 'ip' | 'at'>,
  limits: readonly Limit[],
  subject: string,
  attempt: () => Promise<T | null>,
): Promise<T | null> => {
  const counters = countersOf(deps, limits, { subject, address: context.ip ?? 'none' });
  await begin(deps.pool, counters, context.at);
  const result = await attempt();
  if (result !== null) await undoAttempt(deps.pool, counters);
  return result;
};

export const pruneAttempts = async (pool: Pool): Promise<void> => {
  await pool.query('delete from ops.attempts where until < now()');
};
