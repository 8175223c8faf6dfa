/** Whether a gate opens, and what is left on a pass, whatever happened to it and whatever days the mountain was closed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDays, datesBetween, todayIn } from '../../domain/core/dates.ts';
import { addMs, HOUR_MS, instantOf, MINUTE_MS } from '../../domain/core/instants.ts';
import {
  judge,
  lostDates,
  movedUntil,
  paidUnits,
  refundableUnits,
  refundOf,
  unitsLeft,
  usesUnit,
  validUntil,
} from '../../domain/passes/admission.ts';
import type { OpenPass } from '../../domain/passes/pass.ts';
import { type PassReason, passReasons } from '../../domain/passes/refusalReasons.ts';
import { issued, moscow, sold, soldPass, stateAfter } from './passFixtures.ts';

const { validFrom, validTo, soldAt } = soldPass;
const dateOf = (offset: number): string => addDays(validFrom, offset);
const datesTo = (last: string): string[] => [...datesBetween(validFrom, last), last];

/** Closures in the order of their declaration; some were known when the pass was sold. */
const closures = fc
  .uniqueArray(fc.record({ offset: fc.integer({ min: -3, max: 12 }), minutes: fc.integer({ min: -2, max: 20 }) }), {
    maxLength: 8,
    selector: ({ offset }) => offset,
  })
  .map((all) =>
    all
      .toSorted((a, b) => a.minutes - b.minutes)
      .map(({ offset, minutes }) => ({ date: dateOf(offset), at: addMs(soldAt, minutes * MINUTE_MS) })),
  );
const units = fc.constantFrom('hour', 'day', 'season');
const passes = fc
  .record({
    unit: units,
    count: fc.integer({ min: 1, max: 5 }),
    days: fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { maxLength: 4 }),
    startedHour: fc.integer({ min: 0, max: 10 * 24 }),
    passages: fc.array(fc.integer({ min: 0, max: 10 * 24 * 60 }), { maxLength: 3 }),
    areas: fc.constantFrom<number[]>([], [1], [1, 2]),
    state: fc.constantFrom('valid', 'valid', 'valid', 'valid', 'blocked', 'ended', 'settled'),
  })
  .map(({ unit, count, days, startedHour, passages, areas, state }): OpenPass => {
    const first = Date.parse(moscow(8, '00:00'));
    const ended = { by: 'guest' as const, units: 1, settlesAt: soldAt, at: soldAt, words: 0 };
    return {
      ...stateAfter([sold({ unit, count: unit === 'season' ? 1 : count, areas }), issued]),
      days: days.toSorted((a, b) => a - b).map(dateOf),
      startedAt: days.length > 0 ? addMs(moscow(8, '00:00'), startedHour * HOUR_MS) : null,
      passages: passages.map((minute) => first + minute * MINUTE_MS),
      blocked: state === 'blocked',
      ended: state === 'ended' || state === 'settled' ? ended : null,
      settled: state === 'settled' ? { units: 1, refundMinor: 0 } : null,
    };
  });

const lateFor = (of: OpenPass, closed: readonly { date: string; at: string }[]): string[] =>
  closed.filter(({ at }) => Date.parse(at) > Date.parse(of.soldAt)).map(({ date }) => date);

describe('a pass', () => {
  it('keeps as many dates as were sold, when others close: they follow its last one, and what was known before does not', () =>
    fc.assert(
      fc.property(passes, closures, (of, closed) => {
        const until = validUntil(of, closed);
        const late = lateFor(of, closed);
        const lost = datesTo(until).filter((date) => late.includes(date));
        expect(lostDates(of, closed)).toBe(lost.length > 0);
        if (of.unit === 'season') expect(until).toBe(validTo);
        else {
          expect(datesTo(until).length - lost.length).toBe(datesTo(validTo).length);
          expect(lost).not.toContain(until);
        }
      }),
    ));

  it('tells a gate its last date where the gate does not know it', () =>
    fc.assert(
      fc.property(passes, closures, fc.nat(8), (of, closed, told) => {
        const [until, known] = [validUntil(of, closed), validUntil(of, closed.slice(0, told))];
        expect(movedUntil(of, closed, told)).toBe(until === known ? null : until);
      }),
    ));

  it('has what was paid less what was ridden; on closed dates rides are free, but no money goes back for them', () =>
    fc.assert(
      fc.property(passes, closures, (of, closed) => {
        const late = lateFor(of, closed);
        const used = of.days.filter((date) => !late.includes(date)).length;
        expect(unitsLeft(of, closed)).toBe(of.unit === 'season' ? null : Math.max(0, paidUnits(of) - used));
        expect(refundableUnits(of)).toBe(Math.max(0, paidUnits(of) - of.days.length));
      }),
    ));

  it('is worth its whole price unused, and never more than its part', () =>
    fc.assert(
      fc.property(passes, fc.nat(1e9), fc.nat(5), (of, priceMinor, units) => {
        const paid = paidUnits(of);
        expect(refundOf({ ...of, priceMinor }, paid)).toBe(priceMinor);
        const lostMinor = priceMinor * units - paid * refundOf({ ...of, priceMinor }, units);
        expect(lostMinor).toBeGreaterThanOrEqual(0);
        expect(lostMinor).toBeLessThan(paid);
      }),
    ));
});

describe('a gate', () => {
  const attempts = fc.record({
    minute: fc.integer({ min: -24 * 60, max: 11 * 24 * 60 }),
    // Shortly before or after a passage, or the end of hours.
    near: fc.constantFrom('nothing', 'nothing', 'passage', 'end'),
    minutes: fc.integer({ min: -6, max: 6 }),
    serial: fc.constantFrom(null, 1, 1, 1, 1, 2),
    area: fc.constantFrom(null, 1, 1, 2),
  });

  it('tells the first reason that applies, in the order of the list, and opens where none does', () => {
    const seen = new Set<PassReason | null>();
    fc.assert(
      fc.property(passes, closures, attempts, (of, closed, { minute, near, minutes, serial, area }) => {
        const hoursEnd = Date.parse(of.startedAt ?? soldAt) + of.count * HOUR_MS;
        const then = { nothing: undefined, passage: of.passages[0], end: hoursEnd }[near];
        const any = Date.parse(moscow(8, '00:00')) + minute * MINUTE_MS;
        const at = instantOf(then === undefined ? any : then + minutes * MINUTE_MS);
        const today = todayIn(of.timezone, at);
        const hasRidden = of.days.some((date) => !lateFor(of, closed).includes(date));
        // Hours end, whatever was ridden of them; days are spent by the dates with a ride, of which today can be one.
        const hasHours = of.unit === 'hour' && hasRidden;
        const isSpent = hasHours ? Date.parse(at) >= hoursEnd : unitsLeft(of, closed) === 0 && !of.days.includes(today);
        const applies: Readonly<Record<PassReason, boolean>> = {
          replaced: serial === 2,
          refunded: of.ended !== null,
          blocked: of.blocked,
          not_yet_valid: today < validFrom,
          expired: today > validUntil(of, closed),
          wrong_area: area !== null && of.areas.length > 0 && !of.areas.includes(area),
          spent: isSpent,
          passback: of.passages.some((passage) => Math.abs(passage - Date.parse(at)) < 5 * MINUTE_MS),
          clock: false,
        };
        const reason = passReasons.find((each) => applies[each]) ?? null;
        seen.add(reason);
        // It is a new day or begins new hours, unless it was begun.
        const isNew = !(isSpent || hasHours || of.days.includes(today));
        const opens = reason === null;
        expect(judge(of, { at, serial, area }, closed)).toEqual({ opens, reason, startsDay: opens && isNew });
        // What was ridden is counted whatever was wrong with it, until the refund is fixed.
        expect(usesUnit(of, at, closed)).toBe(isNew && of.settled === null);
      }),
      { numRuns: 1_000 },
    );
    expect([...seen].toSorted()).toEqual([...passReasons.filter((each) => each !== 'clock'), null].toSorted());
  });
});
