/**
 * What the erasure of a person does to their tracks: every session that is open or still has points is discarded, with its
 * shares.
 */
import { trackingSession } from '../../domain/tracking/session.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CountedErasureStep } from '../core/erasure.ts';
import type { TrackingDeps } from './deps.ts';
import { openSessionsOf } from './openSessions.ts';
import { sessionsWithPoints } from './points.ts';

type Deps = Pick<TrackingDeps, 'aggregates' | 'pool'>;

export const discardTracks: CountedErasureStep<Deps> = async ({ aggregates, pool }, context, accountId) => {
  const [open, withPoints] = await Promise.all([openSessionsOf(pool, accountId), sessionsWithPoints(pool, accountId)]);
  const sessions = new Set([...open, ...withPoints]);
  for (const id of sessions) {
    const { state } = await aggregates.load(trackingSession, id);
    if (state.status === 'none') continue;
    const commandId = derivedId(context.commandId, 'discard', id);
    await aggregates.handle(trackingSession, id, { type: 'DiscardSession' }, { ...context, commandId });
  }
  return { holder: 'tracks with their points', outcome: 'deleted', count: sessions.size };
};
