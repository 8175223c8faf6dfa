/** What a booking costs in statements, calls and events. Numbers that grow again fail here. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { confirmBooking } from '../../commands/bookings/bookings.ts';
import { noLongerUnpaid, withinUnpaidLimit } from '../../commands/bookings/unpaid.ts';
import { instantOf, MINUTE_MS } from '../../domain/core/instants.ts';
import { createPool } from '../../infra/postgres.ts';
import { contextOf } from '../kit/context.ts';
import { type Counted, countingStore, statementsOf } from '../kit/counts.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { createStage, type Stage } from './stage.ts';

let stores: Stores;
let stage: Stage;
beforeAll(async () => {
  stores = await freshStores();
  stage = await createStage(stores, { units: 200, confirmation: 'on_request' });
});

/** What the worker is told of a booking, from its creation to its confirmation, in the order in which it follows. */
const STEPS = [
  [
    'HoldPlaced',
    'BookingCreated',
    'PaymentCreated',
    'BookingPaymentStarted',
    'PaymentActionRequested',
    'PaymentSucceeded',
  ],
  ['HoldCommitted', 'BookingPaid'],
  ['BookingSellerNotified'],
  ['BookingConfirmed'],
] as const;

/** Books and pays. @returns the id of the booking */
const bookAndPay = async (): Promise<string> => {
  const guest = randomUUID();
  const { bookingId } = await stage.book(guest);
  const { paymentId } = await stage.pay(bookingId, guest);
  await until(() => stage.provider.known().includes(paymentId));
  stage.provider.says(paymentId, 'succeeded');
  await stage.notify(paymentId);
  return bookingId;
};

it('creating a booking costs an API two appends, and a read of the guest', async () => {
  const { store, counted } = countingStore(stores.store);
  const node = stage.newNode({ store });
  const create = async (isFirstAttempt: boolean): Promise<string[]> => {
    counted.calls.length = 0;
    await stage.book(randomUUID(), node, { ...contextOf(randomUUID()), isFirstAttempt });
    return counted.calls.toSorted();
  };
  /** The fewest calls of several attempts: on a busy machine more than a second passes between two. */
  const fewest = async (isFirstAttempt: boolean): Promise<string[]> => {
    const attempts: string[][] = [];
    for (let n = 0; n < 6; n += 1) attempts.push(await create(isFirstAttempt));
    return attempts.toSorted((a, b) => a.length - b.length)[0] ?? [];
  };
  expect(await fewest(true)).toEqual(['append booking', 'append inventory', 'read account']);
  // One that may come again looks for what it made before.
  const reads = ['read account', 'read booking', 'read booking'];
  expect(await fewest(false)).toEqual(['append booking', 'append inventory', ...reads]);
});

it('bookings that end together do not count any more after one statement', async () => {
  const pool = createPool(stores.databaseUrl, { max: 10, applicationName: 'ended', log: stores.log });
  const [guest, other, ...ids] = Array.from({ length: 6 }, () => randomUUID());
  const stays = randomUUID();
  const add = (id: string, userId: string | undefined) =>
    pool.query(`insert into ops.unpaid_bookings values ($1, $2, $1, now() + interval '1 hour')`, [id, userId]);
  for (const id of ids) await add(id, guest);
  await add(stays, other);
  const statements = await statementsOf('ended', async () => {
    await Promise.all(ids.map((id) => noLongerUnpaid({ pool }, [id])));
  });
  const { rows } = await pool.query('select booking_id from ops.unpaid_bookings where user_id = any ($1)', [
    [guest, other],
  ]);
  await pool.end();
  expect(statements).toHaveLength(1);
  expect(rows).toEqual([{ booking_id: stays }]);
});

it('bookings that begin together are counted as unpaid in one statement, each account by itself', async () => {
  const pool = createPool(stores.databaseUrl, { max: 10, applicationName: 'unpaid', log: stores.log });
  const deps = { pool, settings: { ...stage.node.settings, rateLimits: 1 }, log: stores.log };
  const [eager, modest] = [randomUUID(), randomUUID()];
  const until = instantOf(Date.now() + MINUTE_MS);
  const begin = (userId: string) => {
    const id = randomUUID();
    return withinUnpaidLimit(deps, contextOf(userId), { bookedAs: id, bookingIds: [id], until }, async () => 'booked');
  };
  let outcomes: PromiseSettledResult<string>[] = [];
  const statements = await statementsOf('unpaid', async () => {
    outcomes = await Promise.allSettled([eager, eager, modest, eager, eager, eager, eager, modest].map(begin));
  });
  await pool.end();
  expect(statements).toEqual(['select ops.count_bookings($1) as counted']);
  const [yes, no] = ['fulfilled', 'rejected'];
  expect(outcomes.map(({ status }) => status)).toEqual([yes, yes, yes, yes, yes, yes, no, yes]);
});

describe('a worker that handles bookings from creation to confirmation', () => {
  let counted: Counted;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const pool = createPool(stores.databaseUrl, { max: 10, applicationName: 'counted', log: stores.log });
    const counting = countingStore(stores.store);
    counted = counting.counted;
    const worker = stage.work(stage.newNode({ store: counting.store, pool }));
    stop = async () => {
      await worker.stop();
      await pool.end();
    };
    await until(() => stage.handledAll());
    await costOf(1);
  });
  afterAll(() => stop());

  /** The events of each step come together, when all bookings have reached it: also on a busy machine. */
  const costOf = async (count: number) => {
    counted.calls.length = 0;
    counted.delivered.length = 0;
    counted.isWhole = (types) =>
      STEPS.every((step) => {
        const came = types.filter((type) => (step as readonly string[]).includes(type)).length;
        return came === 0 || came === step.length * count;
      });
    const areNotified = () => counted.delivered.filter((type) => type === 'BookingSellerNotified').length === count;
    const statements = await statementsOf('counted', async () => {
      const ids = await Promise.all(Array.from({ length: count }, bookAndPay));
      await until(areNotified);
      for (const id of ids) await confirmBooking(stage.node, stage.owner(), id);
      await until(() => stage.handledAll());
    });
    counted.isWhole = () => true;
    const delivered = counted.delivered.toSorted();
    return { statements: statements.length / count, calls: counted.calls.length / count, delivered };
  };

  /** The least cost of several rounds. On a busy machine, what is kept for some seconds is read again. */
  const leastCostOf = async (count: number) => {
    const rounds = [];
    for (let round = 0; round < 3; round += 1) rounds.push(await costOf(count));
    return {
      statements: Math.min(...rounds.map(({ statements }) => statements)),
      calls: Math.min(...rounds.map(({ calls }) => calls)),
      rounds,
    };
  };

  it('reads only the guest who is told of a booking that was just created, and no consent of one who gave none', async () => {
    const reads: string[][] = [];
    for (let round = 0; round < 3; round += 1) {
      counted.calls.length = 0;
      await stage.book(randomUUID());
      await until(() => stage.handledAll());
      // The policies' texts are kept for some seconds.
      reads.push(counted.calls.filter((call) => call !== 'read $all' && call !== 'read consentPolicies'));
    }
    // On a busy machine what is kept may be read again.
    const [fewest] = reads.toSorted((a, b) => a.length - b.length);
    expect(fewest?.toSorted()).toEqual(['read account']);
  });

  it('alone: gets each event once, and asks little of its stores', async () => {
    const { statements, calls, rounds } = await leastCostOf(1);
    const [fewest] = rounds.map(({ delivered }) => delivered).toSorted((a, b) => a.length - b.length);
    expect(fewest).toEqual(STEPS.flat().toSorted());
    expect(statements).toBeLessThanOrEqual(34);
    // Four for what the guest and the seller are told: their accounts, that the seller was told, and the booking then.
    // Two for the e-mail to the payer: their account, and the payment if its other policy has not read it yet.
    expect(calls).toBeLessThanOrEqual(30);
  });

  it('many at once: asks less for each', async () => {
    const { statements, calls } = await leastCostOf(8);
    expect(statements).toBeLessThanOrEqual(17);
    expect(calls).toBeLessThanOrEqual(27);
  });
});
