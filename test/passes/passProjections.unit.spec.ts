import { describe, expect, it } from 'vitest';
import type { PassEvent } from '../../domain/passes/passEvents.ts';
import { passClosedDates } from '../../projections/passes/closedDates.ts';
import { passes } from '../../projections/passes/passes.ts';
import { passScans } from '../../projections/passes/scans.ts';
import { at, GUEST, id } from '../bookings/bookingFixtures.ts';
import { happened, projection, toldOn } from '../kit/projected.ts';
import { issued, moscow, PASS, scanAt, sold } from './passFixtures.ts';

const scan = scanAt(moscow(8, '09:00'));
const scanned: PassEvent = {
  type: 'PassScanned',
  data: {
    userId: GUEST,
    ...scan,
    isOnline: true,
    day: '2026-03-08',
    startsDay: true,
    startsPass: null,
    conflict: null,
  },
};
const refused: PassEvent = {
  type: 'PassScanRefused',
  data: { userId: GUEST, ...scan, isOnline: false, reason: 'blocked' },
};
const events = (...all: PassEvent[]) => all.map((event, n) => happened('pass', PASS, event, at(n)));

describe('passes', () => {
  const rowsAfter = projection(passes);
  const rowOf = (...all: PassEvent[]) => rowsAfter(events(...all))[0];

  it('are told to who bought them', () => {
    const row = rowOf(sold(), issued);
    expect(row).toMatchObject({ id: PASS, status: 'active', serial: 1, is_printed: true, revoked_position: null });
    expect(toldOn(passes, row ?? {})).toEqual([`realtime:user_${GUEST}`]);
  });
  it('show their holder, rides and card', () => {
    const holder: PassEvent = {
      type: 'PassHolderChanged',
      data: { userId: GUEST, holderName: 'Anna', photoId: id(9) },
    };
    const card: PassEvent = { type: 'PassCardReturned', data: { refundMinor: 500 } };
    expect(rowOf(sold(), issued, holder, scanned, card)).toMatchObject({
      holder_name: 'Anna',
      photo_id: id(9),
      days: ['2026-03-08'],
      last_passage_at: scan.scannedAt,
      card_returned: true,
    });
  });
  it('are revoked when another code is issued, when they are blocked, and when they are given back', () => {
    const again: PassEvent = { type: 'PassIssued', data: { serial: 2, deviceKey: 'k' } };
    const blocked: PassEvent = { type: 'PassBlocked', data: { userId: GUEST, reason: null } };
    const unblocked: PassEvent = { type: 'PassUnblocked', data: {} };
    const back = { userId: GUEST, by: 'guest', reason: null, units: 3, settlesAt: at(9) } as const;
    const givenBack: PassEvent = { type: 'PassGivenBack', data: back };
    const settled: PassEvent = { type: 'PassRefundSettled', data: { units: 3, refundMinor: 10_000 } };
    expect(rowOf(sold(), issued, again)).toMatchObject({ serial: 2, is_printed: false, revoked_position: 0 });
    expect(rowOf(sold(), issued, blocked)).toMatchObject({ status: 'blocked', revoked_position: 0 });
    expect(rowOf(sold(), issued, blocked, unblocked)).toMatchObject({ status: 'active', revoked_position: 0 });
    expect(rowOf(sold(), issued, givenBack)).toMatchObject({ status: 'given_back', refund_minor: null });
    expect(rowOf(sold(), issued, givenBack, unblocked)).toMatchObject({ status: 'given_back' });
    expect(rowOf(sold(), issued, givenBack, settled)).toMatchObject({ status: 'ended', refund_minor: 10_000 });
  });
});

describe('scans', () => {
  const rowsAfter = projection(passScans);
  it('are kept with their outcome', () =>
    expect(rowsAfter(events(scanned, refused))).toMatchObject([
      { pass_id: PASS, user_id: GUEST, gate_id: 'gate-1', outcome: 'passed', reason: null, is_online: true },
      { outcome: 'refused', reason: 'blocked', is_online: false },
    ]));
});

describe('closed dates', () => {
  const rowsAfter = projection(passClosedDates);
  it('are a row each', () => {
    const data = { dates: ['2026-03-09', '2026-03-10'], declaredAt: at(1), reason: 'storm' };
    const event = happened('passClosures', id(0), { type: 'PassDaysGivenBack', data }, at(1));
    expect(rowsAfter([event])).toEqual(data.dates.map((date) => ({ date, at: at(1), reason: 'storm' })));
  });
});
