/** Who is shown on leaderboards: only those who have asked for it, under a name of their own. */
import { skier } from '../../domain/leaderboards/skier.ts';
import type { CommandContext } from '../core/handle.ts';
import { calendarNow, type LeaderboardDeps } from './deps.ts';

type Deps = Pick<LeaderboardDeps, 'aggregates' | 'settings'>;

/**
 * Shows a person on the boards that are not closed, with what they have done so far; again: under another name.
 * @throws Rejected `invalid` for a reserved name, and for one that an admin removed
 */
export const joinLeaderboard = async (
  deps: Deps,
  context: CommandContext,
  accountId: string,
  displayName: string,
): Promise<void> => {
  const calendar = await calendarNow(deps);
  const command = { type: 'JoinLeaderboard', accountId, displayName, at: context.at, calendar } as const;
  await deps.aggregates.handle(skier, accountId, command, context);
};

/**
 * Shows a person without the name that was reported, until they choose another one. Safe to repeat; does nothing when they
 * have another name by now.
 * @param reason for the person
 */
export const removeName = async (
  { aggregates }: Pick<Deps, 'aggregates'>,
  context: CommandContext,
  {
    accountId,
    displayName,
    reason,
  }: { readonly accountId: string; readonly displayName: string; readonly reason: string },
): Promise<void> => {
  await aggregates.handle(skier, accountId, { type: 'RemoveName', accountId, displayName, reason }, context);
};

/** Shows a person with the name again that was removed last. Safe to repeat. */
export const restoreName = async (
  { aggregates }: Pick<Deps, 'aggregates'>,
  context: CommandContext,
  accountId: string,
): Promise<void> => {
  await aggregates.handle(skier, accountId, { type: 'RestoreName', accountId }, context);
};

/** Takes a person off all boards, closed ones included. Safe to repeat. */
export const leaveLeaderboard = async (
  { aggregates }: Pick<Deps, 'aggregates'>,
  context: CommandContext,
  accountId: string,
): Promise<void> => {
  await aggregates.handle(skier, accountId, { type: 'LeaveLeaderboard', accountId }, context);
};
