/**
 * What the erasure of a person does to their tracks: every session that is open or still has points is discarded, with its
 * shares.
 */
import { trackingSession } from '../../domain/tracking/session.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CommandContext } from '../core/handle.ts';
import type { TrackingDeps } from './deps.ts';
import { openSessionsOf } from './openSessions.ts';
import { sessionsWithPoints } from './points.ts';

type Deps = Pick<TrackingDeps, 'aggregates' | 'pool'>;

export const discardTracks = async (
  { aggregates, pool }: Deps,
  context: CommandContext,
  accountId: string,
): Promise<void> => {
  const [open, withPoints] = await Promise.all([openSessionsOf(pool, accountId), sessionsWithPoints(pool, accountId)]);
  for (const id of new Set([...open, ...withPoints])) {
    const { state } = await aggregates.load(trackingSession, id);
    if (state.status === 'none') continue;
    const commandId = derivedId(context.commandId, 'discard', id);
    await aggregates.handle(trackingSession, id, { type: 'DiscardSession' }, { ...context, commandId });
  }
};
