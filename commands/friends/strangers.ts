/** Limits a day on what somebody does with people who are no friends, so that strangers are not rung or shared with at will. */
import { DAY_S } from '../../domain/core/instants.ts';
import { scaled } from '../../infra/scaled.ts';
import { countOrRefuse } from '../accounts/counters.ts';
import type { CommandContext } from '../core/handle.ts';
import { type CountingDeps, type Pair, strangersTo } from './friends.ts';

/** Of each kind. `RATE_LIMITS` multiplies it. */
export const STRANGERS_PER_DAY = 20;

const KINDS = { ring: 'call', share: 'share tracks with' } as const;

/**
 * Counts what somebody does with a person who is no friend. Admins are not counted, they answer for the platform.
 * @throws Rejected `too_many_attempts` with `retry_after_s`
 */
export const countStranger = async (
  deps: CountingDeps,
  { at, actor }: Pick<CommandContext, 'at' | 'actor'>,
  kind: keyof typeof KINDS,
  { by, other }: Pair,
): Promise<void> => {
  const max = scaled(STRANGERS_PER_DAY, deps.settings.rateLimits);
  if (max === 0 || actor.role === 'admin' || (await strangersTo(deps, by, [other])).length === 0) return;
  const counter = { key: deps.vault.fingerprint(`strangers ${kind}`, by), max, seconds: DAY_S };
  const detail = () =>
    `You can ${KINDS[kind]} people who are not your friends ${max} times a day. Invite them as friends, or try again later.`;
  await countOrRefuse(deps.pool, [counter], at, detail);
};
