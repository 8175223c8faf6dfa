/** The line of push messages: a broadcast to many devices of each service, through a worker to the sandbox. */
import { randomUUID } from 'node:crypto';
import { countDeliveries } from '../../../commands/push/broadcastJob.ts';
import { scheduleBroadcast } from '../../../commands/push/broadcasts.ts';
import type { PushServiceName } from '../../../commands/push/service.ts';
import type { Wiring } from '../../../ops/wiring.ts';
import { contextAs } from '../context.ts';
import { memoryOf } from '../cpu.ts';
import type { Goal, Line } from '../line.ts';
import type { Resort } from '../resort.ts';
import { once, type Result } from '../rounds.ts';

const SERVICES = [
  { service: 'fcm', platform: 'android', leastRate: 3_000 },
  { service: 'apns', platform: 'ios', leastRate: 3_000 },
  { service: 'web', platform: 'web', leastRate: 800 },
] as const;
/** A language that nobody else reads: the audience of the broadcasts. */
const LANGUAGE = 'eo';
/** How much the worker may grow for it. */
const MOST_MB = 200;
const LOOK_MS = 100;
const PATIENCE_MS = 600_000;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The keys of a browser of the sandbox. Those of names that differ only after a dot are the same. */
const browserOf = async (sandbox: string): Promise<{ readonly endpoint: string; readonly keys: object }> => {
  const reply = await fetch(`${sandbox}/sandbox/push/subscription?name=bench`);
  if (!reply.ok) throw new Error(`the sandbox has no subscription: ${await reply.text()}`);
  return (await reply.json()) as { endpoint: string; keys: object };
};

/** People with a device each, who have signed in. */
const addAudience = async ({ wiring, system, guests }: Resort, devices: number): Promise<void> => {
  const { endpoint, keys } = await browserOf(system.sandbox.url);
  const { pool } = wiring;
  await pool.query('truncate ops.push_devices, ops.push_people, ops.push_deliveries, ops.push_messages');
  for (const { service, platform } of SERVICES)
    await pool.query(
      `with devices as (
         insert into ops.push_devices (id, person_id, session_id, service, platform, environment, token, keys, language)
         select gen_random_uuid(), gen_random_uuid(), s.id, $1, $2, 'sandbox',
           case when $1 = 'web' then $3 || '.' || n else lpad(n::text, 64, '0') end, case when $1 = 'web' then $4::jsonb end, $5
         from generate_series(1, $6::int) as n,
           (select id from ops.sessions where account_id = $7 and ended_at is null limit 1) s
         returning person_id
       ) insert into ops.push_people (person_id, role, language, account_revision, consent_revision)
         select person_id, 'tourist', $5, 0, 0 from devices`,
      [service, platform, endpoint, JSON.stringify(keys), LANGUAGE, devices, guests[0]?.id],
    );
  await pool.query('vacuum analyze ops.push_devices, ops.push_people');
};

/** Sends to all devices of a platform. @returns once each delivery is settled: how many were delivered */
const broadcastTo = async (wiring: Wiring, platform: 'android' | 'ios' | 'web'): Promise<number> => {
  const now = Date.now();
  const id = await scheduleBroadcast(wiring, contextAs('admin', randomUUID()), {
    kind: 'system',
    segment: { languages: [LANGUAGE], platforms: [platform] },
    texts: { en: { title: 'Avalanche', body: 'The slopes of the north are closed until noon.' } },
    link: '/lifts',
    urgency: 'normal',
    sendAt: new Date(now).toISOString(),
    expiresAt: new Date(now + 3_600_000).toISOString(),
  });
  for (const until = now + PATIENCE_MS; Date.now() < until; await pause(LOOK_MS)) {
    const { rows } = await wiring.pool.query<{ open: boolean }>(
      `select exists (select from ops.push_deliveries where message_id = $1 and is_broadcast and outcome is null)
         or not exists (select from ops.push_messages where id = $1 and queued_to = 'ffffffff-ffff-ffff-ffff-ffffffffffff') as open`,
      [id],
    );
    if (rows[0]?.open === false) return (await countDeliveries(wiring.pool, id)).delivered;
  }
  throw new Error('the broadcast did not end in time');
};

/** The most memory of a process while something runs, in bytes. */
const peakOf = async <T>(pid: number, work: () => Promise<T>): Promise<{ readonly done: T; readonly peak: number }> => {
  let peak = memoryOf(pid) ?? 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, memoryOf(pid) ?? 0);
  }, LOOK_MS);
  try {
    return { done: await work(), peak };
  } finally {
    clearInterval(timer);
  }
};

const measure = async (
  { wiring, system }: Resort,
  { service, platform }: { readonly service: PushServiceName; readonly platform: 'android' | 'ios' | 'web' },
  devices: number,
): Promise<Result> => {
  const processes = { ...system.processes(), sandbox: system.sandbox.pid };
  return once(service, processes, async () => {
    const begun = performance.now();
    const delivered = await broadcastTo(wiring, platform);
    if (delivered !== devices) throw new Error(`${delivered} of ${devices} messages were delivered by ${service}`);
    return { operations: delivered, seconds: (performance.now() - begun) / 1_000 };
  });
};

export const pushes: Line = {
  name: 'pushes',
  work: 'a broadcast to 100,000 devices of each service, from `POST /push/send` to the last answer of the sandbox',
  peer: null,
  goal: '≥ 3,000/s by FCM and by APNs, ≥ 800/s by Web Push; ≤ 200 MB more memory of the worker',
  run: async ({ size: { devices }, resort }) => {
    const running = await resort();
    const worker = running.system.processes().worker ?? 0;
    await addAudience(running, devices);
    const before = memoryOf(worker) ?? 0;
    const { done: results, peak } = await peakOf(worker, async () => {
      const all: Result[] = [];
      for (const each of SERVICES) all.push(await measure(running, each, devices));
      return all;
    });
    const rates = SERVICES.map(({ service, leastRate }, n): Goal => {
      const value = results[n]?.rate.median ?? Number.NaN;
      return { what: `messages/s by ${service}`, value, limit: leastRate, is: 'at least' };
    });
    const grown = (peak - before) / 2 ** 20;
    const memory: Goal = { what: 'MB more of the worker', value: grown, limit: MOST_MB, is: 'at most' };
    const note = `${devices} devices of each service; the sandbox shares the machine`;
    return [{ name: 'pushes', results, goals: [...rates, memory], note }];
  },
};
