/** Sessions: started, finished with what their points come to, corrected when points come late, discarded. */

import { todayIn } from '../../domain/core/dates.ts';
import { existing, notFound } from '../../domain/core/decider.ts';
import { atOurClock, clockSkew, steadySkew } from '../../domain/core/deviceClock.ts';
import { addMs, HOUR_MS, instantOf, isAfter } from '../../domain/core/instants.ts';
import { EDGE_MS, type Fix } from '../../domain/tracking/point.ts';
import {
  type FinishedSession,
  givenEnd,
  type OpenSession,
  refuseEnd,
  type Session,
  type SessionCommand,
  trackingSession,
} from '../../domain/tracking/session.ts';
import { type Measured, measure } from '../../domain/tracking/summary.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CommandContext } from '../core/handle.ts';
import { timezoneNow } from '../platform/timezone.ts';
import type { TrackingDeps } from './deps.ts';
import { recordedBefore } from './otherDevices.ts';
import { newestFix, readFixes, type TrackKey } from './points.ts';
import { checkTrack } from './review.ts';
import { rememberPrint, trackOf } from './trackFingerprints.ts';

type Deps = Pick<TrackingDeps, 'aggregates' | 'pool' | 'resortMap' | 'settings'>;
export type LiveSession = OpenSession | FinishedSession;

/** @throws Rejected `not_found` */
const live = (state: Session): LiveSession => existing(state, 'tracking session', 'discarded');

/**
 * A session of an account.
 * @param maxAgeMs how old its state may be
 * @throws Rejected `not_found`, also for the session of somebody else
 */
export const ownSession = async (
  { aggregates }: Pick<Deps, 'aggregates'>,
  accountId: string,
  sessionId: string,
  maxAgeMs?: number,
): Promise<LiveSession> => {
  const { state } = await aggregates.load(trackingSession, sessionId, maxAgeMs === undefined ? {} : { maxAgeMs });
  const session = live(state);
  if (session.accountId !== accountId) throw notFound('tracking session');
  return session;
};

export const keyOf = (sessionId: string, { accountId, day }: LiveSession): TrackKey => ({ accountId, sessionId, day });

const handle = async (deps: Deps, id: string, command: SessionCommand, context: CommandContext): Promise<Session> =>
  (await deps.aggregates.handle(trackingSession, id, command, context)).state;

/**
 * Starts a session; repeated with the same `context.commandId` it is the same one.
 * @param given RFC 3339 UTC: a device that was offline starts it later
 * @param sentAt when the device sent the request, by the clock of `given`
 * @returns its id
 * @throws Rejected `invalid` for a start in the future or more than 72 hours ago
 */
export const startSession = async (
  deps: Deps,
  context: CommandContext,
  accountId: string,
  given: string,
  sentAt?: string,
): Promise<{ readonly id: string; readonly session: LiveSession }> => {
  const id = derivedId(context.commandId, 'trackingSession');
  const clockSkewMs = skewOf(sentAt, context);
  const startedAt = atOurClock(given, clockSkewMs);
  const day = todayIn(await timezoneNow(deps), startedAt);
  const known = { accountId, startedAt, day, ...(clockSkewMs !== 0 && { clockSkewMs }) };
  const command = { type: 'StartSession', ...known, at: context.at } as const;
  return { id, session: live(await handle(deps, id, command, context)) };
};

const skewOf = (sentAt: string | undefined, { at }: Pick<CommandContext, 'at'>): number =>
  clockSkew(sentAt === undefined ? null : Date.parse(sentAt), Date.parse(at));

/** By how much the times of a request about a session are corrected, in milliseconds. */
export const sessionSkew = (
  { clockSkewMs = 0 }: LiveSession,
  sentAt: string | undefined,
  context: Pick<CommandContext, 'at'>,
): number => (sentAt === undefined ? 0 : steadySkew(clockSkewMs, skewOf(sentAt, context)));

interface Recorded {
  readonly fixes: readonly Fix[];
  readonly finishedAt: string;
}

/** The latest fix; at least `atLeast`. */
const endOf = (fixes: readonly Fix[], atLeast: string): string =>
  instantOf(fixes.reduce((latest, { at }) => Math.max(latest, at), Date.parse(atLeast)));

/**
 * The stored points that count, and when they end.
 * @param given the end that the owner has given: what was recorded after it does not count
 */
const recorded = async (
  { pool }: Pick<Deps, 'pool'>,
  key: TrackKey,
  startedAt: string,
  given: string | null,
): Promise<Recorded> => {
  const fixes = await readFixes(pool, key);
  if (given === null) return { fixes, finishedAt: endOf(fixes, startedAt) };
  const last = Date.parse(given) + EDGE_MS;
  return { fixes: fixes.filter(({ at }) => at <= last), finishedAt: given };
};

/**
 * What they come to. The track is remembered first, so that of two devices of one person at least one knows of the other, and
 * it is set aside before it counts if nobody can have skied it.
 */
const measured = async (
  deps: Deps,
  context: CommandContext,
  key: TrackKey,
  fixes: readonly Fix[],
): Promise<Measured> => {
  const map = await deps.resortMap();
  if (fixes.length === 0) return measure(fixes, map);
  const track = trackOf(key, fixes);
  await rememberPrint(deps.pool, track);
  const result = measure(fixes, map, await recordedBefore(deps, track));
  await checkTrack(deps, context, track, result.summary);
  return result;
};

/**
 * Finishes a session with what its points come to. Points that come later correct it.
 * @param sentAt when the device sent the request, by the clock of `by`
 * @throws Rejected `not_found`, `invalid` for an end before the start or in the future
 */
export const finishSession = async (
  deps: Deps,
  context: CommandContext,
  { accountId, sessionId }: Pick<TrackKey, 'accountId' | 'sessionId'>,
  by: string,
  sentAt?: string,
): Promise<LiveSession> => {
  const session = await ownSession(deps, accountId, sessionId);
  const given = atOurClock(by, sessionSkew(session, sentAt, context));
  if (session.status === 'finished' && session.ending === 'finished')
    return live(await recordEnd(deps, context, sessionId, session, 'finished'));
  refuseEnd(session, given, context.at); // before its points are read
  const key = keyOf(sessionId, session);
  return live(await finish(deps, context, key, await recorded(deps, key, session.startedAt, given), 'finished'));
};

const finish = async (
  deps: Deps,
  context: CommandContext,
  key: TrackKey,
  { fixes, finishedAt }: Recorded,
  ending: 'finished' | 'abandoned',
): Promise<Session> => {
  const result = await measured(deps, context, key, fixes);
  return recordEnd(deps, context, key.sessionId, { finishedAt, ...result }, ending);
};

const recordEnd = (
  deps: Deps,
  context: CommandContext,
  sessionId: string,
  { finishedAt, summary, adds, compared }: Pick<FinishedSession, 'finishedAt' | 'summary' | 'adds' | 'compared'>,
  ending: 'finished' | 'abandoned',
): Promise<Session> => {
  const result = { summary, ...(adds && { adds }), ...(compared && { compared }) };
  return handle(deps, sessionId, { type: 'FinishSession', finishedAt, ...result, ending, at: context.at }, context);
};

/**
 * Finishes a session whose device is silent, at its last point.
 * @returns when to look again, if it is not silent for long enough
 */
export const finishAbandoned = async (
  deps: Deps,
  context: CommandContext,
  sessionId: string,
): Promise<{ readonly againAt: string } | undefined> => {
  const { state } = await deps.aggregates.load(trackingSession, sessionId);
  if (state.status !== 'open') return undefined;
  const key = keyOf(sessionId, state);
  const newest = (await newestFix(deps.pool, key)) ?? state.startedAt;
  const silentAt = addMs(newest, deps.settings.trackAbandonedHours * HOUR_MS);
  if (isAfter(silentAt, context.at)) return { againAt: silentAt };
  await finish(deps, context, key, await recorded(deps, key, state.startedAt, null), 'abandoned');
  return undefined;
};

/**
 * Computes the summary of a finished session again. Until it is final, points are only added: where fewer are left than
 * the summary counts, a restore has lost some, whose log is newer than its points, and the summary stays. A late point can
 * show that others were wrong, so that fewer are counted than before.
 * @throws Rejected `conflict` when the session changes meanwhile: repeat it
 */
export const correctSummary = async (deps: Deps, context: CommandContext, sessionId: string): Promise<void> => {
  const { state } = await deps.aggregates.load(trackingSession, sessionId);
  if (state.status !== 'finished') return;
  const key = keyOf(sessionId, state);
  const { finishedAt, fixes } = await recorded(deps, key, state.startedAt, givenEnd(state));
  if (fixes.length < state.summary.points) return;
  const result = await measured(deps, context, key, fixes);
  await handle(deps, sessionId, { type: 'CorrectSummary', finishedAt, ...result }, context);
};

/** Removes a session with its points. @throws Rejected `not_found` */
export const discardSession = async (
  deps: Pick<Deps, 'aggregates'>,
  context: CommandContext,
  { accountId, sessionId }: Pick<TrackKey, 'accountId' | 'sessionId'>,
): Promise<void> => {
  await ownSession(deps, accountId, sessionId);
  await deps.aggregates.handle(trackingSession, sessionId, { type: 'DiscardSession' }, context);
};
