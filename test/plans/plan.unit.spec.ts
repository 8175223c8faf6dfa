/** The planner: it never breaks a rule, and comes near the best day that there is. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../domain/core/instants.ts';
import { actionsFrom, type Problem, START } from '../../domain/plans/actions.ts';
import { defaultPlanConfig } from '../../domain/plans/config.ts';
import { spotAtSlope } from '../../domain/plans/links.ts';
import { isWithin, type PlanMountain } from '../../domain/plans/moves.ts';
import { type PlanRequest, planDay, problemOf } from '../../domain/plans/plan.ts';
import { canEnd, type Path, pointsOf, skiedAfter, timesAfter } from '../../domain/plans/search.ts';
import type { Step } from '../../domain/plans/steps.ts';
import { difficulties } from '../../domain/resort/slope.ts';
import { hours, liftBetween, MORNING, mountainOf, randomMountain, requestFor } from './mountains.ts';

/** The points of the best plan, by trying every one. */
const exhaustive = (problem: Problem): number => {
  let best = Number.NEGATIVE_INFINITY;
  const visit = (before: Path | null): void => {
    const state = before?.state ?? { move: START, minute: 0, isHungry: problem.lunch !== null };
    const { points = 0 } = before ?? {};
    if (before && canEnd(problem, before)) best = Math.max(best, points);
    for (const action of actionsFrom(problem, state)) {
      const sum = points + pointsOf(problem, before, action);
      const times = timesAfter(before, action);
      const hasSkied = skiedAfter(problem, before, action);
      visit({ state: action.to, points: sum, promise: 0, action, before, times, hasSkied, signature: 0 });
    }
  };
  visit(null);
  return best;
};

const facilityOf = (step: Step) => {
  if (step.type === 'lift') return step.lift;
  return step.type === 'slope' ? step.slope : undefined;
};

/** What is wrong with a plan. */
const faultsOf = (request: PlanRequest): string[] => {
  const { best, alternatives, notes, backBy } = planDay(request);
  return [...(best ? [best] : []), ...alternatives].flatMap(({ steps }) => {
    const closed = steps.filter((step) => {
      const open = facilityOf(step)?.open;
      return open && !open.some(({ from, to }) => from <= step.startsAt && step.endsAt <= to);
    });
    const tooHard = steps.filter((step) => step.type === 'slope' && !isWithin(request.level, step.slope.difficulty));
    const torn = steps.filter((step, n) => step.startsAt !== (steps[n - 1]?.endsAt ?? step.startsAt));
    const lunches = steps.filter(({ type }) => type === 'lunch').length;
    const isLunchRight =
      request.wishes.includes('lunch') && !notes.includes('no_time_for_lunch') ? lunches === 1 : lunches === 0;
    const last = steps.at(-1);
    return [
      ...closed.map(({ type }) => `${type} is closed`),
      ...tooHard.map(() => 'a slope is too hard'),
      ...torn.map(({ type }) => `${type} does not begin where the step before ends`),
      ...(isLunchRight ? [] : [`${lunches} lunches`]),
      ...(last && last.endsAt <= (backBy ?? 0) ? [] : ['it ends too late']),
    ];
  });
};

const aSmallMountain = fc.record({
  seed: fc.nat(),
  lifts: fc.integer({ min: 1, max: 3 }),
  slopes: fc.integer({ min: 1, max: 5 }),
});
const anyRequest = fc
  .record({
    seed: fc.nat(),
    level: fc.constantFrom(...difficulties),
    minutes: fc.integer({ min: 20, max: 420 }),
    hasLunch: fc.boolean(),
    hasTable: fc.boolean(),
  })
  .map(({ seed, level, minutes, hasLunch, hasTable }) =>
    requestFor(randomMountain(seed, { lifts: 8, slopes: 20, closesAtRandom: true }), {
      level,
      until: MORNING + minutes * MINUTE_MS,
      wishes: hasLunch ? ['lunch'] : [],
      tables: hasTable ? [{ place: [40.0125, 43.6], startsAt: MORNING + 200 * MINUTE_MS }] : [],
      alternatives: 2,
    }),
  );

describe('the planner', () => {
  it('finds at least 0.95 of the best day on mountains where all days can be tried', () => {
    fc.assert(
      fc.property(
        aSmallMountain,
        fc.integer({ min: 40, max: 80 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (of, minutes, factor) => {
          const config = { ...defaultPlanConfig, repeat_factor: factor };
          const request = requestFor(randomMountain(of.seed, of), { until: MORNING + minutes * MINUTE_MS, config });
          const best = exhaustive(problemOf(request, MORNING + minutes * MINUTE_MS));
          const found = planDay(request).best?.points ?? Number.NEGATIVE_INFINITY;
          expect(found).toBeGreaterThanOrEqual(best - 0.05 * Math.abs(best) - 1e-9);
          expect(found).toBeLessThanOrEqual(best + 1e-9);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('never uses what is closed or too hard, and is back in time, with lunch if there is time for it', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        expect(faultsOf(request)).toEqual([]);
      }),
      { numRuns: 12 },
    );
  });

  it('gives the same plan for the same request', () => {
    const request = requestFor(randomMountain(5, { lifts: 12, slopes: 30 }), { wishes: ['lunch'], alternatives: 2 });
    const { mountain } = request;
    expect(planDay({ ...request, mountain: structuredClone(mountain) })).toEqual(planDay(request));
  });

  it('plans a day on 60 lifts and 150 slopes with few steps of search', () => {
    const request = requestFor(randomMountain(7, { lifts: 60, slopes: 150 }), { wishes: ['lunch'], alternatives: 2 });
    planDay(request);
    const began = performance.now();
    const { best, alternatives, expanded } = planDay(request);
    process.stdout.write(
      `60 lifts, 150 slopes: ${Math.round(performance.now() - began)} ms, ${expanded} steps of search\n`,
    );
    expect(best?.steps.length).toBeGreaterThan(20);
    expect(alternatives.length).toBe(2);
    // About 8,000; each takes some microseconds.
    expect(expanded).toBeLessThan(20_000);
  });
});

describe('a day', () => {
  const two: PlanMountain = mountainOf(
    [liftBetween(1, 0, 1), liftBetween(2, 1, 2, { open: hours(0, 120) })],
    [
      { from: 1, to: 0, difficulty: 'easy' },
      { from: 2, to: 1, difficulty: 'advanced' },
    ],
  );
  const namesOf = (request: PlanRequest) =>
    planDay(request).best?.steps.map((step) => facilityOf(step)?.name ?? step.type);

  it('ends so long before the last lift closes', () => {
    const { best, backBy } = planDay(requestFor(two));
    expect(backBy).toBe(MORNING + (420 - defaultPlanConfig.back_margin_minutes) * MINUTE_MS);
    expect(best?.steps.at(-1)?.endsAt).toBeLessThanOrEqual(backBy ?? 0);
  });

  it('is within the level of the person', () => {
    expect(namesOf(requestFor(two, { level: 'easy' }))).not.toContain('Slope 1');
    expect(namesOf(requestFor(two))).toContain('Slope 1');
  });

  it('begins when the first lift at its start opens, whatever runs elsewhere before', () => {
    const late = mountainOf([liftBetween(1, 0, 1, { open: hours(30, 420) })], [{ from: 1, to: 0 }]);
    const elsewhere = mountainOf(
      [liftBetween(1, 0, 1, { open: hours(30, 420) }), liftBetween(2, 5, 6, { open: hours(-600, 420) })],
      [{ from: 1, to: 0 }],
    );
    for (const mountain of [late, elsewhere])
      expect(planDay(requestFor(mountain, { from: MORNING - 500 * MINUTE_MS })).best?.steps[0]).toMatchObject({
        type: 'lift',
        startsAt: MORNING + 30 * MINUTE_MS,
      });
  });

  it('waits on its way for a lift that opens later', () => {
    const later = mountainOf(
      [liftBetween(1, 0, 1), liftBetween(2, 1, 2, { open: hours(60, 420) })],
      [{ from: 2, to: 0 }],
    );
    const steps = planDay(requestFor(later)).best?.steps;
    expect(steps?.map(({ type }) => type).slice(0, 4)).toEqual(['lift', 'wait', 'lift', 'slope']);
    expect(steps?.[1]).toMatchObject({ endsAt: MORNING + 60 * MINUTE_MS, why: ['opens_later'] });
  });

  it('lasts until the session of the lifts ends, or as long as is asked for', () => {
    const evening = [...hours(0, 420), ...hours(540, 780)];
    const two = mountainOf([liftBetween(1, 0, 1, { open: evening })], [{ from: 1, to: 0, open: evening }]);
    const backBy = (until: number | null) => (planDay(requestFor(two, { until })).backBy ?? 0) - MORNING;
    expect(
      [null, 300, 480, 600, 900].map((minute) => backBy(minute && MORNING + minute * MINUTE_MS) / MINUTE_MS),
    ).toEqual([400, 300, 400, 600, 760]);
  });

  it('has lunch at a table that is free, by the way', () => {
    const tables = [{ place: [40, 43.6], startsAt: MORNING + 180 * MINUTE_MS }];
    const { best, notes } = planDay(requestFor(two, { wishes: ['lunch'], tables }));
    const lunch = best?.steps.find(({ type }) => type === 'lunch');
    expect(lunch).toMatchObject({ table: 0, startsAt: MORNING + 180 * MINUTE_MS, why: ['wished', 'table_free'] });
    expect(notes).toEqual(['few_slopes']);
    expect(planDay(requestFor(two, { wishes: ['lunch'] })).notes).toEqual(['no_free_table', 'few_slopes']);
    const short = requestFor(two, { wishes: ['lunch'], until: MORNING + 60 * MINUTE_MS });
    expect(planDay(short).notes).toEqual(['no_time_for_lunch']);
  });

  it('ends at home also when it is planned again from elsewhere', () => {
    const [, high] = two.slopes as [unknown, PlanMountain['slopes'][number]];
    const again = requestFor(two, { start: spotAtSlope(high), from: MORNING + 100 * MINUTE_MS });
    expect(namesOf(again)?.at(-1)).toBe('Slope 0');
  });

  it('takes a gondola down who can ski nothing', () => {
    const gondola = mountainOf(
      [liftBetween(1, 0, 1, { kind: 'gondola' }), liftBetween(2, 1, 2)],
      [{ from: 2, to: 1, difficulty: 'novice' }],
    );
    expect(namesOf(requestFor(gondola, { level: 'novice' }))).toEqual(expect.arrayContaining(['Slope 0']));
    expect(planDay(requestFor(gondola, { level: 'novice' })).best?.steps.at(-1)).toMatchObject({
      type: 'lift',
      direction: 'down',
    });
  });

  it('says why there is none', () => {
    expect(planDay(requestFor(mountainOf([liftBetween(1, 0, 1, { open: [] })], []))).notes).toEqual(['nothing_open']);
    expect(planDay(requestFor(mountainOf([liftBetween(1, 0, 1)], []))).notes).toEqual(['no_slopes']);
    const up = liftBetween(1, 0, 1);
    const hard = mountainOf([up], [{ from: 1, to: 0, difficulty: 'expert' }]);
    expect(planDay(requestFor(hard, { level: 'novice' }))).toMatchObject({
      notes: ['no_slopes'],
      possibleAt: 'expert',
    });
    const away = mountainOf([up], [{ from: 1, to: 2, difficulty: 'novice' }]);
    expect(planDay(requestFor(away))).toMatchObject({ notes: ['no_way_back'], possibleAt: null });
  });

  it('leaves drag lifts out if that is wished', () => {
    const drag = mountainOf(
      [liftBetween(1, 0, 1), liftBetween(2, 0, 1, { kind: 't_bar', rideMinutes: 1 })],
      [{ from: 1, to: 0 }],
    );
    expect(namesOf(requestFor(drag))).toContain('Lift 2');
    expect(namesOf(requestFor(drag, { wishes: ['no_drag_lifts'] }))).not.toContain('Lift 2');
  });
});
