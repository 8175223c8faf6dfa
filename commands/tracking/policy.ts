/** What follows from sessions later: silent devices, late points, the end of shares, the end of points; and from blocks. */
import { addMs, HOUR_MS } from '../../domain/core/instants.ts';
import { trackingSession } from '../../domain/tracking/session.ts';
import { defineJob } from '../core/jobs.ts';
import { policy } from '../core/policy.ts';
import type { TrackingDeps } from './deps.ts';
import { forgetOpen, rememberOpen } from './openSessions.ts';
import { deletePoints, type TrackKey } from './points.ts';
import { finishAbandoned } from './sessions.ts';
import { endShareIfBlocked, endSharesBetween } from './shares.ts';
import { trackSummary } from './summaryJob.ts';
import { deletePrint, ownTracksAt, rememberedTrack } from './trackFingerprints.ts';

/** The id is that of the session. */
export const trackAbandoned = defineJob<object, TrackingDeps>('track_abandoned', ({ id }, { deps, context }) =>
  finishAbandoned(deps, context, id),
);

export const trackShareExpiry = defineJob<{ readonly sessionId: string }, TrackingDeps>(
  'track_share_expiry',
  async ({ data }, { deps, context }) => {
    const { state } = await deps.aggregates.load(trackingSession, data.sessionId);
    if (state.status === 'open')
      await deps.aggregates.handle(trackingSession, data.sessionId, { type: 'ExpireShares', at: context.at }, context);
    return undefined;
  },
);

/**
 * What a person recorded at the same time on another device, and what was seen later, counts for other times once this track
 * is there, has changed, counts no more or counts again.
 */
const recountOthers = async (
  { pool, jobs }: Pick<TrackingDeps, 'pool' | 'jobs'>,
  {
    streamId,
    at: dueAt,
    meta,
  }: { readonly streamId: string; readonly at: string; readonly meta: { correlationId: string } },
): Promise<void> => {
  const track = await rememberedTrack(pool, streamId);
  if (!track) return;
  for (const { sessionId: id, isLater } of await ownTracksAt(pool, track))
    if (isLater) await trackSummary.scheduleOnce(jobs, meta, { id, dueAt, data: {} });
};

const deleteTrack = async ({ pool }: Pick<TrackingDeps, 'pool'>, key: TrackKey): Promise<void> => {
  await deletePoints(pool, key);
  await deletePrint(pool, key.sessionId);
};

/** Deletes what was stored while the session was discarded. The id is that of the session. */
export const trackDiscarded = defineJob<Omit<TrackKey, 'sessionId'>, TrackingDeps>(
  'track_discarded',
  async ({ id, data }, { deps }) => {
    await deleteTrack(deps, { sessionId: id, ...data });
    return undefined;
  },
);

/** A batch that was being stored while the session was finished or discarded is in the table by then. */
const IN_FLIGHT_MS = 120_000;
/** What was removed is gone by then. */
const SOON_MS = 5_000;

export const trackingPolicy = policy<TrackingDeps>('tracking', {
  TrackingSessionStarted: async (event, { deps }) => {
    await rememberOpen(deps.pool, event.streamId, event.data.accountId);
    const dueAt = addMs(event.at, deps.settings.trackAbandonedHours * HOUR_MS);
    await trackAbandoned.schedule(deps.jobs, event.meta, { id: event.streamId, dueAt, data: {} });
  },
  TrackingSessionFinished: async (event, { deps }) => {
    await forgetOpen(deps.pool, event.streamId);
    await trackAbandoned.cancel(deps.jobs, event.streamId);
    const dueAt = addMs(event.at, IN_FLIGHT_MS);
    await trackSummary.scheduleOnce(deps.jobs, event.meta, { id: event.streamId, dueAt, data: {} });
    await recountOthers(deps, event);
  },
  TrackingSummaryCorrected: (event, { deps }) => recountOthers(deps, event),
  TrackShared: async ({ streamId, data, meta }, { deps, context }) => {
    await endShareIfBlocked(deps, context, streamId, data);
    await trackShareExpiry.schedule(deps.jobs, meta, {
      id: `${streamId}:${data.viewerId}`,
      dueAt: data.expiresAt,
      data: { sessionId: streamId },
    });
  },
  TrackSetAside: (event, { deps }) => recountOthers(deps, event),
  TrackDisqualified: (event, { deps }) => recountOthers(deps, event),
  TrackReleased: (event, { deps }) => recountOthers(deps, event),
  PersonBlocked: ({ data: { by, other } }, { deps, context }) => endSharesBetween(deps, context, by, other),
  TrackingSessionDiscarded: async ({ streamId, data, at, meta }, { deps }) => {
    await forgetOpen(deps.pool, streamId);
    await trackAbandoned.cancel(deps.jobs, streamId);
    await recountOthers(deps, { streamId, at: addMs(at, SOON_MS), meta });
    await deleteTrack(deps, { sessionId: streamId, ...data });
    await trackDiscarded.scheduleOnce(deps.jobs, meta, { id: streamId, dueAt: addMs(at, IN_FLIGHT_MS), data });
  },
});
