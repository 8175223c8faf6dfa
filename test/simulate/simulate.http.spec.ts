/** A small simulation: queues, leaderboards and lag after an hour of skiers. `npm run simulate` has the large one. */
import { expect, it } from 'vitest';
import { HOUR_MS } from '../../domain/core/instants.ts';
import { caller, signIn } from '../kit/http.ts';
import { sharedWorld } from '../kit/world.ts';
import { mountainOf } from './mountain.ts';
import { deviationOf, runSimulation } from './simulation.ts';

const { demo, runtime } = sharedWorld();
const CAPACITIES: Readonly<Record<string, number>> = { Zapoved: 200, Strela: 240, Pikhta: 80 };

/** Opening 80 accounts takes most of the time: their passwords are hashed. */
const TIMEOUT_MS = 400_000;

it(
  '200 skiers: queues are told within 20 %, boards equal a plain count, and nothing lags',
  async () => {
    const call = caller(runtime.api);
    const admin = { token: await signIn(call, demo, 'admin'), password: demo.password };
    const outcome = await runSimulation(call, admin, {
      mountain: mountainOf(({ name }) => CAPACITIES[name]),
      skiers: 200,
      recording: 0.4,
      seed: 74,
      pastMs: HOUR_MS,
      liveMs: 0,
    });
    for (const sample of outcome.samples) {
      const { isRight } = deviationOf([sample]);
      expect(isRight, JSON.stringify(sample)).toBe(true);
    }
    expect(outcome.samples.map(({ source }) => source).toSorted()).toEqual(['manual', 'scans', 'skiers']);
    expect(outcome.wrongRanks).toEqual([]);
    expect(outcome.runs.recorded / outcome.runs.skied).toBeGreaterThan(0.85);
    expect(outcome.runs.recorded / outcome.runs.skied).toBeLessThan(1.15);
  },
  TIMEOUT_MS,
);
