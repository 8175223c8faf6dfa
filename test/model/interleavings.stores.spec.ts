/**
 * Random histories: several actors book, change, pay, cancel and refund; the payment provider reports twice, late, out of
 * order or not at all; policies and jobs run in any order; processes die between two commands. When everything has
 * settled, nothing is oversold, the ledger balances, and money and bookings agree.
 *
 * MODEL_RUNS=500 runs that many histories, different ones each time. MODEL_SHRINK=1 shrinks a failing history.
 */

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { livePosition } from '../../projections/engine/checkpoint.ts';
import { listParked } from '../../projections/engine/parked.ts';
import { rebuild } from '../../projections/engine/rebuild.ts';
import { runProjector } from '../../projections/engine/runner.ts';
import { models } from '../../projections/modules.ts';
import { createStage, type Stage } from '../bookings/stage.ts';
import { type StoreServers, startStoreServers } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { expectAllIsWell, expectNothingOversold } from './invariants.ts';
import { escrowGateway, newOffers, newTariff, START } from './resort.ts';
import { createSimulation } from './simulation.ts';
import { type Act, type Action, actions, type Meanwhile, type Step } from './steps.ts';

const RUNS = Number(process.env.MODEL_RUNS ?? 8);
/** The same histories on each run, unless MODEL_RUNS asks for others. */
const SEED = process.env.MODEL_RUNS ? {} : { seed: 2026 };
const STEPS = 80;
/** Repeats a failure from the seed and path that it printed: MODEL_AGAIN='{ "seed": 1, "path": "6" }'. */
const again = JSON.parse(process.env.MODEL_AGAIN ?? '{}') as { seed?: number; path?: string };

let servers: StoreServers;
let stage: Stage;
const stopping = new AbortController();
let projecting: Promise<void>;
let tariffId: string;
beforeAll(async () => {
  servers = await startStoreServers();
  stage = await createStage(await servers.fresh(), { holdTtlMs: 30 * 60_000, paymentTtlMs: 24 * 3_600_000 });
  tariffId = await newTariff(stage.node);
  projecting = runProjector({ ...stage.node, models }, stopping.signal);
});
afterAll(async () => {
  stopping.abort();
  await projecting;
  await stage.stop();
  await servers.stop();
});

/** Event types that must occur in the histories, so that they exercise the system. */
const ORDINARY = [
  'TripBooked',
  'BookingCreated',
  'BookingRescheduled',
  'BookingPaid',
  'BookingConfirmed',
  'BookingCompleted',
  'BookingExpired',
  'BookingCancelled',
  'BookingRejected',
  'HoldExtended',
  'HoldReleased',
  'PaymentSucceeded',
  'PaymentCancelled',
  'RefundSucceeded',
];

/** How often each action occurs; 2 by default. Most bookings succeed, as in production. */
const weights: Partial<Record<Step['what'], number>> = {
  book: 12,
  trip: 4,
  buy: 4,
  give_up: 1,
  pay: 26,
  provider: 16,
  notify: 14,
  change: 8,
  confirm: 20,
  cancel: 4,
  reject: 2,
  no_show: 1,
  stop_paying: 1,
  refund: 4,
  refunds: 3,
  away: 1,
  wait: 4,
  policy: 6,
  job: 4,
  work: 24,
};
/** The same for what others do in the middle of a step; 1 by default. */
const meanwhileWeights: typeof weights = {
  pay: 6,
  provider: 3,
  notify: 6,
  change: 3,
  cancel: 4,
  reject: 2,
  refund: 3,
  policy: 4,
  job: 4,
  work: 12,
};
/** A value once in `times`, otherwise null. */
const sometimes = <T>(value: fc.Arbitrary<T>, times: number): fc.Arbitrary<T | null> =>
  fc.oneof({ arbitrary: value, weight: 1 }, { arbitrary: fc.constant(null), weight: times - 1 });
const whatOf = (weightOf: (what: Action) => number): fc.Arbitrary<Action> =>
  fc.oneof(...actions.map((what) => ({ arbitrary: fc.constant(what), weight: weightOf(what) })));
const target = { who: fc.nat(3), which: fc.nat(7), how: fc.nat(5) };
const act: fc.Arbitrary<Act> = fc.record({ what: whatOf((what) => meanwhileWeights[what] ?? 1), ...target });
/** Others act on the same target half of the time, because races are about one thing. */
const acts = (which: number): fc.Arbitrary<Act[]> =>
  fc.array(
    fc.tuple(act, fc.boolean()).map(([each, same]) => (same ? { ...each, which } : each)),
    { minLength: 1, maxLength: 4 },
  );
const meanwhile = (which: number): fc.Arbitrary<Meanwhile> => fc.record({ appends: fc.nat(3), acts: acts(which) });
/** Unbiased, because a bias to small numbers would make every actor use the first item. */
const step: fc.Arbitrary<Step> = fc.noBias(
  fc
    .record({ what: whatOf((what) => weights[what] ?? 2), ...target, dies: sometimes(fc.nat(4), 3) })
    .chain((step) => sometimes(meanwhile(step.which), 3).map((others) => ({ ...step, meanwhile: others }))),
);

const steps = fc.array(step, { minLength: STEPS / 2, maxLength: STEPS, size: 'max' });
/** Payments are captured at once, or authorized first. */
const capture = fc.constantFrom('automatic', 'manual');

describe('random histories', () => {
  const seen = new Map<string, number>();

  it(`keep every invariant (${RUNS} histories of up to ${STEPS} steps)`, {
    timeout: Math.max(600_000, RUNS * 20_000),
  }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, capture, fc.boolean(), async (steps, capture, keepsEscrow) => {
        const offers = await newOffers(stage.node);
        Object.assign(stage.provider, { escrow: keepsEscrow ? escrowGateway() : undefined });
        await stage.node.pool.query('truncate ops.jobs');
        const simulation = createSimulation(stage.newNode, stage.provider, {
          start: START,
          offers,
          name: randomUUID(),
          tariffId,
          capture,
        });
        await simulation.begin();
        for (const each of steps) {
          await simulation.perform(each);
          await expectNothingOversold(simulation, offers);
        }
        await simulation.settle();
        for (const { type } of await expectAllIsWell(simulation, offers)) seen.set(type, (seen.get(type) ?? 0) + 1);
      }),
      { numRuns: RUNS, endOnFailure: process.env.MODEL_SHRINK === undefined, ...SEED, ...again },
    );
  });

  it('give the same read models live and rebuilt', { timeout: Math.max(60_000, RUNS * 4_000) }, async () => {
    const { store, pool } = stage.node;
    const head = await store.head();
    const caughtUp = async () => (await livePosition(pool))?.commit === head?.commit || undefined;
    await until(caughtUp, Math.max(15_000, RUNS * 500));
    const options = { mode: 'verify', signal: stopping.signal } as const;
    for (const model of models) expect((await rebuild(stage.node, model, options)).differences, model.name).toBe(0);
    expect(await listParked(pool)).toEqual([]);
  });

  it('contain every ordinary type of event', () => {
    if (process.env.MODEL_RUNS) process.stdout.write(`${JSON.stringify(Object.fromEntries(seen))}\n`);
    expect(ORDINARY.filter((type) => !seen.has(type))).toEqual([]);
  });
});
