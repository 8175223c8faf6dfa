/** Badges as admins write them. */
import { type Badge, badgeCatalogue } from '../../domain/badges/catalogue.ts';
import { ONLY_ONE } from '../../domain/core/schema.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;

/**
 * Adds a badge; repeated with the same `context.commandId` it is the same one. People who have reached it already get
 * it soon.
 * @returns its id
 * @throws Rejected `invalid`, `conflict` when there are too many
 */
export const defineBadge = async ({ aggregates }: Deps, context: CommandContext, badge: Badge): Promise<string> => {
  const badgeId = derivedId(context.commandId, 'badge');
  await aggregates.handle(badgeCatalogue, ONLY_ONE, { type: 'DefineBadge', badgeId, badge }, context);
  return badgeId;
};

/** Nobody loses the badge by it. @throws Rejected `not_found`, `invalid`, `invalid_transition` when it was retired */
export const changeBadge = async (
  { aggregates }: Deps,
  context: CommandContext,
  badgeId: string,
  badge: Badge,
): Promise<void> => {
  await aggregates.handle(badgeCatalogue, ONLY_ONE, { type: 'ChangeBadge', badgeId, badge }, context);
};

/** Nobody loses the badge by it. Safe to repeat. @throws Rejected `not_found` */
export const retireBadge = async ({ aggregates }: Deps, context: CommandContext, badgeId: string): Promise<void> => {
  await aggregates.handle(badgeCatalogue, ONLY_ONE, { type: 'RetireBadge', badgeId }, context);
};
