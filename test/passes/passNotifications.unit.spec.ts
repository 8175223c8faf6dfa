/** What buyers are told about their passes, and when. */
import { describe, expect, it } from 'vitest';
import { passIdOf } from '../../commands/passes/dividePurchase.ts';
import { passNotifications } from '../../commands/passes/notifications.ts';
import type { AnyEvent } from '../../domain/core/decider.ts';
import { addMs } from '../../domain/core/instants.ts';
import { ONLY_ONE } from '../../domain/core/schema.ts';
import type { PassEvent } from '../../domain/passes/passEvents.ts';
import { GUEST } from '../bookings/bookingFixtures.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';
import { happened } from '../kit/projected.ts';
import { PURCHASE } from '../purchases/productFixtures.ts';
import { bought } from './boughtPasses.ts';
import { moscow, scanAt, sold, thatPass } from './passFixtures.ts';

const PASS = passIdOf(PURCHASE, 1);
const riddenOn = (day: number, startsPass: typeof thatPass | null = thatPass): PassEvent => ({
  type: 'PassScanned',
  data: {
    userId: GUEST,
    ...scanAt(moscow(day, '10:00')),
    ...{ isOnline: true, day: `2026-03-${String(day).padStart(2, '0')}`, startsDay: true, startsPass, conflict: null },
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
  const at = moscow(9, '12:00');
  const cuesOf = (event: AnyEvent) =>
    passNotifications.find(({ name }) => name === 'pass_started')?.on.get('PassScanned')?.(
      happened('pass', PASS, event, at) as never,
    );
  expect(cuesOf(riddenOn(8, null))).toEqual([]);
  const [cue, ...more] = cuesOf(riddenOn(8)) ?? [];
  expect([cue?.key, more]).toEqual([PASS, []]);
  expect(await found('pass_started', { pass: [], at }, cue?.about)).toEqual([
    { to: GUEST, pass_id: PASS, tariff: 'Three days, adult', number: 1, day: '2026-03-08' },
  ]);
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

const SECOND = passIdOf(PURCHASE, 2);
const second = (more: Parameters<typeof sold>[0] = {}) => sold({ number: 2, ...more });
/** Of two passes that were bought together. */
const foundOfTwo = async (
  name: string,
  passes: readonly [readonly PassEvent[], readonly PassEvent[]],
  { at, about = { passId: PASS } }: { at: string; about?: Record<string, string> },
) => {
  const aggregates = memoryAggregates();
  aggregates.given(`purchase-${PURCHASE}`, bought);
  aggregates.given(`pass-${PASS}`, passes[0]);
  aggregates.given(`pass-${SECOND}`, passes[1]);
  aggregates.given(`passClosures-${ONLY_ONE}`, []);
  const declaration = passNotifications.find((one) => one.name === name);
  return declaration?.find(about, { deps: { aggregates }, at, eventAt: at } as never);
};

describe('passes that were bought together', () => {
  const settlesAt = moscow(9, '10:00');
  const givenBack = (by: 'guest' | 'system'): PassEvent => ({
    type: 'PassGivenBack',
    data: { userId: GUEST, by, reason: null, units: 3, settlesAt },
  });
  const fixed: PassEvent = { type: 'PassRefundSettled', data: { units: 3, refundMinor: 10_000 } };

  it('are refunded together: told once, when all are fixed', async () => {
    const one = [sold(), givenBack('guest'), fixed];
    const early = await foundOfTwo('pass_refund_fixed', [one, [second(), givenBack('guest')]], { at: settlesAt });
    expect(early).toEqual({ againAt: addMs(settlesAt, 10_000) });
    const two = [second(), givenBack('guest'), fixed];
    const of = (passId: string) => foundOfTwo('pass_refund_fixed', [one, two], { at: settlesAt, about: { passId } });
    expect(await of(PASS)).toMatchObject([{ to: GUEST, params: { passes: 2, minor: 20_000, currency: 'RUB' } }]);
    expect(await of(SECOND)).toEqual(await of(PASS));
    const later: PassEvent = {
      type: 'PassGivenBack',
      data: { ...givenBack('guest').data, settlesAt: moscow(9, '11:00') },
    } as never;
    expect(await foundOfTwo('pass_refund_fixed', [one, [second(), later]], { at: settlesAt })).toMatchObject([
      { params: { passes: 1, minor: 10_000 } },
    ]);
  });

  it('whose money the bank took are told of as unpaid, not as refunded', async () => {
    const blocked: PassEvent = { type: 'PassBlocked', data: { userId: GUEST, reason: null, chargebackId: GUEST } };
    const at = settlesAt;
    expect(await foundOfTwo('pass_refund_fixed', [[sold(), givenBack('system'), fixed], [second()]], { at })).toEqual(
      [],
    );
    expect(await foundOfTwo('passes_unpaid', [[sold(), blocked], [second()]], { at })).toMatchObject([
      { to: GUEST, key: PURCHASE, version: 1, params: { passes: 1 } },
    ]);
    expect(
      await foundOfTwo(
        'passes_unpaid',
        [
          [sold(), blocked],
          [second(), givenBack('system')],
        ],
        { at },
      ),
    ).toMatchObject([{ version: 2, params: { passes: 2 } }]);
    const unblocked: PassEvent[] = [sold(), blocked, { type: 'PassUnblocked', data: {} }];
    expect(await foundOfTwo('passes_unpaid', [unblocked, [second()]], { at })).toEqual([]);
    const office: PassEvent = { type: 'PassBlocked', data: { userId: GUEST, reason: 'lost' } };
    const cues = passNotifications.find(({ name }) => name === 'passes_unpaid')?.on.get('PassBlocked');
    expect(cues?.(happened('pass', PASS, office, at) as never)).toEqual([]);
    expect(cues?.(happened('pass', PASS, blocked, at) as never)).toHaveLength(1);
  });

  it('that open gates again are told of once, with those that are blocked still', async () => {
    const at = settlesAt;
    const blocked: PassEvent = { type: 'PassBlocked', data: { userId: GUEST, reason: null, chargebackId: GUEST } };
    const unblocked: PassEvent = { type: 'PassUnblocked', data: {} };
    const of = (one: readonly PassEvent[], two: readonly PassEvent[], passId = PASS) =>
      foundOfTwo(
        'passes_unblocked',
        [
          [sold(), ...one],
          [second(), ...two],
        ],
        { at, about: { passId } },
      );
    const both = await of([blocked, unblocked], [blocked, unblocked]);
    expect(both).toMatchObject([{ to: GUEST, key: PURCHASE, version: 2, params: { open: 2, blocked: 0 } }]);
    expect(await of([blocked, unblocked], [blocked, unblocked], SECOND)).toEqual(both);
    expect(await of([blocked, unblocked], [blocked])).toMatchObject([{ version: 1, params: { open: 1, blocked: 1 } }]);
    expect(await of([blocked, unblocked, blocked], [])).toEqual([]);
    expect(await of([blocked, unblocked, givenBack('guest')], [])).toEqual([]);
    const cues = passNotifications.find(({ name }) => name === 'passes_unblocked')?.on.get('PassUnblocked');
    expect(cues?.(happened('pass', PASS, unblocked, at) as never)).toMatchObject([
      { key: PASS, dueAt: addMs(at, 10_000) },
    ]);
  });

  it('start and run out with one notice a day', async () => {
    const at = moscow(9, '18:00');
    const about = { to: GUEST, day: '2026-03-08', ...thatPass, number: '1' };
    const started = await foundOfTwo('pass_started', [[], []], { at, about: { ...about, passId: PASS } });
    const again = await foundOfTwo('pass_started', [[], []], { at, about: { ...about, number: '2', passId: SECOND } });
    const keys = [started, again].map((notices) => Array.isArray(notices) && notices[0]?.key);
    expect(keys).toEqual(Array(2).fill(`${PURCHASE}:2026-03-08`));
    expect(await foundOfTwo('pass_runs_out', [[sold()], [second()]], { at })).toMatchObject([
      { key: `${PURCHASE}:2026-03-09`, params: { passes: 2, days: 6 } },
    ]);
    expect(await foundOfTwo('pass_runs_out', [[sold()], [second(), riddenOn(8)]], { at })).toMatchObject([
      { params: { passes: 1, days: 3 } },
    ]);
  });
});
