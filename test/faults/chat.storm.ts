/**
 * Thousands of sockets on one hub, groups that write at a fixed rate, connections that are lost at random, and a hub that
 * is killed with kill -9. Afterwards each client shows exactly the messages of the log, in order. STORM_SMALL=1 is a
 * small one. The numbers that it prints are those of this machine under its load: clients and system share its cores.
 */
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { thread } from '../../domain/chat/thread.ts';
import { streamName } from '../../domain/core/decider.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { createLogger } from '../../infra/log.ts';
import { readConfig } from '../../ops/config.ts';
import { type Wiring, wire } from '../../ops/wiring.ts';
import { createGate } from '../../realtime/hub/limits.ts';
import { cpuOf, residentKib } from '../bench/cpu.ts';
import { caller } from '../kit/http.ts';
import { below, randomFrom } from '../kit/random.ts';
import { until } from '../kit/until.ts';
import { type Runtime, startWorld, type World } from '../kit/world.ts';
import { follow, type Shown } from './follower.ts';
import { kill } from './load.ts';
import { type Group, startGroups } from './stormCast.ts';
import { type Audience, createTraffic, type Times, type Traffic } from './stormTraffic.ts';

const SMALL = process.env.STORM_SMALL === '1';
const GROUPS = SMALL ? 30 : 500;
const SECONDS = SMALL ? 30 : 60;
const PER_SECOND = Number(process.env.STORM_RATE ?? (SMALL ? 40 : 200));
/**
 * What runs for the first time is slow: these messages are checked, and their times do not count. Seconds and messages a
 * second. There is no pause before what counts, because a system that stood still begins anew with cold caches.
 */
const WARM_UP: readonly (readonly [number, number])[] = [
  [15, PER_SECOND / 2],
  [30, PER_SECOND],
];
/** The share of the connections that is lost in a second. */
const LOST = 0.01;
/** How many of those who come back have forgotten their cursor. */
const FORGETFUL = 0.1;
const TICK_MS = 100;
const READY_MS = 120_000;
const SETTLE_MS = 90_000;
/** The hub takes 1,000 sockets from one address. */
const SOCKETS_PER_ADDRESS = 800;
const READS_AT_ONCE = 32;

const say = (line: string) => process.stdout.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
const load = () => `load average ${loadavg()[0]?.toFixed(1)}`;
const percentile = (times: readonly number[], part: number): string =>
  (times.toSorted((a, b) => a - b)[Math.floor(times.length * part)] ?? Number.NaN).toFixed(0);
const delays = ({ answered, shown }: Times) =>
  [
    `request → other member: p50 ${percentile(shown, 0.5)} ms, p99 ${percentile(shown, 0.99)} ms of ${shown.length} messages`,
    `request → answer: p50 ${percentile(answered, 0.5)} ms, p99 ${percentile(answered, 0.99)} ms`,
  ].join('; ');

/** Prints the CPU that each process takes from now on until the function it returns is called. */
const watchCpu = () => {
  // The supervisor would count its children once more.
  const { supervisor: _, ...services } = now.pids;
  const processes = { ...services, clients: process.pid };
  const [before, begun] = [cpuOf(processes) ?? {}, performance.now()];
  return (what: string): void => {
    const took = (performance.now() - begun) / 1_000;
    const lines = Object.entries(cpuOf(processes) ?? {}).map(([name, seconds]) => {
      return `${name} ${(seconds - (before[name] ?? 0)).toFixed(1)}`;
    });
    say(`${what}: ${took.toFixed(0)} s, CPU seconds: ${lines.join(', ')}, ${load()}`);
  };
};

let world: World;
let now: Runtime;
let wiring: Wiring;
let groups: Group[];
let audiences: Audience[] = [];
let traffic: Traffic;
const wrongs: string[] = [];
const onWrong = (what: string) => {
  wrongs.push(what);
};
const followers = () => audiences.flatMap((audience) => audience.followers);

beforeAll(async () => {
  // As it is started by its users: the API does not check its own replies.
  world = await startWorld({ NODE_ENV: 'development' });
  now = await world.runtime();
  const config = readConfig({
    NODE_ENV: 'test',
    DATABASE_URL: now.databaseUrl,
    ESDB_CONNECTION_STRING: now.eventStore,
    // Each owner starts groups with more strangers than people may.
    CHAT_STRANGERS_PER_DAY: '1000',
  });
  wiring = wire(config, 'storm', createLogger({ level: 'warn' }));
  const secrets = { jwtSecret: config.JWT_SECRET, jwtSecretPrevious: undefined };
  groups = await startGroups(wiring, secrets, GROUPS);
  say(`${GROUPS} groups started, ${load()}`);
});
afterAll(async () => {
  for (const follower of followers()) follower.stop();
  if (wrongs.length > 0) for (const line of world?.output.slice(-50) ?? []) say(line);
  await wiring?.close();
  await world?.stop();
});

const gate = createGate(READS_AT_ONCE);
/** All messages of a group over REST, as one of its members sees them. */
const readAll = ({ id, members: [reader] }: Group): Promise<Shown[]> =>
  gate(async () => {
    const call = caller(now.api);
    const found: Shown[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const { status, body } = await call(`GET /api/v1/messages/${id}?limit=100&after=${after}`, {
        token: reader?.token as string,
      });
      if (status >= 500) await delay(200);
      else {
        expect(status).toBe(200);
        found.push(...body.data);
        after = body.next_cursor;
      }
    }
    return found;
  });

/** Ids of the messages of a group as the log has them, in the order of their numbers. */
const inLog = async ({ id }: Group): Promise<string[]> => {
  const events = await wiring.codec.decode(await wiring.store.read(streamName(thread.category, id)));
  return events.flatMap(({ type, data }) => (type === 'MessageSent' ? (data as { messageId: string }).messageId : []));
};

/** Seconds until the hub is replaced, and until most clients are back. */
const killHub = async (): Promise<void> => {
  const begun = performance.now();
  const since = () => ((performance.now() - begun) / 1_000).toFixed(1);
  await kill(world, 'realtime');
  now = await world.runtime();
  const replaced = since();
  const back = (part: number) => followers().filter(({ isLive }) => isLive).length >= part * followers().length;
  await until(() => back(0.5), SETTLE_MS);
  const half = since();
  await until(() => back(0.95), SETTLE_MS);
  say(
    `the hub is killed: replaced after ${replaced} s, half of the clients back after ${half} s, 95 % after ${since()} s`,
  );
};

describe(`${GROUPS} groups of ten, ${PER_SECOND} messages a second for ${SECONDS} s`, () => {
  it('connects everybody', async () => {
    await until(async () => {
      const { rows } = await wiring.pool.query(
        'select count(distinct thread_id) as n from read.participants where thread_id = any($1)',
        [groups.map(({ id }) => id)],
      );
      return Number(rows[0]?.n) === groups.length;
    }, READY_MS);
    const empty = residentKib(now.pids.realtime as number);
    const sayCpu = watchCpu();
    let count = 0;
    audiences = groups.map((group) => ({
      group,
      followers: group.members.map(({ token }) =>
        follow({
          threadId: group.id,
          token,
          from: `127.0.0.${2 + Math.floor(count++ / SOCKETS_PER_ADDRESS)}`,
          hub: () => now.realtime,
          readAll: () => readAll(group),
          onWrong,
          onCreated: (message, follower) => traffic.onCreated(message, follower),
        }),
      ),
    }));
    traffic = createTraffic(caller(now.api), audiences, onWrong);
    await until(() => followers().every(({ isLive }) => isLive), READY_MS);
    sayCpu(`${count} sockets subscribe`);
    await delay(3_000);
    const full = residentKib(now.pids.realtime as number);
    if (empty !== undefined && full !== undefined)
      say(
        `hub: ${(empty / 1024).toFixed(0)} MiB without, ${(full / 1024).toFixed(0)} MiB with ${count} idle sockets: ${((full - empty) / count).toFixed(1)} KiB each (resident, garbage included)`,
      );
    expect(wrongs).toEqual([]);
  });

  it('goes on while connections are lost and the hub is killed', async () => {
    for (const [seconds, perSecond] of WARM_UP) await traffic.run(seconds, perSecond);
    const { unsent: before } = traffic.missed;
    const sayCpu = watchCpu();
    const calm = await traffic.run(SECONDS / 3, PER_SECOND);
    const calmLoad = load();
    sayCpu(`${traffic.acknowledged.size} messages`);
    const random = randomFrom();
    const losing = setInterval(() => {
      const all = followers();
      const lost = Math.max(1, Math.round((all.length * LOST * TICK_MS) / 1_000));
      for (let n = 0; n < lost; n += 1) all[below(random, all.length)]?.drop(random() < FORGETFUL);
    }, TICK_MS);
    const losses = await traffic.run(SECONDS / 3, PER_SECOND);
    const killing = killHub();
    const kills = await traffic.run(SECONDS / 3, PER_SECOND);
    clearInterval(losing);
    await killing;
    await traffic.settle();
    say(`calm, ${calmLoad}: ${delays(calm)}`);
    say(`connections are lost: ${delays(losses)}`);
    say(`the hub is killed, ${load()}: ${delays(kills)}`);
    const { unsent: all, unanswered } = traffic.missed;
    const unsent = all - before;
    say(`${traffic.acknowledged.size} messages acknowledged; ${unsent} not sent, ${unanswered} requests unanswered`);
    if (unsent + unanswered > 0)
      say('This machine was too slow for the rate: its times say nothing about the product.');
    expect(traffic.acknowledged.size).toBeGreaterThan(0);
  });

  it('each client shows exactly the messages of the log, in order', async () => {
    const differing = async (): Promise<string[]> => {
      const found: string[] = [];
      await concurrentEach(audiences, READS_AT_ONCE, async ({ group, followers: own }) => {
        const [log, rest] = await Promise.all([inLog(group), readAll(group)]);
        if (JSON.stringify(rest.map(({ id }) => id)) !== JSON.stringify(log)) found.push(`${group.id}: REST`);
        const form = (all: readonly Shown[]) =>
          JSON.stringify(all.map(({ id, seq, body, deletion }) => [id, seq, body, deletion]));
        for (const [n, follower] of own.entries())
          if (!follower.isLive || form(follower.shown()) !== form(rest)) found.push(`${group.id}: client ${n}`);
        for (const [id, threadId] of traffic.acknowledged)
          if (threadId === group.id && !log.includes(id)) found.push(`${group.id}: ${id} is not in the log`);
      });
      return found;
    };
    await expect.poll(differing, { timeout: SETTLE_MS, interval: 1_000 }).toEqual([]);
    const total = audiences.reduce((sum, { followers: own }) => sum + own.reduce((n, one) => n + one.connection, 0), 0);
    say(`${followers().length} clients, ${total} connections: nothing missing, nothing twice`);
    expect(wrongs.slice(0, 10)).toEqual([]);
  });
});
