/** Events and ids of the specs of tracking. */
import type { ReportedDayEvent } from '../../domain/tracking/reportedDay.ts';
import type { SessionEvent } from '../../domain/tracking/session.ts';
import type { DayTotals, TrackSummary } from '../../domain/tracking/summary.ts';
import type { TargetEvent } from '../../domain/tracking/target.ts';

export const idOf = (n: number): string => `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`;
export const [OWNER, VIEWER, SESSION] = [idOf(1), idOf(2), idOf(3)] as [string, string, string];
export const STARTED_AT = '2026-01-10T07:00:00.000Z';
export const DAY = '2026-01-10';

export const totals: DayTotals = {
  distanceM: 12_000,
  verticalM: 3_000,
  ascentM: 0,
  runs: 9,
  lifts: 9,
  movingS: 4_000,
  maxSpeedKmh: 61.2,
};
export const summary: TrackSummary = { points: 5_000, ...totals };

const startedOn = (day: string, accountId = OWNER): SessionEvent => ({
  type: 'TrackingSessionStarted',
  data: { accountId, startedAt: `${day}T07:00:00.000Z`, day },
});
export const started = startedOn(DAY);
export const END = '2026-01-10T14:00:00.000Z';
export const finished = (of: TrackSummary = summary, ending: 'finished' | 'abandoned' = 'finished'): SessionEvent => ({
  type: 'TrackingSessionFinished',
  data: {
    finishedAt: END,
    ending,
    summary: of,
    acceptsPointsUntil: '2026-01-13T14:00:01.000Z',
  },
});
export const shared = (viewerId = VIEWER, expiresAt = '2026-01-10T15:00:00.000Z'): SessionEvent => ({
  type: 'TrackShared',
  data: { ownerId: OWNER, viewerId, expiresAt },
});
export const reported = (of: DayTotals = totals, day = DAY): ReportedDayEvent => ({
  type: 'TrackingDayReported',
  data: { accountId: OWNER, day, totals: of },
});
export const targetSet = (value = 10_000): TargetEvent => ({
  type: 'TrackingTargetSet',
  data: { targetId: idOf(9), metric: 'vertical', period: 'week', value },
});
