/** Lines about realtime: from a booking to its change, one change to many sockets, and sockets that do nothing. */
import { randomUUID } from 'node:crypto';
import { concurrentEach } from '../../../infra/concurrentEach.ts';
import type { Change } from '../../../projections/engine/changes.ts';
import { CHAT_MEMBERS, type Chat, openChats } from '../chats.ts';
import { memoryOf } from '../cpu.ts';
import { answerTo, bearer } from '../http.ts';
import { type Bench, type Goal, type Line, NotMeasured, type Row, resultOf, warmedUp } from '../line.ts';
import { type Program, startProgram } from '../program.ts';
import type { Resort } from '../resort.ts';
import { type Contender, compare, type Result, spreadOf, type Work } from '../rounds.ts';
import { createHubDatabase, type HubDatabase, JWT_SECRET } from '../sockets/accounts.ts';
import type { ClientsOptions } from '../sockets/clients.ts';
import type { LiveOptions } from '../sockets/live.ts';
import { type Stay, stays } from '../stays.ts';
import { startStores } from '../stores.ts';

const OURS = 'hub';
const UWS = 'bare uWebSockets.js';
const SOCKET_IO = 'socket.io';

const withHubDatabase = async <T>(bench: Bench, work: (database: HubDatabase) => Promise<T>): Promise<T> => {
  await bench.stopResort();
  const stores = await startStores('append');
  const database = await createHubDatabase(stores);
  try {
    return await work(database);
  } finally {
    await database.close();
    await stores.stop();
  }
};

const startServer = (
  name: string,
  { url: databaseUrl }: HubDatabase,
  flags: readonly string[] = [],
): Promise<Program> =>
  name === OURS
    ? startProgram('hub', { databaseUrl, jwtSecret: JWT_SECRET }, flags)
    : startProgram('peers/webSockets', { library: name === UWS ? 'uws' : 'socket.io' }, flags);

const LISTENERS = 1_000;
const MESSAGE = 'x'.repeat(200);

/** Sends changes to all listeners, `atOnce` in one step, and waits until everybody has them. */
const sender = (clients: Program, greeted: number, atOnce: number, send: (count: number) => Promise<unknown>) => {
  let sent = 0;
  return async (seconds: number) => {
    const begun = performance.now();
    let operations = 0;
    while (performance.now() < begun + seconds * 1_000) {
      await send(atOnce);
      operations += atOnce;
      sent += atOnce;
      await clients.ask({ frames: LISTENERS * (greeted + sent) });
    }
    return { operations, seconds: (performance.now() - begun) / 1_000 };
  };
};

/** How many times the CPU time of a peer is ours. */
const cpuGoal = (results: readonly Result[], peer: string, limit: number): Goal => ({
  what: `× ${peer}, by CPU time`,
  value: (resultOf(results, peer)?.cpu?.median ?? Number.NaN) / (resultOf(results, OURS)?.cpu?.median ?? Number.NaN),
  limit,
  is: 'at least',
});

const fanOutRow = async (bench: Bench, database: HubDatabase, atOnce: number): Promise<Row> => {
  const seller = randomUUID();
  const channel = `provider_${seller}`;
  const [token = ''] = await database.signIn(1, 'admin');
  const subscribe = JSON.stringify({ type: 'subscribe', channel });
  const at = new Date().toISOString();
  const data = { text: MESSAGE };
  const change: Change = { channel, type: 'booking.updated', data: JSON.stringify(data), at };
  const envelope = { channel, type: change.type, offset: 100_000, epoch: seller, ts: at, data };
  const listen: Record<string, Omit<ClientsOptions, 'port'>> = {
    [OURS]: { path: '/ws', tokens: [token], hello: subscribe, greeted: 2 },
    [UWS]: { path: '/', tokens: [], greeted: 0 },
    [SOCKET_IO]: { path: '/socket.io/?EIO=4&transport=websocket', tokens: [], hello: '40', greeted: 2 },
  };
  const programs: Program[] = [];
  const contenderOf = async (name: string): Promise<Contender> => {
    const server = await startServer(name, database);
    programs.push(server);
    const options = listen[name] as Omit<ClientsOptions, 'port'>;
    const clients = await startProgram('sockets/clients', { ...options, port: await server.ask<number>({}) });
    programs.push(clients);
    await clients.ask({ open: LISTENERS });
    const text = name === UWS ? JSON.stringify(envelope) : MESSAGE;
    const send = (count: number) =>
      name === OURS ? database.append(Array.from({ length: count }, () => change)) : server.ask({ text, count });
    return { name, processes: () => ({ server: server.pid }), run: sender(clients, options.greeted, atOnce, send) };
  };
  try {
    const contenders: Contender[] = [];
    for (const name of [OURS, UWS, SOCKET_IO]) contenders.push(await contenderOf(name));
    const results = await compare(contenders, bench.size.plan);
    const goals = [cpuGoal(results, UWS, 0.5), ...(atOnce > 1 ? [cpuGoal(results, SOCKET_IO, 6)] : [])];
    return { name: `fan-out, ${atOnce} at once`, results, goals };
  } finally {
    for (const program of programs) await program.stop();
  }
};

const fanOut: Line = {
  name: 'fan-out',
  work: '1,000 sockets on one channel, 200-byte messages, from the table of changes on; CPU time of the server',
  peer: 'bare uWebSockets.js publish; socket.io',
  goal: '≥ 0.5 × bare, ≥ 6 × socket.io (20 at once)',
  run: (bench) =>
    withHubDatabase(bench, async (database) => {
      const rows: Row[] = [];
      for (const atOnce of [1, 20]) rows.push(await fanOutRow(bench, database, atOnce));
      return rows;
    }),
};

/** With fewer, the noise of the memory of a process is as large as what they take. */
const SOCKETS = 10_000;
/** Opened first, and not counted: what a process takes once, for its first work, is not what a socket takes. */
const FIRST_SOCKETS = 200;
/** Otherwise the space for new objects grows by up to 48 MB while sockets open, and hides what they take. */
const FLAGS = ['--max-semi-space-size=1'];
const SETTLE_MS = 1_500;

const settle = () => new Promise((resolve) => setTimeout(resolve, SETTLE_MS));

/** Opens the sockets on a fresh server. Bytes of memory that each takes, and how many were opened a second. */
const openAll = async (name: string, database: HubDatabase, tokens: readonly string[], from: string) => {
  const server = await startServer(name, database, FLAGS);
  const port = await server.ask<number>({});
  const options: ClientsOptions =
    name === OURS ? { port, path: '/ws', tokens, greeted: 1, from } : { port, path: '/', tokens: [], greeted: 0, from };
  const clients = await startProgram('sockets/clients', options);
  const memory = async () => {
    await settle();
    await server.ask({ collect: true });
    const bytes = memoryOf(server.pid);
    if (bytes === undefined) throw new NotMeasured('The memory of a process can be read on Linux only.');
    return bytes;
  };
  try {
    await clients.ask({ open: FIRST_SOCKETS });
    const before = await memory();
    const begun = performance.now();
    await clients.ask({ open: SOCKETS });
    const rate = SOCKETS / ((performance.now() - begun) / 1_000);
    return { bytes: ((await memory()) - before) / SOCKETS, rate };
  } finally {
    await clients.stop();
    await server.stop();
  }
};

const connections: Line = {
  name: 'connections',
  work: '10,000 authenticated idle sockets; growth of memory, with 1 MB for new objects',
  peer: 'bare uWebSockets.js',
  goal: '≤ 2 × memory a socket',
  run: (bench) =>
    withHubDatabase(bench, async (database) => {
      const tokens = await database.signIn(FIRST_SOCKETS + SOCKETS, 'tourist');
      const measured = new Map<string, { bytes: number; rate: number }[]>([OURS, UWS].map((name) => [name, []]));
      for (let round = 1; round <= bench.size.plan.rounds; round += 1)
        for (const [n, [name, all]] of [...measured].entries())
          all.push(await openAll(name, database, tokens, `127.0.${round}.${n + 1}`));
      const results = [...measured].map(([name, all]) => ({ name, rate: spreadOf(all.map(({ rate }) => rate)) }));
      const bytesOf = (name: string) => spreadOf((measured.get(name) ?? []).map(({ bytes }) => bytes)).median;
      const [ours, bare] = [bytesOf(OURS), bytesOf(UWS)];
      const goal: Goal = { what: `× ${UWS}, memory a socket`, value: ours / bare, limit: 2, is: 'at most' };
      const note = `Bytes a socket: hub ${Math.round(ours)}, bare ${Math.round(bare)}.`;
      return [{ name: 'connections', results, goals: [goal], note }];
    }),
};

const REQUESTS_A_SECOND = 200;
/** Of one round, to count before and after it. */
const BETWEEN_SECONDS = 5;

/** A system that has just started falls behind at this rate, has caught up after 12 s, and is at its speed after 30. */
const AT_SPEED_SECONDS = 30;

/** What is asked of a running system, whose answer somebody sees live. */
type Asked = Omit<LiveOptions, 'api' | 'realtime' | 'rate' | 'requests'> & {
  readonly requests: (count: number) => Promise<LiveOptions['requests']> | LiveOptions['requests'];
};

/** Asks at a fixed rate, and measures the time until it is seen. */
const liveLine = (name: string, work: string, askedOf: (resort: Resort) => Asked | Promise<Asked>): Line => ({
  name,
  work,
  peer: null,
  goal: 'p99 ≤ 50 ms',
  run: async (bench) => {
    const resort = await bench.resort();
    const asked = await askedOf(resort);
    const plan = warmedUp(bench.size.plan, AT_SPEED_SECONDS);
    const seconds = plan.warmUpSeconds + plan.rounds * (plan.seconds + BETWEEN_SECONDS);
    const requests = await asked.requests(Math.ceil(REQUESTS_A_SECOND * seconds));
    const { api, realtime, processes, counts } = resort.system;
    const options: LiveOptions = { ...asked, api, realtime, requests, rate: REQUESTS_A_SECOND };
    const program = await startProgram('sockets/live', options);
    try {
      const run = (seconds: number) => program.ask<Work>({ seconds });
      const results = await compare([{ name: 'ours', processes, counts, run }], plan);
      const value = results[0]?.p99 ?? Number.NaN;
      return [{ name, results, goals: [{ what: 'ms (p99)', value, limit: 50, is: 'at most' }] }];
    } finally {
      await program.stop();
    }
  },
});

const live = liveLine(
  'live',
  "from `POST /bookings/create` to the change on the guest's channel, 200 bookings a second whatever they take",
  ({ wiring, guests }) => {
    const booked = (stay: Stay, n: number) => ({
      token: guests[n % guests.length]?.token ?? '',
      body: JSON.stringify({ type: 'hotel', ...stay, guests: 1 }),
    });
    return {
      listeners: guests.map(({ id, token }) => ({ token, channel: `realtime:user_${id}` })),
      path: '/api/v1/bookings/create',
      requests: async (count) => (await stays(wiring, count)).map(booked),
      awaited: { type: 'booking.created', copies: 1 },
    };
  },
);

const CHATS = 500;
const FIRST_AT_ONCE = 4;

const messages = liveLine(
  'messages',
  'from `POST /messages` to the sockets of all ten members, 200 messages a second in 500 groups, 5,000 sockets',
  async (resort) => {
    const chats = await openChats(resort, CHATS);
    const written = (n: number) => {
      const { id, members } = chats[n % chats.length] as Chat;
      const body = { thread_id: id, body: `Message ${n}`, client_message_id: randomUUID() };
      return { token: members[n % members.length]?.token ?? '', body: JSON.stringify(body) };
    };
    const path = '/api/v1/messages';
    // A system that has just started would be asked for 200 threads a second that it has not read yet, and refuse some.
    await concurrentEach(chats.keys(), FIRST_AT_ONCE, async (n) => {
      const { token, body } = written(n);
      await answerTo(resort.system.api, { line: `POST ${path}`, headers: bearer(token), body });
    });
    return {
      listeners: chats.flatMap(({ id, members }) => members.map(({ token }) => ({ token, channel: `chat_${id}` }))),
      path,
      requests: (count) => Array.from({ length: count }, (_, n) => written(n)),
      awaited: { type: 'message.created', copies: CHAT_MEMBERS },
    };
  },
);

export const realtimeLines: readonly Line[] = [live, messages, fanOut, connections];
