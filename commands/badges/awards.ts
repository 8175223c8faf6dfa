/** Awards badges to whoever has reached them, and takes those back whose record does not count any more. */
import { badgeCatalogue } from '../../domain/badges/catalogue.ts';
import { badgeHolder, type RevocationCause } from '../../domain/badges/holder.ts';
import { type BadgeMetric, isReached } from '../../domain/badges/rule.ts';
import { addMs } from '../../domain/core/instants.ts';
import { ONLY_ONE } from '../../domain/core/schema.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { defineJob } from '../core/jobs.ts';
import type { LeaderboardDeps } from '../leaderboards/deps.ts';
import { factsOf, pageReached } from './badgeFacts.ts';

export type BadgeDeps = LeaderboardDeps;

/**
 * So old may be what is known of badges when somebody's record grows, in milliseconds: thousands grow at once when the gates
 * open. People who reach a newer badge meanwhile are found by its look back, which begins later.
 */
const CATALOGUE = { maxAgeMs: 1_000 };
/** More than that, with what the clocks of two machines may differ by. */
export const LOOK_BACK_AFTER_MS = 3_000;

const award = async (
  { aggregates, pool, settings }: BadgeDeps,
  context: CommandContext,
  accountId: string,
  isAffected: (badgeId: string, metric: BadgeMetric) => boolean,
): Promise<void> => {
  const { state } = await aggregates.load(badgeCatalogue, ONLY_ONE, CATALOGUE);
  const candidates = Object.entries(state).flatMap(([badgeId, badge]) =>
    badge && isAffected(badgeId, badge.metric) ? [{ badgeId, badge }] : [],
  );
  if (candidates.length === 0) return;
  const facts = await factsOf(pool, accountId);
  for (const { badgeId, badge } of candidates) {
    const { metric, threshold, window, season } = badge;
    const rule = { metric, threshold, window, season };
    if (!isReached(rule, facts, settings.resortSeasonBegins)) continue;
    const command = { type: 'AwardBadge', accountId, badgeId, rule } as const;
    await aggregates.handle(badgeHolder, accountId, command, followUp(context, `award ${accountId} ${badgeId}`));
  }
};

/** After something has been counted for these metrics. */
export const awardReached = (
  deps: BadgeDeps,
  context: CommandContext,
  accountId: string,
  metrics: readonly BadgeMetric[],
): Promise<void> => award(deps, context, accountId, (_, metric) => metrics.includes(metric));

/**
 * After a record was taken out for a reason: takes the badges of these metrics back that the rest does not reach, by the
 * rules by which they were awarded.
 */
export const revokeUnreached = async (
  { aggregates, pool, settings }: BadgeDeps,
  context: CommandContext,
  accountId: string,
  metrics: readonly BadgeMetric[],
  cause: RevocationCause,
): Promise<void> => {
  const { state } = await aggregates.load(badgeHolder, accountId);
  const held = Object.entries(state).filter(([, { metric }]) => metrics.includes(metric));
  if (held.length === 0) return;
  const facts = await factsOf(pool, accountId);
  for (const [badgeId, rule] of held) {
    if (isReached(rule, facts, settings.resortSeasonBegins)) continue;
    const command = { type: 'RevokeBadge', accountId, badgeId, cause } as const;
    await aggregates.handle(badgeHolder, accountId, command, followUp(context, `revoke ${badgeId}`));
  }
};

const PAGE = 50;

/**
 * Awards a badge to those who reached it before it was there, or before its rule was what it is now. A page at a time: after
 * a crash it goes on with the page that it was at.
 */
export const badgeLookBack = defineJob<{ readonly badgeId: string; readonly after: string | null }, BadgeDeps>(
  'badge_look_back',
  async ({ id, data: { badgeId, after } }, { deps, context }) => {
    const { state } = await deps.aggregates.load(badgeCatalogue, ONLY_ONE);
    const badge = state[badgeId];
    if (!badge) return undefined; // retired since
    const page = await pageReached(deps.pool, badge, deps.settings.resortSeasonBegins, { after, limit: PAGE });
    for (const accountId of page) await award(deps, context, accountId, (id) => id === badgeId);
    const last = page.at(-1);
    if (page.length === PAGE && last) {
      const dueAt = addMs(context.at, 1);
      await badgeLookBack.schedule(deps.jobs, context, { id, dueAt, data: { badgeId, after: last } });
    }
    return undefined;
  },
);
