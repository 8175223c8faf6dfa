/** Passages of gates without a connection are judged by what was true when they happened, whenever they are told. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../../domain/passes/admission.ts';
import { pass } from '../../domain/passes/pass.ts';
import type { PassEvent } from '../../domain/passes/passEvents.ts';
import { GUEST } from '../bookings/bookingFixtures.ts';
import { issued, moscow, scanAt, sold } from './passFixtures.ts';

const at = (hour: number) => moscow(8, `${String(hour).padStart(2, '0')}:00`);
const [EARLY, LATE] = [at(9), at(15)];
const [NOON, AFTER] = [at(12), at(14)];

const blocked = (of: string, by: object = {}): PassEvent => ({
  type: 'PassBlocked',
  data: { userId: GUEST, reason: null, at: of, ...by },
});
const unblocked = (of: string): PassEvent => ({ type: 'PassUnblocked', data: { at: of } });
const reissued = (serial: number, of: string): PassEvent => ({
  type: 'PassIssued',
  data: { serial, deviceKey: null, at: of },
});
const givenBack = (of: string): PassEvent => ({
  type: 'PassGivenBack',
  data: { userId: GUEST, by: 'admin', reason: null, units: 3, settlesAt: moscow(9, '12:00'), at: of },
});

const stateAfter = (events: readonly PassEvent[]) => events.reduce(pass.evolve, pass.initial);
/** What was wrong with a passage that is told after all events. */
const conflictOf = (events: readonly PassEvent[], scannedAt: string, serial = 1) => {
  const [told] = pass.decide(
    {
      type: 'RecordScan',
      scan: { ...scanAt(scannedAt), scannedAt },
      serial,
      closed: [],
      passed: true,
      reason: null,
      clockIsWrong: false,
    },
    stateAfter([sold(), issued, ...events]),
  );
  return told?.type === 'PassScanned' ? told.data.conflict : told?.type;
};

describe('a passage without a connection', () => {
  it.each<[string, PassEvent[], string, string | null, number?]>([
    ['before a block', [blocked(NOON)], EARLY, null],
    ['after a block', [blocked(NOON)], LATE, 'blocked'],
    ['while it was blocked, told when it is not any more', [blocked(NOON), unblocked(AFTER)], at(13), 'blocked'],
    ['after a block that is over', [blocked(NOON), unblocked(AFTER)], LATE, null],
    ['between two blocks', [blocked(at(10)), unblocked(at(11)), blocked(AFTER)], NOON, null],
    ['before a block by the bank', [blocked(NOON, { chargebackId: GUEST })], EARLY, null],
    ['with a code that was replaced later', [reissued(2, NOON)], EARLY, null],
    ['with a code that had been replaced', [reissued(2, NOON)], LATE, 'replaced'],
    ['with the second of three codes, in its time', [reissued(2, at(10)), reissued(3, AFTER)], NOON, null, 2],
    ['with the second of three codes, later', [reissued(2, at(10)), reissued(3, AFTER)], LATE, 'replaced', 2],
    ['with a new code, by a clock that is a little behind', [reissued(2, NOON)], moscow(8, '11:59'), null, 2],
    ['before it was given back', [givenBack(NOON)], EARLY, null],
    ['after it was given back', [givenBack(NOON)], LATE, 'refunded'],
    ['at the moment of the block', [blocked(NOON)], NOON, 'blocked'],
  ])('%s', (_, events, scannedAt, conflict, serial) => expect(conflictOf(events, scannedAt, serial)).toBe(conflict));

  it('told when the refund is fixed is looked at by people, because the refund does not know of it', () => {
    const settled: PassEvent = { type: 'PassRefundSettled', data: { units: 3, refundMinor: 10_000 } };
    expect(conflictOf([givenBack(NOON), settled], EARLY)).toBe('refunded');
  });

  it('is judged as before where an earlier release kept no time', () => {
    const old = (event: PassEvent): PassEvent => {
      const { at: _, ...data } = event.data as { at?: string };
      return { ...event, data } as PassEvent;
    };
    expect(conflictOf([old(blocked(NOON))], EARLY)).toBe('blocked');
    expect(conflictOf([old(blocked(NOON)), old(unblocked(AFTER))], EARLY)).toBeNull();
    expect(conflictOf([old(reissued(2, NOON))], EARLY)).toBe('replaced');
    expect(conflictOf([old(givenBack(NOON))], EARLY)).toBe('refunded');
  });

  it('has the conflict that a gate with a connection would have told at that moment', () => {
    const happening = fc.constantFrom('block', 'unblock', 'issue');
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 8 }), fc.nat(100), (happenings, when) => {
        let serial = 1;
        let isBlocked = false;
        const events = happenings.flatMap((what, n): PassEvent[] => {
          const time = moscow(8, `08:${String(10 + n * 2).padStart(2, '0')}`);
          if (what === 'issue') {
            serial += 1;
            return [reissued(serial, time)];
          }
          if (what === 'block') {
            isBlocked = true;
            return [blocked(time)];
          }
          const ends = isBlocked;
          isBlocked = false;
          return ends ? [unblocked(time)] : [];
        });
        const scannedAt = moscow(8, `08:${String(11 + (when % 20)).padStart(2, '0')}`);
        const then = stateAfter([
          sold(),
          issued,
          ...events.filter(({ data }) => ((data as { at?: string }).at ?? '') <= scannedAt),
        ]);
        if (then.status === 'none') throw new Error('a pass that was sold');
        const code = 1 + (when % then.serial);
        const online = judge(then, { at: scannedAt, serial: code, area: null }, []);
        expect(conflictOf(events, scannedAt, code)).toBe(online.reason);
      }),
    );
  });
});
