/** What makes no sense is refused, with the field that is meant. */
import { describe, expect, it } from 'vitest';
import {
  addFacility,
  changeFacility,
  lifts,
  overrideAll,
  retireFacility,
  slopes,
} from '../../commands/resort/facilities.ts';
import { isFreshlyGroomed } from '../../domain/plans/moves.ts';
import { lift } from '../../domain/resort/lift.ts';
import { resortReport } from '../../domain/resort/mountainReport.ts';
import type { Schedule } from '../../domain/resort/schedule.ts';
import { type SlopeDetails, slope } from '../../domain/resort/slope.ts';
import { contextOf } from '../kit/context.ts';
import { specification } from '../kit/given.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';
import { id, liftOf, slopeOf } from './resortFixtures.ts';

const NOW = '2027-01-13T07:00:00.000Z';
const by = () => contextOf('admin', 'admin', NOW);

const given = specification(lift);
const season = (...hours: { weekdays: ('mon' | 'tue' | 'wed')[]; opens: string; closes: string }[]) => ({
  from: '2027-01-01',
  until: '2027-03-31',
  hours,
});
const schedule = (seasons: Schedule['seasons'], exceptions: Schedule['exceptions'] = []): Schedule => ({
  seasons,
  exceptions,
});

describe('hours', () => {
  it.each<[string, Schedule]>([
    [
      'overlap on one weekday of a season',
      schedule([
        season(
          { weekdays: ['mon', 'tue'], opens: '09:00', closes: '16:00' },
          { weekdays: ['tue', 'wed'], opens: '15:59', closes: '20:00' },
        ),
      ]),
    ],
    [
      'overlap where two seasons do',
      schedule([
        season({ weekdays: ['mon'], opens: '09:00', closes: '16:00' }),
        { ...season({ weekdays: ['mon'], opens: '10:00', closes: '11:00' }), from: '2027-03-31', until: '2027-05-01' },
      ]),
    ],
    [
      'overlap in an exception',
      schedule(
        [],
        [
          {
            from: '2027-01-01',
            until: '2027-01-01',
            note: null,
            hours: [
              { opens: '09:00', closes: '12:00' },
              { opens: '09:00', closes: '12:00' },
            ],
          },
        ],
      ),
    ],
  ])('that %s are refused', (_, of) =>
    given([])
      .when({ type: 'AddFacility', details: liftOf({ schedule: of }) })
      .then('invalid'),
  );

  it('that follow each other, or are of other days, are taken', () => {
    const of = schedule([
      season(
        { weekdays: ['mon'], opens: '09:00', closes: '12:00' },
        { weekdays: ['mon'], opens: '12:00', closes: '16:00' },
        { weekdays: ['tue'], opens: '10:00', closes: '20:00' },
      ),
      { ...season({ weekdays: ['mon'], opens: '09:00', closes: '12:00' }), from: '2027-04-01', until: '2027-05-01' },
    ]);
    const details = liftOf({ schedule: of });
    given([])
      .when({ type: 'AddFacility', details })
      .then([{ type: 'LiftAdded', data: details }]);
  });
});

it('a lower end above the upper one is refused, also when only one of them changes', () => {
  given([])
    .when({ type: 'AddFacility', details: liftOf({ bottomAltitudeM: 2_000, topAltitudeM: 1_000 }) })
    .then('invalid');
  const change = { type: 'ChangeFacility', at: NOW, timezone: 'Europe/Moscow' } as const;
  const added = { type: 'LiftAdded', data: liftOf({ topAltitudeM: 1_000 }) } as const;
  given([added])
    .when({ ...change, details: { bottomAltitudeM: 1_001 } })
    .then('invalid');
  given([added])
    .when({ ...change, details: { bottomAltitudeM: 900 } })
    .then([{ type: 'LiftChanged', data: { bottomAltitudeM: 900 } }]);
});

it('more new snow in 24 hours than in 48 is refused', () => {
  const station = { name: 'Peak', longitude: 40, latitude: 43, altitudeM: 2_000 };
  const snow = (new24hCm: number | null, new48hCm: number | null) =>
    ({
      type: 'ReportSnow',
      key: 'peak',
      at: NOW,
      snow: { depthCm: 100, new24hCm, new48hCm, measuredAt: NOW },
    }) as const;
  const report = specification(resortReport)([{ type: 'ResortStationSet', data: { key: 'peak', ...station } }]);
  report.when(snow(30, 20)).then('invalid');
  for (const [day, days] of [
    [20, 20],
    [20, null],
    [null, 3],
  ] as const) {
    const { snow: data } = snow(day, days);
    report.when(snow(day, days)).then([{ type: 'SnowReported', data: { key: 'peak', ...data } }]);
  }
});

describe('a slope', () => {
  const stage = async () => {
    const deps = { aggregates: memoryAggregates() };
    const { id: liftId } = await addFacility(deps, by(), lifts, liftOf());
    const { id: slopeId } = await addFacility(deps, by(), slopes, slopeOf({ fromLifts: [liftId], toLifts: [liftId] }));
    const change = (details: Partial<SlopeDetails>) => changeFacility(deps, by(), slopes, slopeId, { details });
    return { deps, liftId, slopeId, change };
  };
  const refused = { code: 'invalid' };

  it('does not lead to itself, or to what is not in use', async () => {
    const { deps, liftId, slopeId, change } = await stage();
    await expect(change({ toSlopes: [slopeId] })).rejects.toMatchObject(refused);
    for (const field of ['fromLifts', 'toLifts', 'toSlopes'] as const) {
      await expect(change({ [field]: [id(900)] })).rejects.toThrow(id(900));
      await expect(addFacility(deps, by(), slopes, slopeOf({ [field]: [id(901)] }))).rejects.toMatchObject(refused);
    }
    // A lift is no slope.
    await expect(change({ toSlopes: [liftId] })).rejects.toMatchObject(refused);
    const { id: next } = await addFacility(deps, by(), slopes, slopeOf({ name: 'Next' }));
    expect((await change({ toSlopes: [next] })).details.toSlopes).toEqual([next]);
  });

  it('keeps a link to a lift that was retired since', async () => {
    const { deps, liftId, change } = await stage();
    await retireFacility(deps, by(), lifts, liftId, { reason: null });
    expect((await change({ name: 'Renamed', toLifts: [liftId] })).details.name).toBe('Renamed');
    await expect(addFacility(deps, by(), slopes, slopeOf({ toLifts: [liftId] }))).rejects.toMatchObject(refused);
  });

  it('was not groomed tomorrow; and what an earlier release took is not fresh before then', async () => {
    const { deps, change } = await stage();
    const tomorrow = '2027-01-14T07:00:00.000Z';
    await expect(change({ groomedAt: tomorrow })).rejects.toMatchObject(refused);
    await expect(addFacility(deps, by(), slopes, slopeOf({ groomedAt: tomorrow }))).rejects.toMatchObject(refused);
    expect((await change({ groomedAt: NOW })).details.groomedAt).toBe(NOW);
    expect(isFreshlyGroomed({ groomedAt: tomorrow }, Date.parse(NOW))).toBe(false);
    expect(isFreshlyGroomed({ groomedAt: NOW }, Date.parse(NOW))).toBe(true);
  });

  it('many are opened at once', async () => {
    const { deps, slopeId } = await stage();
    const { id: other } = await addFacility(deps, by(), slopes, slopeOf({ name: 'Other' }));
    const opening = { status: 'open', until: null, reason: null } as const;
    expect(await overrideAll(deps, by(), slopes, [slopeId, other], opening)).toEqual([slopeId, other].toSorted());
    expect(await overrideAll(deps, by(), slopes, [slopeId, other], opening)).toEqual([]);
    expect(deps.aggregates.stateOf(slope, other)).toMatchObject({ override: { status: 'open' } });
  });
});
