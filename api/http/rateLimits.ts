/**
 * Requests a minute: whom a request is counted against, and what is refused. Guessing at sign-in has limits of its own
 * (`commands/accounts`).
 */
import { createHash } from 'node:crypto';
import { rateKeyOf } from '../../infra/network.ts';
import { scaled } from '../../infra/scaled.ts';
import { type Policy, perMinute } from './access.ts';
import type { Caller } from './caller.ts';
import { HttpError } from './errors.ts';
import type { RateCounts } from './rateCounts.ts';
import type { DeclaredRoute } from './route.ts';

type SetHeader = (name: string, value: string) => void;

/** One request under a policy, charged to an account, an address, a key or a sender. */
interface Charge {
  readonly policy: Policy;
  readonly to: string;
}

export interface RateLimits {
  /** Counts one request; throws `HttpError` 429 past the limit. Sets the `ratelimit` headers either way. */
  count(charges: readonly Charge[], setHeader: SetHeader): void;
}

/** Policies that a request to an operation counts under before its body is read. */
export const chargesFor = (
  { access, rate, spec }: Pick<DeclaredRoute, 'access' | 'rate' | 'spec'>,
  caller: Caller,
  ip: string,
): Charge[] => {
  const address = rateKeyOf(ip);
  if (access === 'signed') return [{ policy: 'sender', to: address }];
  if (access === 'emergency' && caller?.kind === 'user')
    return rate === undefined ? [] : [{ policy: rate, to: caller.id }];
  if (spec.rateBy !== undefined) return [{ policy: 'address', to: address }];
  if (rate === 'file' || rate === 'status') return [{ policy: rate, to: address }];
  if (rate === 'events' && caller?.kind === 'user') return [{ policy: 'events', to: caller.id }];
  if (rate === 'scans' && caller?.kind === 'partner') return [{ policy: 'scans', to: caller.keyId }];
  const general: Charge =
    caller?.kind === 'user'
      ? { policy: 'user', to: caller.id }
      : caller?.kind === 'partner'
        ? { policy: 'partner', to: caller.keyId }
        : { policy: 'anonymous', to: address };
  return rate === undefined ? [general] : [general, { policy: rate, to: general.to }];
};

/**
 * The charge that depends on the body: people behind one address do not use up each other's limit. A device token is one
 * of its parts, so that strangers at the same address cannot use up that of a known device. It is not verified here: who
 * makes up tokens still has the limit of the address, and those on guessing.
 */
export const chargesForBody = (
  { rate, spec }: Pick<DeclaredRoute, 'rate' | 'spec'>,
  body: unknown,
  ip: string,
): Charge[] => {
  if (spec.rateBy === undefined || rate === undefined) return [];
  const fields = body as Record<string, unknown>;
  const values = spec.rateBy.map((name) => String(fields[name] ?? ''));
  const digest = createHash('sha256').update(values.join('\u0000').toLowerCase().replace(/ /g, '')).digest('base64url');
  return [{ policy: rate, to: `${rateKeyOf(ip)} ${digest}` }];
};

/** @param factor multiplies every limit; 0 switches them off. */
export const createRateLimits = (factor: number, counts: RateCounts): RateLimits => ({
  count(charges, setHeader) {
    if (factor === 0) return;
    for (const { policy, to } of charges) {
      const max = scaled(perMinute[policy], factor);
      const { allowed, left, seconds } = counts.take(`${policy} ${to}`, max);
      setHeader('ratelimit-policy', `"${policy}";q=${max};w=60`);
      setHeader('ratelimit', `"${policy}";r=${left};t=${seconds}`);
      if (allowed) continue;
      throw new HttpError('rate_limited', `Too many requests. Try again in ${seconds} s.`, {
        headers: { 'retry-after': String(seconds) },
      });
    }
  },
});
