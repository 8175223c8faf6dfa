import { describe, expect, it } from 'vitest';
import type { TrackPoint } from '../../domain/tracking/point.ts';
import { refusal } from '../../domain/tracking/point.ts';
import {
  type FinishedSession,
  givenEnd,
  MAX_SHARES,
  refuseLatePoints,
  type SessionEvent,
  trackingSession,
} from '../../domain/tracking/session.ts';
import { specification } from '../kit/given.ts';
import { DAY, END, finished, idOf, OWNER, STARTED_AT, shared, started, summary, VIEWER } from './fixtures.ts';

const given = specification(trackingSession);
const NOW = '2026-01-10T07:05:00.000Z';
const start = { type: 'StartSession', accountId: OWNER, startedAt: STARTED_AT, day: DAY, at: NOW } as const;
const finish = {
  type: 'FinishSession',
  finishedAt: END,
  ending: 'finished',
  summary,
  at: '2026-01-10T14:00:01.000Z',
} as const;
const share = { type: 'ShareTrack', viewerId: VIEWER, expiresAt: '2026-01-10T15:00:00.000Z', at: NOW } as const;
const shareEnded = (reason: 'revoked' | 'expired' | 'session_ended', viewerId = VIEWER): SessionEvent => ({
  type: 'TrackShareEnded',
  data: { viewerId, reason },
});
const discarded: SessionEvent = { type: 'TrackingSessionDiscarded', data: { accountId: OWNER, day: DAY } };

describe('starting a session', () => {
  it('is recorded once', () => given([]).when(start).thenOnce([started]));
  it('is possible up to 72 hours later, and not in the future', () => {
    given([])
      .when({ ...start, at: '2026-01-13T06:59:00.000Z' })
      .then([started]);
    given([])
      .when({ ...start, at: '2026-01-13T07:00:01.000Z' })
      .then('invalid');
    given([])
      .when({ ...start, at: '2026-01-10T06:54:00.000Z' })
      .then('invalid');
  });
});

describe('finishing a session', () => {
  it('is recorded once, and ends every share', () => {
    given([started, shared()])
      .when(finish)
      .thenOnce([shareEnded('session_ended'), finished()]);
  });
  it('is refused before the start and in the future', () => {
    given([started])
      .when({ ...finish, finishedAt: '2026-01-10T06:59:59.000Z' })
      .then('invalid');
    given([started])
      .when({ ...finish, finishedAt: '2026-01-10T14:05:02.000Z' })
      .then('invalid');
  });
  it('is refused for a session that does not exist or was discarded', () => {
    given([]).when(finish).then('not_found');
    given([started, discarded]).when(finish).then('not_found');
  });
  it('leaves 72 hours for points', () => {
    const state = given([started, finished()]).state as FinishedSession;
    expect(() => refuseLatePoints(state, '2026-01-13T14:00:01.000Z')).not.toThrow();
    expect(() => refuseLatePoints(state, '2026-01-13T14:00:02.000Z')).toThrow('no more points');
  });
});

describe('a corrected summary', () => {
  const more = { ...summary, points: summary.points + 1, distanceM: summary.distanceM + 9 };
  const correct = { type: 'CorrectSummary', finishedAt: END, summary: more } as const;
  const corrected: SessionEvent = { type: 'TrackingSummaryCorrected', data: { finishedAt: END, summary: more } };
  const later = '2026-01-10T15:00:00.000Z';
  it('is recorded when it differs, and once', () => {
    given([started, finished()]).when(correct).thenOnce([corrected]);
    given([started, finished()])
      .when({ ...correct, summary })
      .then([]);
  });
  it('is nothing while the session is open', () => given([started]).when(correct).then([]));
  it('moves the end of an abandoned session, and not the end that the owner has given', () => {
    given([started, finished(summary, 'abandoned')])
      .when({ ...correct, finishedAt: later })
      .thenOnce([{ type: 'TrackingSummaryCorrected', data: { finishedAt: later, summary: more } }]);
    given([started, finished()])
      .when({ ...correct, finishedAt: later })
      .then('unavailable');
  });
});

describe('an abandoned session', () => {
  const abandoned = finished(summary, 'abandoned');
  it('can be finished by its owner, and not be abandoned again', () => {
    given([started, abandoned]).when(finish).thenOnce([finished()]);
    given([started, abandoned])
      .when({ ...finish, ending: 'abandoned' })
      .then([]);
    given([started, finished()])
      .when({ ...finish, ending: 'abandoned' })
      .then([]);
  });
  it('cannot be finished once it accepts no more points', () => {
    given([started, abandoned])
      .when({ ...finish, at: '2026-01-13T14:00:02.000Z' })
      .then('invalid_transition');
  });
  it('has no end after which points do not count', () => {
    expect(givenEnd(given([started, abandoned]).state as FinishedSession)).toBeNull();
    expect(givenEnd(given([started, finished()]).state as FinishedSession)).toBe(END);
  });
});

describe('discarding a session', () => {
  const discard = { type: 'DiscardSession' } as const;
  it('is recorded once, open or finished, and ends every share', () => {
    given([started, shared()])
      .when(discard)
      .thenOnce([shareEnded('session_ended'), discarded]);
    given([started, finished()]).when(discard).thenOnce([discarded]);
  });
  it('of nothing is refused', () => given([]).when(discard).then('not_found'));
});

describe('sharing a track', () => {
  it('is recorded once, and can be extended', () => {
    given([started]).when(share).thenOnce([shared()]);
    const expiresAt = '2026-01-10T16:00:00.000Z';
    given([started, shared()])
      .when({ ...share, expiresAt })
      .thenOnce([shared(VIEWER, expiresAt)]);
  });
  it('is refused with oneself, without an end in the future, and for more than 12 hours', () => {
    given([started])
      .when({ ...share, viewerId: OWNER })
      .then('invalid');
    given([started])
      .when({ ...share, expiresAt: NOW })
      .then('invalid');
    given([started])
      .when({ ...share, expiresAt: '2026-01-10T19:05:01.000Z' })
      .then('invalid');
  });
  it('is refused once the session has ended', () =>
    given([started, finished()]).when(share).then('invalid_transition'));
  it('is limited, and a share that ends makes room', () => {
    const many = Array.from({ length: MAX_SHARES }, (_, n) => shared(idOf(100 + n)));
    given([started, ...many])
      .when(share)
      .then('conflict');
    given([started, ...many, shareEnded('revoked', idOf(100))])
      .when(share)
      .then([shared()]);
  });
  it('is revoked once', () => {
    given([started, shared()])
      .when({ type: 'RevokeShare', viewerId: VIEWER })
      .thenOnce([shareEnded('revoked')]);
    given([started]).when({ type: 'RevokeShare', viewerId: VIEWER }).then([]);
    given([started, finished()]).when({ type: 'RevokeShare', viewerId: VIEWER }).then([]);
  });
  it('expires at its end and not before', () => {
    const later = shared(idOf(7), '2026-01-10T16:00:00.000Z');
    given([started, shared(), later])
      .when({ type: 'ExpireShares', at: '2026-01-10T15:00:00.000Z' })
      .thenOnce([shareEnded('expired')]);
    given([started, shared()]).when({ type: 'ExpireShares', at: '2026-01-10T14:59:59.999Z' }).then([]);
  });
});

describe('a point', () => {
  const point: TrackPoint = { seq: 1, t: '2026-01-10T08:00:00Z', lat: 43.68, lon: 40.2, alt: 1_800, acc: 5 };
  const recording = {
    startedAt: STARTED_AT,
    finishedAt: '2026-01-10T14:00:00.000Z',
    receivedAt: '2026-01-10T15:00:00.000Z',
  };
  it.each<[string, Partial<TrackPoint>, string | undefined]>([
    ['of the session', {}, undefined],
    ['in the minute before the start', { t: '2026-01-10T06:59:00Z' }, undefined],
    ['before the start', { t: '2026-01-10T06:58:59Z' }, 'before the start'],
    ['after the end', { t: '2026-01-10T14:01:01Z' }, 'after the end'],
    ['in the future', { t: '2026-01-10T15:05:01Z' }, 'future'],
    ['at 0, 0', { lat: 0, lon: 0 }, 'no fix'],
    ['off the earth', { lat: 91 }, 'outside of the earth'],
    ['too high', { alt: 9_001 }, 'altitude'],
    ['of unknown accuracy', { acc: -1 }, 'unknown'],
    ['of bad accuracy', { acc: 50.1 }, 'worse than 50 m'],
    ['of just sufficient accuracy', { acc: 50 }, undefined],
    ['of unknown speed', { speed: -1 }, undefined],
  ])('%s', (_, changes, expected) => {
    const reason = refusal({ ...point, ...changes }, recording);
    if (expected === undefined) expect(reason).toBeUndefined();
    else expect(reason).toContain(expected);
  });
  it('of an open session may be up to 48 hours after its start', () => {
    expect(refusal({ ...point, t: '2026-01-10T15:04:00Z' }, { ...recording, finishedAt: null })).toBeUndefined();
    const later = { ...recording, finishedAt: null, receivedAt: '2026-01-20T00:00:00Z' };
    expect(refusal({ ...point, t: '2026-01-12T07:00:00Z' }, later)).toBeUndefined();
    expect(refusal({ ...point, t: '2026-01-12T07:00:01Z' }, later)).toContain('48 hours');
  });
});
