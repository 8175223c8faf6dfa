/**
 * Random histories: several actors book, change, pay, cancel and refund; the payment provider reports twice, late, out of
 * order or not at all; policies and jobs run in any order; processes die between two commands. When everything has
 * settled, nothing is oversold, the ledger balances, and money and bookings agree.
 *
 * MODEL_SHRINK=1 shrinks a failing history.
 */

import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Recorded } from '../../domain/core/decider.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/core/instants.ts';
import { revenueByDay } from '../../projections/analytics/revenue.ts';
import { groupPositions } from '../../projections/engine/checkpoint.ts';
import { listParked } from '../../projections/engine/parked.ts';
import { readDb } from '../../projections/engine/readDb.ts';
import { rebuildAll } from '../../projections/engine/rebuild.ts';
import { listBalances } from '../../projections/ledger/balances.ts';
import { groups, models } from '../../projections/modules.ts';
import { unexplained } from '../analytics/unexplained.ts';
import { createStage, type Stage } from '../bookings/stage.ts';
import { type Projector, startProjector } from '../kit/projector.ts';
import { isFixedSeed } from '../kit/random.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { expectAllIsWell, expectNothingOversold } from './invariants.ts';
import { escrowGateway, newOffers, newTariff, START } from './resort.ts';
import { createSimulation } from './simulation.ts';
import { type Act, type Action, actions, type InterruptedAct, type Meanwhile, type Step } from './steps.ts';

const RUNS = 8;
let histories = 0;
const STEPS = 80;

let stage: Stage;
let projector: Projector;
let tariffId: string;
beforeAll(async () => {
  stage = await createStage(await freshStores(), { holdTtlMs: 30 * MINUTE_MS, paymentTtlMs: DAY_MS });
  tariffId = await newTariff(stage.node);
  projector = await startProjector({ ...stage.node, groups });
});

/** Event types that must occur in the histories of the fixed seed, so that they exercise the system. */
const ORDINARY = [
  'TripBooked',
  'BookingCreated',
  'BookingRescheduled',
  'BookingChangeProposed',
  'BookingChangeWithdrawn',
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
  change: 14,
  keep_terms: 1,
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
/** Bookings that are paid before and changed often. */
const changing: typeof weights = {
  book: 2,
  trip: 1,
  buy: 0,
  give_up: 0,
  away: 1,
  pay: 10,
  provider: 6,
  notify: 8,
  change: 30,
  keep_terms: 2,
  confirm: 6,
  cancel: 2,
  reject: 1,
  no_show: 0,
  stop_paying: 2,
  refund: 3,
  refunds: 1,
  wait: 3,
  policy: 6,
  job: 4,
  work: 26,
};
/** The same for what others do in the middle of a step; 1 by default. */
const meanwhileWeights: typeof weights = {
  pay: 6,
  provider: 3,
  notify: 6,
  change: 4,
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
const acts = <A extends Act>(which: number, act: fc.Arbitrary<A>): fc.Arbitrary<A[]> =>
  fc.array(
    fc.tuple(act, fc.boolean()).map(([each, same]) => (same ? { ...each, which } : each)),
    { minLength: 1, maxLength: 4 },
  );
const between = <A extends Act>(which: number, act: fc.Arbitrary<A>): fc.Arbitrary<Meanwhile<A>> =>
  fc.record({ appends: fc.nat(3), acts: acts(which, act) });
const interruptedAct: fc.Arbitrary<InterruptedAct> = act.chain((each) =>
  sometimes(between(each.which, act), 4).map((meanwhile) => ({ ...each, meanwhile })),
);
const meanwhile = (which: number): fc.Arbitrary<Meanwhile> => between(which, interruptedAct);
/** Unbiased, because a bias to small numbers would make every actor use the first item. */
const step = (often: typeof weights): fc.Arbitrary<Step> =>
  fc.noBias(
    fc
      .record({ what: whatOf((what) => often[what] ?? 2), ...target, dies: sometimes(fc.nat(4), 3) })
      .chain((step) => sometimes(meanwhile(step.which), 3).map((others) => ({ ...step, meanwhile: others }))),
  );

const stepsOf = (often: typeof weights, most: number): fc.Arbitrary<Step[]> =>
  fc.array(step(often), { minLength: most / 2, maxLength: most, size: 'max' });

/** Three guests book and pay, and nothing goes wrong. */
const paidBefore: Step[] = [0, 1, 2].flatMap((n) =>
  (['book', 'pay', 'work'] as const).map((what) => ({ what, who: n, which: n, how: 0, dies: null, meanwhile: null })),
);
const steps = fc.oneof(
  stepsOf(weights, STEPS),
  stepsOf(changing, STEPS / 2).map((later) => [...paidBefore, ...later]),
);
/** Payments are captured at once, or authorized first. */
const capture = fc.constantFrom('automatic', 'manual');

interface ConversionSum {
  readonly name: string;
  count: number;
  minor: number;
}
/** Which conversion an event is, and the field with its amount. */
const CONVERSIONS: Readonly<Record<string, readonly [name: string, amount: string]>> = {
  BookingCreated: ['booked', 'totalMinor'],
  PurchaseMade: ['booked', 'totalMinor'],
  BookingPaid: ['paid', 'amountMinor'],
  PurchasePaid: ['paid', 'amountMinor'],
  BookingCancelled: ['cancelled', 'refundMinor'],
  BookingRejected: ['cancelled', 'refundMinor'],
  PurchaseCancelled: ['cancelled', 'refundMinor'],
};
const countConversion = (sums: Map<string, ConversionSum>, { type, data }: Recorded): void => {
  const [name, amount] = CONVERSIONS[type] ?? [];
  if (name === undefined || amount === undefined) return;
  const sum = sums.get(name) ?? { name, count: 0, minor: 0 };
  sum.count += 1;
  sum.minor += (data as Readonly<Record<string, number>>)[amount] ?? 0;
  sums.set(name, sum);
};

describe('random histories', () => {
  const seen = new Map<string, number>();
  const converted = new Map<string, ConversionSum>();

  it(`keep every invariant (${RUNS} histories of up to ${STEPS} steps)`, {
    timeout: Math.max(600_000, RUNS * 20_000),
  }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, capture, fc.boolean(), async (steps, capture, keepsEscrow) => {
        const offers = await newOffers(stage.node);
        histories += 1;
        Object.assign(stage.provider, { escrow: keepsEscrow ? escrowGateway() : undefined });
        await stage.node.pool.query('truncate ops.jobs');
        const simulation = createSimulation(stage.newNode, stage.provider, {
          start: START,
          offers,
          name: `history-${histories}`,
          tariffId,
          capture,
        });
        await simulation.begin();
        for (const each of steps) {
          await simulation.perform(each);
          await expectNothingOversold(simulation, offers);
        }
        await simulation.settle();
        for (const event of await expectAllIsWell(simulation, offers)) {
          seen.set(event.type, (seen.get(event.type) ?? 0) + 1);
          countConversion(converted, event);
        }
      }),
      { numRuns: RUNS, endOnFailure: process.env.MODEL_SHRINK === undefined },
    );
  });

  it('give the same read models live and rebuilt', { timeout: Math.max(240_000, RUNS * 4_000) }, async () => {
    const { store, pool } = stage.node;
    const head = await store.head();
    const caughtUp = async () => {
      const positions = await groupPositions(pool);
      return groups.every(({ name }) => positions.get(name)?.commit === head?.commit) || undefined;
    };
    await until(caughtUp);
    const options = { mode: 'verify', signal: projector.signal } as const;
    for (const [model, outcome] of await rebuildAll(stage.node, models, options))
      expect(outcome, model).toMatchObject({ differences: 0 });
    expect(await listParked(pool)).toEqual([]);
  });

  it('give numbers that add up to the ledger, and each conversion once', async () => {
    const { pool } = stage.node;
    const db = readDb(pool);
    const sums = new Map<string, number>();
    const add = (name: string, amount: number) => sums.set(name, (sums.get(name) ?? 0) + amount);
    for (const row of await revenueByDay(db, { from: '-infinity', to: 'infinity', timezone: 'Europe/Moscow' })) {
      add(row.currency, Number(row.revenue_minor));
      expect(unexplained(row), JSON.stringify(row)).toBe(0);
    }
    for (const { account, currency, balance_minor } of await listBalances(db)) {
      if (account === 'commission' || account.startsWith('service:')) add(currency, Number(balance_minor));
    }
    expect(Object.fromEntries(sums)).toEqual({ RUB: 0 });

    const { rows } = await pool.query(
      `select name, count(*), sum(amount_minor)::bigint as minor from ops.analytics_conversions group by name order by name`,
    );
    expect(rows).toEqual([...converted.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)));
  });

  it.runIf(isFixedSeed)('contain every ordinary type of event', () => {
    expect(ORDINARY.filter((type) => !seen.has(type))).toEqual([]);
  });
});
