/** Days on whole maps: the demo's mountain, a real one without altitudes, an invented one that is drawn inexactly. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Imported, readOpenSkiMap } from '../../commands/resort/openSkiMap.ts';
import { MINUTE_MS } from '../../domain/core/instants.ts';
import { defaultPlanConfig, type PlanWish } from '../../domain/plans/config.ts';
import { spotAtLift } from '../../domain/plans/links.ts';
import type { PlanLift, PlanMountain, PlanSlope } from '../../domain/plans/moves.ts';
import { type DayPlan, planDay } from '../../domain/plans/plan.ts';
import { altitudesOf, endsOf, type LineOrField, lengthOf } from '../../domain/resort/geometry.ts';
import { difficulties } from '../../domain/resort/slope.ts';
import { MOST_CLIMB_M } from '../../domain/resort/walks.ts';
import { liftDetails, sampleLifts, sampleSlopes, slopeDetails } from '../../ops/seed/mountain.ts';
import { drawnMountain } from './drawnMountain.ts';
import { hours, requestFor } from './mountains.ts';

/** Open from 9 to 16. */
const measured = <D extends { readonly geometry: LineOrField }>(details: D) => {
  const { bottom, top } = altitudesOf(details.geometry);
  const altitudes = { bottomAltitudeM: bottom, topAltitudeM: top };
  return { ...details, lengthM: lengthOf(details.geometry), ...altitudes, open: hours(0, 420) };
};
const mountainOf = ({ lifts, slopes }: Pick<Imported, 'lifts' | 'slopes'>): PlanMountain => ({
  lifts: lifts.map((of): PlanLift => ({ ...measured(of), id: `lift ${of.sourceId}` })),
  slopes: slopes.map((of): PlanSlope => ({ ...measured(of), id: `slope ${of.sourceId}`, groomedAt: null })),
});
const read = (collection: unknown) => readOpenSkiMap(collection, (noun, sourceId) => `${noun} ${sourceId}`);

const real = mountainOf(
  read(JSON.parse(readFileSync(path.join(import.meta.dirname, 'maps/bearMountain.geojson'), 'utf8'))),
);
const ids = {
  lift: ({ name }: { name: string }) => `lift ${name}`,
  slope: ({ name }: { name: string }) => `slope ${name}`,
};
const demo: PlanMountain = {
  lifts: sampleLifts.map(
    (of): PlanLift => ({ ...measured(liftDetails(of, 2026)), id: ids.lift(of), rideMinutes: of.minutes }),
  ),
  slopes: sampleSlopes.map((of): PlanSlope => ({ ...measured(slopeDetails(of, 2026, ids)), id: ids.slope(of) })),
};
const drawn = mountainOf(read(drawnMountain(32, 220)));
const maps = { demo, real, drawn };

const dayOn = (
  mountain: PlanMountain,
  level: (typeof difficulties)[number],
  { start = 0, wishes = [] }: { start?: number; wishes?: readonly PlanWish[] } = {},
) => {
  const spot = spotAtLift(mountain.lifts[start] as PlanLift);
  const waitAt = () => ({ minutes: defaultPlanConfig.default_wait_minutes, source: 'assumed' }) as const;
  return planDay(requestFor(mountain, { level, wishes, start: spot, home: spot, waitAt }));
};
type Steps = DayPlan['steps'];
const runsOf = (steps: Steps) => steps.flatMap((step) => (step.type === 'slope' ? [step.slope] : []));
const ridesOf = (steps: Steps) => steps.flatMap((step) => (step.type === 'lift' ? [step.lift] : []));

/** Metres that a person climbs between two steps that follow each other. */
const climbsOf = (steps: Steps): number[] =>
  steps.flatMap((step, n) => {
    const before = steps[n - 1];
    if (before?.type !== 'slope' || (step.type !== 'slope' && step.type !== 'lift')) return [];
    const from = endsOf(before.slope.geometry, 'down').bottom[0]?.[2];
    const of =
      step.type === 'slope' ? endsOf(step.slope.geometry, 'down').top : endsOf(step.lift.geometry, 'up').bottom;
    const to = of[0]?.[2];
    return from === undefined || to === undefined ? [] : [to - from];
  });

/** Slopes that are skied again without a lift in between. */
const circlesOf = (steps: Steps): string[] => {
  const since = new Set<string>();
  return steps.flatMap((step) => {
    if (step.type === 'lift') since.clear();
    if (step.type !== 'slope') return [];
    const again = since.has(step.slope.id) ? [step.slope.name] : [];
    since.add(step.slope.id);
    return again;
  });
};

const days = Object.entries(maps).flatMap(([name, mountain]) =>
  difficulties.flatMap((level) =>
    ([[], ['variety', 'short_waits'], ['vertical']] as const).map((wishes) => ({ name, mountain, level, wishes })),
  ),
);
it.each(days)('on the $name mountain, $level, $wishes: nobody climbs, skis in a circle or stops early', (of) => {
  const { best, notes, possibleAt, backBy } = dayOn(of.mountain, of.level, { wishes: of.wishes });
  if (best === null) {
    expect(notes.some((note) => note === 'no_slopes' || note === 'no_way_back')).toBe(true);
    expect(possibleAt === null || difficulties.indexOf(possibleAt) > difficulties.indexOf(of.level)).toBe(true);
    return;
  }
  expect(climbsOf(best.steps).filter((metres) => metres > MOST_CLIMB_M)).toEqual([]);
  expect(circlesOf(best.steps)).toEqual([]);
  expect(best.points).toBeGreaterThan(0);
  const left = ((backBy ?? 0) - (best.steps.at(-1)?.endsAt ?? 0)) / MINUTE_MS;
  expect(left <= 30 || notes.includes('ends_early')).toBe(true);
});

describe('as they were looked at on a picture', () => {
  const shown = (mountain: PlanMountain, level: (typeof difficulties)[number]) => {
    const { best, notes } = dayOn(mountain, level);
    const steps = best?.steps ?? [];
    const runs = runsOf(steps);
    return [runs.length, new Set(runs.map(({ id }) => id)).size, ridesOf(steps).length, notes];
  };
  it.each([
    ['novice', 23, 3, 31, ['few_slopes']],
    ['easy', 16, 6, 14, []],
    ['intermediate', 21, 16, 15, []],
    ['expert', 19, 15, 15, []],
  ] as const)('the demo, %s: %d runs on %d slopes, %d rides', (level, ...expected) =>
    expect(shown(demo, level)).toEqual(expected),
  );
  it.each([
    ['novice', 26, 1, 26, ['few_slopes']],
    ['easy', 26, 4, 18, []],
    ['intermediate', 30, 8, 17, []],
    ['expert', 26, 8, 16, []],
  ] as const)('the real mountain, %s: %d runs on %d slopes, %d rides', (level, ...expected) =>
    expect(shown(real, level)).toEqual(expected),
  );
});

/** A lift, two slopes that begin beside each other, and one that leads back. */
const twins = (hasAltitudes: boolean) => {
  const line = (...coordinates: number[][]) => ({
    type: 'LineString',
    coordinates: coordinates.map((place) => (hasAltitudes ? place : place.slice(0, 2))),
  });
  const feature = (type: string, id: string, geometry: object, more: object) => ({
    properties: { type, id, name: id, ...more },
    geometry,
  });
  const run = (id: string, from: number[], to: number[]) => feature('run', id, line(from, to), { difficulty: 'easy' });
  return {
    features: [
      feature('lift', 'ML', line([8, 45, 1_500], [8, 45.008983, 1_800]), { liftType: 'chair_lift' }),
      run('A', [8, 45.008983, 1_800], [8, 45.007905, 1_775]),
      run('B', [8.0003, 45.008983, 1_800], [8.0003, 45.007905, 1_775]),
      run('C', [8, 45.007815, 1_772], [8, 45, 1_500]),
    ],
  };
};

it.each([true, false])('slopes that begin beside each other do not lead to each other, with altitudes: %s', (has) => {
  const map = read(twins(has));
  const linksOf = ({ name, toSlopes, toLifts }: (typeof map.slopes)[number]) => [name, toSlopes, toLifts];
  expect(map.slopes.map(linksOf)).toEqual([
    ['A', ['slope C'], []],
    ['B', ['slope C'], []],
    ['C', [], ['lift ML']],
  ]);
  const { best } = dayOn(mountainOf(map), 'easy');
  const steps = best?.steps ?? [];
  expect(runsOf(steps).length).toBe(2 * ridesOf(steps).length);
});

it.each([true, false])('links of an earlier import are not followed in circles either, with altitudes: %s', (has) => {
  const { lifts, slopes } = mountainOf(read(twins(has)));
  const mistaken: Record<string, string[]> = { A: ['slope B', 'slope C'], B: ['slope A', 'slope C'] };
  const { best } = dayOn(
    { lifts, slopes: slopes.map((slope) => ({ ...slope, toSlopes: mistaken[slope.name] ?? slope.toSlopes })) },
    'easy',
  );
  const steps = best?.steps ?? [];
  expect(circlesOf(steps)).toEqual([]);
  expect(runsOf(steps).length).toBe(2 * ridesOf(steps).length);
});

it('a connection is for everybody', () => {
  const line = (...coordinates: number[][]) => ({ type: 'LineString', coordinates });
  const [bottom, top, far] = [
    [8, 45, 1_500],
    [8, 45.01, 1_800],
    [8.01, 45, 1_510],
  ];
  const map = read({
    features: [
      { properties: { type: 'lift', id: 'L', liftType: 'chair_lift' }, geometry: line(bottom, top) },
      { properties: { type: 'run', id: 'down', difficulty: 'easy', uses: ['downhill'] }, geometry: line(top, far) },
      { properties: { type: 'run', id: 'back', difficulty: null, uses: ['connection'] }, geometry: line(far, bottom) },
    ],
  });
  expect(map.assumed).toEqual(['back (back) is a connection of unknown difficulty: taken as novice']);
  for (const level of ['easy', 'intermediate', 'expert'] as const)
    expect(dayOn(mountainOf(map), level).best?.steps.length).toBeGreaterThan(20);
});

it('waiting longer than usual can end the day, and the plan says so', () => {
  const [lift, ...slopes] = [demo.lifts[0] as PlanLift, ...demo.slopes];
  const spot = spotAtLift(lift);
  const waitAt = () => ({ minutes: 90, source: 'typical' }) as const;
  const { best, notes } = planDay(requestFor({ lifts: demo.lifts, slopes }, { start: spot, home: spot, waitAt }));
  expect(best).not.toBeNull();
  expect(notes).toContain('ends_early');
});
