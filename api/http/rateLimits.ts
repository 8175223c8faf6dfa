/**
 * Requests a minute, counted in each process. Brute force against sign-in has limits of its own that all nodes share
 * (`commands/accounts.ts`).
 */
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { HttpError } from './errors.ts';
import type { Rate } from './operations.ts';
import type { Caller } from './route.ts';

const PER_MINUTE = { user: 300, anonymous: 60, login: 10, money: 20, partner: 120, availability: 60 } as const;
type Policy = keyof typeof PER_MINUTE;

export interface RateLimits {
  /** Counts one request; throws `HttpError` 429 past the limit. Headers are set either way. */
  count(
    caller: Caller,
    ip: string,
    rate: Rate | undefined,
    setHeader: (name: string, value: string) => void,
  ): Promise<void>;
}

/** @param factor multiplies every limit; 0 switches them off. */
export const createRateLimits = (factor: number): RateLimits => {
  const limiters = new Map<Policy, RateLimiterMemory>(
    Object.entries(PER_MINUTE).map(([name, points]) => [
      name as Policy,
      new RateLimiterMemory({ keyPrefix: name, points: Math.max(1, Math.round(points * factor)), duration: 60 }),
    ]),
  );
  return {
    async count(caller, ip, rate, setHeader) {
      if (factor === 0) return;
      const general: Policy = caller === null || caller.kind === 'seed' ? 'anonymous' : caller.kind;
      const who = caller === null || caller.kind === 'seed' ? ip : caller.kind === 'user' ? caller.id : caller.keyId;
      const policies: Policy[] = rate && rate !== general ? [general, rate] : [general];
      for (const policy of policies) {
        const limiter = limiters.get(policy);
        if (!limiter) continue;
        const refused: RateLimiterRes | undefined = await limiter.consume(who).then(
          (now) => {
            setHeader('ratelimit', `"${policy}";r=${now.remainingPoints};t=${Math.ceil(now.msBeforeNext / 1_000)}`);
            return undefined;
          },
          (now: RateLimiterRes) => now,
        );
        setHeader('ratelimit-policy', `"${policy}";q=${limiter.points};w=60`);
        if (!refused) continue;
        const seconds = String(Math.max(1, Math.ceil(refused.msBeforeNext / 1_000)));
        setHeader('ratelimit', `"${policy}";r=0;t=${seconds}`);
        throw new HttpError('rate_limited', `too many requests, try again in ${seconds} s`, {
          headers: { 'retry-after': seconds },
        });
      }
    },
  };
};
