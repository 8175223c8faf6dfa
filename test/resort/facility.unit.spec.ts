/** Lifts, slopes, queues and what is told of them: decisions, and the rows that follow. */
import { describe, expect, it } from 'vitest';
import { overrideOf } from '../../api/resort/facilityBodies.ts';
import { lift } from '../../domain/resort/lift.ts';
import type { Override } from '../../domain/resort/operation.ts';
import { liftQueue } from '../../domain/resort/queue.ts';
import { slope } from '../../domain/resort/slope.ts';
import { type LiftTold, liftTold, slopeTold } from '../../domain/resort/toldState.ts';
import { resortChanges } from '../../projections/resort/changes.ts';
import { type LiftRow, resortLifts, resortSlopes, type SlopeRow } from '../../projections/resort/facilities.ts';
import { mountainAt } from '../../projections/resort/mountain.ts';
import { liftStates, slopeStates } from '../../projections/resort/states.ts';
import { specification } from '../kit/given.ts';
import { happened, projection, toldOn } from '../kit/projected.ts';
import { id, liftOf, slopeOf } from './resortFixtures.ts';

const NOW = '2027-01-13T07:00:00.000Z';
const LATER = '2027-01-13T08:00:00.000Z';
const [LIFT, SLOPE] = [id(1), id(2)];
const wind: Override = { status: 'hold', until: LATER, reason: 'Wind' };

const added = { type: 'LiftAdded', data: liftOf() } as const;
const overridden = { type: 'LiftOverrideSet', data: { override: wind } } as const;
const retired = { type: 'LiftRetired', data: { reason: null } } as const;
const change = (more: object) =>
  ({ type: 'ChangeFacility', details: {}, at: NOW, timezone: 'Europe/Moscow', ...more }) as const;

describe('a lift', () => {
  const given = specification(lift);

  it('is added once', () => {
    given([]).when({ type: 'AddFacility', details: liftOf() }).thenOnce([added]);
    given([added])
      .when({ type: 'AddFacility', details: liftOf({ name: 'Other' }) })
      .then('conflict');
  });

  it('is changed and stopped by one command, which has no effect a second time', () => {
    given([added])
      .when(change({ details: { name: 'Lavanda 2' }, override: wind }))
      .thenOnce([{ type: 'LiftChanged', data: { name: 'Lavanda 2' } }, overridden]);
    given([added, overridden])
      .when(change({ override: null }))
      .thenOnce([{ type: 'LiftOverrideSet', data: { override: null } }]);
    given([added])
      .when(change({ override: null }))
      .then([]);
    given([])
      .when(change({ override: wind }))
      .then('not_found');
  });

  describe('opened by hand without an end', () => {
    const opening: Override = { status: 'open', until: null, reason: null };
    const openUntil = (until: string | null) =>
      ({ type: 'LiftOverrideSet', data: { override: { ...opening, until } } }) as const;
    const unscheduled = { type: 'LiftAdded', data: liftOf({ schedule: null }) } as const;

    it.each([
      ['in its hours, when they end', '2027-01-13T07:00:00Z', '2027-01-13T13:00:00.000Z'],
      ['before them, when they end', '2027-01-13T04:00:00Z', '2027-01-13T13:00:00.000Z'],
      ['between the day and the evening, when the evening ends', '2027-01-16T14:00:00Z', '2027-01-16T19:00:00.000Z'],
      ['after them, at midnight of the resort', '2027-01-13T13:30:00Z', '2027-01-13T21:00:00.000Z'],
      ['on a closed day, at midnight of the resort', '2027-01-10T09:00:00Z', '2027-01-10T21:00:00.000Z'],
    ])('%s', (_, at, until) => {
      given([added])
        .when(change({ override: opening, at }))
        .thenOnce([openUntil(until)]);
    });

    it('stays open as long as it has no schedule', () => {
      given([unscheduled])
        .when(change({ override: opening }))
        .thenOnce([openUntil(null)]);
      const { schedule } = liftOf();
      given([unscheduled, openUntil(null)])
        .when(change({ details: { schedule } }))
        .thenOnce([{ type: 'LiftChanged', data: { schedule } }, openUntil('2027-01-13T13:00:00.000Z')]);
    });

    it('keeps an end that is given, and other changes leave what was set', () => {
      given([added])
        .when(change({ override: { ...opening, until: '2027-03-01T00:00:00Z' } }))
        .thenOnce([openUntil('2027-03-01T00:00:00Z')]);
      given([added, openUntil(null)])
        .when(change({ details: { name: 'Lavanda 2' } }))
        .then([{ type: 'LiftChanged', data: { name: 'Lavanda 2' } }]);
    });

    it('unlike a lift that is closed or stopped: nothing but a person opens that again', () => {
      for (const status of ['closed', 'hold'] as const) {
        const override = { status, until: null, reason: 'Wind' };
        given([added])
          .when(change({ override }))
          .thenOnce([{ type: 'LiftOverrideSet', data: { override } }]);
      }
    });
  });

  it('is changed only at the revision that was read', () => {
    given([added, overridden])
      .when(change({ details: { name: 'New' }, ifRevision: [1] }))
      .then('outdated_revision');
    given([added, overridden])
      .when(change({ details: { name: 'New' }, ifRevision: [2] }))
      .then([{ type: 'LiftChanged', data: { name: 'New' } }]);
  });

  it.each([
    ['a hold without a reason', { override: { status: 'hold', until: null, reason: null } }],
    ['an end that has passed', { override: { status: 'closed', until: NOW, reason: null } }],
    [
      'latitude before longitude',
      {
        details: {
          geometry: {
            type: 'LineString',
            coordinates: [
              [43, 140],
              [43, 141],
            ],
          },
        },
      },
    ],
    [
      'hours that end before they begin',
      {
        details: {
          schedule: {
            seasons: [],
            exceptions: [
              { from: '2027-01-01', until: '2027-01-01', hours: [{ opens: '18:00', closes: '02:00' }], note: null },
            ],
          },
        },
      },
    ],
    [
      'a period that ends before it begins',
      {
        details: {
          schedule: { seasons: [], exceptions: [{ from: '2027-01-02', until: '2027-01-01', hours: [], note: null }] },
        },
      },
    ],
  ])('refuses %s', (_, more) => {
    given([added]).when(change(more)).then('invalid');
  });

  it('is retired once, and not changed after that', () => {
    given([added]).when({ type: 'RetireFacility', reason: null }).thenOnce([retired]);
    given([added, retired])
      .when(change({ override: wind }))
      .then('invalid_transition');
    given([]).when({ type: 'RetireFacility', reason: null }).then('not_found');
  });
});

describe('the queue at a lift', () => {
  const given = specification(liftQueue);
  const ask = (more: object = {}) =>
    ({ type: 'ReportQueue', source: 'manual', people: null, minutes: 12, measuredAt: NOW, ...more }) as const;
  const reported = (more: object = {}) =>
    ({
      type: 'LiftQueueReported',
      data: {
        source: 'manual',
        people: null,
        minutes: 12,
        measuredAt: NOW,
        validUntil: '2027-01-13T07:30:00.000Z',
        ...more,
      },
    }) as const;

  it('is reported for half an hour, by scans for ten minutes', () => {
    given([]).when(ask()).thenOnce([reported()]);
    given([])
      .when(ask({ source: 'scans', people: 30, minutes: null }))
      .thenOnce([reported({ source: 'scans', people: 30, minutes: null, validUntil: '2027-01-13T07:10:00.000Z' })]);
  });

  it('is not replaced by an older report', () => {
    given([reported()])
      .when(ask({ minutes: 3, measuredAt: '2027-01-13T06:59:00.000Z' }))
      .then([]);
  });

  it('needs people or minutes, not both', () => {
    given([])
      .when(ask({ people: 3 }))
      .then('invalid');
    given([])
      .when(ask({ minutes: null }))
      .then('invalid');
  });

  it('is withdrawn once', () => {
    given([reported()])
      .when({ type: 'WithdrawQueueReport', source: 'manual' })
      .thenOnce([{ type: 'LiftQueueReportWithdrawn', data: { source: 'manual' } }]);
  });
});

const state: LiftTold = {
  status: 'open',
  source: 'schedule',
  reason: null,
  until: LATER,
  queueMinutes: 5,
  queuePeople: null,
  queueSource: 'manual',
  queueMeasuredAt: NOW,
};
const told = { type: 'LiftStateTold', data: { ...state, quietUntil: '2027-01-13T07:00:05.000Z' } } as const;

describe('what is told of a lift', () => {
  const given = specification(liftTold);
  const tell = (more: object, at: string) => ({ type: 'TellState', state: { ...state, ...more }, at }) as const;

  it('is told when it changes, at most every 5 s', () => {
    given([]).when(tell({}, NOW)).thenOnce([told]);
    given([told]).when(tell({}, LATER)).then([]);
    given([told])
      .when(tell({ queueMinutes: 6 }, '2027-01-13T07:00:04.999Z'))
      .then([]);
    given([told])
      .when(tell({ queueMinutes: 6 }, '2027-01-13T07:00:05.000Z'))
      .then([{ type: 'LiftStateTold', data: { ...state, queueMinutes: 6, quietUntil: '2027-01-13T07:00:10.000Z' } }]);
  });
});

describe('rows', () => {
  const liftEvent = (event: object, at = NOW) => happened('lift', LIFT, event as typeof added, at);
  const slopeEvent = (event: object, at = NOW) => happened('slope', SLOPE, event as typeof added, at);
  const liftEvents = [
    liftEvent(added),
    liftEvent({ type: 'LiftChanged', data: { name: 'Lavanda 2' } }),
    liftEvent(overridden, LATER),
    liftEvent({
      type: 'LiftQueueReported',
      data: { source: 'manual', people: 80, minutes: null, measuredAt: NOW, validUntil: LATER },
    }),
  ];
  const slopeEvents = [
    slopeEvent({ type: 'SlopeAdded', data: slopeOf() }),
    slopeEvent({ type: 'SlopeChanged', data: { groomedAt: NOW } }),
    slopeEvent({ type: 'SlopeOverrideSet', data: { override: { status: 'closed', until: null, reason: null } } }),
    slopeEvent({ type: 'SlopeRetired', data: { reason: 'Overgrown' } }, LATER),
  ];
  const liftRows = projection(resortLifts);
  const slopeRows = projection(resortSlopes);
  const changes = projection(resortChanges);
  const liftsTold = projection(liftStates);
  const slopesTold = projection(slopeStates);

  it('show a lift as it was set, and from that its state at any time', () => {
    const [row] = liftRows(liftEvents) as [LiftRow];
    expect(row).toMatchObject({ id: LIFT, revision: 3, name: 'Lavanda 2', capacity_per_hour: 2_400, override: wind });
    const mountain = (at: string) => mountainAt({ timezone: 'Europe/Moscow', lifts: [row], slopes: [] }, at);
    expect(mountain(NOW).lifts[0]).toMatchObject({
      status: 'hold',
      reason: 'Wind',
      until: LATER,
      queue_minutes: 2,
      queue_source: 'manual',
      bottom_altitude_m: 560,
    });
    expect(mountain(NOW).until).toBe(Date.parse(LATER));
    expect(mountain(LATER).lifts[0]).toMatchObject({ status: 'open', queue_minutes: null, queue_source: null });
    expect(mountain(LATER).lifts[0]).not.toHaveProperty('queue_reports');
  });

  it('forget a report that was withdrawn, and show when a lift was retired', () => {
    const withdrawn = liftEvent({ type: 'LiftQueueReportWithdrawn', data: { source: 'manual' } });
    const [row] = liftRows([...liftEvents, withdrawn, liftEvent(retired, LATER)]) as [LiftRow];
    expect(row).toMatchObject({ retired_at: LATER, queue_reports: { manual: null } });
    expect(liftRows([liftEvent({ type: 'LiftAdded', data: liftOf() })])).toHaveLength(1);
  });

  it('show a slope, closed by hand and then retired', () => {
    const [row] = slopeRows(slopeEvents) as [SlopeRow];
    expect(row).toMatchObject({ revision: 4, groomed_at: NOW, retired_at: LATER });
    const shown = mountainAt({ timezone: 'Europe/Moscow', lifts: [], slopes: [row] }, LATER).slopes[0];
    expect(shown).toMatchObject({ status: 'closed', source: 'none' });
  });

  it('keep every change with who made it', () => {
    const withdrawn = liftEvent({ type: 'LiftQueueReportWithdrawn', data: { source: 'manual' } });
    // What gates and phones count is nobody's change.
    const counted = liftEvent({ type: 'LiftQueueReportWithdrawn', data: { source: 'skiers' } });
    const rows = changes([...liftEvents, withdrawn, counted, liftEvent(retired), ...slopeEvents]);
    expect(rows.map(({ change: kind }) => kind)).toEqual([
      'added',
      'changed',
      'status_set',
      'queue_reported',
      'queue_withdrawn',
      'retired',
      'added',
      'changed',
      'status_set',
      'retired',
    ]);
    expect(rows[2]).toMatchObject({ subject_id: LIFT, by: 'test', at: LATER, data: { override: wind } });
  });

  it('carry what was told on the channels', () => {
    const [one] = liftsTold([happened('liftState', LIFT, told, NOW)]);
    expect(one).toEqual({
      id: LIFT,
      told_at: NOW,
      status: 'open',
      source: 'schedule',
      reason: null,
      until: LATER,
      queue_minutes: 5,
      queue_people: null,
      queue_is_at_least: false,
      queue_source: 'manual',
      queue_measured_at: NOW,
    });
    expect(toldOn(liftStates, one ?? {})).toEqual(['lift_queues']);
    const event = {
      type: 'SlopeStateTold',
      data: { status: 'closed', source: 'manual', reason: 'Avalanche danger', until: null, quietUntil: LATER },
    };
    const [other] = slopesTold([happened('slopeState', SLOPE, event, NOW)]);
    expect(toldOn(slopeStates, other ?? {})).toEqual(['resort']);
  });
});

it('an end or a reason needs a status that is set by hand', () => {
  expect(overrideOf({})).toBeUndefined();
  expect(overrideOf({ status: 'auto' })).toBeNull();
  expect(overrideOf({ status: 'hold', reason: 'Wind' })).toEqual({ status: 'hold', until: null, reason: 'Wind' });
  expect(() => overrideOf({ until: LATER })).toThrow('belong to a `status`');
  expect(() => overrideOf({ status: 'auto', reason: 'Wind' })).toThrow('belong to a `status`');
});

describe('a slope', () => {
  it('has the same life', () => {
    const slopeAdded = { type: 'SlopeAdded', data: slopeOf() } as const;
    const given = specification(slope);
    given([]).when({ type: 'AddFacility', details: slopeOf() }).thenOnce([slopeAdded]);
    given([slopeAdded])
      .when(change({ details: { groomedAt: NOW } }))
      .thenOnce([{ type: 'SlopeChanged', data: { groomedAt: NOW } }]);
  });

  it('is told of when its state changes', () => {
    const closed = { status: 'closed', source: 'schedule', reason: null, until: null } as const;
    specification(slopeTold)([])
      .when({ type: 'TellState', state: closed, at: NOW })
      .thenOnce([{ type: 'SlopeStateTold', data: { ...closed, quietUntil: '2027-01-13T07:00:05.000Z' } }]);
  });
});
