/** Points as devices send them: in batches, hours later, out of order, twice. */
import { atOurClock } from '../../domain/core/deviceClock.ts';
import { addMs, isAfter } from '../../domain/core/instants.ts';
import { type Recording, refusal, type TrackPoint } from '../../domain/tracking/point.ts';
import { givenEnd, refuseLatePoints, trackingSession } from '../../domain/tracking/session.ts';
import { inTransaction } from '../../infra/postgres.ts';
import type { CommandContext } from '../core/handle.ts';
import type { TrackingDeps } from './deps.ts';
import { type AddedPoints, insertPoints, type TrackKey } from './points.ts';
import { keyOf, type LiveSession, ownSession, sessionSkew } from './sessions.ts';
import { trackSummary } from './summaryJob.ts';

type Deps = Pick<TrackingDeps, 'aggregates' | 'pool'>;

export interface Uploaded {
  readonly accepted: number;
  /** Points whose numbers the session had before. */
  readonly duplicates: number;
  /** By their index in the batch. */
  readonly rejected: { readonly index: number; readonly detail: string }[];
  /** Where the person is now; null when nobody watches, and when the points tell of earlier. */
  readonly moved: TrackPoint | null;
}

/** Devices send every few seconds. What changed within this time has its effect with the next batch. */
const STATE_MAX_AGE_MS = 2_000;
/** An older fix is history: after hours without a network, a device sends its past first. */
const LIVE_MS = 120_000;
/** Points that come after the end come in many batches; the summary is computed after the last one. */
const SETTLED_MS = 30_000;

interface Sorted {
  readonly usable: readonly TrackPoint[];
  readonly rejected: Uploaded['rejected'];
}

const sorted = (points: readonly TrackPoint[], recording: Recording): Sorted => {
  const usable: TrackPoint[] = [];
  const rejected: { index: number; detail: string }[] = [];
  for (const [index, point] of points.entries()) {
    const detail = refusal(point, recording);
    if (detail === undefined) usable.push(point);
    else rejected.push({ index, detail });
  }
  return { usable, rejected };
};

/** Of a finished session, together with the job that computes its summary again: neither happens without the other. */
const store = (
  deps: Deps,
  context: CommandContext,
  key: TrackKey,
  session: LiveSession,
  points: readonly TrackPoint[],
) =>
  session.status === 'open'
    ? insertPoints(deps.pool, key, points)
    : inTransaction(deps.pool, async (client) => {
        const dueAt = addMs(context.at, SETTLED_MS);
        await trackSummary.schedule(client, context, { id: key.sessionId, dueAt, data: {} });
        return insertPoints(client, key, points);
      });

/** The newest of the added points by the time of its fix, if it is newer than every one before, and of now. */
const newestOf = (
  points: readonly TrackPoint[],
  { added, newestBefore }: AddedPoints,
  at: string,
): TrackPoint | null => {
  const timeOf = ({ t }: TrackPoint): number => Date.parse(t);
  const [newest] = points.filter(({ seq }) => added.has(seq)).toSorted((a, b) => timeOf(b) - timeOf(a));
  if (!newest || timeOf(newest) < Date.parse(at) - LIVE_MS) return null;
  return newestBefore === null || timeOf(newest) > Date.parse(newestBefore) ? newest : null;
};

/** Whether somebody may watch. Shares whose time is over are ended first. */
const isWatched = async (
  { aggregates }: Deps,
  context: CommandContext,
  sessionId: string,
  session: LiveSession,
): Promise<boolean> => {
  if (session.status !== 'open' || session.shares.length === 0) return false;
  const { at } = context;
  const live = session.shares.filter(({ expiresAt }) => isAfter(expiresAt, at));
  if (live.length < session.shares.length)
    await aggregates.handle(trackingSession, sessionId, { type: 'ExpireShares', at }, context);
  return live.length > 0;
};

/**
 * Adds points to a session. Safe to repeat: a number that the session has is a duplicate.
 * @param sentAt when the device sent them, by the clock of their times
 * @throws Rejected `not_found`, `invalid_transition` more than 72 hours after the end
 */
export const uploadPoints = async (
  deps: Deps,
  context: CommandContext,
  { accountId, sessionId }: Pick<TrackKey, 'accountId' | 'sessionId'>,
  sent: readonly TrackPoint[],
  sentAt?: string,
): Promise<Uploaded> => {
  const session = await ownSession(deps, accountId, sessionId, STATE_MAX_AGE_MS);
  refuseLatePoints(session, context.at);
  const skew = sessionSkew(session, sentAt, context);
  const points = skew === 0 ? sent : sent.map((point) => ({ ...point, t: atOurClock(point.t, skew) }));
  const recording = { startedAt: session.startedAt, finishedAt: givenEnd(session), receivedAt: context.at };
  const { usable, rejected } = sorted(points, recording);
  if (usable.length === 0) return { accepted: 0, duplicates: 0, rejected, moved: null };
  const stored = await store(deps, context, keyOf(sessionId, session), session, usable);
  const accepted = stored.added.size;
  const newest = newestOf(usable, stored, context.at);
  const moved = newest && (await isWatched(deps, context, sessionId, session)) ? newest : null;
  return { accepted, duplicates: usable.length - accepted, rejected, moved };
};
