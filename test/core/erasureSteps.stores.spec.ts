/** Erasures of which a step fails, or is late: they go on, and count once. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadAccount, openAccount } from '../../commands/accounts/accounts.ts';
import { requestErasure } from '../../commands/accounts/pendingErasure.ts';
import { signIn } from '../../commands/accounts/signIn.ts';
import { certificateOf } from '../../commands/core/certificateParts.ts';
import { certificateById } from '../../commands/core/certificates.ts';
import { erasePerson } from '../../commands/core/erasure.ts';
import type { Message } from '../../commands/mail/transport.ts';
import type { CommandDeps } from '../../commands/modules.ts';
import { endOfGrace, privacyPolicy } from '../../commands/privacy/endOfGrace.ts';
import { account } from '../../domain/accounts/account.ts';
import { DAY_MS } from '../../domain/core/instants.ts';
import { StoreUnavailable } from '../../eventstore/store.ts';
import type { Pool } from '../../infra/postgres.ts';
import { readConfig } from '../../ops/config.ts';
import { forgetErased, watchTombstones } from '../../ops/erasure.ts';
import { wire } from '../../ops/wiring.ts';
import { contextOf } from '../kit/context.ts';
import { changed } from '../kit/deps.ts';
import { until } from '../kit/until.ts';
import { type ErasureWorld, startErasureWorld } from './erasureWorld.ts';

let world: ErasureWorld;
beforeAll(async () => {
  world = await startErasureWorld();
});
afterAll(() => world.stop());

/** A pool whose process is killed when it comes to a statement. */
const failingOn = (pool: Pool, statement: string): Pool =>
  new Proxy(pool, {
    get: (target, name) => {
      const value = Reflect.get(target, name);
      if (name !== 'query') return typeof value === 'function' ? value.bind(target) : value;
      return (text: string, values?: unknown[]) =>
        text.includes(statement) ? Promise.reject(new Error('killed')) : target.query(text, values);
    },
  });

it('is killed after any step, and counts what was erased once', async () => {
  const { stores, stage, plan, projected, aPerson } = world;
  const { node } = stage;
  const person = await aPerson({ email: 'killed@example.org', phone: '+79990001133' });
  await projected();
  const steps = [
    { pool: failingOn(stores.pool, 'delete from ops.idempotency_keys') },
    { pool: failingOn(stores.pool, 'update ops.erasure_certificates') },
    { pool: failingOn(stores.pool, 'insert into ops.erasures') },
  ];
  for (const step of steps)
    await expect(erasePerson<CommandDeps>({ ...node, ...step }, plan, person)).rejects.toThrow('killed');
  await erasePerson<CommandDeps>(node, plan, person);
  const { parts = [] } = (await certificateById(stores.pool, certificateOf(node.vault, person))) ?? {};
  expect(parts).toEqual(
    expect.arrayContaining([
      { holder: 'ops.sessions', outcome: 'deleted', count: 1 },
      { holder: 'saved cards at payment providers', outcome: 'removed', count: 1 },
      { holder: 'e-mail address, phone number and links to identity providers', outcome: 'removed', count: 2 },
    ]),
  );
});

it('ends what other modules have although one fails', async () => {
  const { stage, plan, projected, anAccount, startSession, certified, isErased } = world;
  const { node } = stage;
  const person = await anAccount('partly@example.org');
  await startSession(person);
  await projected();
  const broken = { after: () => Promise.reject(new Error('an event cannot be read')) };
  await expect(erasePerson<CommandDeps>(node, { ...plan, modules: [...plan.modules, broken] }, person)).rejects.toThrow(
    'cannot be read',
  );
  await projected();
  expect(await isErased(person)).toBe(true);
  await expect(loadAccount(node, person)).rejects.toThrow('does not exist');
  expect((await certified(person)).parts).toMatchObject({ 'read.accounts anonymised': 1 });
  expect((await certified(person)).parts, 'said when it is done').not.toHaveProperty('ops.sessions deleted');
  await erasePerson<CommandDeps>(node, plan, person);
  expect((await certified(person)).parts).toMatchObject({ 'ops.sessions deleted': 1 });
});

it('is repeated by a worker soon after a request for it has failed', async () => {
  const { stores, stage, plan, folder, certified, isErased } = world;
  const { node } = stage;
  const person = randomUUID();
  await node.vault.keyToWrite(person);
  await stores.pool.query('delete from ops.erasures');
  let isAway = true;
  const head = () => (isAway ? Promise.reject(new StoreUnavailable('the event store is away')) : node.store.head());
  const failing = { ...node, store: { ...node.store, head } };
  const watch = watchTombstones(failing, { TOMBSTONES_DIR: folder }, 20);
  try {
    await expect(erasePerson<CommandDeps>(failing, plan, person)).rejects.toThrow('away');
    expect(await isErased(person), 'what could be done is done').toBe(true);
    await until(() => watch.faults().some((fault) => fault.endsWith('erasures are not complete.')));
    isAway = false;
    await until(() => watch.faults().length === 0);
    expect((await certified(person)).isDone).toBe(true);
  } finally {
    await watch.stop();
  }
});

it('is noticed by a process whose connection for notifications was lost meanwhile', async () => {
  const { stores } = world;
  const { databaseUrl: DATABASE_URL, eventStore: ESDB_CONNECTION_STRING, pool } = stores;
  const wiring = wire(readConfig({ NODE_ENV: 'test', DATABASE_URL, ESDB_CONNECTION_STRING }), 'spec', stores.log);
  const caches = await forgetErased(wiring);
  try {
    const email = 'unheard@example.org';
    const { accountId: person } = await openAccount(wiring, contextOf('admin', 'admin'), {
      role: 'tourist',
      email,
      phone: '+79990001144',
      firstName: 'Anna',
      lastName: 'Unheard',
      password: 'correct horse',
    });
    const shown = async () => {
      const { state } = await wiring.aggregates.load(account, person);
      return { email: 'email' in state ? state.email : null, key: await wiring.vault.keyToWrite(person) };
    };
    expect(await shown()).toMatchObject({ email });
    // Without a notification.
    await pool.query(
      'update ops.vault_keys set wrapped_key = null, master_key_id = null, erased_at = now() where person_id = $1',
      [person],
    );
    await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'erasures' and datname = current_database()`,
    );
    await until(async () => (await shown()).key === 'erased');
    expect((await shown()).email).not.toBe(email);
  } finally {
    await caches.stop();
    await wiring.close();
  }
});

it('keeps an account whose person signs in before the grace period ends, and erases it at its end', async () => {
  const { stores, stage, plan } = world;
  const { node } = stage;
  const letters: Message[] = [];
  let isCardRemoved = false;
  const deps = changed(node, {
    erase: async (person) => {
      if (!isCardRemoved) throw new Error('the provider is busy');
      return erasePerson<CommandDeps>(node, plan, person);
    },
    mailTransport: {
      send: async (letter) => void letters.push(letter),
      check: async () => undefined,
      close: () => undefined,
    },
  });
  const [email, password] = ['grace@example.org', 'correct horse battery'];
  const { accountId } = await openAccount(deps, contextOf('admin', 'admin'), { role: 'hotelier', email, password });
  const request = () => requestErasure(deps, contextOf(accountId, 'hotelier'), accountId, 14 * DAY_MS);
  const run = (dueAt: string, at: string) =>
    endOfGrace.run({ id: accountId, data: { dueAt }, attempt: 1 }, { deps, context: contextOf('job', 'system', at) });
  const end = (dueAt: string) => run(dueAt, dueAt);
  const first = await request();
  const requestedAt = node.now();
  const told = (type: 'ErasureRequested' | 'ErasureWithdrawn', dueAt: string) =>
    privacyPolicy.handlers.get(type)?.({ type, streamId: accountId, at: requestedAt, data: { dueAt } } as never, {
      deps,
      context: contextOf('system', 'system'),
    });
  const certificate = () => certificateById(stores.pool, certificateOf(node.vault, accountId));
  expect(await certificate()).toMatchObject({ dueAt: first, doneAt: null });
  await stores.pool.query('delete from ops.erasure_certificates where due_at is not null');
  await told('ErasureRequested', first);
  expect(await certificate(), 'also when the process died after the request').toMatchObject({ dueAt: first });
  const { rows } = await stores.pool.query(
    `select run_at from ops.jobs where kind = 'end_of_erasure_grace' and id = $1`,
    [accountId],
  );
  expect(rows, 'it looks at once for what is still to come').toEqual([{ run_at: requestedAt }]);
  expect(await run(first, requestedAt), 'there is nothing').toEqual({ againAt: first });
  expect((await loadAccount(deps, accountId)).role).toBe('tourist');
  const { account } = await signIn(deps, contextOf('anonymous'), { identifier: email, password });
  expect([account.role, account.erasure]).toEqual(['hotelier', undefined]);
  await told('ErasureWithdrawn', first);
  expect(await certificate()).toBeUndefined();
  await end(first);
  expect((await loadAccount(deps, accountId)).status).toBe('open');
  expect(letters).toEqual([]);

  const again = await request();
  expect(await certificate()).toMatchObject({ dueAt: again });
  await expect(end(again)).rejects.toThrow('provider is busy');
  await expect(signIn(deps, contextOf('anonymous'), { identifier: email, password })).rejects.toThrow('deleted');
  isCardRemoved = true;
  await end(again);
  await expect(loadAccount(deps, accountId)).rejects.toThrow('does not exist');
  await expect(signIn(deps, contextOf('anonymous'), { identifier: email, password })).rejects.toThrow('wrong');
  await told('ErasureRequested', again);
  await told('ErasureWithdrawn', again);
  expect(await certificate(), 'what has begun stays').toMatchObject({ dueAt: null, doneAt: expect.anything() });
  // Said once, although the erasure was repeated.
  expect(letters).toEqual([
    expect.objectContaining({ to: email, text: expect.stringContaining(certificateOf(node.vault, accountId)) }),
  ]);
});
