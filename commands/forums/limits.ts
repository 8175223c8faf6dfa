/** How much one account may write. Whoever is reported by others may write less. */
import { DAY_S, HOUR_S } from '../../domain/core/instants.ts';
import { scaled } from '../../infra/scaled.ts';
import { type Counter, countOrRefuse } from '../accounts/counters.ts';
import type { CommandContext } from '../core/handle.ts';
import type { WritingDeps } from './deps.ts';

/** What is left of a limit for somebody whom this many people have reported: half of it for one, a third for two. */
export const leftOf = (limit: number, reporters: number): number => Math.max(1, Math.floor(limit / (1 + reporters)));

export interface Writing {
  readonly by: string;
  readonly what: 'post' | 'topic';
  /** How many people have reported what this person has written lately, without the reports that were dismissed. */
  readonly reporters: () => Promise<number>;
}

/**
 * Counts a post, or a topic with its first post. Admins are not counted.
 * @throws Rejected `too_many_attempts` with `retry_after_s`: nothing was counted
 */
export const countWriting = async (
  { pool, vault, settings }: Pick<WritingDeps, 'pool' | 'vault' | 'settings'>,
  { at, actor }: Pick<CommandContext, 'at' | 'actor'>,
  { by, what, reporters }: Writing,
): Promise<void> => {
  const { forumPostsPerHour, forumTopicsPerDay, rateLimits } = settings;
  const limits = [
    { name: 'forum posts', limit: scaled(forumPostsPerHour, rateLimits), seconds: HOUR_S },
    ...(what === 'topic'
      ? [{ name: 'forum topics', limit: scaled(forumTopicsPerDay, rateLimits), seconds: DAY_S }]
      : []),
  ].filter(({ limit }) => limit > 0);
  if (limits.length === 0 || actor.role === 'admin') return;
  const reported = await reporters();
  const counters = limits.map(
    ({ name, limit, seconds }): Counter => ({
      key: vault.fingerprint(name, by),
      max: leftOf(limit, reported),
      seconds,
    }),
  );
  await countOrRefuse(pool, counters, at, () => 'You have written a lot in the forums. Try again later.');
};
