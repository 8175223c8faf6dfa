/**
 * Requests a minute, counted in each process. Brute force against sign-in has limits of its own that all nodes share
 * (`commands/accounts`).
 */
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { type Policy, perMinute } from './access.ts';
import type { Caller } from './caller.ts';
import { HttpError } from './errors.ts';
import type { DeclaredRoute } from './route.ts';

type SetHeader = (name: string, value: string) => void;

/** One request under a policy, charged to an account, an address, a key or a sender. */
interface Charge {
  readonly policy: Policy;
  readonly to: string;
}

export interface RateLimits {
  /** Counts one request; throws `HttpError` 429 past the limit. Sets the `ratelimit` headers either way. */
  count(charges: readonly Charge[], setHeader: SetHeader): Promise<void>;
}

/** Policies that a request to an operation counts under before its handler runs. */
export const chargesFor = (
  { access, rate }: Pick<DeclaredRoute, 'access' | 'rate'>,
  caller: Caller,
  ip: string,
): Charge[] => {
  if (access === 'signed') return [{ policy: 'sender', to: ip }];
  if (rate === 'refresh') return [{ policy: rate, to: ip }];
  const general: Charge =
    caller?.kind === 'user'
      ? { policy: 'user', to: caller.id }
      : caller?.kind === 'partner'
        ? { policy: 'partner', to: caller.keyId }
        : { policy: 'anonymous', to: ip };
  return rate === undefined ? [general] : [general, { policy: rate, to: general.to }];
};

/** @param factor multiplies every limit; 0 switches them off. */
export const createRateLimits = (factor: number): RateLimits => {
  const limiterOf = (policy: Policy, points: number) =>
    new RateLimiterMemory({ keyPrefix: policy, points: Math.max(1, Math.round(points * factor)), duration: 60 });
  const limiters = new Map(
    Object.entries(perMinute).map(([policy, points]) => [policy, limiterOf(policy as Policy, points)]),
  );
  return {
    async count(charges, setHeader) {
      if (factor === 0) return;
      for (const { policy, to } of charges) {
        const limiter = limiters.get(policy);
        if (!limiter) continue;
        const refused: RateLimiterRes | undefined = await limiter.consume(to).then(
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
        throw new HttpError('rate_limited', `Too many requests. Try again in ${seconds} s.`, {
          headers: { 'retry-after': seconds },
        });
      }
    },
  };
};
