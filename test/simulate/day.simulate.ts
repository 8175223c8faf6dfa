/**
 * A day of many skiers on the whole mountain of the demo, on a system of its own. SKIERS, RECORDING (share of those who
 * record), SEED, HOURS (of the past) and LIVE_MINUTES change it.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../domain/core/instants.ts';
import { groupBy } from '../../infra/groupBy.ts';
import { caller, signIn } from '../kit/http.ts';
import { startWorld, type World } from '../kit/world.ts';
import { mountainOf } from './mountain.ts';
import { deviationOf, runSimulation } from './simulation.ts';

const number = (name: string, otherwise: number): number => Number(process.env[name] ?? otherwise);
const SKIERS = number('SKIERS', 5_000);
const RECORDING = number('RECORDING', 0.6);
const SEED = number('SEED', 1);
const HOURS = number('HOURS', 2);
const LIVE_MINUTES = number('LIVE_MINUTES', 5);

/** The lifts of the demo are made for so many skiers: with fewer of them, they carry less, and queues are as long in minutes. */
const MADE_FOR = 5_000;
const MOST_LAG_MS = 30_000;

const say = (line: string) => process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world?.stop());

it(`${SKIERS} skiers, seed ${SEED}`, async () => {
  const call = caller((await world.runtime()).api);
  const outcome = await runSimulation(
    call,
    { token: await signIn(call, world.demo, 'admin'), password: world.demo.password },
    {
      mountain: mountainOf(({ capacity }) => Math.ceil((capacity * SKIERS) / MADE_FOR)),
      skiers: SKIERS,
      recording: RECORDING,
      seed: SEED,
      pastMs: HOURS * HOUR_MS,
      liveMs: LIVE_MINUTES * MINUTE_MS,
    },
    say,
  );
  const { samples, wrongRanks, caughtUpMs, sent, runs } = outcome;
  const wrong: string[] = [];
  for (const [lift, of] of groupBy(samples, ({ lift: name }) => name)) {
    const { told, truth, stoodFor, isRight } = deviationOf(of);
    const counts = of[0]?.sampled ? ` (${stoodFor.toFixed(1)} by those who record)` : '';
    const line = `${lift} (${of[0]?.source}): ${told.toFixed(1)} told, ${truth.toFixed(1)} waited${counts}, ${of.length} times`;
    say(`${isRight ? 'right' : 'WRONG'} ${line}`);
    if (!isRight) wrong.push(line);
  }
  say(`${sent.points} points, ${sent.scans} scans, ${runs.recorded} of ${runs.skied} runs recorded`);
  say(`every board was right ${(caughtUpMs / 1_000).toFixed(1)} s after the end`);
  expect(wrong).toEqual([]);
  expect(wrongRanks).toEqual([]);
  expect(caughtUpMs).toBeLessThan(MOST_LAG_MS);
});
