/** Ten minutes in which one push service is away, on a clock that passes five seconds at a time. */
import { beforeAll, expect, it } from 'vitest';
import { createCircuit } from '../../commands/push/circuit.ts';
import { createCourier, deliverPush } from '../../commands/push/deliver.ts';
import type { Holder } from '../../commands/push/devices.ts';
import { pushTo } from '../../commands/push/pushTo.ts';
import { type ClaimedDelivery, claimDeliveries, renewClaims } from '../../commands/push/queue.ts';
import { type PushOutcome, type PushServiceName, pushServices } from '../../commands/push/service.ts';
import { PUSH_CHANNEL } from '../../commands/push/tables.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/core/instants.ts';
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
  const courier = createCourier(
    stage.node,
    createCircuit(() => clock.ms),
  );
  const { signal } = new AbortController();
  const deliverDue = async (name: PushServiceName): Promise<void> => {
    const due = await claimDeliveries(stores.pool, 'direct', name, 100);
    await Promise.all(due.map((delivery) => courier.deliver(name, delivery, signal)));
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

/** One message to one phone, over a service that answers when the test says so. */
const slowly = async () => {
  const person = await stage.person();
  await stage.android(person);
  const message = messageOf('slow');
  const answers: ((outcome: PushOutcome) => void)[] = [];
  const send = () => new Promise<PushOutcome>((resolve) => answers.push(resolve));
  const fcm = { destinationOf: () => 'slow', send, check: async () => undefined, close: () => undefined };
  await pushTo(stage.node, person.personId, message);
  return {
    node: changed(stage.node, { pushServices: { fcm, apns: fcm, web: fcm } }),
    answers,
    endClaim: () =>
      stores.pool.query('update ops.push_deliveries set next_at = now() where message_id = $1', [message.id]),
    state: async () => {
      const { rows } = await stores.pool.query<{ left_ms: number; attempts: number; outcome: string | null }>(
        `select (extract(epoch from next_at - now()) * 1000)::float8 as left_ms, attempts, outcome
         from ops.push_deliveries where message_id = $1`,
        [message.id],
      );
      return rows[0];
    },
  };
};

it('keeps the claim of a message while it is being sent, and loses it soon after the end of the process', async () => {
  const { node, answers, endClaim, state } = await slowly();
  const [claimed, ...more] = await claimDeliveries(stores.pool, 'direct', 'fcm', 100);
  expect(more).toEqual([]);
  expect((await state())?.left_ms).toBeLessThanOrEqual(15_000);
  const { signal } = new AbortController();
  const sending = createCourier(node, undefined, 20).deliver('fcm', claimed as ClaimedDelivery, signal);
  await endClaim();
  await until(async () => Number((await state())?.left_ms) > 10_000);
  answers[0]?.({ kind: 'delivered' });
  await sending;
  expect(await state()).toMatchObject({ outcome: 'delivered' });
});

it('sends nothing twice whose claim the same process has lost and got again', async () => {
  const { node, answers, endClaim, state } = await slowly();
  const stopping = new AbortController();
  const running = deliverPush(node, stopping.signal);
  await until(() => answers.length === 1);
  await endClaim();
  await stores.pool.query(`notify ${PUSH_CHANNEL}`);
  await until(async () => (await state())?.attempts === 2);
  answers[0]?.({ kind: 'delivered' });
  await until(async () => (await state())?.outcome === 'delivered');
  stopping.abort();
  for (const answer of answers) answer({ kind: 'delivered' });
  await running;
  expect(answers).toHaveLength(1);
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
  const node = changed(stage.node, { pushServices: { fcm: service, apns: service, web: service } });
  const courier = createCourier(
    node,
    createCircuit(() => now),
  );
  const { signal } = new AbortController();
  const people = await Promise.all(Array.from({ length: 6 }, () => stage.person()));
  for (const person of people) {
    await stage.android(person);
    await pushTo(stage.node, person.personId, messageOf('busy'));
  }
  for (const delivery of await claimDeliveries(stores.pool, 'direct', 'fcm', 100)) {
    await courier.deliver('fcm', delivery, signal);
    now += 60_000;
  }
  const { rows } = await stores.pool.query<{ outcome: string | null }>(
    'delete from ops.push_deliveries where person_id = any ($1) returning outcome',
    [people.map(({ personId }) => personId)],
  );
  expect(answers).toEqual([]);
  expect(rows.filter(({ outcome }) => outcome === 'delivered')).toHaveLength(1);
});

it('does not renew a claim that another process has taken over', async () => {
  const person = await stage.person();
  await stage.android(person);
  const message = messageOf('taken over');
  await pushTo(stage.node, person.personId, message);
  const due = "update ops.push_deliveries set next_at = now() - interval '1 second' where message_id = $1";
  const first = await claimDeliveries(stores.pool, 'direct', 'fcm', 100);
  await stores.pool.query(due, [message.id]);
  await claimDeliveries(stores.pool, 'direct', 'fcm', 100);
  await stores.pool.query(due, [message.id]);
  await renewClaims(stores.pool, first);
  expect(await claimDeliveries(stores.pool, 'direct', 'fcm', 100)).toHaveLength(1);
  await stores.pool.query('delete from ops.push_deliveries where message_id = $1', [message.id]);
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
