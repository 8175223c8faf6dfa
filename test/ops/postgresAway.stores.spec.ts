/** An API process whose PostgreSQL is read-only, locked, cut off, silent or cancels what it does. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { openSession } from '../../commands/accounts/tokens.ts';
import { createLogger } from '../../infra/log.ts';
import { readConfig } from '../../ops/config.ts';
import { freePort } from '../../ops/ports.ts';
import { start } from '../../ops/roles/api.ts';
import type { Running } from '../../ops/roles/role.ts';
import { contextOf } from '../kit/context.ts';
import { type Node, testDeps } from '../kit/deps.ts';
import { type Forwarder, startForwarder } from '../kit/forwarder.ts';
import { quickest } from '../kit/quickest.ts';
import { scratchFolder } from '../kit/scratch.ts';
import { freshStores, MASTER_KEY, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';

let stores: Stores;
let node: Node;
let way: Forwarder;
let admin: pg.Client;
let api: Running;
const lines: string[] = [];
/** People of whom the API process knows nothing: their accounts are older than it, and they have not asked it for anything. */
const strangers: Person[] = [];

beforeAll(async () => {
  stores = await freshStores();
  node = testDeps(stores);
  const url = new URL(stores.databaseUrl);
  const port = Number(url.port);
  way = await startForwarder(() => [port]);
  Object.assign(url, { host: `127.0.0.1:${way.port}`, search: '' });
  admin = new pg.Client({ connectionString: inject('postgres').url });
  await admin.connect();
  const config = readConfig({
    NODE_ENV: 'test',
    RATE_LIMITS: '0',
    PORT: String(await freePort('127.0.0.1')),
    DATA_DIR: await scratchFolder('api'),
    VAULT_MASTER_KEY: MASTER_KEY,
    DATABASE_URL: url.href,
    ESDB_CONNECTION_STRING: stores.eventStore,
  });
  const log = createLogger({ level: 'warn', destination: { write: (line) => void lines.push(line) } });
  for (let n = 0; n < 9; n += 1) strangers.push(await person());
  api = await start(config, log);
});
afterAll(async () => {
  way?.on();
  await api?.stop();
  await way?.stop();
  await admin?.end();
});

/** A new person. The API process follows accounts: it knows those that are opened while it runs, and their keys. */
const person = async () => {
  const id = randomUUID();
  const context = contextOf(id);
  const phone = `+7999${String(Math.floor(performance.now() * 1_000) % 10_000_000).padStart(7, '0')}`;
  const { accountId, account: holder } = await openAccount(node, context, { role: 'tourist', phone });
  const { accessToken: token } = await openSession(node, accountId, holder, context.at);
  return { id: accountId, token };
};
type Person = Awaited<ReturnType<typeof person>>;

const ask = async (operation: string, { token }: Partial<Person> = {}, body?: object) => {
  const [method, path] = operation.split(' ');
  const begun = performance.now();
  const response = await fetch(`${api.address}${path}`, {
    method: method as string,
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { status, headers } = response;
  return {
    status,
    retryAfter: headers.get('retry-after'),
    body: (await response.json()) as Record<string, never>,
    ms: performance.now() - begun,
  };
};
const away = { status: 503, retryAfter: expect.stringMatching(/^\d+$/), body: { code: 'unavailable' } };
const position = { lat: 43.6781, lon: 40.2594, accuracy: 8 };
const callForHelp = (who: Person) => ask('POST /api/v1/sos/request', who, { ...position, message: 'avalanche' });
const sosEventsOf = async ({ id }: Person) => node.codec.decode(await stores.store.read(`sos-${id}`));
const healthy = () => until(async () => (await ask('GET /health')).status === 200);

/** Ends what the API process has open. */
const disconnect = () =>
  admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = $1 and application_name <> 'test' and pid <> pg_backend_pid()`,
    [new URL(stores.databaseUrl).pathname.slice(1)],
  );

/** What writes to the database. */
const usual: [string, object?][] = [
  ['POST /auth/login', { identifier: 'ann@example.org', password: 'correct horse battery' }],
  ['POST /auth/email/send-code', { email: 'ann@example.org' }],
];

/** Strangers: the first calls for help, and the others if that takes long. */
const callers = () => strangers.splice(0, 3) as [Person, Person, Person];
/** The alarm of somebody whose key is not known here is in the log at once, and what is personal follows. */
const expectKeptInTheLog = async (people: readonly Person[]) => {
  const waiting = [...people];
  const call = async (): Promise<number> => {
    const who = waiting.shift() as Person;
    const answered = await callForHelp(who);
    expect(answered).toMatchObject({ status: 503, body: { code: 'sos_delayed', rescue_phone: expect.any(String) } });
    const [event] = await sosEventsOf(who);
    expect(event).toMatchObject({
      type: 'SosRequested',
      data: { incidentId: answered.body.incident_id, position: null },
    });
    return answered.ms;
  };
  expect(await quickest(500, call, people.length)).toBeLessThan(500);
};
const expectWhole = async (who: Person) => {
  const events = await until(async () => {
    const found = await sosEventsOf(who);
    return found.some(({ type }) => type === 'SosReported') && found;
  });
  const added = events.find(({ type }) => type === 'SosReported');
  expect(added).toMatchObject({ data: { positions: [position], message: 'avalanche' } });
};

describe('a database that takes no writes', () => {
  const name = () => new URL(stores.databaseUrl).pathname.slice(1);
  it('is 503 for whatever writes, and says so in /health and /ready; SOS is recorded in the log', async () => {
    const [who, others] = [await person(), callers()];
    await admin.query(`alter database ${name()} set default_transaction_read_only = on`);
    await disconnect();
    try {
      await until(async () => (await ask('GET /health')).status === 503);
      expect((await ask('GET /ready')).status).toBe(503);
      for (const [operation, body] of usual)
        expect({ operation, ...(await ask(operation, who, body)) }).toMatchObject({ operation, ...away });
      await expectKeptInTheLog(others);
    } finally {
      await admin.query(`alter database ${name()} reset default_transaction_read_only`);
      await disconnect();
    }
    await healthy();
    await until(async () => (await ask('PUT /api/v1/users/me', who, { first_name: 'Ann' })).status === 200);
    await expectWhole(others[0]);
  });
});

describe('a locked table', () => {
  it.each(['read.bookings', 'ops.jobs', 'ops.sessions'])('%s stops nothing else', async (table) => {
    const [who, other] = [await person(), await person()];
    const client = await stores.pool.connect();
    await client.query(`begin; lock table ${table} in access exclusive mode`);
    try {
      const waiting = Array.from({ length: 15 }, () => ask('GET /api/v1/bookings/me', who));
      const health = [await ask('GET /health'), await ask('GET /ready')];
      const help = await callForHelp(other);
      expect([...health, help].map(({ status }) => status)).toEqual([200, 200, 201]);
      const answers = await Promise.all(waiting);
      if (table === 'read.bookings') {
        for (const answer of answers) expect(answer).toMatchObject(away);
        // Known to be locked, it takes no connections from others.
        const again = Array.from({ length: 30 }, () => ask('GET /api/v1/bookings/me', who));
        expect((await ask('PUT /api/v1/users/me', who, { first_name: 'Ann' })).status).toBe(200);
        for (const answer of await Promise.all(again)) expect(answer).toMatchObject(away);
      }
    } finally {
      await client.query('rollback');
      client.release();
    }
    await until(async () => (await ask('GET /api/v1/bookings/me', who)).status === 200);
  });
});

it('statements that are cancelled and sessions that are ended are never 500', async () => {
  const who = await person();
  let isOver = false;
  const statuses = new Set<number>();
  const asking = Array.from({ length: 6 }, async (_, n) => {
    const [operation, body] = usual[n % usual.length] as [string, object];
    while (!isOver) statuses.add((await ask(operation, who, body)).status);
  });
  for (let n = 0; n < 30; n += 1) {
    await disconnect();
    await admin.query('select pg_cancel_backend(pid) from pg_stat_activity where datname = $1', [
      new URL(stores.databaseUrl).pathname.slice(1),
    ]);
  }
  isOver = true;
  await Promise.all(asking);
  expect([...statuses].filter((status) => status >= 500 && status !== 503)).toEqual([]);
  await healthy();
});

it.each(['off', 'hold'] as const)(
  'a database that cannot be reached (%s) is 503, an SOS is in the log, and all goes on',
  async (how) => {
    const [who, others] = [await person(), callers()];
    way[how]();
    await until(async () => (await ask('GET /health')).status === 503);
    await until(() => lines.some((line) => line.includes('the database is away')));
    await expectKeptInTheLog(others);
    // One of them takes as long as nothing answers.
    for (const [operation, body] of usual.slice(0, how === 'off' ? 2 : 1))
      expect({ operation, ...(await ask(operation, who, body)) }).toMatchObject({ operation, ...away });
    // Whoever asks after that is not kept waiting.
    const later = await until(async () => {
      const answered = await ask('GET /api/v1/bookings/me', who);
      return answered.ms < 500 && answered;
    });
    expect(later).toMatchObject(away);
    way.on();
    await healthy();
    await until(async () => (await ask('PUT /api/v1/users/me', who, { first_name: 'Ann' })).status === 200);
    await expectWhole(others[0]);
  },
);
