/** What buyers are told about their passes, and when. */
import { describe, expect, it } from 'vitest';
import { passIdOf } from '../../commands/passes/divide.ts';
import { passNotifications } from '../../commands/passes/notifications.ts';
import type { AnyEvent } from '../../domain/core/decider.ts';
import { ONLY_ONE } from '../../domain/core/schema.ts';
import type { PassEvent } from '../../domain/passes/passEvents.ts';
import { GUEST } from '../bookings/bookingFixtures.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';
import { happened } from '../kit/projected.ts';
import { PURCHASE } from '../purchases/productFixtures.ts';
import { bought } from './boughtPasses.ts';
import { moscow, scanAt, sold } from './passFixtures.ts';

const PASS = passIdOf(PURCHASE, 1);
const riddenOn = (day: number, startsDay = true): PassEvent => ({
  type: 'PassScanned',
  data: {
    userId: GUEST,
    ...scanAt(moscow(day, '10:00')),
    ...{ isOnline: true, day: `2026-03-${String(day).padStart(2, '0')}`, startsDay, conflict: null },
  },
});
const closure = (dates: string[], declaredAt: string) => ({
  type: 'PassDaysGivenBack',
  data: { dates, declaredAt, reason: 'storm' },
});

/** What `name` finds at an instant after these events. */
const found = async (
  name: string,
  { pass: events, closures = [], at }: { pass: readonly PassEvent[]; closures?: readonly AnyEvent[]; at: string },
  about: Record<string, string> = { passId: PASS },
) => {
  const aggregates = memoryAggregates();
  aggregates.given(`purchase-${PURCHASE}`, bought);
  aggregates.given(`pass-${PASS}`, events);
  aggregates.given(`passClosures-${ONLY_ONE}`, closures);
  const declaration = passNotifications.find((one) => one.name === name);
  const result = await declaration?.find(about, { deps: { aggregates }, at, eventAt: at } as never);
  return Array.isArray(result) ? result.map(({ to, params }) => ({ to, ...params })) : result;
};

it('a paid purchase tells of all its passes at once', async () => {
  const told = await found('passes_ready', { pass: [], at: moscow(1, '12:00') }, { purchaseId: PURCHASE });
  expect(told).toMatchObject([{ to: GUEST, purchase_id: PURCHASE, passes: 2, valid_from: '2026-03-08' }]);
});

it('the first day is told, a further one and a further scan are not', async () => {
  const events = [sold(), riddenOn(8), riddenOn(9)];
  const at = moscow(9, '12:00');
  expect(await found('pass_started', { pass: events, at }, { passId: PASS, day: '2026-03-08' })).toHaveLength(1);
  expect(await found('pass_started', { pass: events, at }, { passId: PASS, day: '2026-03-09' })).toEqual([]);
  const cuesOf = (event: AnyEvent) =>
    passNotifications.find(({ name }) => name === 'pass_started')?.on.get('PassScanned')?.(
      happened('pass', PASS, event, at) as never,
    );
  expect(cuesOf(riddenOn(8, false))).toEqual([]);
  expect(cuesOf(riddenOn(8))).toMatchObject([{ key: PASS }]);
});

describe('days that would be lost', () => {
  const left = (pass: readonly PassEvent[], at: string, closures?: readonly AnyEvent[]) =>
    found('pass_runs_out', { pass, at, ...(closures && { closures }) });

  it('are told on the evening after which every date is needed', async () => {
    expect(await left([sold()], moscow(8, '18:00'))).toEqual({ againAt: moscow(9, '18:00') });
    expect(await left([sold()], moscow(9, '18:00'))).toMatchObject([{ to: GUEST, days: 3, valid_until: '2026-03-12' }]);
    expect(await left([sold(), riddenOn(8)], moscow(9, '18:00'))).toEqual({ againAt: moscow(10, '18:00') });
  });

  it('are later when the mountain was closed', async () => {
    const closed = [closure(['2026-03-09'], moscow(9, '07:00'))];
    expect(await left([sold()], moscow(9, '18:00'), closed)).toEqual({ againAt: moscow(10, '18:00') });
  });

  it('are not told to whoever rides each day, has used all, or has given it back', async () => {
    const daily = sold({ validTo: '2026-03-10' });
    expect(await left([daily, riddenOn(8)], moscow(8, '18:00'))).toEqual({ againAt: moscow(9, '18:00') });
    expect(await left([daily, riddenOn(8), riddenOn(9)], moscow(10, '18:00'))).toEqual([]);
    expect(await left([daily, riddenOn(8), riddenOn(9), riddenOn(10)], moscow(10, '18:00'))).toEqual([]);
    const data = { userId: GUEST, by: 'guest', reason: null, units: 3, settlesAt: moscow(9, '10:00') } as const;
    expect(await left([sold(), { type: 'PassGivenBack', data }], moscow(10, '18:00'))).toEqual([]);
  });
});

it('a closure is told once for a purchase, only where it gives something', async () => {
  const declaredAt = moscow(9, '07:00');
  const about = { purchaseId: PURCHASE, declaredAt };
  const told = (dates: string[], pass: readonly PassEvent[] = [sold()]) =>
    found('pass_days_given_back', { pass, closures: [closure(dates, declaredAt)], at: declaredAt }, about);
  expect(await told(['2026-03-09', '2026-03-10'])).toMatchObject([{ to: GUEST, days: 2, valid_until: '2026-03-14' }]);
  expect(await told(['2026-03-20'])).toEqual([]);
  expect(await told(['2026-03-09'], [sold({ soldAt: moscow(9, '08:00') })])).toEqual([]);
  expect(await told(['2026-03-09'], [sold({ unit: 'season' })])).toEqual([]);
});

it('a refund that was fixed is told, unless the bank took the money', async () => {
  const ended = (by: 'guest' | 'system'): PassEvent[] => [
    sold(),
    { type: 'PassGivenBack', data: { userId: GUEST, by, reason: null, units: 3, settlesAt: moscow(9, '10:00') } },
  ];
  const at = moscow(9, '10:00');
  const about = { passId: PASS, minor: '10000' };
  expect(await found('pass_refund_fixed', { pass: ended('guest'), at }, about)).toMatchObject([
    { minor: 10_000, currency: 'RUB' },
  ]);
  expect(await found('pass_refund_fixed', { pass: ended('system'), at }, about)).toEqual([]);
});
