/** What a message costs in statements and calls. Numbers that grow again fail here. */

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authenticateUser } from '../../api/accounts/credentials.ts';
import type { App } from '../../api/http/app.ts';
import { createServer } from '../../api/http/server.ts';
import { modules } from '../../api/modules.ts';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { sendMessage } from '../../commands/chat/messages.ts';
import { chatNotifications } from '../../commands/chat/notifications.ts';
import { createFollowedStates } from '../../commands/core/followedStates.ts';
import { createAggregates } from '../../commands/core/handle.ts';
import { followedByWorkers } from '../../commands/modules.ts';
import { createPool, type Pool } from '../../infra/postgres.ts';
import { signAccessToken } from '../../infra/tokens.ts';
import { readersOf } from '../../projections/chat/participants.ts';
import { type Positions, watchPositions } from '../../projections/engine/positions.ts';
import { readDb } from '../../projections/engine/readDb.ts';
import { groups, models } from '../../projections/modules.ts';
import { newPhone } from '../accounts/sms.ts';
import { contextOf } from '../kit/context.ts';
import { type Counted, countingStore, statementsOf } from '../kit/counts.ts';
import { type Node, testDeps } from '../kit/deps.ts';
import { type CallApi, caller } from '../kit/http.ts';
import { type Projector, startProjector } from '../kit/projector.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';

let stores: Stores;
const pools: Pool[] = [];
let projector: Projector;
let positions: Positions;
/** Names of read models that wait for their rebuild after an upgrade. */
const unbuilt = new Set<string>();
let server: Server;
let node: Node;
let call: CallApi;
let api: Counted;
let projecting: Counted;

/** A process with stores that are counted; its statements have its name. */
const newProcess = (name: string): { readonly node: Node; readonly counted: Counted } => {
  const pool = createPool(stores.databaseUrl, { max: 10, applicationName: name, log: stores.log });
  pools.push(pool);
  const { store, counted } = countingStore(stores.store);
  return { node: testDeps({ ...stores, store, pool }), counted };
};

const startApi = async (): Promise<void> => {
  ({ node, counted: api } = newProcess('api'));
  positions = await watchPositions(node.pool, stores.databaseUrl, stores.log, models);
  const app: App = {
    ...node,
    db: readDb(node.pool),
    positions: { ...positions, areBuilt: (needed) => !needed.some(({ name }) => unbuilt.has(name)) },
    appModules: [],
    deletionBlockers: [],
    stopping: projector.signal,
    authenticateUser: (token) => authenticateUser(node, token),
    authenticatePartner: async () => null,
    health: async () => 'ok',
    tell: () => undefined,
    exportSections: [],
    settle: async () => 'settled',
    erase: async () => ({ waitsOutside: 0 }),
    observe: { request: () => undefined },
    http: { version: 'spec', adminToken: '', corsOrigins: [], trustProxy: 0, rateLimits: 1, checkReplies: false },
  };
  server = createHttpServer(createServer(app, modules).callback());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  call = caller(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
};

interface Person {
  readonly id: string;
  readonly token: string;
}
const newPerson = async (): Promise<Person> => {
  const { accountId: id } = await openAccount(node, contextOf(randomUUID()), { role: 'tourist', phone: newPhone() });
  const sessionId = randomUUID();
  await stores.pool.query(
    `insert into ops.sessions (id, account_id, token_version, started_at, expires_at)
     values ($1, $2, 0, now(), now() + interval '1 day')`,
    [sessionId, id],
  );
  const access = { accountId: id, sessionId, role: 'tourist', tokenVersion: 0 };
  return { id, token: await signAccessToken(node.settings, access) };
};

let people: Person[];
beforeAll(async () => {
  stores = await freshStores();
  const worker = newProcess('projector');
  projecting = worker.counted;
  projector = await startProjector({ ...worker.node, groups });
  await startApi();
  people = [];
  for (let n = 0; n < 10; n += 1) people.push(await newPerson());
});
afterAll(async () => {
  server?.close();
  await positions?.stop();
  for (const pool of pools) await pool.end();
});

it('lists of chats that are not built yet say so, instead of being empty', async () => {
  const [{ token }] = people as [Person];
  const lists = async () =>
    (await Promise.all(['chats', 'chats/me', 'p2p-chats'].map((at) => call(`GET /api/v1/${at}`, { token })))).map(
      ({ status, headers }) => [status, headers.get('retry-after')],
    );
  unbuilt.add('chat_activity');
  expect(await lists()).toEqual(Array(3).fill([503, '60']));
  unbuilt.clear();
  expect(await lists()).toEqual(Array(3).fill([200, null]));
});

const send = async (threadId: string, { token }: Person): Promise<void> => {
  const body = { thread_id: threadId, body: 'Hello', client_message_id: randomUUID() };
  const sent = await call('POST /api/v1/messages', { token, body });
  expect(sent.status, JSON.stringify(sent.body)).toBe(201);
};

/** What `count` messages cost that are sent at once, for each. */
const costOf = async (threadId: string, senders: readonly Person[]) => {
  api.calls.length = 0;
  projecting.calls.length = 0;
  let ofApi: string[] = [];
  const ofProjector = await statementsOf('projector', async () => {
    ofApi = await statementsOf('api', async () => {
      await Promise.all(senders.map((sender) => send(threadId, sender)));
    });
  });
  const each = (all: readonly unknown[]) => all.length / senders.length;
  return {
    api: each(ofApi),
    projector: each(ofProjector),
    appendsAndReads: each(api.calls),
    readsOfProjector: each(projecting.calls),
  };
};
type Cost = Awaited<ReturnType<typeof costOf>>;

/** The least of several attempts: on a busy machine some are disturbed by what happens every few seconds. */
const least = async (attempt: () => Promise<Cost>): Promise<Cost> => {
  const costs: Cost[] = [];
  for (let n = 0; n < 5; n += 1) costs.push(await attempt());
  const min = (of: (cost: Cost) => number) => Math.min(...costs.map(of));
  return {
    api: min((cost) => cost.api),
    projector: min((cost) => cost.projector),
    appendsAndReads: min((cost) => cost.appendsAndReads),
    readsOfProjector: min((cost) => cost.readsOfProjector),
  };
};

const expectAtMost = (cost: Cost, most: Cost): void => {
  for (const name of Object.keys(most) as (keyof Cost)[]) expect(cost[name], name).toBeLessThanOrEqual(most[name]);
};

describe('a message that is sent over HTTP', () => {
  let group: string;
  let pair: string;
  beforeAll(async () => {
    const [owner, other] = people as [Person, Person];
    const member_ids = people.slice(1).map(({ id }) => id);
    const started = await call('POST /api/v1/chats', { token: owner.token, body: { title: 'Counted', member_ids } });
    expect(started.status, JSON.stringify(started.body)).toBe(201);
    group = started.body.id;
    pair = (await call('POST /api/v1/chats/start', { token: owner.token, body: { user_id: other.id } })).body.id;
    await send(group, owner);
    await send(pair, owner);
  });

  it('alone: one append, and one statement beside the one transaction of the projector', async () => {
    const cost = await least(() => costOf(group, people.slice(0, 1)));
    expectAtMost(cost, { api: 1, appendsAndReads: 1, projector: 11, readsOfProjector: 0 });
  });

  it('to one person: reads also whether one of the two has blocked the other, and moves the chat in both their lists', async () => {
    const cost = await least(() => costOf(pair, people.slice(0, 1)));
    expectAtMost(cost, { api: 1, appendsAndReads: 2, projector: 13, readsOfProjector: 0 });
  });

  it('ten at once to a group: share transactions and what is asked before', async () => {
    const cost = await least(() => costOf(group, people));
    expectAtMost(cost, { api: 1, appendsAndReads: 1, projector: 11, readsOfProjector: 0 });
  });

  it('that was sent long ago and is sent again is the same message', async () => {
    const [owner] = people as [Person];
    const started = await call('POST /api/v1/chats', { token: owner.token, body: { title: 'Long', member_ids: [] } });
    const thread_id = started.body.id;
    const sending = { thread_id, body: 'First', client_message_id: randomUUID() };
    const first = await call('POST /api/v1/messages', { token: owner.token, body: sending });
    const text = { threadId: thread_id, kind: 'text', body: 'Later', mentions: [], attachments: [] } as const;
    const sender = { accountId: owner.id, isAgent: false };
    for (let n = 0; n < 200; n += 1)
      await sendMessage(node, contextOf(owner.id), sender, { ...text, replyTo: null, clientMessageId: null });
    const again = await call('POST /api/v1/messages', { token: owner.token, body: sending });
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  it('costs no row of a member while nobody has read it', async () => {
    const [owner, reader] = people as [Person, Person];
    const body = { title: 'Read', member_ids: people.slice(1).map(({ id }) => id) };
    const group = (await call('POST /api/v1/chats', { token: owner.token, body })).body.id;
    for (let n = 0; n < 2; n += 1) await send(group, owner);
    const first = await call(`GET /api/v1/messages/${group}?after=0&limit=1`, { token: reader.token });
    const read = await call(`POST /api/v1/messages/${first.body.data[0].id}/read`, { token: reader.token });
    expect(read.body).toMatchObject({ last_read_seq: 1 });
    const message = (seq: number) => ({ thread_id: group, seq });
    const readersIn = async (seqs: readonly number[]) =>
      [...(await readersOf(readDb(stores.pool), seqs.map(message))).values()]
        .flat()
        .map(({ account_id }) => account_id);
    expect(await readersIn([2]), 'only who has written it').toEqual([owner.id]);
    expect((await readersIn([2, 1])).toSorted()).toEqual([owner.id, reader.id].toSorted());
  });

  it('is told by a worker that reads up to where the members have read once, and again after one of them did', async () => {
    const { node: worker, counted } = newProcess('policies');
    const { store, codec, log } = worker;
    const followed = createFollowedStates();
    const aggregates = createAggregates(store, codec, { followed });
    const deps = { ...worker, aggregates };
    const stopping = new AbortController();
    const following = followed.follow({ store, log, aggregates }, followedByWorkers, stopping.signal);
    const [messages] = chatNotifications;
    const [sender, reader] = people as [Person, Person];
    const find = async () => {
      const before = counted.calls.length;
      const about = { threadId: group, senderId: sender.id };
      const found = await messages?.find(about, {
        deps: deps as never,
        at: node.now(),
        eventAt: node.now(),
        correlationId: 'request',
      });
      const told = found && !('againAt' in found) ? found.map(({ to }) => to) : [];
      return { told, reads: counted.calls.slice(before).filter((one) => one === 'read threadMember').length };
    };
    try {
      await send(group, sender);
      const readers = people.slice(1).map(({ id }) => id);
      const { told } = await until(async () => {
        const { told, reads } = await find();
        return reads === 0 && { told };
      });
      expect(told.toSorted()).toEqual(readers.toSorted());

      const newest = await call(`GET /api/v1/messages/${group}?limit=1`, { token: reader.token });
      await call(`POST /api/v1/messages/${newest.body.data[0].id}/read`, { token: reader.token });
      const after = await until(async () => {
        const found = await find();
        return !found.told.includes(reader.id) && found;
      });
      expect(after.told).toHaveLength(readers.length - 1);
      expect(after.reads).toBe(0);
    } finally {
      stopping.abort();
      await following;
    }
  });
});
