import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type BroadcastEvent, type BroadcastMessage, broadcast } from '../../domain/push/broadcast.ts';
import { pushBroadcasts } from '../../projections/push/broadcasts.ts';
import { specification } from '../kit/given.ts';
import { happened, projection } from '../kit/projected.ts';

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

  it.each([
    ['a send_at in the past', { sendAt: '2026-11-22T09:00:00.000Z' }, /^send_at is in the past/],
    ['both in the past', { sendAt: '2026-11-20T10:00:00.000Z', expiresAt: '2026-11-21T10:00:00.000Z' }, /^send_at/],
    ['an expires_at in the past', { expiresAt: '2026-11-22T09:00:00.000Z' }, /^expires_at must be in the future/],
  ])('names the time to change: %s', (_, times, detail) =>
    expect(() => broadcast.decide({ ...schedule, ...times }, broadcast.initial)).toThrow(detail),
  );

  it('is sent at once where the clock of the admin is a little behind', () => {
    const sendAt = '2026-11-22T09:58:00.000Z';
    given([])
      .when({ ...schedule, sendAt })
      .then([{ type: 'BroadcastScheduled', data: { ...message, sendAt } }]);
  });

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

  it('stays cancelled when what was sent before is counted', () => {
    const { state, when } = given([scheduled, cancelled, finished]);
    expect(state).toMatchObject({ status: 'cancelled', isCounted: true });
    when({ type: 'CancelBroadcast' }).then([]);
    for (const type of ['PauseBroadcast', 'ResumeBroadcast'] as const)
      expect(() => broadcast.decide({ type }, state)).toThrow('This broadcast was cancelled for good.');
  });

  it('is finished once, also after it was cancelled, but not while it is paused', () => {
    given([scheduled])
      .when({ type: 'FinishBroadcast', ...counts })
      .thenOnce([finished]);
    given([scheduled, cancelled])
      .when({ type: 'FinishBroadcast', ...counts })
      .thenOnce([finished]);
    given([scheduled, paused])
      .when({ type: 'FinishBroadcast', ...counts })
      .then('invalid_transition');
    given([scheduled, finished]).when({ type: 'CancelBroadcast' }).then('invalid_transition');
  });

  it('must exist', () => given([]).when({ type: 'PauseBroadcast' }).then('not_found'));
});

describe('the list of broadcasts', () => {
  const rowsAfter = projection(pushBroadcasts);
  const id = randomUUID();
  const shown = (...events: BroadcastEvent[]) => rowsAfter(events.map((event) => happened('broadcast', id, event, at)));

  it('shows whether one waits, is paused, was sent or was cancelled', () => {
    expect(shown(scheduled)).toMatchObject([{ status: 'scheduled', counts: null }]);
    expect(shown(scheduled, paused)).toMatchObject([{ status: 'paused' }]);
    expect(shown(scheduled, paused, resumed)).toMatchObject([{ status: 'scheduled' }]);
    expect(shown(scheduled, finished)).toMatchObject([{ status: 'finished', finished_at: at, counts }]);
    expect(shown(scheduled, cancelled, finished)).toMatchObject([{ status: 'cancelled', finished_at: at, counts }]);
  });
});
