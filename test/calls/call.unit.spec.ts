import { describe, expect, it } from 'vitest';
import { type CallEvent, call, type EndReason } from '../../domain/calls/call.ts';
import { type LineEvent, line } from '../../domain/calls/line.ts';
import { callParties } from '../../projections/calls/callParties.ts';
import { begun, calls } from '../../projections/calls/calls.ts';
import { specification } from '../kit/given.ts';
import { happened, projection, toldOn } from '../kit/projected.ts';

const id = (n: number) => `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const [CALL, ANNA, BORIS, STRANGER, PHONE, LAPTOP] = [id(1), id(2), id(3), id(4), id(5), id(6)];
const parties = { callerId: ANNA, calleeId: BORIS, kind: 'video' as const };
const started: CallEvent = { type: 'CallStarted', data: parties };
const busy = (isHidden = false): CallEvent => ({ type: 'CallFoundBusy', data: { ...parties, isHidden } });
const accepted: CallEvent = { type: 'CallAccepted', data: { sessionId: PHONE, ...parties } };
const rejected: CallEvent = { type: 'CallRejected', data: parties };
const missed: CallEvent = { type: 'CallMissed', data: parties };
const ended = (reason: EndReason = 'hung_up'): CallEvent => ({ type: 'CallEnded', data: { reason, ...parties } });
const over: readonly (readonly CallEvent[])[] = [
  [busy()],
  [started, rejected],
  [started, missed],
  [started, accepted, ended()],
  [started, accepted, ended('failed')],
];

describe('a call', () => {
  const given = specification(call);
  const start = { type: 'StartCall', ...parties } as const;
  const findBusy = { type: 'FindBusy', isHidden: false, ...parties } as const;
  const accept = (sessionId = PHONE, by = BORIS) => ({ type: 'AcceptCall', by, sessionId }) as const;
  const reject = (by = BORIS) => ({ type: 'RejectCall', by }) as const;
  const end = (by: string, reason: 'hung_up' | 'failed' = 'hung_up') => ({ type: 'EndCall', by, reason }) as const;

  it('starts once, or is found busy once: what came first stays', () => {
    given([]).when(start).thenOnce([started]);
    given([]).when(findBusy).thenOnce([busy()]);
    given([started]).when(findBusy).then([]);
    given([busy()]).when(start).then([]);
  });

  it('is answered by the callee, by the device that comes first', () => {
    given([started]).when(accept()).thenOnce([accepted]);
    given([started, accepted]).when(accept(LAPTOP)).then('answered_elsewhere');
    given([started]).when(accept(PHONE, ANNA)).then('forbidden');
    for (const events of over) given(events).when(accept()).then('invalid_transition');
  });

  it('is rejected by the callee, while it rings', () => {
    given([started]).when(reject()).thenOnce([rejected]);
    given([started]).when(reject(ANNA)).then('forbidden');
    given([started, accepted]).when(reject()).then('answered_elsewhere');
    given([started, missed]).when(reject()).then('invalid_transition');
  });

  it('is missed when the caller gives up or nobody answers', () => {
    given([started]).when(end(ANNA)).thenOnce([missed]);
    given([started]).when({ type: 'MissCall' }).thenOnce([missed]);
    given([started, accepted]).when({ type: 'MissCall' }).then([]);
  });

  it('is rejected when the callee ends it while it rings', () =>
    given([started]).when(end(BORIS)).thenOnce([rejected]));

  it.each([ANNA, BORIS])('is ended by either', (by) => {
    given([started, accepted]).when(end(by)).thenOnce([ended()]);
    given([started, accepted])
      .when(end(by, 'failed'))
      .thenOnce([ended('failed')]);
  });

  it('stays as it is when it is over', () => {
    for (const events of over) given(events).when(end(ANNA)).then([]);
  });

  it('is ended by the system only when it was answered', () => {
    const expire = { type: 'ExpireCall', reason: 'too_long' } as const;
    given([started, accepted])
      .when(expire)
      .thenOnce([ended('too_long')]);
    given([started]).when(expire).then([]);
  });

  it.each([accept(PHONE, STRANGER), reject(STRANGER), end(STRANGER)])('does not exist for others: %j', (command) => {
    given([started]).when(command).then('not_found');
    given([]).when(command).then('not_found');
  });
});

describe('a line', () => {
  const given = specification(line);
  const mine = { callId: CALL, ...parties };
  const taken: LineEvent = { type: 'LineTaken', data: mine };
  const freed: LineEvent = { type: 'LineFreed', data: { callId: CALL } };

  it('has one call', () => {
    given([])
      .when({ type: 'TakeLine', ...mine })
      .thenOnce([taken]);
    given([taken])
      .when({ type: 'TakeLine', ...mine, callId: id(9) })
      .then([]);
    given([taken, freed])
      .when({ type: 'TakeLine', ...mine })
      .then([taken]);
  });

  it('is freed of the call that has it', () => {
    given([taken]).when({ type: 'FreeLine', callId: CALL }).thenOnce([freed]);
    given([taken])
      .when({ type: 'FreeLine', callId: id(9) })
      .then([]);
  });
});

const [T0, T1, T2] = ['2027-01-01T10:00:00.000Z', '2027-01-01T10:00:05.000Z', '2027-01-01T10:01:35.400Z'];
const of = (event: CallEvent, at: string) => happened(call.category, CALL, event, at);

describe('calls', () => {
  const rowsAfter = projection(calls);
  const row = begun(CALL, parties, T0, 'ringing');

  it('ring until a time, for both', () => {
    expect(rowsAfter([of(started, T0)])).toEqual([row]);
    expect(row.rings_until).toBe('2027-01-01T10:00:45.000Z');
    expect(toldOn(calls, row)).toEqual([`realtime:user_${ANNA}`, `realtime:user_${BORIS}`]);
  });

  it('show how long they lasted', () => {
    const [last] = rowsAfter([of(started, T0), of(accepted, T1), of(ended(), T2)]);
    expect(last).toEqual({ ...row, status: 'ended', end_reason: 'hung_up', accepted_at: T1, ended_at: T2 });
    expect(calls.wire.of(last as never, 'guest')).toMatchObject({ duration_s: 90 });
    expect(calls.wire.of(last as never, 'guest')).not.toHaveProperty('is_hidden');
  });

  it('show why nobody spoke', () => {
    expect(rowsAfter([of(started, T0), of(missed, T1)])).toEqual([{ ...row, status: 'missed', ended_at: T1 }]);
    expect(rowsAfter([of(started, T0), of(rejected, T1)])).toEqual([{ ...row, status: 'rejected', ended_at: T1 }]);
    const failed = { status: 'failed', end_reason: 'failed', accepted_at: T1, ended_at: T2 };
    expect(rowsAfter([of(started, T0), of(accepted, T1), of(ended('failed'), T2)])).toEqual([{ ...row, ...failed }]);
  });

  it('that a block stops are told to the caller only', () => {
    const [hidden] = rowsAfter([of(busy(true), T0)]);
    expect(hidden).toMatchObject({ status: 'busy', is_hidden: true, ended_at: T0 });
    expect(toldOn(calls, hidden as never)).toEqual([`realtime:user_${ANNA}`]);
  });
});

describe('the parties of a call', () => {
  const rowsAfter = projection(callParties);
  it('are two from the first ring to the end', () => {
    const both = [ANNA, BORIS].map((account_id) => ({ call_id: CALL, account_id }));
    expect(rowsAfter([of(started, T0), of(accepted, T1)])).toEqual(both);
    for (const end of [rejected, missed, ended()]) expect(rowsAfter([of(started, T0), of(end, T1)])).toEqual([]);
    expect(rowsAfter([of(busy(), T0)])).toEqual([]);
    expect(callParties.publishTo[0]?.memberOf?.(both[0] as never)).toBe(ANNA);
  });
});
