/** Keeps the score of a person up to date with their tracks, and with what is decided about these. */
import { addMs, HOUR_MS } from '../../domain/core/instants.ts';
import type { Calendar } from '../../domain/leaderboards/board.ts';
import type { Cause, SkierCommand } from '../../domain/leaderboards/skier.ts';
import { skier } from '../../domain/leaderboards/skier.ts';
import { isCounted, type TrackReview, trackReview } from '../../domain/tracking/review.ts';
import { OFFLINE_HOURS, type Session, trackingSession } from '../../domain/tracking/session.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { policy } from '../core/policy.ts';
import { calendarNow, type LeaderboardDeps } from './deps.ts';

interface Track {
  readonly sessionId: string;
  readonly accountId: string;
  readonly day: string;
}

/** When the session was finished by a request, which its device may have sent late. */
const finishedAt = (acceptsPointsUntil: string): string => addMs(acceptsPointsUntil, -OFFLINE_HOURS * HOUR_MS);

const commandFor = (
  calendar: Calendar,
  { sessionId, accountId, day }: Track,
  session: Session,
  review: TrackReview,
  { at, correctedAt }: { readonly at: string; readonly correctedAt?: string | undefined },
): SkierCommand => {
  const of = { accountId, sessionId, day, calendar };
  if (session.status !== 'finished' || session.summary.points === 0)
    return { type: 'UncountTrack', ...of, cause: 'discarded' };
  if (!isCounted(review))
    return { type: 'UncountTrack', ...of, cause: review.status === 'disqualified' ? 'disqualified' : 'set_aside' };
  const { verticalM, distanceM, runs } = session.compared ?? session.adds ?? session.summary;
  if (runs === 0) return { type: 'UncountTrack', ...of, cause: 'no_skiing' };
  const cause: Extract<Cause, 'tracked' | 'released'> = review.status === 'released' ? 'released' : 'tracked';
  const arrivedAt = correctedAt ?? finishedAt(session.acceptsPointsUntil);
  return { type: 'CountTrack', ...of, track: { verticalM, distanceM, runs }, cause, finishedAt: arrivedAt, at };
};

/** Two decisions about one track can come while it is counted; more of them end in a retry of the event. */
const ATTEMPTS = 3;

/**
 * Counts a track as its session and its review are now. Whatever order events are handled in, the last one leads to the
 * state that both have come to: the review is read again after the score has changed.
 */
const recount = async (
  deps: LeaderboardDeps,
  context: CommandContext,
  track: Track,
  correctedAt?: string,
): Promise<void> => {
  const read = () =>
    Promise.all([
      deps.aggregates.load(trackingSession, track.sessionId),
      deps.aggregates.load(trackReview, track.sessionId),
    ]);
  let [session, review] = await read();
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const command = commandFor(await calendarNow(deps), track, session.state, review.state, {
      at: context.at,
      correctedAt,
    });
    await deps.aggregates.handle(skier, track.accountId, command, followUp(context, `count ${attempt}`));
    const [sessionNow, reviewNow] = await read();
    if (sessionNow.revision === session.revision && reviewNow.revision === review.revision) return;
    [session, review] = [sessionNow, reviewNow];
  }
  throw new Error('The track changes faster than it can be counted.');
};

/** Events of a session that do not say whose it is. */
const recountSession = async (
  deps: LeaderboardDeps,
  context: CommandContext,
  sessionId: string,
  correctedAt?: string,
): Promise<void> => {
  const { state } = await deps.aggregates.load(trackingSession, sessionId);
  if (state.status !== 'finished') return; // discarded since
  const { accountId, day } = state;
  await recount(deps, context, { sessionId, accountId, day }, correctedAt);
};

export const leaderboardPolicy = policy<LeaderboardDeps>('leaderboards', {
  TrackingSessionFinished: ({ streamId }, { deps, context }) => recountSession(deps, context, streamId),
  TrackingSummaryCorrected: ({ streamId, at }, { deps, context }) => recountSession(deps, context, streamId, at),
  TrackingSessionDiscarded: ({ streamId: sessionId, data }, { deps, context }) =>
    recount(deps, context, { sessionId, ...data }),
  TrackSetAside: ({ streamId: sessionId, data: { accountId, day } }, { deps, context }) =>
    recount(deps, context, { sessionId, accountId, day }),
  TrackDisqualified: ({ streamId: sessionId, data: { accountId, day } }, { deps, context }) =>
    recount(deps, context, { sessionId, accountId, day }),
  TrackReleased: ({ streamId: sessionId, data: { accountId, day } }, { deps, context }) =>
    recount(deps, context, { sessionId, accountId, day }),
});
