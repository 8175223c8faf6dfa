/** Sets tracks aside that nobody can have skied, and what admins decide about them. */
import { notFound, Rejected } from '../../domain/core/decider.ts';
import { isCopy, suspicionsOf } from '../../domain/tracking/plausibility.ts';
import { type Suspicion, type TrackReviewCommand, trackReview } from '../../domain/tracking/review.ts';
import { trackingSession } from '../../domain/tracking/session.ts';
import type { TrackSummary } from '../../domain/tracking/summary.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import type { TrackingDeps } from './deps.ts';
import { hasMocked, type TrackKey } from './points.ts';
import { type SeenTrack, similarTracks } from './trackFingerprints.ts';

type Deps = Pick<TrackingDeps, 'aggregates' | 'pool'>;

const isSameTime = (a: SeenTrack, b: SeenTrack): boolean => a.from < b.to && b.from < a.to;

/**
 * Whether one of two tracks is a copy of the other. What one person records on two devices at a time counts once, so that it
 * does not matter here.
 */
const areCopies = (one: SeenTrack, other: SeenTrack): boolean =>
  isCopy(one.print, other.print) && !(one.accountId === other.accountId && isSameTime(one, other));

const setAside = async (
  { aggregates }: Deps,
  context: CommandContext,
  { accountId, sessionId, day }: TrackKey,
  suspicions: readonly Suspicion[],
): Promise<void> => {
  if (suspicions.length === 0) return;
  const command: TrackReviewCommand = { type: 'SetTrackAside', accountId, day, suspicions };
  await aggregates.handle(trackReview, sessionId, command, followUp(context, `set aside ${sessionId}`));
};

/**
 * Sets a track aside if it looks impossible, and the later one of two that are the same. Before its summary is recorded, so
 * that it never counts. Of two that are checked at once, at least one finds the other, and both would blame the later one.
 */
export const checkTrack = async (
  deps: Deps,
  context: CommandContext,
  track: SeenTrack,
  summary: TrackSummary,
): Promise<void> => {
  if (summary.points === 0) return;
  const own = suspicionsOf(summary, await hasMocked(deps.pool, track));
  for (const other of await similarTracks(deps.pool, track)) {
    if (!areCopies(track, other)) continue;
    const kind = 'same_track';
    if (other.isLater) await setAside(deps, context, other, [{ kind, otherSessionId: track.sessionId }]);
    else if (!own.some((one) => one.kind === kind)) own.push({ kind, otherSessionId: other.sessionId });
  }
  await setAside(deps, context, track, own);
};

const decideOn = async (
  { aggregates }: Pick<Deps, 'aggregates'>,
  context: CommandContext,
  sessionId: string,
  decision: { readonly type: 'DisqualifyTrack'; readonly reason: string } | { readonly type: 'ReleaseTrack' },
): Promise<void> => {
  const { state } = await aggregates.load(trackingSession, sessionId);
  if (state.status === 'open')
    throw new Rejected('invalid_transition', 'This track is still being recorded. Decide on it when it is finished.');
  if (state.status !== 'finished') throw notFound('tracking session');
  const { accountId, day } = state;
  await aggregates.handle(trackReview, sessionId, { ...decision, accountId, day }, context);
};

/**
 * Takes a track out of all comparisons, whether it was set aside or not.
 * @param reason for its owner
 * @throws Rejected `not_found`, `invalid_transition` for a session that is open
 */
export const disqualifyTrack = (
  deps: Pick<Deps, 'aggregates'>,
  context: CommandContext,
  sessionId: string,
  reason: string,
): Promise<void> => decideOn(deps, context, sessionId, { type: 'DisqualifyTrack', reason });

/** Has a track count again. @throws Rejected `not_found`, `invalid_transition` for one that is open or was not set aside */
export const releaseTrack = (
  deps: Pick<Deps, 'aggregates'>,
  context: CommandContext,
  sessionId: string,
): Promise<void> => decideOn(deps, context, sessionId, { type: 'ReleaseTrack' });
