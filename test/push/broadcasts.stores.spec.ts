/** Messages to many people, on real stores and the push services of the sandbox. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { type ClaimedJob, claim } from '../../commands/core/jobClaims.ts';
import { runJob } from '../../commands/core/jobRunner.ts';
import type { JobDefinition } from '../../commands/core/jobs.ts';
import { broadcastJob } from '../../commands/push/broadcastJob.ts';
import {
  cancelBroadcast,
  pauseBroadcast,
  resumeBroadcast,
  scheduleBroadcast,
  tryBroadcast,
} from '../../commands/push/broadcasts.ts';
import type { Holder } from '../../commands/push/devices.ts';
import { wakeLanes } from '../../commands/push/laneJob.ts';
import { pushTo } from '../../commands/push/pushTo.ts';
import { takeDeliveries } from '../../commands/push/queue.ts';
import { listDeliveries } from '../../commands/push/results.ts';
import { keepPushWishes } from '../../commands/push/segmentFacts.ts';
import { instantOf, MINUTE_MS } from '../../domain/core/instants.ts';
import { type BroadcastMessage, broadcast, type Segment } from '../../domain/push/broadcast.ts';
import { exactly } from '../../infra/paging.ts';
import { contextOf } from '../kit/context.ts';
import type { Node } from '../kit/deps.ts';
import { previewIsResult } from '../kit/previews.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { messageOf, type Stage, startStage } from './stage.ts';

let stores: Stores;
let stage: Stage;
const admin = randomUUID();
beforeAll(async () => {
  stores = await freshStores();
  stage = await startStage(stores);
});

const texts = {
  ru: { title: 'Лавинная опасность', body: 'Склоны закрыты' },
  en: { title: 'Avalanche', body: 'Closed' },
};
const messageTo = (segment: Segment, over: Partial<BroadcastMessage> = {}): BroadcastMessage => {
  const now = Date.now();
  return {
    kind: 'system',
    segment,
    texts,
    link: '/lifts',
    urgency: 'normal',
    sendAt: instantOf(now),
    expiresAt: instantOf(now + 10 * MINUTE_MS),
    ...over,
  };
};
const schedule = (segment: Segment, over?: Partial<BroadcastMessage>): Promise<string> =>
  scheduleBroadcast(stage.node, contextOf(admin, 'admin'), messageTo(segment, over));
/** Runs the jobs that are due. */
const runJobs = async (): Promise<void> => {
  await stores.pool.query(`update ops.jobs set run_at = now() where run_at < now() + interval '10 seconds'`);
  const jobs = new Map([[broadcastJob.kind, broadcastJob as JobDefinition<never, Node>]]);
  for (const job of await claim(stores.pool, [broadcastJob.kind], 10))
    await runJob(stage.node, jobs, job as ClaimedJob);
};
const isCounted = async (id: string): Promise<boolean> => {
  const { state } = await stage.node.aggregates.load(broadcast, id);
  return state.status !== 'none' && state.isCounted;
};
/** Runs jobs and delivers until its counts are final. */
const finish = async (id: string) => {
  const worker = stage.deliver();
  await wakeLanes(stores.pool, 'broadcast');
  await until(async () => {
    await runJobs();
    return isCounted(id);
  });
  await worker.stop();
  return stage.outcomes(id);
};
const audienceOf = (segment: Segment, kind: BroadcastMessage['kind'] = 'system') =>
  tryBroadcast(stage.node, contextOf(admin, 'admin'), messageTo(segment, { kind }));
const people = (count: number): Promise<Holder[]> => Promise.all(Array.from({ length: count }, () => stage.person()));
const idsOf = (holders: readonly Holder[]) => holders.map(({ personId }) => personId);

it('reaches a segment in the language of each device, and counts it before', async () => {
  const [anna, boris, clerk] = [await stage.person(), await stage.person(), await stage.person('admin')];
  const user_ids = idsOf([anna, boris, clerk]);
  const old = await stage.android(anna, { appVersion: '1.9.9', language: 'ru' });
  const fresh = await stage.android(anna, { appVersion: '2.0.0', language: 'en-GB' });
  const iphone = await stage.iphone(boris);
  const own = await stage.android(clerk, { appVersion: '2.0.0-beta' });
  await stage.endSession(await stage.session(boris.personId));

  expect(await audienceOf({ user_ids })).toEqual({ people: 3, devices: 4 });
  expect(await audienceOf({ user_ids, roles: ['admin'] })).toEqual({ people: 1, devices: 1 });
  expect(await audienceOf({ user_ids, platforms: ['ios'] })).toEqual({ people: 1, devices: 1 });
  expect(await audienceOf({ user_ids, app_version_lt: '2.0.0' })).toEqual({ people: 3, devices: 3 });
  expect(await audienceOf({ user_ids, app_version_lt: '2' })).toEqual({ people: 3, devices: 3 });
  expect(await audienceOf({ user_ids, languages: ['ru', 'en'], platforms: ['android'] })).toMatchObject({ devices: 3 });
  expect(await audienceOf({ user_ids, last_seen_after: instantOf(Date.now() + MINUTE_MS) })).toEqual({
    people: 0,
    devices: 0,
  });
  const wishes = (...muted: string[]) => keepPushWishes(stage.node, boris.personId, { muted, quietHours: null });
  await wishes('marketing', 'system');
  expect(await audienceOf({ user_ids })).toEqual({ people: 2, devices: 3 });
  await wishes('marketing');

  const id = await schedule({ user_ids });
  expect(await finish(id)).toEqual({ delivered: 4 });
  expect((await stage.received(old.token))[0]?.title).toBe('Лавинная опасность');
  expect((await stage.received(fresh.token))[0]?.title).toBe('Avalanche');
  expect((await stage.received(iphone.token)).length).toBe(1);
  expect((await stage.received(own.token)).length).toBe(1);
  const { rows, total } = await listDeliveries(stores.pool, id, { outcome: 'delivered', page: 1, perPage: 3 });
  expect([rows.length, total]).toEqual([3, exactly(4)]);
});

it('sends marketing only to who consents, also when the consent is withdrawn in between', async () => {
  const [anna, boris, vera] = await people(3);
  if (!anna || !boris || !vera) throw new Error('three people');
  const user_ids = idsOf([anna, boris, vera]);
  await stage.consent(boris.personId, true);
  for (const each of [anna, boris, vera]) await stage.android(each);
  await stage.consent(vera.personId, true);
  expect(await audienceOf({ user_ids }, 'marketing')).toEqual({ people: 2, devices: 2 });
  const id = await schedule({ user_ids }, { kind: 'marketing' });
  await runJobs();
  await stage.consent(vera.personId, false);
  expect(await finish(id)).toEqual({ delivered: 1, unwanted: 1 });
  const offer = messageOf('offer', { kind: 'marketing' });
  await pushTo(stage.node, anna.personId, offer);
  const worker = stage.deliver();
  await until(async () => (await stage.outcomes(offer.id)).unwanted);
  await worker.stop();
});

const HOUR_MS = 60 * MINUTE_MS;
/** Quiet hours around now, or that have just ended. */
const quietFor = (fromMs: number, toMs: number) => {
  const clock = (ms: number) => instantOf(Date.now() + ms).slice(11, 16);
  return { from: clock(fromMs), to: clock(toMs), timezone: 'UTC' };
};

it.each(['marketing', 'system'] as const)(
  '%s waits while a person is not to be disturbed, and comes then',
  async (kind) => {
    const [anna, boris] = await people(2);
    if (!anna || !boris) throw new Error('two people');
    const user_ids = idsOf([anna, boris]);
    for (const each of [anna, boris]) {
      await stage.android(each);
      await stage.consent(each.personId, true);
    }
    const wishes = (quietHours: ReturnType<typeof quietFor>) =>
      keepPushWishes(stage.node, anna.personId, { muted: [], quietHours });
    await wishes(quietFor(-HOUR_MS, 2 * HOUR_MS));
    const id = await schedule({ user_ids }, { kind, expiresAt: instantOf(Date.now() + 3 * HOUR_MS) });
    await runJobs();
    const safety = messageOf('your account', { passesQuietHours: true });
    await pushTo(stage.node, anna.personId, safety);
    const told = messageOf('a friend');
    await pushTo(stage.node, anna.personId, told);
    const worker = stage.deliver();
    const waiting = async () => {
      const { rows } = await stores.pool.query<{ message_id: string; attempts: number; wait: number }>(
        `select message_id, attempts, extract(epoch from next_at - now())::float8 / 60 as wait from ops.push_deliveries
       where person_id = $1 and outcome is null and reason is not null order by wait`,
        [anna.personId],
      );
      return rows.length === 2 && rows;
    };
    const [first, second] = await until(waiting);
    // The message of a friend expires before.
    expect([first, second]).toMatchObject([
      { message_id: told.id, attempts: 0 },
      { message_id: id, attempts: 0 },
    ]);
    expect(first?.wait).toBeLessThanOrEqual(10);
    expect(second?.wait).toBeGreaterThan(110);
    await until(async () => (await stage.outcomes(safety.id)).delivered === 1);
    await until(async () => (await stage.outcomes(id)).delivered === 1);

    await wishes(quietFor(-3 * HOUR_MS, -HOUR_MS));
    await stores.pool.query('update ops.push_deliveries set next_at = now() where message_id = $1', [id]);
    await worker.stop();
    expect(await finish(id)).toEqual({ delivered: 2 });
  },
);

const audience = fc.array(
  fc.record({
    role: fc.constantFrom('tourist', 'admin'),
    devices: fc.array(fc.constantFrom('android', 'ios'), { maxLength: 2 }),
    muted: fc.subarray(['system', 'marketing', 'chat']),
    consents: fc.constantFrom(true, false, null),
    isQuiet: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
);
const segments = fc.record(
  { roles: fc.constant(['admin']), platforms: fc.constant(['android']) },
  { requiredKeys: [] },
) as fc.Arbitrary<Segment>;

previewIsResult('POST /api/v1/push/send', () =>
  fc.assert(
    fc.asyncProperty(audience, segments, fc.constantFrom('system', 'marketing'), async (people, of, kind) => {
      const user_ids: string[] = [];
      for (const { role, devices, muted, consents, isQuiet } of people) {
        const holder = await stage.person(role);
        user_ids.push(holder.personId);
        for (const platform of devices) await (platform === 'ios' ? stage.iphone(holder) : stage.android(holder));
        if (consents !== null) await stage.consent(holder.personId, consents);
        const quietHours = isQuiet ? quietFor(-HOUR_MS, 2 * HOUR_MS) : null;
        await keepPushWishes(stage.node, holder.personId, { muted, quietHours });
      }
      const segment = { ...of, user_ids };
      const promised = await audienceOf(segment, kind);

      const id = await schedule(segment, { kind, expiresAt: instantOf(Date.now() + 3 * HOUR_MS) });
      await runJobs();
      const worker = stage.deliver();
      const count = async (which: string): Promise<{ people: number; devices: number }> => {
        const text = `select count(distinct person_id) as people, count(*) as devices from ops.push_deliveries
          where message_id = $1 and ${which}`;
        return (
          (await stores.pool.query<{ people: number; devices: number }>(text, [id])).rows[0] ?? {
            people: 0,
            devices: 0,
          }
        );
      };
      await until(async () => (await count('outcome is null and reason is null')).devices === 0);
      // Whoever must not be disturbed gets it afterwards.
      for (const [n, personId] of user_ids.entries())
        await keepPushWishes(stage.node, personId, { muted: people[n]?.muted ?? [], quietHours: null });
      await stores.pool.query('update ops.push_deliveries set next_at = now() where message_id = $1', [id]);
      await wakeLanes(stores.pool, 'broadcast');
      await until(async () => (await count('outcome is null')).devices === 0);
      await worker.stop();
      expect({
        ...(await count(`outcome = 'delivered'`)),
        others: (await count(`outcome <> 'delivered'`)).devices,
      }).toEqual({
        ...promised,
        others: 0,
      });
    }),
    { numRuns: 4 },
  ),
);

it('asks at the sending whether the kind is still wanted, whatever was queued before', async () => {
  const anna = await stage.person();
  await stage.android(anna);
  const id = await schedule({ user_ids: [anna.personId] });
  await runJobs();
  await keepPushWishes(stage.node, anna.personId, { muted: ['system'], quietHours: null });
  expect(await finish(id)).toEqual({ unwanted: 1 });
});

it('stops, goes on and is cancelled, and delays no message to one person', async () => {
  const holders = await people(6);
  const devices = await Promise.all(holders.map((each) => stage.android(each)));
  const id = await schedule({ user_ids: idsOf(holders) });
  await runJobs();
  await pauseBroadcast(stage.node, contextOf(admin, 'admin'), id);
  const worker = stage.deliver();
  const direct = messageOf('direct');
  await pushTo(stage.node, holders[0]?.personId ?? '', direct);
  await until(async () => (await stage.outcomes(direct.id)).delivered);
  expect(await stage.outcomes(id)).toEqual({ waiting: 6 });
  await resumeBroadcast(stage.node, contextOf(admin, 'admin'), id);
  await until(async () => (await stage.outcomes(id)).delivered === 6);
  await worker.stop();
  await until(async () => {
    await runJobs();
    return isCounted(id);
  });
  for (const { token } of devices.slice(1)) expect(await stage.received(token)).toHaveLength(1);

  const never = await schedule({ user_ids: idsOf(holders) });
  await runJobs();
  await cancelBroadcast(stage.node, contextOf(admin, 'admin'), never);
  expect(await finish(never)).toEqual({ cancelled: 6 });
  await expect(resumeBroadcast(stage.node, contextOf(admin, 'admin'), never)).rejects.toMatchObject({
    code: 'invalid_transition',
  });
});

it('after a worker died, only what it had in flight is sent again', async () => {
  const holders = await people(8);
  const devices = await Promise.all(holders.map((each) => stage.iphone(each)));
  const id = await schedule({ user_ids: idsOf(holders) });
  await runJobs();
  // The dead worker had taken three, and sent them without recording the answers.
  const inFlight = await takeDeliveries(stores.pool, { to: 'broadcast', service: 'apns' }, 3);
  const { apns } = stage.node.pushServices;
  for (const { token, platform, environment, keys } of inFlight)
    await apns?.send(
      { token: token as string, platform, environment, keys },
      { ...messageOf('Avalanche'), id, collapseKey: id },
    );
  const worker = stage.deliver();
  // More, if a busy machine lets some be due before it has sent them.
  await until(async () => ((await stage.outcomes(id)).delivered ?? 0) >= 5);
  // They are due again.
  await stores.pool.query(`update ops.push_deliveries set next_at = now() where message_id = $1 and outcome is null`, [
    id,
  ]);
  await wakeLanes(stores.pool, 'broadcast');
  await until(async () => (await stage.outcomes(id)).delivered === 8);
  await worker.stop();
  const again = new Set(inFlight.map(({ token }) => token));
  for (const { token } of devices) {
    const arrived = await stage.received(token);
    expect(arrived).toHaveLength(again.has(token) ? 2 : 1);
    // The device shows the second in place of the first.
    expect(new Set(arrived.map(({ collapse_key }) => collapse_key))).toEqual(new Set([id]));
  }
  expect(await finish(id)).toEqual({ delivered: 8 });
});
