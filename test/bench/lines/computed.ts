/** Lines that compute from memory, without stores: recommendations, and the plan of a day. */
import { MINUTE_MS } from '../../../domain/core/instants.ts';
import { planDay } from '../../../domain/plans/plan.ts';
import { recommend } from '../../../domain/recommendations/recommend.ts';
import { MORNING, randomMountain, requestFor } from '../../plans/mountains.ts';
import { makeResort, NOW } from '../../recommendations/histories.ts';
import { indexOf, judge } from '../../recommendations/judging.ts';
import type { Goal, Line } from '../line.ts';
import { type Contender, compare, type Result } from '../rounds.ts';

/** Does the work in this process, one after the other. */
const computing = (name: string, work: (n: number) => void): Contender => ({
  name,
  processes: () => ({ bench: process.pid }),
  run: async (seconds) => {
    const begun = performance.now();
    let operations = 0;
    for (; performance.now() - begun < seconds * 1_000; operations += 1) work(operations);
    return { operations, seconds: (performance.now() - begun) / 1_000 };
  },
});

const cpuGoal = (result: Result | undefined, limit: number): Goal => ({
  what: 'ms of CPU',
  value: result?.cpu?.median ?? Number.NaN,
  limit,
  is: 'at most',
});

const recommendations: Line = {
  name: 'recommendations',
  work: 'scoring 10,000 items for one person from memory; hit rate at 10 on made-up histories with known tastes',
  peer: 'what most people booked',
  goal: '≤ 30 ms CPU; hit rate ≥ 2 ×, for strangers ≥ 1 ×',
  run: async ({ size }) => {
    const resort = makeResort(7, { items: 10_000, people: 4_000 });
    const index = indexOf(resort);
    const items = [...index.items()];
    const ours = computing('ours', (n) => {
      const { history = [] } = resort.people[n % resort.people.length] ?? {};
      recommend(index, items, { history, month: 1, at: NOW }, 20);
    });
    const results = await compare([ours], size.plan);
    const { ours: found, popularity, cold, coldPopularity } = judge(1);
    const goals: Goal[] = [
      cpuGoal(results[0], 30),
      { what: '× hits of popularity', value: found / popularity, limit: 2, is: 'at least' },
      { what: '× hits of popularity, strangers', value: cold / coldPopularity, limit: 1, is: 'at least' },
    ];
    return [{ name: 'recommendations', results, goals }];
  },
};

const dayPlan: Line = {
  name: 'day plan',
  work: 'a day with lunch at one of 40 tables and two alternatives, on 60 lifts and 150 slopes',
  peer: null,
  goal: '≤ 100 ms CPU',
  run: async ({ size }) => {
    const tables = Array.from({ length: 40 }, (_, n) => ({
      place: [40 + (n % 20) * 0.0125, 43.6],
      startsAt: MORNING + (150 + 5 * (n % 20)) * MINUTE_MS,
    }));
    const requests = [1, 2, 3, 4].map((seed) =>
      requestFor(randomMountain(seed, { lifts: 60, slopes: 150 }), { wishes: ['lunch'], tables, alternatives: 2 }),
    );
    const ours = computing('ours', (n) => {
      const request = requests[n % requests.length];
      if (request && planDay(request).best === null) throw new Error('there is no plan');
    });
    const results = await compare([ours], size.plan);
    return [{ name: 'day plan', results, goals: [cpuGoal(results[0], 100)] }];
  },
};

export const computedLines: readonly Line[] = [recommendations, dayPlan];
