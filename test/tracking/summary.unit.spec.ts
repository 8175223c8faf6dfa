/** What a track comes to: synthetic days whose truth is known, and properties that hold for every track. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HYSTERESIS_M } from '../../domain/tracking/legs.ts';
import type { Fix } from '../../domain/tracking/point.ts';
import { summarise } from '../../domain/tracking/summary.ts';
import { randomFrom } from '../kit/random.ts';
import { type Person, recorded, skier } from './synthetic.ts';

/** Whether a value is the expected one, give or take this share of it. */
const within = (share: number, value: number, expected: number): void => {
  expect(value).toBeGreaterThan(expected * (1 - share));
  expect(value).toBeLessThan(expected * (1 + share));
};

/** Two lifts, three runs, a queue and lunch: 40 minutes. */
const aDay = (options: { seed?: number; noise?: number } = {}) =>
  skier(options).run(300, 12).stand(45).lift(300).run(290, 16).stand(400).lift(290).stand(30).run(300, 9);

const shuffled = <T>(items: readonly T[], random: () => number): T[] =>
  items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);

describe('the summary of a day', () => {
  it('is the truth without noise', () => {
    const { fixes, truth } = aDay({ noise: 0 });
    const summary = summarise(fixes);
    expect(summary).toMatchObject({ points: fixes.length, runs: 3, lifts: 2, ascentM: 0 });
    within(0.02, summary.distanceM, truth.distanceM);
    within(0.01, summary.verticalM, truth.verticalM);
  });

  it.each([1, 2, 3, 4, 5])('comes near the truth with noise (seed %i)', (seed) => {
    const { fixes, truth } = aDay({ seed });
    const summary = summarise(fixes);
    expect(summary).toMatchObject({ runs: truth.runs, lifts: truth.lifts, ascentM: 0 });
    within(0.05, summary.distanceM, truth.distanceM);
    within(0.03, summary.verticalM, truth.verticalM);
    // Skiers who turn are slower downhill than on their path, over 5 seconds.
    expect(summary.maxSpeedKmh).toBeLessThan(truth.fastestKmh * 1.05);
    expect(summary.maxSpeedKmh).toBeGreaterThan(truth.fastestKmh * 0.7);
  });

  it('of known numbers stays as it is', () => {
    expect(summarise(aDay().fixes)).toMatchInlineSnapshot(`
      {
        "ascentM": 0,
        "distanceM": 3676,
        "lifts": 2,
        "maxSpeedKmh": 57.3,
        "movingS": 314,
        "points": 1176,
        "runs": 3,
        "verticalM": 887,
      }
    `);
  });

  it('is nothing for no points, and for one', () => {
    const nothing = { distanceM: 0, verticalM: 0, ascentM: 0, runs: 0, lifts: 0, movingS: 0, maxSpeedKmh: 0 };
    expect(summarise([])).toEqual({ points: 0, ...nothing });
    expect(summarise(skier().stand(1).fixes)).toEqual({ points: 0, ...nothing });
  });
});

describe('noise', () => {
  it('of a device that lies still is neither vertical nor a run', () => {
    const summary = summarise(skier({ seed: 7 }).stand(3_600).fixes);
    expect(summary).toMatchObject({ verticalM: 0, ascentM: 0, runs: 0, lifts: 0, maxSpeedKmh: 0 });
  });

  it('a gentle slope is counted although no step reaches the hysteresis', () => {
    const slope = skier({ noise: 0 }).lift(60);
    within(0.06, summarise(slope.run(60, 3, { gradient: 0.1 }).fixes).verticalM, 60);
  });

  it.each([1, 10, 30])('a single altitude 200 m too high is neither a run nor a ride, every %i s', (every) => {
    for (let wrong = 0; wrong < 300; wrong += 17) {
      const { moments } = skier().stand(60).lift(300).stand(30).run(300, 10).stand(60);
      const fixes = recorded(moments, { every });
      const at = wrong % fixes.length;
      const high = fixes.map((fix, n) => (n === at ? { ...fix, alt: (fix.alt ?? 0) + 200 } : fix));
      const [is, clean] = [summarise(high), summarise(fixes)];
      expect(is).toMatchObject({ runs: clean.runs, lifts: clean.lifts });
      expect(Math.abs(is.verticalM - clean.verticalM)).toBeLessThan(30);
    }
  });

  it('an altitude that jumps for good moves nothing', () => {
    const { fixes } = skier().stand(60).lift(300).stand(30).run(300, 10).stand(60);
    const jumped = fixes.map((fix, n) => ({ ...fix, alt: (fix.alt ?? 0) + (n > 150 ? 80 : 0) }));
    within(0.05, summarise(jumped).verticalM, summarise(fixes).verticalM);
  });

  it('drops positions that nobody can have reached, inaccurate ones and those without a fix', () => {
    const { fixes } = skier({ noise: 0 }).lift(100).run(100, 10);
    const clean = summarise(fixes);
    const wrong = fixes.flatMap((fix, n): Fix[] => {
      const other = { ...fix, seq: fix.seq + 10_000, at: fix.at + 500 };
      if (n % 9 === 3) return [fix, { ...other, lat: fix.lat + 0.1 }];
      if (n % 9 === 5) return [fix, { ...other, lat: 0, lon: 0 }];
      return n % 9 === 7 ? [fix, { ...other, alt: (fix.alt ?? 0) + 200, acc: 51 }] : [fix];
    });
    expect(summarise(wrong)).toEqual(clean);
  });

  it('goes on where several positions agree, when the first one was wrong', () => {
    const { fixes } = skier({ noise: 0 }).lift(100).run(100, 10);
    const [first, ...rest] = fixes;
    const summary = summarise([{ ...(first as Fix), lat: 44 }, ...rest]);
    expect(summary.points).toBe(rest.length);
    within(0.02, summary.distanceM, summarise(rest).distanceM);
  });
});

describe('a pause', () => {
  it('is not bridged: a gondola with the device off is a ride, neither distance nor climb', () => {
    const parts = skier({ noise: 0 }).run(200, 10).off(600, { rise: 200, metres: 1_500 }).run(200, 10);
    const summary = summarise(parts.fixes);
    expect(summary).toMatchObject({ runs: 2, lifts: 1, ascentM: 0 });
    within(0.02, summary.verticalM, 400);
    within(0.02, summary.distanceM, parts.truth.distanceM);
  });

  it('in which a car goes up is no ride', () => {
    const { fixes } = skier().run(200, 10).off(300, { rise: 300, metres: 6_000 }).stand(60);
    expect(summarise(fixes)).toMatchObject({ runs: 1, lifts: 0 });
  });

  it('after which the altitude alone is another one is no ride', () => {
    const { fixes } = skier().run(200, 10).off(3_600, { rise: 60 }).stand(600);
    expect(summarise(fixes)).toMatchObject({ runs: 1, lifts: 0 });
  });

  it('does not divide a run that goes on below it', () => {
    expect(summarise(skier().run(200, 10).off(600).run(200, 10).fixes).runs).toBe(1);
  });
});

describe('runs and rides', () => {
  it('a climb in the middle of a run does not divide it', () => {
    expect(summarise(skier().run(400, 12, { bump: 60 }).fixes)).toMatchObject({ runs: 1, lifts: 0 });
  });

  it('a climb on foot is no ride', () => {
    const summary = summarise(skier().climb(120).run(120, 10).fixes);
    expect(summary).toMatchObject({ runs: 1, lifts: 0 });
    within(0.15, summary.ascentM, 120);
  });

  it('a ride after a long queue is a ride', () => {
    expect(summarise(skier().run(200, 10).stand(1_800).lift(200).fixes)).toMatchObject({ runs: 1, lifts: 1 });
  });

  it('a cable car downhill is a run until its line is known', () => {
    const rider = skier();
    const top = rider.place();
    const { fixes } = rider.cabinDown(400);
    const line = { id: 'cabin', top, bottom: rider.place() };
    expect(summarise(fixes)).toMatchObject({ runs: 1, lifts: 0 });
    expect(summarise(fixes, [line])).toMatchObject({ runs: 0, lifts: 1, distanceM: 0, verticalM: 0, maxSpeedKmh: 0 });
    const aside = { ...line, top: { ...top, lon: top.lon + 0.01 }, bottom: { ...line.bottom, lon: top.lon + 0.01 } };
    expect(summarise(fixes, [aside])).toMatchObject({ runs: 1, lifts: 0 });
  });

  it('a run that crosses a line or follows a part of it is a run', () => {
    const rider = skier();
    const top = rider.place();
    const { fixes } = rider.run(300, 10);
    const end = rider.place();
    const beyond = { lat: top.lat + 3 * (end.lat - top.lat), lon: top.lon + 3 * (end.lon - top.lon) };
    const across = { id: 'across', bottom: { ...end, lon: end.lon - 0.02 }, top: { ...end, lon: end.lon + 0.02 } };
    expect(summarise(fixes, [across, { id: 'longer', top, bottom: beyond }])).toMatchObject({ runs: 1, lifts: 0 });
  });
});

describe('altitudes that the device does not know', () => {
  const aLine = (rider: Person, of: (rider: Person) => unknown) => {
    const bottom = rider.place();
    of(rider);
    return { id: 'lift', bottom, top: rider.place() };
  };

  it.each(['missing', 'zero'] as const)('are those of the lifts: %s', (altitudes) => {
    const rider = skier();
    rider.stand(60);
    const first = aLine(rider, (one) => one.lift(300, { heading: 1.5 }));
    rider.stand(30).run(300, 10).stand(60);
    const second = aLine(rider, (one) => one.lift(250, { heading: 1.5 }));
    rider.stand(30).run(250, 10).stand(30);
    const third = aLine(rider, (one) => one.lift(50, { heading: 1.5 }));
    const summary = summarise(recorded(rider.moments, { altitudes }), [first, second, third]);
    expect(summary).toMatchObject({ runs: 2, lifts: 3, ascentM: 0 });
    within(0.06, summary.verticalM, 550);
    within(0.1, summary.distanceM, rider.truth.distanceM);
  });

  it.each(['missing', 'zero'] as const)('say nothing where no lift does: %s', (altitudes) => {
    const { moments } = aDay();
    const summary = summarise(recorded(moments, { altitudes }));
    expect(summary).toEqual({ ...summarise([]), points: moments.length });
  });
});

describe('for every track', () => {
  const altitudes = fc.array(fc.integer({ min: -40, max: 40 }), { minLength: 2, maxLength: 120 });
  /** Steps of altitude, one fix in 5 seconds, 20 metres apart. */
  const trackOf = (steps: readonly number[]): (Fix & { alt: number })[] => {
    let alt = 2_000;
    return steps.map((step, seq) => {
      alt += step;
      return { seq, at: 1_700_000_000_000 + seq * 5_000, lat: 43 + seq * 0.00018, lon: 40, alt, acc: 5 };
    });
  };

  it('neither the order of arrival nor doubled batches change anything', () => {
    const { fixes } = aDay();
    const once = summarise(fixes);
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: fixes.length }), (seed, from) => {
        const doubled = [...fixes, ...fixes.slice(from, from + 200)];
        expect(summarise(shuffled(doubled, randomFrom(seed)))).toEqual(once);
      }),
      { numRuns: 20 },
    );
  });

  it('vertical is at most every drop together', () => {
    fc.assert(
      fc.property(altitudes, (steps) => {
        const { verticalM, ascentM } = summarise(trackOf(steps));
        const drops = steps.slice(1).reduce((sum, step) => sum + Math.max(0, -step), 0);
        expect(verticalM).toBeLessThanOrEqual(drops + 1);
        expect(Number.isFinite(verticalM + ascentM)).toBe(true);
      }),
    );
  });

  it('what never moves by the hysteresis has no vertical', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: HYSTERESIS_M - 1 }), { minLength: 2 }), (alts) => {
        const fixes = trackOf(alts.map(() => 0)).map((fix, n) => ({ ...fix, alt: 2_000 + (alts[n] ?? 0) }));
        expect(summarise(fixes)).toMatchObject({ verticalM: 0, ascentM: 0, runs: 0, lifts: 0 });
      }),
    );
  });

  it('two tracks with a pause between them come to no more than each alone', () => {
    fc.assert(
      fc.property(altitudes, altitudes, fc.integer({ min: 181, max: 7_200 }), (a, b, seconds) => {
        const first = trackOf(a);
        const last = first.at(-1) as Fix;
        const second = trackOf(b).map((fix) => ({
          ...fix,
          seq: fix.seq + 1_000,
          at: fix.at - 1_700_000_000_000 + last.at + seconds * 1_000,
          lat: fix.lat + 1,
        }));
        const [one, other, both] = [first, second, [...first, ...second]].map((fixes) => summarise(fixes));
        for (const name of ['ascentM', 'lifts'] as const)
          expect(Math.abs((both?.[name] ?? 0) - (one?.[name] ?? 0) - (other?.[name] ?? 0))).toBeLessThanOrEqual(1);
      }),
    );
  });
});
