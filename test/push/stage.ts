/** The sandbox's push services, workers that deliver to them, and people with devices. */
import { randomUUID } from 'node:crypto';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { answerConsent } from '../../commands/consents/consents.ts';
import { runJobs } from '../../commands/core/jobRunner.ts';
import { handleEvents, type Policy, policyRetry } from '../../commands/core/policy.ts';
import { createApns } from '../../commands/push/apns.ts';
import { connectPush } from '../../commands/push/connect.ts';
import { type Holder, registerDevice, subscribeBrowser } from '../../commands/push/devices.ts';
import { createFcm } from '../../commands/push/fcm.ts';
import { laneJob } from '../../commands/push/laneJob.ts';
import { pushPolicy } from '../../commands/push/policy.ts';
import { SANDBOX_PATHS, sandboxApns, sandboxFcm, sandboxVapid } from '../../commands/push/sandboxKeys.ts';
import type { PushServiceName } from '../../commands/push/service.ts';
import { createWebPush } from '../../commands/push/webPush.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { instantOf } from '../../domain/core/instants.ts';
import { newId } from '../../infra/ids.ts';
import { createLogger } from '../../infra/log.ts';
import { exchange } from '../../infra/outside/exchange.ts';
import { readConfig } from '../../ops/config.ts';
import type { PushPlan, PushRecord } from '../../ops/sandbox/push/received.ts';
import { type Sandbox, startSandbox } from '../../ops/sandbox/server.ts';
import { newPhone } from '../accounts/sms.ts';
import { contextOf } from '../kit/context.ts';
import { changed, type Node, testDeps } from '../kit/deps.ts';
import type { Stores } from '../kit/stores.ts';

export interface Stage {
  readonly node: Node;
  readonly sandbox: Sandbox;
  /** A tourist who has just signed in. */
  person(role?: 'tourist' | 'admin'): Promise<Holder>;
  /** Signs the person in on another device. */
  session(personId: string): Promise<Holder>;
  endSession(holder: Holder): Promise<void>;
  android(holder: Holder, over?: Partial<Parameters<typeof registerDevice>[2]>): Promise<{ id: string; token: string }>;
  iphone(holder: Holder): Promise<{ id: string; token: string }>;
  browser(holder: Holder): Promise<{ id: string; token: string }>;
  consent(personId: string, granted: boolean): Promise<void>;
  /** Has the push policy handle everything in a stream. */
  follow(stream: string): Promise<void>;
  /** Begins to deliver, as a worker does, until it is stopped. */
  deliver(): { stop(): Promise<void> };
  /** What the services have taken for a device, oldest first. */
  received(token?: string): Promise<PushRecord[]>;
  /** How many messages each service has taken. */
  receivedCounts(): Promise<Record<PushServiceName, number>>;
  plan(plan: Partial<PushPlan>): Promise<void>;
  /** How many more messages the services will not take. */
  refusalsLeft(): Promise<number>;
  outcomes(messageId: string): Promise<Record<string, number>>;
  stop(): Promise<void>;
}

export const startStage = async (stores: Stores): Promise<Stage> => {
  const log = createLogger({ level: 'silent' });
  const sandbox = await startSandbox({ port: 0, webhookUrl: 'http://127.0.0.1:1', webhookSecret: 'unused', log });
  const { address } = sandbox;
  const ports = connectPush(readConfig({ NODE_ENV: 'test', SANDBOX_URL: address }));
  const url = `${address}${SANDBOX_PATHS.apns}`;
  // A busy machine must not take longer: what was taken without an answer in time is sent again.
  const quick = { connectMs: 2_000, answerMs: 2_000 };
  const base = testDeps(stores);
  const node = changed(base, {
    pushServices: {
      fcm: createFcm({ account: sandboxFcm(address), apiUrl: `${address}${SANDBOX_PATHS.fcm}`, ...quick }),
      apns: createApns({
        key: sandboxApns,
        urls: { production: `${url}/production`, sandbox: `${url}/sandbox` },
        ...quick,
      }),
      web: createWebPush({ keys: sandboxVapid, exchange, answerMs: quick.answerMs }),
    },
    settings: ports.settings,
  });

  const session = async (personId: string): Promise<Holder> => {
    const sessionId = newId();
    await stores.pool.query(
      `insert into ops.sessions (id, account_id, token_version, started_at, expires_at)
       values ($1, $2, 0, now(), now() + interval '1 day')`,
      [sessionId, personId],
    );
    return { personId, sessionId };
  };
  const follow = async (stream: string): Promise<void> => {
    const events = await node.codec.decode<Recorded>(
      await stores.store.read(stream),
      new Set(pushPolicy.handlers.keys()),
    );
    await handleEvents(node, pushPolicy as Policy<never> as never, policyRetry([]), { events, unreadable: [] });
  };
  const sandboxPush = async (): Promise<{ received: Record<PushServiceName, number>; plan: PushPlan }> =>
    (await fetch(`${address}/sandbox/push`)).json() as never;
  const facts = { appVersion: '1.2.0', language: null };
  const random = (): string => randomUUID().replaceAll('-', '');

  return {
    node,
    sandbox,
    person: async (role = 'tourist') => {
      const { accountId } = await openAccount(node, contextOf(randomUUID()), { role, phone: newPhone() });
      return session(accountId);
    },
    session,
    endSession: async ({ sessionId }) => {
      await stores.pool.query('update ops.sessions set ended_at = now() where id = $1', [sessionId]);
    },
    android: async (holder, over = {}) => {
      const token = over.token ?? `fcm:${random()}`;
      const device = { platform: 'android' as const, environment: 'production' as const, ...facts, ...over, token };
      return { id: (await registerDevice(node, holder, device)).id, token };
    },
    iphone: async (holder) => {
      const token = random() + random();
      const device = { platform: 'ios' as const, environment: 'sandbox' as const, token, ...facts };
      return { id: (await registerDevice(node, holder, device)).id, token };
    },
    browser: async (holder) => {
      const name = `browser.${random()}`;
      const reply = await fetch(`${address}/sandbox/push/subscription?name=${name}`);
      const subscription = (await reply.json()) as { endpoint: string; keys: { p256dh: string; auth: string } };
      return { id: (await subscribeBrowser(node, holder, { ...subscription, ...facts })).id, token: name };
    },
    consent: async (personId, granted) => {
      const answer = { purpose: 'marketing' as const, policyVersion: '1', granted, userAgent: null };
      await answerConsent(node, contextOf(personId), personId, answer);
    },
    follow,
    deliver: () => {
      const stopping = new AbortController();
      const running = runJobs(node, [laneJob], stopping.signal);
      return {
        stop: async () => {
          stopping.abort();
          await running;
        },
      };
    },
    received: async (token) => {
      const query = token === undefined ? 'most=1000' : `most=1000&token=${encodeURIComponent(token)}`;
      const reply = await fetch(`${address}/sandbox/push?${query}`);
      return ((await reply.json()) as { messages: PushRecord[] }).messages.toReversed();
    },
    receivedCounts: async () => (await sandboxPush()).received,
    refusalsLeft: async () => (await sandboxPush()).plan.count,
    plan: async (plan) => {
      const reply = await fetch(`${address}/sandbox/push`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ count: 1, ...plan }),
      });
      if (!reply.ok) throw new Error(await reply.text());
    },
    outcomes: async (messageId) => {
      const { rows } = await stores.pool.query<{ outcome: string; count: number }>(
        `select coalesce(outcome, 'waiting') as outcome, count(*) from ops.push_deliveries where message_id = $1 group by 1`,
        [messageId],
      );
      return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]));
    },
    stop: async () => {
      for (const service of Object.values(node.pushServices)) service?.close();
      await sandbox.stop();
    },
  };
};

/** A message that is worth telling for so long. */
export const messageOf = (title: string, over: object = {}, forMs = 60_000) => ({
  id: randomUUID(),
  kind: 'booking',
  title,
  body: 'Room 4, two nights',
  link: '/bookings/1',
  urgency: 'high' as const,
  passesQuietHours: false,
  expiresAt: instantOf(Date.now() + forMs),
  collapseKey: null,
  ofPerson: null,
  ...over,
});
