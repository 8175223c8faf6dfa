/** Decisions on one pass: codes, scans, blocks, and what goes back. */
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addMs } from '../../domain/core/instants.ts';
import { judge, refundableUnits, unitsLeft, validUntil } from '../../domain/passes/admission.ts';
import { passClosures } from '../../domain/passes/closures.ts';
import { pass } from '../../domain/passes/pass.ts';
import type { PassEvent } from '../../domain/passes/passEvents.ts';
import { KEPT_SCANS } from '../../domain/passes/passState.ts';
import { MAX_SKEW_MS, SETTLE_MS } from '../../domain/passes/refusalReasons.ts';
import { GUEST } from '../bookings/bookingFixtures.ts';
import { specification } from '../kit/given.ts';
import { givenPass, issued, moscow, scanning, sold, soldPass, stateAfter, telling, thatPass } from './passFixtures.ts';

const phoneKey = () => generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x as string;
const [FIRST_PHONE, SECOND_PHONE] = [phoneKey(), phoneKey()];
const usual = [sold(), issued];
const NOW = moscow(7, '12:00');
const reasonOf = (events: readonly Parameters<typeof pass.evolve>[1][], command: ReturnType<typeof scanning>) => {
  const [event] = pass.decide(command, givenPass(events).state);
  return event?.type === 'PassScanRefused' ? event.data.reason : event?.type;
};

describe('a code', () => {
  it('is issued once for each phone', () => {
    givenPass([sold()])
      .when({ type: 'IssuePass', deviceKey: FIRST_PHONE, at: NOW })
      .thenOnce([{ type: 'PassIssued', data: { serial: 1, deviceKey: FIRST_PHONE, at: NOW } }]);
    givenPass(usual)
      .when({ type: 'IssuePass', deviceKey: SECOND_PHONE, at: NOW })
      .thenOnce([{ type: 'PassIssued', data: { serial: 2, deviceKey: SECOND_PHONE, at: NOW } }]);
  });
  it('that was lost is replaced once', () =>
    givenPass(usual)
      .when({ type: 'IssuePass', deviceKey: null, replaces: 1, at: NOW })
      .thenOnce([{ type: 'PassIssued', data: { serial: 2, deviceKey: null, at: NOW } }]));
  it('of an earlier serial opens no gate', () =>
    expect(
      reasonOf([...usual, { type: 'PassIssued', data: { serial: 2, deviceKey: 'k' } }], scanning(moscow(8, '09:00'))),
    ).toBe('replaced'));
  it('is not issued for what was given back', () => {
    const gone = { userId: GUEST, by: 'guest', reason: null, units: 3, settlesAt: moscow(2, '09:00') } as const;
    givenPass([sold(), { type: 'PassGivenBack', data: gone }])
      .when({ type: 'IssuePass', deviceKey: null, at: NOW })
      .then('invalid_transition');
  });
  it('of nothing does not exist', () => givenPass([]).when({ type: 'UnblockPass', at: NOW }).then('not_found'));
});

describe('a scan', () => {
  it('starts a day once, and is answered the same again', () => {
    const first = scanning(moscow(8, '09:00'));
    const { scan } = first;
    givenPass(usual)
      .when(first)
      .thenOnce([
        {
          type: 'PassScanned',
          data: {
            userId: GUEST,
            ...scan,
            isOnline: true,
            day: '2026-03-08',
            startsDay: true,
            startsPass: thatPass,
            conflict: null,
          },
        },
      ]);
    expect(stateAfter(usual, first, scanning(moscow(8, '10:00'))).days).toEqual(['2026-03-08']);
  });
  it('starts a pass on its first day only', () => {
    const started = ([event]: readonly PassEvent[]) => event?.type === 'PassScanned' && event.data.startsPass !== null;
    const first = scanning(moscow(8, '09:00'));
    const state = stateAfter(usual, first);
    expect(started(pass.decide(first, stateAfter(usual)))).toBe(true);
    expect(started(pass.decide(scanning(moscow(8, '10:00')), state))).toBe(false);
    expect(started(pass.decide(scanning(moscow(9, '10:00')), state))).toBe(false);
    // It happened before, and is told later.
    expect(started(pass.decide(telling(moscow(8, '08:00')), state))).toBe(false);
  });
  it.each([
    ['before the first date', moscow(7, '23:59'), 'not_yet_valid'],
    ['after the last date', moscow(13, '00:01'), 'expired'],
    ['in time', moscow(12, '23:59'), 'PassScanned'],
  ])('%s', (_, at, expected) => expect(reasonOf(usual, scanning(at))).toBe(expected));
  it('needs its area', () => {
    const events = [sold({ areas: [2] }), issued];
    expect(reasonOf(events, scanning(moscow(8, '09:00'), { area: 3 }))).toBe('wrong_area');
    expect(reasonOf(events, scanning(moscow(8, '09:00'), { area: 2 }))).toBe('PassScanned');
    expect(reasonOf(events, scanning(moscow(8, '09:00')))).toBe('PassScanned');
  });
  it('of a pass that a chargeback blocked is refused, until an admin decides once', () => {
    const command = { type: 'BlockForChargeback', chargebackId: GUEST, at: NOW } as const;
    const blocked = {
      type: 'PassBlocked',
      data: { userId: GUEST, reason: null, chargebackId: GUEST, at: NOW },
    } as const;
    givenPass(usual).when(command).thenOnce([blocked]);
    expect(reasonOf([...usual, blocked], scanning(moscow(8, '09:00')))).toBe('blocked');
    givenPass([...usual, blocked, { type: 'PassUnblocked', data: {} }])
      .when(command)
      .then([]);
  });
  it('of a pass that a chargeback blocked opens when that was won, unless something else blocks it', () => {
    const block = (chargebackId: string): PassEvent => ({
      type: 'PassBlocked',
      data: { userId: GUEST, reason: null, chargebackId },
    });
    const byAdmin: PassEvent = { type: 'PassBlocked', data: { userId: GUEST, reason: 'lost', at: NOW } };
    const open: PassEvent = { type: 'PassUnblocked', data: {} };
    const other = soldPass.purchaseId;
    const win = (...open: string[]) =>
      ({ type: 'UnblockForWonChargeback', chargebackId: GUEST, open, at: NOW }) as const;
    givenPass([...usual, block(GUEST)])
      .when(win())
      .thenOnce([{ type: 'PassUnblocked', data: { chargebackId: GUEST, at: NOW } }]);
    givenPass([...usual, block(GUEST), block(other)])
      .when(win())
      .then([{ type: 'PassUnblocked', data: { chargebackId: GUEST, at: NOW } }]);
    givenPass([...usual, block(GUEST), block(other)])
      .when(win(other))
      .then([]);
    givenPass([...usual, block(GUEST)])
      .when({ type: 'BlockPass', reason: 'lost', at: NOW })
      .thenOnce([byAdmin]);
    givenPass([...usual, block(GUEST), byAdmin])
      .when(win())
      .then([]);
    givenPass([...usual, block(GUEST), open, byAdmin])
      .when(win())
      .then([]);
  });
  it('of a blocked pass is refused until it is unblocked', () => {
    const blocked = { type: 'PassBlocked', data: { userId: GUEST, reason: 'lost', at: NOW } } as const;
    expect(reasonOf([...usual, blocked], scanning(moscow(8, '09:00')))).toBe('blocked');
    const open = { type: 'PassUnblocked', data: { at: NOW } } as const;
    expect(reasonOf([...usual, blocked, open], scanning(moscow(8, '09:00')))).toBe('PassScanned');
    givenPass(usual).when({ type: 'BlockPass', reason: 'lost', at: NOW }).thenOnce([blocked]);
    givenPass([...usual, blocked])
      .when({ type: 'UnblockPass', at: NOW })
      .thenOnce([open]);
  });
  it('of a second person within five minutes is refused, at every gate', () => {
    const state = stateAfter(usual, scanning(moscow(8, '09:00')));
    const verdict = (time: string) => judge(state, { at: moscow(8, time), serial: 1, area: null }, []);
    expect([verdict('09:00'), verdict('09:04')].map(({ reason }) => reason)).toEqual(['passback', 'passback']);
    expect(verdict('09:05')).toEqual({ opens: true, reason: null, startsDay: false });
  });
  it('of a fourth day is refused', () => {
    const state = stateAfter(usual, ...[8, 9, 10].map((day) => scanning(moscow(day, '09:00'))));
    expect(judge(state, { at: moscow(10, '15:00'), serial: 1, area: null }, []).opens).toBe(true);
    expect(judge(state, { at: moscow(11, '09:00'), serial: 1, area: null }, []).reason).toBe('spent');
  });
  it('starts hours, which end', () => {
    const hours = [sold({ unit: 'hour', count: 4, validTo: '2026-03-08' }), issued];
    const state = stateAfter(hours, scanning(moscow(8, '09:00')));
    const verdict = (time: string) => judge(state, { at: moscow(8, time), serial: 1, area: null }, []).reason;
    expect([verdict('12:59'), verdict('13:00')]).toEqual([null, 'spent']);
  });
  it('is remembered only so long, and the state stays small', () => {
    const many = Array.from({ length: KEPT_SCANS + 50 }, () => scanning(moscow(8, '09:00')));
    const state = stateAfter(usual, ...many);
    expect(state.scans).toHaveLength(KEPT_SCANS);
    expect(state.passages).toHaveLength(1);
  });
});

describe('a scan without a connection', () => {
  it('is kept in spite of a conflict, and uses a day that is left', () => {
    const late = telling(moscow(7, '09:00'));
    givenPass(usual)
      .when(late)
      .thenOnce([
        {
          type: 'PassScanned',
          data: {
            userId: GUEST,
            ...late.scan,
            isOnline: false,
            day: '2026-03-07',
            startsDay: true,
            startsPass: thatPass,
            conflict: 'not_yet_valid',
          },
        },
      ]);
  });
  it('of a second gate at the same time is a conflict that uses nothing', () => {
    const state = stateAfter(usual, telling(moscow(8, '09:00')), telling(moscow(8, '09:01'), { gateId: 'gate-2' }));
    expect(state.scans.map(({ reason }) => reason)).toEqual([null, 'passback']);
    expect(state.days).toEqual(['2026-03-08']);
  });
  it('of a gate with a wrong clock says so', () =>
    expect(stateAfter(usual, { ...telling(moscow(8, '09:00')), clockIsWrong: true }).scans[0]?.reason).toBe('clock'));
  it('that was refused is kept', () => {
    const refused = { ...telling(moscow(8, '09:00')), passed: false, reason: 'blocked' } as const;
    expect(stateAfter(usual, refused).scans).toEqual([{ id: refused.scan.scanId, passed: false, reason: 'blocked' }]);
    expect(stateAfter(usual, refused).days).toEqual([]);
  });
  it('has a clock that may differ by minutes', () => expect(MAX_SKEW_MS).toBe(300_000));
});

describe('given back', () => {
  const giveBack = (at: string, by: 'guest' | 'admin' = 'guest') =>
    ({ type: 'GiveBackPass', by, reason: null, at }) as const;
  const settle = (at: string) => ({ type: 'SettleRefund', at }) as const;

  it('before its first day, its whole price goes back at once', () => {
    const at = moscow(7, '12:00');
    givenPass(usual)
      .when(giveBack(at))
      .thenOnce([
        { type: 'PassGivenBack', data: { userId: GUEST, by: 'guest', reason: null, units: 3, settlesAt: at, at } },
      ]);
    expect(stateAfter(usual, giveBack(at), settle(at)).settled).toEqual({ units: 3, refundMinor: 10_000 });
  });
  it('later, the price of unused days, when no gate can tell a ride any more', () => {
    const at = moscow(9, '18:00');
    const due = addMs(at, SETTLE_MS);
    const ridden = [scanning(moscow(8, '09:00'))];
    const state = stateAfter(usual, ...ridden, giveBack(at), settle(moscow(9, '18:01')));
    expect(state).toMatchObject({ settled: null, ended: { units: 2, settlesAt: due } });
    expect(stateAfter(usual, ...ridden, giveBack(at), settle(due)).settled).toEqual({ units: 2, refundMinor: 6_666 });
    const told = telling(moscow(9, '10:00'), { gateId: 'hut' });
    expect(stateAfter(usual, ...ridden, giveBack(at), told, settle(due)).settled).toEqual({
      units: 1,
      refundMinor: 3_333,
    });
    expect(stateAfter(usual, ...ridden, giveBack(at), settle(due), told).days).toEqual(['2026-03-08']);
  });
  it('opens no gate any more', () =>
    expect(
      judge(stateAfter(usual, giveBack(moscow(7, '12:00'))), { at: moscow(8, '09:00'), serial: 1, area: null }, [])
        .reason,
    ).toBe('refunded'));
  it('after its first day only where the tariff or an admin allows it', () => {
    const strict = stateAfter([sold({ refundsUnused: false }), issued]);
    const unitsOf = (by: 'guest' | 'admin', at: string) => {
      const [event] = pass.decide({ type: 'GiveBackPass', by, reason: null, at }, strict);
      return event?.type === 'PassGivenBack' && event.data.units;
    };
    expect(unitsOf('guest', moscow(8, '09:00'))).toBe(0);
    expect(unitsOf('admin', moscow(8, '09:00'))).toBe(3);
    expect(unitsOf('guest', moscow(7, '09:00'))).toBe(3);
  });
  it('by the system, no money goes back: it is back already', () =>
    expect(stateAfter(usual, { ...giveBack(moscow(7, '09:00')), by: 'system' }).ended?.units).toBe(0));
  it('its card brings the deposit back once', () => {
    const events = [sold({ depositMinor: 500 }), issued];
    givenPass(events)
      .when({ type: 'ReturnCard' })
      .thenOnce([{ type: 'PassCardReturned', data: { refundMinor: 500 } }]);
    givenPass(usual).when({ type: 'ReturnCard' }).then('invalid_transition');
  });
  it('shows its holder until then', () =>
    givenPass(usual)
      .when({ type: 'ChangeHolder', holderName: 'Anna', photoId: null })
      .then([{ type: 'PassHolderChanged', data: { userId: GUEST, holderName: 'Anna', photoId: null } }]));
});

describe('a closure', () => {
  const given = specification(passClosures);
  const command = {
    type: 'GiveDaysBack',
    from: '2026-03-09',
    to: '2026-03-10',
    reason: 'storm',
    at: moscow(9, '11:00'),
  } as const;

  it('gives dates back once', () => {
    given([])
      .when(command)
      .thenOnce([
        {
          type: 'PassDaysGivenBack',
          data: { dates: ['2026-03-09', '2026-03-10'], declaredAt: command.at, reason: 'storm' },
        },
      ]);
    given([])
      .when({ ...command, to: '2026-03-08' })
      .then('invalid');
    given([])
      .when({ ...command, to: '2026-05-08' })
      .then('invalid');
  });
  it('makes passes longer that were sold before, and rides free, but pays nothing for rides', () => {
    const closed = given([]).when(command) && [
      { date: '2026-03-09', at: command.at },
      { date: '2026-03-10', at: command.at },
    ];
    const state = stateAfter(usual, ...[8, 9].map((day) => scanning(moscow(day, '09:00'))));
    expect([unitsLeft(state, []), unitsLeft(state, closed)]).toEqual([1, 2]);
    expect([validUntil(state, []), validUntil(state, closed)]).toEqual(['2026-03-12', '2026-03-14']);
    expect(refundableUnits(state)).toBe(1);
    const later = { ...state, soldAt: moscow(9, '12:00') };
    expect(validUntil(later, closed)).toBe('2026-03-12');
    expect(validUntil({ ...state, unit: 'season' }, closed)).toBe(soldPass.validTo);
  });
});
