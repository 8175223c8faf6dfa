import { describe, expect, it } from 'vitest';
import { chargesFor } from '../../api/http/rateLimits.ts';
import { routes } from '../../api/modules.ts';
import { type DutyEvent, onDuty, type Shift, sosDuty } from '../../domain/sos/duty.ts';
import {
  MOST_REPORTS,
  type SosEvent,
  type SosPosition,
  type SosStep,
  sos,
  wasThereAt,
} from '../../domain/sos/incident.ts';
import { withoutPerson } from '../../projections/engine/personalRows.ts';
import { sosIncidents } from '../../projections/sos/sosIncidents.ts';
import { specification } from '../kit/given.ts';
import { happened, projection, toldOn } from '../kit/projected.ts';

const id = (n: number) => `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const [FIRST, SECOND, ANNA, RESCUER] = [id(1), id(2), id(3), id(4)];
const minute = (n: number) => `2027-01-01T10:${String(n).padStart(2, '0')}:00.000Z`;
const position = (n: number): SosPosition => ({ lat: 43.6 + n / 1_000, lon: 40.3, accuracy: 12, at: minute(n) });

const nothing = { positions: [], battery: null, message: null };
const ask = (incidentId = FIRST, more: object = {}) =>
  ({ type: 'RequestSos', incidentId, at: minute(0), ...nothing, ...more }) as const;
const requested = (incidentId = FIRST, more: object = {}) =>
  ({
    type: 'SosRequested',
    data: { incidentId, position: null, battery: null, message: null, quietUntil: minute(1), ...more },
  }) as SosEvent;
const again = (quietUntil: string) =>
  ({ type: 'SosRequestedAgain', data: { incidentId: FIRST, quietUntil } }) as SosEvent;
const reported = (more: object) =>
  ({
    type: 'SosReported',
    data: { incidentId: FIRST, positions: null, battery: null, message: null, ...more },
  }) as SosEvent;
const escalated = (level: number, notified = [RESCUER]) =>
  ({ type: 'SosEscalated', data: { incidentId: FIRST, level, notified } }) as SosEvent;
const stepped = (type: 'SosAcknowledged' | 'SosDispatched' | 'SosResolved' | 'SosFalseAlarmFound') =>
  ({
    type,
    data: {
      incidentId: FIRST,
      ...((type === 'SosAcknowledged' || type === 'SosDispatched') && { quietUntil: minute(10) }),
    },
  }) as SosEvent;
const ends = [stepped('SosResolved'), stepped('SosFalseAlarmFound')];

describe('an incident', () => {
  const given = specification(sos);
  const take = (type: SosStep, incidentId = FIRST) => ({ type, incidentId, at: minute(0) }) as const;

  it('begins once, with what is known', () => {
    given([]).when(ask()).thenOnce([requested()]);
    given([])
      .when(ask(FIRST, { positions: [position(0)], battery: 40, message: 'broken leg' }))
      .thenOnce([requested(FIRST, { position: position(0), battery: 40, message: 'broken leg' })]);
  });

  it('is added to by another request while it is active', () => {
    const more = { positions: [position(1)], battery: 39, message: 'at the lift' };
    for (const before of [[], [stepped('SosAcknowledged')], [stepped('SosDispatched')]])
      given([requested(), ...before])
        .when(ask(SECOND, more))
        .then([reported(more)]);
    given([requested()]).when(ask(SECOND)).then([]);
  });

  it('is not added to by a device that repeats itself', () => {
    const said = { battery: 40, message: 'broken leg' };
    given([requested(FIRST, said)])
      .when(ask(SECOND, said))
      .then([]);
    given([requested(), reported(said)])
      .when(ask(SECOND, said))
      .then([]);
    given([requested(FIRST, said)])
      .when(ask(SECOND, { ...said, battery: 39 }))
      .then([reported({ battery: 39 })]);
  });

  it('is asked for again, also with nothing new, a minute after the request and then every five minutes', () => {
    const at = (n: number) => ask(SECOND, { at: minute(n) });
    given([requested()])
      .when(at(1))
      .thenOnce([again(minute(6))]);
    given([requested(), again(minute(6))])
      .when(at(5))
      .then([]);
    given([requested(), again(minute(6))])
      .when(at(6))
      .thenOnce([again(minute(11))]);
    const more = { battery: 39 };
    given([requested()])
      .when({ ...at(1), ...more })
      .thenOnce([reported(more), again(minute(6))]);
  });

  it.each([stepped('SosAcknowledged'), stepped('SosDispatched')])(
    'is asked for again ten minutes after %j',
    (answer) => {
      const at = (n: number) => ask(SECOND, { at: minute(n) });
      given([requested(), answer]).when(at(9)).then([]);
      given([requested(), answer])
        .when(at(10))
        .thenOnce([again(minute(15))]);
      const older = { type: answer.type, data: { incidentId: FIRST } } as SosEvent;
      given([requested(FIRST, { quietUntil: undefined }), older])
        .when(at(1))
        .thenOnce([again(minute(6))]);
      given([requested(), answer, stepped('SosResolved')])
        .when(at(10))
        .thenOnce([requested(SECOND, { quietUntil: minute(11) })]);
    },
  );

  it.each(ends)('is followed by another one after %j', (end) => {
    given([requested(), end])
      .when(ask(SECOND))
      .thenOnce([requested(SECOND)]);
    given([requested(), end]).when(ask()).then('unavailable'); // its id is used up: the next one is taken
  });

  it('gets positions until it ends, and not without bound', () => {
    const report = { type: 'ReportSos', incidentId: FIRST, ...nothing, positions: [position(1), position(2)] } as const;
    given([requested()])
      .when(report)
      .then([reported({ positions: [position(1), position(2)] })]);
    given([requested()])
      .when({ ...report, positions: [] })
      .then([]);
    for (const end of ends) given([requested(), end]).when(report).then('invalid_transition');
    given([requested(), stepped('SosResolved'), requested(SECOND)])
      .when(report)
      .then([
        {
          ...reported({ positions: report.positions }),
          data: { ...reported({ positions: report.positions }).data, incidentId: SECOND },
        } as SosEvent,
      ]);
    given([requested(), stepped('SosResolved')])
      .when({ ...report, incidentId: SECOND })
      .then('not_found');
    given([]).when(report).then('not_found');
    const many = Array.from({ length: MOST_REPORTS }, () => reported({ positions: [position(1)] }));
    given([requested(), ...many])
      .when({ ...report, positions: [{ ...position(1), at: '2027-01-01T10:01:59.000Z' }], message: 'hurry' })
      .then([]);
    // The trace of the person is not lost, however long it takes.
    given([requested(), ...many])
      .when({ ...report, positions: [position(2), position(3)] })
      .thenOnce([reported({ positions: [position(2), position(3)] })]);
  });

  it.each([
    [
      'at its own time, without another clock to compare',
      '2027-01-01T09:00:00.000Z',
      undefined,
      '2027-01-01T09:00:00.000Z',
    ],
    ['not in the future', '2027-01-01T11:00:00+00:00', undefined, '2027-01-01T10:00:00.000Z'],
    [
      'by our clock when that of the device is an hour slow',
      '2027-01-01T08:59:30Z',
      '2027-01-01T09:00:00Z',
      '2027-01-01T09:59:30.000Z',
    ],
    ['or years ahead', '2031-01-01T09:59:30Z', '2031-01-01T10:00:00Z', '2027-01-01T09:59:30.000Z'],
    [
      'as it was sent, when the request was half a minute on its way',
      '2027-01-01T09:59:20Z',
      '2027-01-01T09:59:30Z',
      '2027-01-01T09:59:20.000Z',
    ],
    ['in a year that can be stored', '1900-01-01T00:00:00Z', '2999-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
  ])('has a position %s', (_, time, sentAt, corrected) =>
    expect(wasThereAt(time, sentAt, '2027-01-01T10:00:00.000Z')).toBe(corrected),
  );

  it('escalates while it is new, a level at a time', () => {
    const escalate = { type: 'EscalateSos', incidentId: FIRST, level: 1, notified: [RESCUER] } as const;
    given([requested()])
      .when(escalate)
      .thenOnce([escalated(1)]);
    given([requested(), escalated(1)])
      .when({ ...escalate, level: 2 })
      .thenOnce([escalated(2)]);
    given([requested(), stepped('SosAcknowledged')])
      .when(escalate)
      .then([]);
    given([requested(), stepped('SosResolved'), requested(SECOND)])
      .when(escalate)
      .then([]);
  });

  it('goes on from new to its end, and never back', () => {
    given([requested()])
      .when(take('AcknowledgeSos'))
      .thenOnce([stepped('SosAcknowledged')]);
    given([requested()])
      .when(take('DispatchSos'))
      .thenOnce([stepped('SosDispatched')]);
    given([requested(), stepped('SosAcknowledged')])
      .when(take('DispatchSos'))
      .thenOnce([stepped('SosDispatched')]);
    given([requested(), stepped('SosDispatched')])
      .when(take('AcknowledgeSos'))
      .then([]);
    for (const before of [[], [stepped('SosAcknowledged')], [stepped('SosDispatched')]]) {
      given([requested(), ...before])
        .when(take('ResolveSos'))
        .thenOnce([stepped('SosResolved')]);
      given([requested(), ...before])
        .when(take('FindFalseAlarm'))
        .thenOnce([stepped('SosFalseAlarmFound')]);
    }
    given([requested(), stepped('SosResolved')])
      .when(take('FindFalseAlarm'))
      .then('invalid_transition');
    given([requested(), stepped('SosResolved')])
      .when(take('AcknowledgeSos'))
      .then('invalid_transition');
    given([requested()]).when(take('AcknowledgeSos', SECOND)).then('not_found');
  });
});

describe('the list of who is on duty', () => {
  const given = specification(sosDuty);
  const shift = (accountId: string, from: string | null = null, until: string | null = null): Shift => ({
    accountId,
    from,
    until,
  });
  const set = (...shifts: Shift[]): DutyEvent => ({ type: 'SosDutySet', data: { shifts } });

  it('is replaced once', () => {
    given([])
      .when({ type: 'SetDuty', shifts: [shift(ANNA)] })
      .thenOnce([set(shift(ANNA))]);
    given([set(shift(ANNA))])
      .when({ type: 'SetDuty', shifts: [] })
      .thenOnce([set()]);
  });

  it('refuses a shift that ends before it begins', () =>
    given([])
      .when({ type: 'SetDuty', shifts: [shift(ANNA, minute(2), minute(2))] })
      .then('invalid'));

  it('has an order, and everybody in it once, during their shifts', () => {
    const duty = [shift(RESCUER, minute(10), minute(20)), shift(ANNA), shift(RESCUER), shift(id(9), minute(30))];
    expect(onDuty(duty, minute(9))).toEqual([ANNA, RESCUER]);
    expect(onDuty(duty, minute(10))).toEqual([RESCUER, ANNA]);
    expect(onDuty(duty, minute(20))).toEqual([ANNA, RESCUER]);
    expect(onDuty(duty, minute(30))).toEqual([ANNA, RESCUER, id(9)]);
  });
});

describe('the board', () => {
  const rowsAfter = projection(sosIncidents);
  const of = (event: SosEvent, n: number) => happened(sos.category, ANNA, event, minute(n));
  const first = of(requested(FIRST, { position: position(0), battery: 40, message: 'broken leg' }), 0);
  const row = {
    id: FIRST,
    account_id: ANNA,
    status: 'new',
    position: position(0),
    track: [position(0)],
    battery: 40,
    messages: ['broken leg'],
    escalations: 0,
    notified: [],
    handled_by: null,
    acknowledged_at: null,
    dispatched_at: null,
    ended_at: null,
    requested_again_at: null,
    created_at: minute(0),
    updated_at: minute(0),
  };

  it('shows what came, in the order of its times', () => {
    const late = of(reported({ positions: [position(3), position(1)], battery: 38, message: 'hurry' }), 4);
    expect(rowsAfter([first])).toEqual([row]);
    expect(rowsAfter([first, late])).toEqual([
      {
        ...row,
        position: position(3),
        track: [position(0), position(1), position(3)],
        battery: 38,
        messages: ['broken leg', 'hurry'],
        updated_at: minute(4),
      },
    ]);
  });

  it('keeps the newest messages', () => {
    const said = Array.from({ length: 60 }, (_, n) => of(reported({ message: `message ${n}` }), 1));
    const messages = (rowsAfter([first, ...said])[0]?.messages ?? []) as readonly string[];
    expect([messages.length, messages.at(-1)]).toEqual([50, 'message 59']);
  });

  it('shows who was told, and each step with its time', () => {
    const [last] = rowsAfter([
      first,
      of(escalated(1), 1),
      of(stepped('SosAcknowledged'), 2),
      of(stepped('SosDispatched'), 3),
      of(stepped('SosResolved'), 4),
    ]);
    expect(last).toEqual({
      ...row,
      status: 'resolved',
      escalations: 1,
      notified: [RESCUER],
      handled_by: 'test',
      acknowledged_at: minute(2),
      dispatched_at: minute(3),
      ended_at: minute(4),
      updated_at: minute(4),
    });
    const [alarm] = rowsAfter([first, of(stepped('SosFalseAlarmFound'), 1)]);
    expect(alarm).toMatchObject({ status: 'false_alarm', acknowledged_at: null, ended_at: minute(1) });
  });

  it('shows when the person last asked again', () => {
    const rows = rowsAfter([first, of(again(minute(7)), 2), of(again(minute(12)), 7)]);
    expect(rows).toEqual([{ ...row, requested_again_at: minute(7), updated_at: minute(7) }]);
  });

  it('is told to the person and to the rescuers, who see more', () => {
    expect(toldOn(sosIncidents, row)).toEqual([`realtime:user_${ANNA}`, 'sos_board']);
    const [ofPerson, ofRescuers] = (['guest', 'admin'] as const).map((one) => sosIncidents.wire.of(row, one));
    expect(ofPerson).not.toHaveProperty('notified');
    expect(ofRescuers).toHaveProperty('notified');
  });

  it('of an erased person is the same after a rebuild', () => {
    const late = reported({ positions: [position(1)], battery: 38, message: 'hurry' });
    const [live] = rowsAfter([first, of(late, 4)]);
    const erased = { positions: null, position: null, battery: null, message: '[erased]' };
    const [rebuilt] = rowsAfter([
      of(requested(FIRST, { ...erased, positions: undefined }), 0),
      of(reported({ ...erased, position: undefined }), 4),
    ]);
    expect(rebuilt).toEqual(withoutPerson(live as never, sosIncidents.personalData as never));
  });
});

it('is never limited for who is signed in', () => {
  const named = (key: string) => routes.find((route) => route.key === key) as (typeof routes)[number];
  const user = { kind: 'user', id: 'anna', role: 'tourist', sells: false, sessionId: 's', provedAt: 0 } as const;
  const request = named('POST /api/v1/sos/request');
  expect(chargesFor(request, user, '192.0.2.1')).toEqual([]);
  expect(chargesFor(request, null, '192.0.2.1')).toEqual([{ policy: 'anonymous', to: '192.0.2.1' }]);
  expect(chargesFor(named('POST /api/v1/sos/:id/positions'), user, '192.0.2.1')).toEqual([]);
});
