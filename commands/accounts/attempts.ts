/**
 * Protection against guessing, that nobody can use to lock somebody else out. An attempt counts from its start and is
 * taken back when it succeeds, so that concurrent attempts do not bypass the limits. One that is beyond a limit only
 * because others have not ended waits for them: the right password is never refused because it came several times at once.
 *
 * - 5 failures for a subject from one address: refused for a while, there only
 * - 20 failures an hour for a subject, from wherever: answers are delayed, longer with each failure
 * - 100 failures an hour from one address: refused
 * - from a device that signed in to the account before: only its own failures count
 */
import { changedNothing, Rejected } from '../../domain/core/decider.ts';
import { DAY_S, HOUR_S } from '../../domain/core/instants.ts';
import { createInFlight } from '../../infra/inFlight.ts';
import { createKeyedQueue, Overloaded } from '../../infra/keyedQueue.ts';
import { rateKeyOf } from '../../infra/network.ts';
import { sleep } from '../../infra/retry.ts';
import { scaled } from '../../infra/scaled.ts';
import { logSecurity, type SecurityEvent } from '../../infra/securityLog.ts';
import type { CommandContext } from '../core/handle.ts';
import { type Count, type Counter, CounterFull, count, fail, uncount } from './counters.ts';
import type { AccountDeps } from './deps.ts';

interface Limit {
  readonly by: readonly ('subject' | 'address' | 'device')[];
  /** Failures before the next attempt is refused, or delayed. */
  readonly max: number;
  readonly seconds: number;
  readonly beyond: 'refuse' | 'delay';
}
const QUARTER_HOUR = 900;
const BY_SUBJECT: Limit = { by: ['subject'], max: 20, seconds: HOUR_S, beyond: 'delay' };
const BY_ADDRESS: Limit = { by: ['address'], max: 100, seconds: HOUR_S, beyond: 'refuse' };

/** What is guessed. Each has counters of its own. `email`: which addresses have an account, by trying to take them. */
export type Guessed = 'password' | 'code' | 'email';
/** A code allows five attempts by itself, so that two codes may be mistyped from one address. */
const PER_PLACE: Readonly<Record<'password' | 'code', number>> = { password: 5, code: 10 };
/** Addresses that turn out to be others': more would be a search for people who have an account here. */
const OTHERS_EMAILS: Limit = { by: ['subject'], max: 5, seconds: DAY_S, beyond: 'refuse' };

const limitsOf = (guessed: Guessed, { device }: Guesser): Limit[] => {
  if (guessed === 'email') return [OTHERS_EMAILS, BY_ADDRESS];
  const place = { max: PER_PLACE[guessed], seconds: QUARTER_HOUR, beyond: 'refuse' } as const;
  if (device !== undefined) return [{ by: ['subject', 'device'], ...place }];
  return [{ by: ['subject', 'address'], ...place }, BY_SUBJECT, BY_ADDRESS];
};

export interface Guesser {
  /** The target of the attempts: an identifier or an account. */
  readonly subject: string;
  /** The id of a device that signed in to this account before. */
  readonly device?: string | undefined;
  /** The account that the attempt turned out to be about, for the security log. */
  readonly account?: () => string | undefined;
}

type Deps = Pick<AccountDeps, 'vault' | 'settings' | 'pool' | 'log'>;
type LimitedCounter = Counter & Limit;

/** Many people can share an IP address, so that limit follows the operator's factor. */
const countersOf = (deps: Deps, guessed: Guessed, guesser: Guesser, address: string): LimitedCounter[] =>
  limitsOf(guessed, guesser).map((limit) => {
    const max = limit === BY_ADDRESS ? scaled(limit.max, deps.settings.rateLimits) : limit.max;
    const parts = limit.by.map((part) => `${part}=${part === 'address' ? address : guesser[part]}`);
    return { ...limit, max, key: deps.vault.fingerprint('attempts', [guessed, ...parts].join('\u0000')) };
  });

const tooMany = (seconds: number) => `Too many failed attempts. Try again in ${seconds} s.`;

/** Attempts that wait until those before them have ended: one of each counter asks, the others wait in line. */
const undecided = createKeyedQueue({ atOnce: 1, waiting: 100, patienceMs: 5_000 });
const ASKS_EVERY_MS = 25;
const ASKS_FOR_MS = 5_000;

/** Counts attempts as soon as it is known whether there is room. @throws CounterFull, Overloaded */
const countInTurn = async (
  { pool }: Pick<Deps, 'pool'>,
  counters: readonly Counter[],
  at: string,
): Promise<readonly Count[]> => {
  const tryToCount = () =>
    count(pool, counters, at, true).catch((error: unknown) => {
      if (error instanceof CounterFull && error.isUndecided) return error;
      throw error;
    });
  const first = await tryToCount();
  if (!(first instanceof CounterFull)) return first;
  return undecided.run(first.key, async () => {
    for (const until = performance.now() + ASKS_FOR_MS; performance.now() < until; await sleep(ASKS_EVERY_MS)) {
      const counts = await tryToCount();
      if (!(counts instanceof CounterFull)) return counts;
    }
    throw new Overloaded('other attempts have not ended');
  });
};

/** Counts the attempt. @returns how long it waits, in milliseconds @throws Rejected `too_many_attempts`, Overloaded */
const begin = async (deps: Deps, counters: readonly LimitedCounter[], at: string): Promise<number> => {
  const bounded = counters.map((each) => (each.beyond === 'delay' ? { ...each, max: Number.POSITIVE_INFINITY } : each));
  const counts = await countInTurn(deps, bounded, at).catch((error: unknown) => {
    if (!(error instanceof CounterFull)) throw error;
    throw new Rejected('too_many_attempts', tooMany(error.seconds), { retry_after_s: error.seconds });
  });
  const failures = counters
    .filter(({ beyond }) => beyond === 'delay')
    .map(({ key, max }) => {
      const found = counts.find((each) => each.key === key);
      return found !== undefined && found.count - found.running >= max ? found.count - max : 0;
    });
  const most = Math.max(0, ...failures);
  return most === 0 ? 0 : Math.min(deps.settings.longestDelayMs, 1_000 * 2 ** (most - 1));
};

const waiting = createInFlight();
/**
 * Delays an attempt. Each that waits holds a request open, so that their number is bounded: in all; for one subject, because
 * more would let many addresses guess faster; and for one subject from one address.
 * @returns whether there was room to wait
 */
const delayed = async (subject: string, address: string, ms: number): Promise<boolean> => {
  const release = waiting.take([
    { key: 'all', max: 200 },
    { key: `s ${subject}`, max: 20 },
    { key: `p ${subject} ${address}`, max: 1 },
  ]);
  if (release) await sleep(ms).finally(release);
  return release !== undefined;
};

/**
 * Runs `attempt` unless too many have failed, or after a delay. A result of `null` is a failure.
 * @throws Rejected `too_many_attempts`, with `retry_after_s`
 */
export const limited = async <T>(
  deps: Deps,
  context: Pick<CommandContext, 'ip' | 'at'>,
  guessed: Guessed,
  guesser: Guesser,
  attempt: () => Promise<T | null>,
): Promise<T | null> => {
  const address = rateKeyOf(context.ip ?? 'none');
  const counters = countersOf(deps, guessed, guesser, address);
  const keys = counters.map(({ key }) => key);
  const report = (event: SecurityEvent) => {
    const target = deps.vault.fingerprint('attempts', guesser.subject);
    logSecurity(deps.log, event, { ip: context.ip, account: guesser.account?.(), target });
  };
  const ms = await begin(deps, counters, context.at).catch((error: unknown) => {
    if (changedNothing(error)) report('locked');
    throw error;
  });
  if (ms > 0) report('delayed');
  const waited = ms === 0 || (await delayed(guesser.subject, address, ms));
  if (!waited) {
    await uncount(deps.pool, keys);
    const seconds = Math.ceil(ms / 1_000);
    throw new Rejected('too_many_attempts', tooMany(seconds), { retry_after_s: seconds });
  }
  // A fault says nothing about what was tried: it does not count.
  const result = await attempt().catch(async (error: unknown) => {
    await (error instanceof Rejected ? fail : uncount)(deps.pool, keys).catch(() => undefined);
    throw error;
  });
  if (result === null) {
    report(guessed === 'email' ? 'others_identifier' : 'sign_in_failed');
    await fail(deps.pool, keys);
    return null;
  }
  // After a success, the failures of this place are forgotten.
  const place = counters.filter(({ by }) => by.length === 2).map(({ key }) => key);
  await uncount(deps.pool, keys, place);
  return result;
};
