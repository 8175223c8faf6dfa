import { describe, it } from 'vitest';
import { type BroadcastEvent, type BroadcastMessage, broadcast } from '../../domain/push/broadcast.ts';
import { specification } from '../kit/given.ts';

const given = specification(broadcast);
const at = '2026-11-22T10:00:00.000Z';
const message: BroadcastMessage = {
  kind: 'system',
  segment: { roles: ['tourist'] },
  texts: { ru: { title: 'Склоны закрыты', body: 'До утра' } },
  link: '/lifts',
  urgency: 'high',
  sendAt: at,
  expiresAt: '2026-11-23T10:00:00.000Z',
};
const schedule = { type: 'ScheduleBroadcast', at, ...message } as const;
const counts = { devices: 3, delivered: 2, failed: 1, expired: 0, cancelled: 0 };
const scheduled: BroadcastEvent = { type: 'BroadcastScheduled', data: message };
const paused: BroadcastEvent = { type: 'BroadcastPaused', data: {} };
const resumed: BroadcastEvent = { type: 'BroadcastResumed', data: {} };
const cancelled: BroadcastEvent = { type: 'BroadcastCancelled', data: {} };
const finished: BroadcastEvent = { type: 'BroadcastFinished', data: counts };

describe('a broadcast', () => {
  it('is scheduled once', () => given([]).when(schedule).thenOnce([scheduled]));

  it.each([
    ['ends before it begins', { expiresAt: at }],
    ['is kept for more than four weeks', { expiresAt: '2026-12-21T10:00:00.000Z' }],
    ['is more than a year ahead', { sendAt: '2027-12-01T10:00:00.000Z', expiresAt: '2027-12-02T10:00:00.000Z' }],
    ['is over already', { sendAt: '2026-11-20T10:00:00.000Z', expiresAt: '2026-11-21T10:00:00.000Z' }],
  ])('is refused when it %s', (_, times) =>
    given([])
      .when({ ...schedule, ...times })
      .then('invalid'),
  );

  it('stops and goes on', () => {
    given([scheduled]).when({ type: 'PauseBroadcast' }).thenOnce([paused]);
    given([scheduled, paused]).when({ type: 'ResumeBroadcast' }).thenOnce([resumed]);
    given([scheduled]).when({ type: 'ResumeBroadcast' }).then([]);
  });

  it('is cancelled for good', () => {
    given([scheduled, paused]).when({ type: 'CancelBroadcast' }).thenOnce([cancelled]);
    for (const type of ['PauseBroadcast', 'ResumeBroadcast'] as const)
      given([scheduled, cancelled]).when({ type }).then('invalid_transition');
  });

  it('is finished once, also after it was cancelled, but not while it is paused', () => {
    given([scheduled])
      .when({ type: 'FinishBroadcast', ...counts })
      .thenOnce([finished]);
    given([scheduled, cancelled])
      .when({ type: 'FinishBroadcast', ...counts })
      .then([finished]);
    given([scheduled, paused])
      .when({ type: 'FinishBroadcast', ...counts })
      .then('invalid_transition');
    given([scheduled, finished]).when({ type: 'CancelBroadcast' }).then('invalid_transition');
  });

  it('must exist', () => given([]).when({ type: 'PauseBroadcast' }).then('not_found'));
});
