/**
 * kill -9 of the worker during thousands of notifications and a broadcast. Afterwards each person has each notification
 * once, each device each message, and only what was in flight was sent twice. `REACH_FULL=1`: 10,000 notifications and
 * 100,000 devices, with its numbers printed.
 */
import { beforeAll, expect, it } from 'vitest';
import { sendMessage } from '../../commands/chat/messages.ts';
import { startGroup } from '../../commands/chat/threads.ts';
import { scheduleBroadcast } from '../../commands/push/broadcasts.ts';
import type { Holder } from '../../commands/push/devices.ts';
import { HOUR_MS, instantOf } from '../../domain/core/instants.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { contextOf } from '../kit/context.ts';
import { freshStores, MASTER_KEY, type Stores } from '../kit/stores.ts';
import { until, WAIT_MS } from '../kit/until.ts';
import { startRole } from '../kit/world.ts';
import { type Stage, startStage } from '../push/stage.ts';

const FULL = process.env.REACH_FULL === '1';
const MEMBERS = 41;
/** All but the sender are mentioned in each. */
const MESSAGES = FULL ? 250 : 12;
const DEVICES = FULL ? 100_000 : 1_000;
/** The worker is killed when so much of the notifications is listed. */
const KILLED_AT = FULL ? [0.1, 0.4, 0.7] : [0.1, 0.5];
const LIMIT_MS = FULL ? 1_200_000 : WAIT_MS;
/** A language that nobody else in this database reads. */
const LANGUAGE = 'eo';

let stores: Stores;
let stage: Stage;
beforeAll(async () => {
  stores = await freshStores();
  stage = await startStage(stores);
});

const rowsOf = async <R extends object>(text: string): Promise<R[]> => (await stores.pool.query<R>(text)).rows;
const count = async (from: string): Promise<number> =>
  (await rowsOf<{ count: number }>(`select count(*) from ${from}`))[0]?.count ?? 0;

const startWorker = () =>
  startRole(
    'policies',
    { databaseUrl: stores.databaseUrl, eventStore: stores.eventStore, sandbox: stage.sandbox.address },
    { VAULT_MASTER_KEY: MASTER_KEY, METRICS_PORT: '0' },
  );

/** People with a phone each, half of them iPhones, whom only the broadcast reaches. */
const addAudience = async ({ sessionId }: Holder): Promise<void> => {
  await stores.pool.query(
    `with devices as (
       insert into ops.push_devices (id, person_id, session_id, service, platform, environment, token, language)
       select gen_random_uuid(), gen_random_uuid(), $1, case n % 2 when 0 then 'fcm' else 'apns' end,
         case n % 2 when 0 then 'android' else 'ios' end, 'sandbox', lpad(n::text, 64, '0'), '${LANGUAGE}'
       from generate_series(1, $2::int) as n returning person_id
     ) insert into ops.push_people (person_id, role, language, account_revision, consent_revision)
       select person_id, 'tourist', '${LANGUAGE}', 0, 0 from devices`,
    [sessionId, DEVICES],
  );
};

const MENTIONED = `ops.notifications where name = 'chat_mention'`;
const WAITING = 'ops.push_deliveries where outcome is null';
const IN_FLIGHT = `${WAITING} and attempts > 0`;
/** What the dead worker had taken: message and device. */
const leftBehind = async (): Promise<string[]> =>
  (await rowsOf<{ key: string }>(`select message_id || ' ' || device_id as key from ${IN_FLIGHT}`)).map(
    ({ key }) => key,
  );
/** The claims and leases of a dead worker last for some time: have it be over. */
const letClaimsEnd = async (): Promise<void> => {
  await stores.pool.query('update ops.push_deliveries set next_at = now() where outcome is null and attempts > 0');
  await stores.pool.query('update ops.jobs set run_at = now(), claimed_until = now() where attempts > 0');
  await stores.pool.query('update ops.leases set expires_at = now()');
};

const TEXTS = { en: { title: 'Avalanche', body: 'The slopes are closed' } };
const broadcastToAll = (admin: Holder): Promise<string> => {
  const now = Date.now();
  return scheduleBroadcast(stage.node, contextOf(admin.personId, 'admin'), {
    kind: 'system',
    segment: { languages: [LANGUAGE] },
    texts: TEXTS,
    link: '/lifts',
    urgency: 'normal',
    sendAt: instantOf(now),
    expiresAt: instantOf(now + HOUR_MS),
  });
};

it(
  'tells everybody everything once while the worker is killed again and again',
  async () => {
    const { node } = stage;
    const members: Holder[] = [];
    await concurrentEach(Array(MEMBERS).keys(), 8, async () => {
      const member = await stage.person();
      await stage.android(member);
      members.push(member);
    });
    const [sender, ...others] = members as [Holder, ...Holder[]];
    const mentions = others.map(({ personId }) => personId);
    await addAudience(sender);
    const title = { title: 'Skiers', memberIds: mentions };
    const { threadId } = await startGroup(node, contextOf(sender.personId), sender.personId, title);

    const inFlight = new Set<string>();
    const [begun, total] = [performance.now(), mentions.length * MESSAGES];
    let worker = startWorker();
    const broadcastId = await broadcastToAll(sender);
    const listed: number[] = [];
    const sendAll = async (): Promise<void> => {
      for (let n = 0; n < MESSAGES; n += 1) {
        // Otherwise all may be sent and listed before the first kill.
        if (n >= MESSAGES / 2) await until(() => listed.length > 0, LIMIT_MS);
        const message = { threadId, kind: 'text', body: `${n}`, mentions, attachments: [] } as const;
        const by = { accountId: sender.personId, isAgent: false };
        await sendMessage(node, contextOf(by.accountId), by, { ...message, replyTo: null, clientMessageId: null });
      }
    };
    const killAgainAndAgain = async (): Promise<void> => {
      for (const part of KILLED_AT) {
        await until(async () => (await count(MENTIONED)) >= part * total, LIMIT_MS);
        await until(async () => (await count(IN_FLIGHT)) > 0 || (await count(WAITING)) === 0, LIMIT_MS);
        await worker.kill();
        listed.push(await count(MENTIONED));
        for (const key of await leftBehind()) inFlight.add(key);
        await letClaimsEnd();
        worker = startWorker();
      }
    };
    await Promise.all([sendAll(), killAgainAndAgain()]);
    expect(listed[0]).toBeLessThan(total);
    // What was in flight depends on the moment of the kill: it may have been nothing.

    await until(async () => (await count(MENTIONED)) === total, LIMIT_MS);
    // The group is told of its messages at the end of a stretch of half a minute: not waited for.
    await stores.pool.query(`update ops.jobs set run_at = now() where kind = 'notification_cue'`);
    await until(
      async () => (await count(`ops.notifications where name = 'chat_messages'`)) === mentions.length,
      LIMIT_MS,
    );
    await until(async () => (await count(`ops.jobs where kind <> 'push_lane'`)) === 0, LIMIT_MS);
    await until(async () => (await count(WAITING)) === 0, LIMIT_MS);
    const tookMs = performance.now() - begun;
    await worker.stop();

    const lists = await rowsOf(
      `select count(*) filter (where name = 'chat_mention') as mentions, count(distinct seq) as numbers, count(*) as all
     from ops.notifications group by person_id`,
    );
    expect(lists).toHaveLength(mentions.length);
    for (const list of lists) expect(list).toEqual({ mentions: MESSAGES, numbers: MESSAGES + 1, all: MESSAGES + 1 });
    expect(await stage.outcomes(broadcastId)).toEqual({ delivered: DEVICES });
    expect(await rowsOf('select distinct outcome from ops.push_deliveries')).toEqual([{ outcome: 'delivered' }]);
    const pushes = await rowsOf<{ pushes: number }>(
      `select count(*) as pushes from ops.push_messages where person_id is not null group by person_id`,
    );
    // One for each mention. The chat is only listed: its last message has told them already.
    expect(pushes).toHaveLength(mentions.length);
    for (const { pushes: each } of pushes) expect(each).toBe(MESSAGES);

    // Whatever was attempted again had been in flight, and the services took no more than that twice.
    const again = await rowsOf<{ key: string; attempts: number }>(
      `select message_id || ' ' || device_id as key, attempts from ops.push_deliveries where attempts > 1`,
    );
    for (const { key } of again) expect(inFlight).toContain(key);
    const sent = await count('ops.push_deliveries');
    const { fcm, apns } = await stage.receivedCounts();
    const twice = fcm + apns - sent;
    expect(twice).toBeGreaterThanOrEqual(0);
    expect(twice).toBeLessThanOrEqual(again.reduce((sum, { attempts }) => sum + attempts - 1, 0));
    if (FULL)
      process.stdout.write(
        `${total} mentions and ${DEVICES} devices, killed at ${listed.join(', ')} mentions: ${(tookMs / 1_000).toFixed(0)} s, ${inFlight.size} in flight, ${twice} of ${sent} sent twice\n`,
      );
  },
  LIMIT_MS * 8,
);
