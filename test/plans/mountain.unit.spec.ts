/** The mountain as the planner sees it: what is open when, and the waits to be expected. */
import { expect, it } from 'vitest';
import { defaultPlanConfig } from '../../domain/plans/config.ts';
import { NO_REPORTS } from '../../domain/resort/queue.ts';
import { toSnake } from '../../infra/naming.ts';
import { planMountainOn, waitsFrom } from '../../projections/plans/mountain.ts';
import type { LiftRow, SlopeRow } from '../../projections/resort/facilities.ts';
import { id, liftOf, slopeOf } from '../resort/resortFixtures.ts';

const at = (time: string) => Date.parse(`2027-01-13T${time}:00Z`); // a Wednesday; open from 6:00 to 13:00 UTC
const head = { revision: 1, retired_at: null, updated_at: '2027-01-01T00:00:00Z' };
const liftRow = (n: number, override: LiftRow['override'], more: Partial<LiftRow> = {}): LiftRow => ({
  id: id(n),
  ...head,
  override,
  queue_reports: NO_REPORTS,
  ...toSnake(liftOf()),
  ...more,
});
const hold = (until: string | null) => ({ status: 'hold', until, reason: 'Wind' }) as const;

it('knows when lifts and slopes are open: by schedule, and by what was set; and leaves out what is retired', () => {
  const slope: SlopeRow = { id: id(9), ...head, override: null, ...toSnake(slopeOf()) };
  const { lifts, slopes } = planMountainOn(
    {
      timezone: 'Europe/Moscow',
      lifts: [
        liftRow(1, null),
        liftRow(2, hold('2027-01-13T09:30:00Z')),
        liftRow(3, hold(null)),
        liftRow(4, { status: 'open', until: '2027-01-13T15:00:00Z', reason: null }),
        liftRow(5, null, { retired_at: '2027-01-02T00:00:00Z' }),
        liftRow(6, null, { schedule: null }),
      ],
      slopes: [slope],
    },
    '2027-01-13',
  );
  const midnight = Date.parse('2027-01-12T21:00:00Z');
  expect(lifts.map(({ open }) => open.map(({ from, to }) => [from, to]))).toEqual([
    [[at('06:00'), at('13:00')]],
    [[at('09:30'), at('13:00')]],
    [],
    [[midnight, at('15:00')]],
    [],
  ]);
  expect(slopes[0]).toMatchObject({ lengthM: expect.any(Number), topAltitudeM: 1_170, bottomAltitudeM: 560 });
});

it('expects what is reported for half an hour, then what is typical, then what is configured', () => {
  const waitAt = waitsFrom({
    lifts: [
      { id: 'reported', queue_minutes: 12 },
      { id: 'unknown', queue_minutes: null },
    ],
    timezone: 'Europe/Moscow',
    typical: (lift, weekday, from) => (`${lift} ${weekday} ${from}` === 'reported wed 10:15' ? 3.2 : undefined),
    config: defaultPlanConfig,
    now: at('07:00'),
  });
  expect(waitAt('reported', at('07:20'))).toEqual({ minutes: 12, source: 'reported' });
  expect(waitAt('unknown', at('07:20'))).toEqual({ minutes: 5, source: 'assumed' });
  expect(waitAt('reported', at('07:30'))).toEqual({ minutes: 5, source: 'assumed' });
  expect(waitAt('reported', Date.parse('2027-01-20T07:29:00Z'))).toEqual({ minutes: 4, source: 'typical' });
});
