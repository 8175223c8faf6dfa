/** Ten minutes in which one push service is away, on a clock that passes five seconds at a time. */
import { beforeAll, expect, it } from 'vitest';
import { runJobs } from '../../commands/core/jobRunner.ts';
import { createCircuit } from '../../commands/push/circuit.ts';
import { deliver } from '../../commands/push/deliver.ts';
import type { Holder } from '../../commands/push/devices.ts';
import { laneJob, wakeLanes } from '../../commands/push/laneJob.ts';
import { pushTo } from '../../commands/push/pushTo.ts';
import { takeDeliveries } from '../../commands/push/queue.ts';
import { type PushOutcome, type PushServiceName, pushServices } from '../../commands/push/service.ts';
import { HOUR_MS, MINUTE_MS, msBetween } from '../../domain/core/instants.ts';
import { contextOf } from '../kit/context.ts';
import { changed } from '../kit/deps.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { messageOf, type Stage, startStage } from './stage.ts';

const STEP_MS = 5_000;
const PEOPLE = 8;
/** How many messages the sandbox is told to refuse: more than are sent. */
const REFUSED = 1_000_000;

let stores: Stores;
let stage: Stage;
beforeAll(async () => {
  stores = await freshStores();
  stage = await startStage(stores);
});

/** A worker whose time passes when it is told. */
const createWorker = () => {
  const clock = { ms: 0 };
  const node = changed(stage.node, { pushCircuit: createCircuit(() => clock.ms) });
  const deliverDue = async (service: PushServiceName): Promise<void> => {
    const due = await takeDeliveries(stores.pool, { to: 'direct', service }, 100);
    await Promise.all(due.map((delivery) => deliver(node, service, delivery)));
  };
  return {
    /** The database's clock is the real one: instead of it going on, everything in the queue is due earlier. */
    work: async (forMs: number): Promise<void> => {
      for (const end = clock.ms + forMs; clock.ms < end; clock.ms += STEP_MS) {
        await Promise.all(pushServices.map(deliverDue));
        const earlier = `- interval '${STEP_MS} milliseconds'`;
        await stores.pool.query(`update ops.push_deliveries set next_at = next_at ${earlier} where outcome is null`);
        await stores.pool.query(`update ops.push_messages set expires_at = expires_at ${earlier}`);
      }
    },
  };
};

const own = { fcm: 'android', apns: 'iphone', web: 'browser' } as const;
type Devices = Readonly<Record<PushServiceName, string>>;
const withDevices = async (): Promise<{ readonly person: Holder; readonly devices: Devices }> => {
  const person = await stage.person();
  const tokens = await Promise.all(pushServices.map(async (name) => (await stage[own[name]](person)).token));
  const [fcm = '', apns = '', web = ''] = tokens;
  return { person, devices: { fcm, apns, web } };
};

const DIRECT = { to: 'direct', service: 'fcm' } as const;
const toPhone = async (title: string): Promise<string> => {
  const person = await stage.person();
  await stage.android(person);
  const message = messageOf(title);
  await pushTo(stage.node, person.personId, message);
  return message.id;
};
const laneOfPhones = { kind: laneJob.kind, id: 'direct fcm' };
const deliveryOf = async (id: string) => {
  const { rows } = await stores.pool.query<{ attempts: number; outcome: string | null; next_at: string }>(
    'select attempts, outcome, next_at from ops.push_deliveries where message_id = $1',
    [id],
  );
  return rows[0];
};

/** A worker whose service answers when the test says so. */
const slowWorker = () => {
  const answers: ((outcome: PushOutcome) => void)[] = [];
  const send = () => new Promise<PushOutcome>((resolve) => answers.push(resolve));
  const fcm = { destinationOf: () => 'slow', send, check: async () => undefined, close: () => undefined };
  const node = changed(stage.node, { pushServices: { fcm, apns: fcm, web: fcm } });
  const stopping = new AbortController();
  const running = runJobs(node, [laneJob], stopping.signal);
  return {
    answers,
    stop: async () => {
      stopping.abort();
      for (const answer of answers) answer({ kind: 'delivered' });
      await running;
    },
  };
};

it('has a message due again 30 seconds after it was taken, if the process that took it died', async () => {
  const id = await toPhone('taken');
  const taken = await takeDeliveries(stores.pool, DIRECT, 100);
  const [{ taken_at = '' } = {}] = taken.filter(({ message_id }) => message_id === id);
  expect(msBetween(taken_at, (await deliveryOf(id))?.next_at ?? '')).toBe(30_000);
  await stores.pool.query('delete from ops.push_deliveries where message_id = $1', [id]);
});

it('sends others while a service does not answer, and nothing twice that is due again meanwhile', async () => {
  const { answers, stop } = slowWorker();
  const slow = await toPhone('slow');
  await until(() => answers.length === 1);
  await stores.pool.query('update ops.push_deliveries set next_at = now() where message_id = $1', [slow]);
  await until(async () => (await deliveryOf(slow))?.attempts === 2);
  const other = await toPhone('other');
  await until(() => answers.length === 2);
  answers[1]?.({ kind: 'delivered' });
  await until(async () => (await deliveryOf(other))?.outcome === 'delivered');
  expect(await deliveryOf(slow)).toMatchObject({ outcome: null });
  await stop();
  expect(await deliveryOf(slow)).toMatchObject({ outcome: 'delivered' });
  expect(answers).toHaveLength(2);
});

it('has the lane of a message run at once, and leaves one alone that is due already', async () => {
  const job = async () =>
    (
      await stores.pool.query<{ is_due: boolean; version: string }>(
        'select run_at <= now() as is_due, xmin::text as version from ops.jobs where kind = $1 and id = $2',
        [laneOfPhones.kind, laneOfPhones.id],
      )
    ).rows[0];
  await stores.pool.query(
    `update ops.jobs set run_at = now() + interval '30 seconds', claim = null, claimed_until = null where kind = $1`,
    [laneJob.kind],
  );
  const ids = [await toPhone('first')];
  const due = await job();
  expect(due).toMatchObject({ is_due: true });
  ids.push(await toPhone('second'));
  await wakeLanes(stores.pool, 'direct');
  expect(await job()).toEqual(due);
  await stores.pool.query('delete from ops.push_deliveries where message_id = any ($1)', [ids]);
});

it('takes nothing more once another process may have its job', async () => {
  const id = await toPhone('of the other');
  const lost = AbortSignal.abort();
  const ctx = { deps: stage.node, context: contextOf(id) };
  await laneJob.run({ id: laneOfPhones.id, data: {}, attempt: 1, lost }, ctx);
  expect(await deliveryOf(id)).toMatchObject({ attempts: 0, outcome: null });
  await stores.pool.query('delete from ops.push_deliveries where message_id = $1', [id]);
});

it('asks a service again that was away and then takes no more for some devices', async () => {
  let now = 0;
  const answers: PushOutcome[] = [
    { kind: 'later', reason: 'unavailable', isAway: true },
    ...Array.from({ length: 4 }, () => ({ kind: 'later', reason: 'too many for this device', isAway: false }) as const),
  ];
  const service = {
    destinationOf: () => 'busy',
    send: async () => answers.shift() ?? ({ kind: 'delivered' } as const),
    check: async () => undefined,
    close: () => undefined,
  };
  const node = changed(stage.node, {
    pushServices: { fcm: service, apns: service, web: service },
    pushCircuit: createCircuit(() => now),
  });
  const people = await Promise.all(Array.from({ length: 6 }, () => stage.person()));
  for (const person of people) {
    await stage.android(person);
    await pushTo(stage.node, person.personId, messageOf('busy'));
  }
  for (const delivery of await takeDeliveries(stores.pool, DIRECT, 100)) {
    await deliver(node, 'fcm', delivery);
    now += 60_000;
  }
  const { rows } = await stores.pool.query<{ outcome: string | null }>(
    'delete from ops.push_deliveries where person_id = any ($1) returning outcome',
    [people.map(({ personId }) => personId)],
  );
  expect(answers).toEqual([]);
  expect(rows.filter(({ outcome }) => outcome === 'delivered')).toHaveLength(1);
});

it.each(pushServices)('while %s is away nothing is lost, sent twice or told too late', async (away) => {
  const people = await Promise.all(Array.from({ length: PEOPLE }, withDevices));
  const worker = createWorker();
  const sent: { readonly id: string; readonly title: string }[] = [];
  const tellAll = async (title: string, worthMs: number): Promise<void> => {
    for (const { person } of people) {
      const message = messageOf(title, {}, worthMs);
      sent.push(message);
      await pushTo(stage.node, person.personId, message);
    }
  };
  const titlesOf = (name: PushServiceName) =>
    Promise.all(
      people.map(async ({ devices }) => (await stage.received(devices[name])).map(({ title }) => title).sort()),
    );
  const everybody = (...titles: string[]) => people.map(() => titles);

  await stage.plan({ service: away, count: REFUSED, answer: 'error' });
  await tellAll('a worth an hour', HOUR_MS);
  await tellAll('b worth five minutes', 5 * MINUTE_MS);
  await worker.work(5 * MINUTE_MS);
  await tellAll('c of the sixth minute', HOUR_MS);
  await worker.work(STEP_MS);
  const others = pushServices.filter((name) => name !== away);
  const all = ['a worth an hour', 'b worth five minutes', 'c of the sixth minute'];
  for (const name of others) expect(await titlesOf(name), name).toEqual(everybody(...all));
  expect(await titlesOf(away)).toEqual(everybody());
  await worker.work(5 * MINUTE_MS - STEP_MS);
  // It was asked now and then, not for each message.
  const asked = REFUSED - (await stage.refusalsLeft());
  expect(asked).toBeLessThan(200);
  // What only waited does not count as tried: it would wait longer once the service is back.
  const tried = await stores.pool.query(
    'select sum(attempts)::integer as attempts from ops.push_deliveries where service = $1 and message_id = any($2)',
    [away, sent.map(({ id }) => id)],
  );
  expect(tried.rows[0]).toEqual({ attempts: asked });

  await stage.plan({ service: away, count: 0 });
  await worker.work(2 * MINUTE_MS);
  const [kept = '', , sixth = ''] = all;
  expect(await titlesOf(away)).toEqual(everybody(kept, sixth));
  for (const name of others) expect(await titlesOf(name), name).toEqual(everybody(...all));
  for (const { id, title } of sent)
    expect(await stage.outcomes(id), title).toEqual(title === all[1] ? { delivered: 2, expired: 1 } : { delivered: 3 });
});
