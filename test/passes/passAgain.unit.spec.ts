/** What is said of a pass twice, in another order, or too late; and how much its state remembers. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays } from '../../domain/core/dates.ts';
import { addMs, HOUR_MS, MINUTE_MS } from '../../domain/core/instants.ts';
import { passClosures } from '../../domain/passes/closures.ts';
import { type PassCommand, pass } from '../../domain/passes/pass.ts';
import { MAX_SERIAL, type PassEvent } from '../../domain/passes/passEvents.ts';
import { SETTLE_MS } from '../../domain/passes/refusalReasons.ts';
import { GUEST, id } from '../bookings/bookingFixtures.ts';
import { specification } from '../kit/given.ts';
import { givenPass, issued, moscow, scanAt, scanning, sold, soldPass, stateAfter, telling } from './passFixtures.ts';

const usual = [sold(), issued];
const NOW = moscow(7, '12:00');
const [FIRST, SECOND] = [id(901), id(902)];
const blockedBy = (chargebackId: string): PassEvent => ({
  type: 'PassBlocked',
  data: { userId: GUEST, reason: null, chargebackId, at: NOW },
});
const blockedByAdmin: PassEvent = { type: 'PassBlocked', data: { userId: GUEST, reason: 'lost', at: NOW } };
const givenBack: PassEvent = {
  type: 'PassGivenBack',
  data: { userId: GUEST, by: 'guest', reason: 'ill', units: 3, settlesAt: NOW, at: NOW },
};
const block = (reason: string): PassCommand => ({ type: 'BlockPass', reason, at: NOW });
const giveBack = (more: object = {}): PassCommand => ({
  type: 'GiveBackPass',
  by: 'guest',
  reason: 'ill',
  at: NOW,
  ...more,
});
const win = (chargebackId: string, ...open: string[]): PassCommand => ({
  type: 'UnblockForWonChargeback',
  ...{ chargebackId, open, at: NOW },
});

describe('what is decided again', () => {
  it('a block and an end keep their first reason, and are refused with another one', () => {
    const [blocked, ended] = [
      givenPass([...usual, blockedByAdmin, blockedBy(FIRST)]),
      givenPass([...usual, givenBack]),
    ];
    blocked.when(block('lost')).then([]);
    blocked.when(block('stolen')).then('conflict');
    ended.when(giveBack()).then([]);
    ended.when(giveBack({ reason: 'snow' })).then('conflict');
    // The whole purchase is ended: this pass had a reason of its own.
    ended.when(giveBack({ reason: 'snow', isPartOfPurchase: true })).then([]);
  });
  it('an admin blocks what a chargeback has blocked, and opens it again', () => {
    givenPass([...usual, blockedBy(FIRST)])
      .when(block('lost'))
      .then([blockedByAdmin]);
    givenPass(usual).when({ type: 'UnblockPass', at: NOW }).then([]);
  });
  it('a chargeback changes nothing at a pass that was given back or that it did not block', () => {
    const ended = [...usual, blockedBy(FIRST), givenBack];
    givenPass(ended).when({ type: 'BlockForChargeback', chargebackId: SECOND, at: NOW }).then([]);
    givenPass(ended).when(win(FIRST)).then([]);
    givenPass([...usual, blockedBy(FIRST)])
      .when(win(SECOND))
      .then([]);
  });
  it('a scan is answered as before, with and without a connection', () => {
    for (const command of [scanning(moscow(8, '09:00')), telling(moscow(8, '09:00'))]) {
      const state = stateAfter(usual, command);
      for (const type of ['ScanPass', 'RecordScan'] as const)
        expect(pass.decide({ ...telling(moscow(9, '09:00')), ...command, type } as PassCommand, state)).toEqual([]);
    }
  });
  it('no code follows the last one that fits', () => {
    const last: PassEvent = { type: 'PassIssued', data: { serial: MAX_SERIAL, deviceKey: null } };
    givenPass([sold(), last]).when({ type: 'IssuePass', deviceKey: null, at: NOW }).then([]);
    givenPass([sold(), last])
      .when({ type: 'IssuePass', deviceKey: null, replaces: MAX_SERIAL, at: NOW })
      .then('conflict');
  });
});

describe('a scan that is told later', () => {
  const told = (events: readonly PassEvent[], more: object) => {
    const [event] = pass.decide({ ...telling(moscow(8, '09:00')), ...more }, stateAfter(events));
    return event?.type === 'PassScanRefused' ? event.data.reason : event?.type === 'PassScanned' && event.data.conflict;
  };
  it('has the refusal that the gate tells, or what we know against it, or its clock', () => {
    const refused = { passed: false };
    expect(told([...usual, blockedByAdmin], { ...refused, reason: 'passback' })).toBe('passback');
    expect(told([...usual, blockedByAdmin], refused)).toBe('blocked');
    expect(told(usual, refused)).toBe('clock');
  });
  it('has its wrong clock as a conflict where there is no other', () => {
    expect(told(usual, { clockIsWrong: true })).toBe('clock');
    expect(told([...usual, blockedByAdmin], { clockIsWrong: true })).toBe('blocked');
  });
  it('moves the start of hours back, whatever the order in which passages are told', () => {
    const hours = [sold({ unit: 'hour', count: 4, validTo: '2026-03-08' }), issued];
    const minutes = fc.array(fc.nat(23 * 60), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(minutes, (passages) => {
        const times = passages.map((minute) => addMs(moscow(8, '00:00'), minute * MINUTE_MS));
        const state = stateAfter(hours, ...times.map((time) => telling(time)));
        expect(state.startedAt).toBe(times.toSorted()[0]);
      }),
    );
  });
  it('of a closed day does not move the hours of a later day', () => {
    const closed = [{ date: '2026-03-08', at: moscow(8, '10:00') }];
    const hours = [sold({ unit: 'hour', count: 4, validTo: '2026-03-08' }), issued];
    const scans = [moscow(8, '09:00'), moscow(9, '12:00'), moscow(8, '08:00')].map((at) => ({
      ...telling(at),
      closed,
    }));
    expect(stateAfter(hours, ...scans)).toMatchObject({
      days: ['2026-03-08', '2026-03-09'],
      startedAt: moscow(9, '12:00'),
    });
  });
});

describe('a refund', () => {
  const endedAt = moscow(9, '18:00');
  const ended = (events: readonly PassEvent[], at = endedAt) => stateAfter(events, giveBack({ at })).ended;
  it('waits a day for scans only where a code was issued and the first day has begun', () => {
    expect(ended(usual)?.settlesAt).toBe(addMs(endedAt, SETTLE_MS));
    expect(ended(usual, soldPass.startsAt)?.settlesAt).toBe(addMs(soldPass.startsAt, SETTLE_MS));
    for (const [events, at] of [
      [usual, addMs(soldPass.startsAt, -1)],
      [[sold()], endedAt],
    ] as const)
      expect(ended(events, at)?.settlesAt).toBe(at);
  });
  it('is what the purchase returns, for the units that it knew of', () => {
    const state = [...usual, givenBack];
    const settle = (units: number): PassCommand => ({
      type: 'SettleRefund',
      ...{ at: NOW, returned: { units, refundMinor: 777 } },
    });
    givenPass(state)
      .when(settle(3))
      .thenOnce([{ type: 'PassRefundSettled', data: { units: 3, refundMinor: 777 } }]);
    givenPass(state).when(settle(2)).then('unavailable');
    givenPass(usual).when(settle(3)).then([]);
  });
  it('counts no ride that becomes known after it was fixed', () => {
    const settled: PassEvent = { type: 'PassRefundSettled', data: { units: 3, refundMinor: 10_000 } };
    const state = stateAfter([...usual, givenBack, settled], telling(moscow(8, '09:00')));
    expect(state).toMatchObject({ days: [], scans: [{ passed: true, reason: 'refunded' }] });
  });
});

describe('the state', () => {
  it('keeps the newest codes, blocks and passages, so that it stays small', () => {
    const codes = Array.from(
      { length: 30 },
      (_, n): PassEvent => ({
        type: 'PassIssued',
        data: { serial: n + 1, deviceKey: null, at: NOW },
      }),
    );
    const blocks = Array.from({ length: 30 }, (_, n): PassEvent[] => [
      { type: 'PassBlocked', data: { userId: GUEST, reason: null, chargebackId: id(n), at: addMs(NOW, n) } },
      { type: 'PassUnblocked', data: {} },
    ]).flat();
    const still = Array.from({ length: 30 }, (_, n) => blockedBy(id(100 + n)));
    const passages = Array.from({ length: 60 }, (_, n) => scanAt(addMs(moscow(8, '09:00'), n * HOUR_MS)));
    const scanned = passages.map((scan): PassEvent => {
      const what = { day: '2026-03-08', startsDay: false, startsPass: null, conflict: null, isOnline: true };
      return { type: 'PassScanned', data: { userId: GUEST, ...scan, ...what } };
    });
    const opened = stateAfter([sold(), ...codes, ...blocks, ...scanned]);
    expect(opened.codes.map(({ serial }) => serial)).toEqual(Array.from({ length: 20 }, (_, n) => n + 11));
    expect(opened.blocks.map(({ from }) => from)).toEqual(Array.from({ length: 20 }, (_, n) => addMs(NOW, n + 10)));
    expect(opened.chargebacks).toEqual(Array.from({ length: 20 }, (_, n) => id(n + 10)));
    expect(opened.passages).toEqual(passages.slice(10).map(({ scannedAt }) => Date.parse(scannedAt)));
    expect(opened).toMatchObject({ blocked: false, blockedFor: [], unblocks: 30 });
    expect(stateAfter([sold(), ...still]).blockedFor).toEqual(Array.from({ length: 20 }, (_, n) => id(n + 110)));
  });
});

describe('a closure', () => {
  const given = specification(passClosures);
  const [from, at] = ['2026-03-09', moscow(9, '11:00')];
  const closing = (days: number, more: object = {}) =>
    ({ type: 'GiveDaysBack', from, to: addDays(from, days - 1), reason: 'storm', at, ...more }) as const;
  const closed = (dates: string[], reason = 'storm') =>
    ({ type: 'PassDaysGivenBack', data: { dates, declaredAt: at, reason } }) as const;
  const dates = (first: string, count: number) => Array.from({ length: count }, (_, n) => addDays(first, n));

  it('has one day to 31', () => {
    given([])
      .when(closing(1))
      .thenOnce([closed([from])]);
    given([])
      .when(closing(31))
      .thenOnce([closed(dates(from, 31))]);
    for (const days of [0, 32]) given([]).when(closing(days)).then('invalid');
  });
  it('adds the dates that were not declared before, and is refused with another reason where all were', () => {
    const before = [closed([from])];
    given(before)
      .when(closing(2, { reason: 'avalanches' }))
      .then([closed([addDays(from, 1)], 'avalanches')]);
    given(before)
      .when(closing(1, { reason: 'avalanches' }))
      .then('conflict');
  });
  it('is one of a thousand dates at most', () => {
    const many = Array.from({ length: 37 }, (_, n) => closed(dates(addDays('2000-01-01', 27 * n), 27)));
    given(many)
      .when(closing(1))
      .thenOnce([closed([from])]);
    given(many).when(closing(2)).then('conflict');
  });
});
