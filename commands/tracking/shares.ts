/** Shows a track to others while it is recorded. */
import { Rejected } from '../../domain/core/decider.ts';
import { trackingSession } from '../../domain/tracking/session.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { blockedBetween, type CountingDeps } from '../friends/friends.ts';
import { countStranger } from '../friends/strangers.ts';
import type { TrackingDeps } from './deps.ts';
import { openSessionsOf } from './openSessions.ts';
import type { TrackKey } from './points.ts';
import { ownSession } from './sessions.ts';

type Deps = Pick<TrackingDeps, 'aggregates'>;
type Of = Pick<TrackKey, 'accountId' | 'sessionId'>;

/**
 * Lets an account see the track until `expiresAt` (RFC 3339 UTC) or the end of the session. Whether the account exists is
 * not looked up, so that nobody learns it here.
 * @throws Rejected `not_found`, `invalid`, `invalid_transition`, `conflict`, `forbidden` after a block, `too_many_attempts` for
 *   too many strangers
 */
export const shareTrack = async (
  deps: Deps & CountingDeps,
  context: CommandContext,
  { accountId, sessionId }: Of,
  share: { readonly viewerId: string; readonly expiresAt: string },
): Promise<void> => {
  await ownSession(deps, accountId, sessionId);
  await countNewViewer(deps, context, { accountId, sessionId }, share.viewerId);
  if (await blockedBetween(deps, accountId, share.viewerId))
    throw new Rejected('forbidden', 'You cannot share a track with this person.');
  await deps.aggregates.handle(trackingSession, sessionId, { type: 'ShareTrack', ...share, at: context.at }, context);
};

/** Who sees the track already is not counted again when the share gets another end. */
const countNewViewer = async (
  deps: Deps & CountingDeps,
  context: CommandContext,
  { accountId, sessionId }: Of,
  viewerId: string,
): Promise<void> => {
  const { state } = await deps.aggregates.load(trackingSession, sessionId);
  const isSeeing = state.status === 'open' && state.shares.some((one) => one.viewerId === viewerId);
  if (!isSeeing && viewerId !== accountId)
    await countStranger(deps, context, 'share', { by: accountId, other: viewerId });
};

/** Safe to repeat. @throws Rejected `not_found` for a session of somebody else */
export const revokeShare = async (
  deps: Deps,
  context: CommandContext,
  { accountId, sessionId }: Of,
  viewerId: string,
): Promise<void> => {
  await ownSession(deps, accountId, sessionId);
  await deps.aggregates.handle(trackingSession, sessionId, { type: 'RevokeShare', viewerId }, context);
};

/** Ends the shares between two people of whom one has blocked the other. */
export const endSharesBetween = async (
  deps: Pick<TrackingDeps, 'aggregates' | 'pool'>,
  context: CommandContext,
  one: string,
  other: string,
): Promise<void> => {
  for (const [ownerId, viewerId] of [
    [one, other],
    [other, one],
  ] as const)
    for (const id of await openSessionsOf(deps.pool, ownerId)) await endShare(deps, context, id, viewerId);
};

const endShare = async (deps: Deps, context: CommandContext, sessionId: string, viewerId: string): Promise<void> => {
  const { state } = await deps.aggregates.load(trackingSession, sessionId);
  if (state.status !== 'open') return;
  const command = { type: 'RevokeShare', viewerId } as const;
  await deps.aggregates.handle(
    trackingSession,
    sessionId,
    command,
    followUp(context, `revoke ${sessionId} ${viewerId}`),
  );
};

/** Ends a share that was recorded while one of the two blocked the other. */
export const endShareIfBlocked = async (
  deps: Deps,
  context: CommandContext,
  sessionId: string,
  { ownerId, viewerId }: { readonly ownerId: string; readonly viewerId: string },
): Promise<void> => {
  if (await blockedBetween(deps, ownerId, viewerId)) await endShare(deps, context, sessionId, viewerId);
};
