import { describe, expect, it } from 'vitest';
import type { AnyEvent } from '../../domain/core/decider.ts';
import type { SessionEvent } from '../../domain/tracking/session.ts';
import { reportedDays } from '../../projections/tracking/reportedDays.ts';
import { shownSession, type TrackingSessionRow, trackingSessions } from '../../projections/tracking/sessions.ts';
import { trackingShares } from '../../projections/tracking/shares.ts';
import { type Day, sumOf, sumsByPeriod } from '../../projections/tracking/stats.ts';
import { trackingTargetModel } from '../../projections/tracking/targets.ts';
import { happened, projection, toldOn } from '../kit/projected.ts';
import {
  DAY,
  END,
  finished,
  idOf,
  OWNER,
  reported,
  SESSION,
  STARTED_AT,
  shared,
  started,
  summary,
  targetSet,
  totals,
  VIEWER,
} from './fixtures.ts';

const AT = '2026-01-10T07:05:00.000Z';
const LATER = '2026-01-10T09:00:00.000Z';
const ofSession = (event: SessionEvent, at = AT) => happened('trackingSession', SESSION, event, at);
const wireTotals = {
  distance_m: 12_000,
  vertical_m: 3_000,
  ascent_m: 0,
  runs: 9,
  lifts: 9,
  moving_s: 4_000,
  max_speed_kmh: 61.2,
};

describe('a session', () => {
  it('of which another device recorded a part adds the rest to its day, until it adds all of it', () => {
    const partly = finished();
    const data = { ...partly.data, adds: { ...summary, runs: 1 } } as typeof partly.data;
    expect(shown(started, { ...partly, data } as typeof partly)).toMatchObject([
      { summary: { runs: 9 }, adds: { runs: 1 } },
    ]);
    const corrected = { type: 'TrackingSummaryCorrected', data: { finishedAt: END, summary } } as const;
    expect(shown(started, { ...partly, data } as typeof partly, corrected)).toMatchObject([{ adds: null }]);
  });

  const rowsAfter = projection(trackingSessions);
  const shown = (...events: SessionEvent[]) =>
    rowsAfter(events.map((event) => ofSession(event))).map((row) => shownSession(row as TrackingSessionRow));

  it('has no summary while it is open', () => {
    expect(shown(started)).toEqual([
      {
        id: SESSION,
        status: 'open',
        started_at: STARTED_AT,
        day: DAY,
        finished_at: null,
        ending: null,
        adds: null,
        accepts_points_until: null,
        summary: null,
      },
    ]);
  });

  it('has the summary of the last correction', () => {
    expect(shown(started, finished())).toMatchObject([
      { status: 'finished', ending: 'finished', summary: { points: 5_000, ...wireTotals } },
    ]);
    const corrected: SessionEvent = {
      type: 'TrackingSummaryCorrected',
      data: { finishedAt: STARTED_AT, summary: { ...summary, points: 5_001, distanceM: 12_010 } },
    };
    expect(shown(started, finished(), corrected)).toMatchObject([
      { finished_at: STARTED_AT, summary: { ...wireTotals, points: 5_001, distance_m: 12_010 } },
    ]);
  });

  it('that is discarded is gone', () => {
    const discarded: SessionEvent = { type: 'TrackingSessionDiscarded', data: { accountId: OWNER, day: DAY } };
    expect(shown(started, finished(), discarded)).toEqual([]);
  });

  it('is told to its owner', () => {
    const [row] = rowsAfter([ofSession(started)]);
    expect(toldOn(trackingSessions, row!)).toEqual([`realtime:user_${OWNER}`]);
  });
});

describe('a share', () => {
  const rowsAfter = projection(trackingShares);
  const row = {
    session_id: SESSION,
    owner_id: OWNER,
    viewer_id: VIEWER,
    shared_at: AT,
    expires_at: '2026-01-10T15:00:00.000Z',
  };
  const ended: SessionEvent = { type: 'TrackShareEnded', data: { viewerId: VIEWER, reason: 'revoked' } };

  it('shows points from its beginning on, also when it is extended', () => {
    expect(rowsAfter([ofSession(shared())])).toEqual([row]);
    const longer = shared(VIEWER, '2026-01-10T16:00:00.000Z');
    expect(rowsAfter([ofSession(shared()), ofSession(longer, LATER)])).toEqual([
      { ...row, expires_at: '2026-01-10T16:00:00.000Z' },
    ]);
  });

  it('that has ended is gone, and a new one begins anew', () => {
    expect(rowsAfter([ofSession(shared()), ofSession(ended)])).toEqual([]);
    expect(rowsAfter([ofSession(shared()), ofSession(ended), ofSession(shared(), LATER)])).toEqual([
      { ...row, shared_at: LATER },
    ]);
  });

  it('makes its viewer a member of the channel of the track, and does not name the viewer to others', () => {
    expect(toldOn(trackingShares, row)).toEqual([`tracking_${SESSION}`, `realtime:user_${VIEWER}`]);
    expect(trackingShares.publishTo[0]?.memberOf?.(row)).toBe(VIEWER);
    expect(JSON.stringify(trackingShares.wire.of(row, 'guest'))).not.toContain(VIEWER);
  });
});

describe('a reported day', () => {
  const rowsAfter = projection(reportedDays);
  const of = (event: AnyEvent) => happened('reportedDay', idOf(5), event, AT);
  it('is what was reported last', () => {
    const row = { account_id: OWNER, day: DAY, ...wireTotals };
    expect(rowsAfter([of(reported())])).toEqual([row]);
    expect(rowsAfter([of(reported()), of(reported({ ...totals, runs: 1 }))])).toEqual([{ ...row, runs: 1 }]);
  });
});

describe('a target', () => {
  const rowsAfter = projection(trackingTargetModel);
  const of = (event: AnyEvent) => happened('trackingTargets', OWNER, event, AT);
  it('has its last value until it is removed', () => {
    const row = { id: idOf(9), account_id: OWNER, metric: 'vertical', period: 'week', value: 10_000 };
    expect(rowsAfter([of(targetSet())])).toEqual([row]);
    expect(rowsAfter([of(targetSet()), of(targetSet(7))])).toEqual([{ ...row, value: 7 }]);
    expect(rowsAfter([of(targetSet()), of({ type: 'TrackingTargetRemoved', data: { targetId: idOf(9) } })])).toEqual(
      [],
    );
  });
});

describe('sums of days', () => {
  const day = (name: string, changes: Partial<Day> = {}): Day => ({
    day: name,
    verified: true,
    sessions: 1,
    ...wireTotals,
    ...changes,
  });
  it('add up everything but the speed', () => {
    const days = [day(DAY), day('2026-01-11', { max_speed_kmh: 70, sessions: 0, verified: false })];
    expect(sumOf(days)).toEqual({
      distance_m: 24_000,
      vertical_m: 6_000,
      ascent_m: 0,
      runs: 18,
      lifts: 18,
      moving_s: 8_000,
      max_speed_kmh: 70,
      days: 2,
      sessions: 1,
      verified: false,
    });
  });
  it('are grouped by ISO weeks and seasons', () => {
    const days = ['2026-01-12', '2026-01-11', '2026-01-05', '2025-09-30'].map((name) => day(name));
    expect(sumsByPeriod(days, 'week', '10-01').map(({ startsOn, days: count }) => [startsOn, count])).toEqual([
      ['2026-01-12', 1],
      ['2026-01-05', 2],
      ['2025-09-29', 1],
    ]);
    expect(sumsByPeriod(days, 'season', '10-01').map(({ startsOn, days: count }) => [startsOn, count])).toEqual([
      ['2025-10-01', 3],
      ['2024-10-01', 1],
    ]);
  });
});
