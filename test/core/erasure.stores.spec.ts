/** The erasure of a person on the real stores: afterwards no table and no event shows anything of them. */

import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadAccount, openAccount } from '../../commands/accounts/accounts.ts';
import { requestErasure } from '../../commands/accounts/pendingErasure.ts';
import { requestRole } from '../../commands/accounts/roleRequests.ts';
import { signIn } from '../../commands/accounts/signIn.ts';
import { updateBooking } from '../../commands/bookings/bookings.ts';
import { addListing } from '../../commands/catalog/listings.ts';
import { editMessage, sendMessage } from '../../commands/chat/messages.ts';
import { addMember, startGroup } from '../../commands/chat/threads.ts';
import { certificateById, certificateOf } from '../../commands/core/certificates.ts';
import { type ErasurePlan, erasePerson, replayTombstones } from '../../commands/core/erasure.ts';
import type { CommandContext } from '../../commands/core/handle.ts';
import { accept, invite, pairId } from '../../commands/friends/friends.ts';
import type { Message } from '../../commands/mail/transport.ts';
import { type CommandDeps, policies } from '../../commands/modules.ts';
import { payments } from '../../commands/payments/index.ts';
import { addMethod, syncMethod } from '../../commands/payments/paymentMethods.ts';
import { changeOwnerSettings } from '../../commands/payments/paymentSettings.ts';
import { endOfGrace, privacyPolicy } from '../../commands/privacy/endOfGrace.ts';
import { reportContent } from '../../commands/reports/reports.ts';
import { openTicket } from '../../commands/support/tickets.ts';
import { account } from '../../domain/accounts/account.ts';
import { listingKinds } from '../../domain/catalog/listings.ts';
import { thread } from '../../domain/chat/thread.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { DAY_MS, instantOf } from '../../domain/core/instants.ts';
import { file } from '../../domain/files/file.ts';
import { friendship } from '../../domain/friends/friendship.ts';
import { readPages } from '../../eventstore/pages.ts';
import { StoreUnavailable } from '../../eventstore/store.ts';
import { heldAbout } from '../../infra/heldData.ts';
import type { Pool } from '../../infra/postgres.ts';
import { readConfig } from '../../ops/config.ts';
import { forgetErased, watchTombstones } from '../../ops/erasure.ts';
import { erasurePlan } from '../../ops/erasurePlan.ts';
import { allMigrations } from '../../ops/tables.ts';
import { wire } from '../../ops/wiring.ts';
import { isForgetting } from '../../projections/engine/changes.ts';
import { shownAbout } from '../../projections/engine/personalRows.ts';
import { rebuild } from '../../projections/engine/rebuild.ts';
import { lag } from '../../projections/engine/status.ts';
import { groups, models } from '../../projections/modules.ts';
import { createStage, type Stage, TIMEZONE } from '../bookings/stage.ts';
import { instructorDetails } from '../catalog/listingFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { changed } from '../kit/deps.ts';
import { formsOf } from '../kit/formsOf.ts';
import { type Projector, startProjector } from '../kit/projector.ts';
import { type StoreServers, type Stores, startStoreServers } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { uploaded } from '../kit/uploads.ts';
import { type FakeTokenisation, withTokenisation } from '../payments/fakeTokenisation.ts';

/** None of them may be found afterwards. */
const TEXTS = {
  email: 'erased.person@example.org',
  phone: '+79990001122',
  firstName: 'Zinaida',
  lastName: 'Vergessen',
  company: 'Vergessen Tours',
  document: 'https://files.example.org/vergessen.pdf',
  notes: 'аллергия Зинаиды на орехи',
  message: 'zinaida writes',
  edited: 'zinaida corrects herself',
  group: 'friends of zinaida',
  report: 'zinaida complains',
  subject: 'zinaida has lost a glove',
  instructor: 'Zinaida V., instructor',
  holder: 'ZINAIDA VERGESSEN',
  account: '40702810900000002851',
  masked: '****************2851',
  last4: '7391',
  token: 'card-token-vergessen',
  ip: '198.51.100.77',
};

let servers: StoreServers;
let stores: Stores;
let stage: Stage;
let saving: FakeTokenisation;
let plan: ErasurePlan<CommandDeps>;
const folder = path.join(tmpdir(), `resort-tombstones-${randomUUID()}`);
let projector: Projector;
beforeAll(async () => {
  servers = await startStoreServers();
  stores = await servers.fresh();
  stage = await createStage(stores);
  saving = withTokenisation(stage.provider).tokenisation;
  plan = erasurePlan({ TOMBSTONES_DIR: folder });
  projector = await startProjector({ ...stage.node, groups });
});
afterAll(async () => {
  await projector.stop();
  await stage.stop();
  await servers.stop();
  await rm(folder, { recursive: true, force: true });
});

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

const projected = () => until(async () => (await lag(stage.node, groups)).events === 0);

/** Messages, a group, a report, a ticket. */
const writeEverything = async (accountId: string, context: (id: string) => CommandContext): Promise<void> => {
  const { node } = stage;
  const who = { accountId, isAgent: false };
  const { threadId } = await startGroup(node, context(accountId), accountId, { title: TEXTS.group, memberIds: [] });
  const text = { kind: 'text', mentions: [], attachments: [], replyTo: null, clientMessageId: null } as const;
  const sending = { ...context(accountId), at: new Date().toISOString() };
  const sent = await sendMessage(node, sending, who, { threadId, body: TEXTS.message, ...text });
  if (!sent) throw new Error('it was not sent before');
  const known = { id: sent.messageId, threadId, senderId: accountId, sentAt: sending.at, ...text, body: TEXTS.message };
  await sendMessage(node, context(accountId), who, { threadId, body: TEXTS.message, ...text });
  await editMessage(node, context(accountId), who, known, { body: TEXTS.edited });
  const subject = { kind: 'chat', id: threadId, within: null };
  await reportContent(node, context(accountId), accountId, { subject, authorId: null, reason: TEXTS.report });
  await openTicket(node, context(accountId), accountId, { subject: TEXTS.subject, message: TEXTS.message });
};

/** A person who has left something everywhere. */
const aPerson = async ({ email, phone } = TEXTS as { email: string; phone: string }): Promise<string> => {
  const { node } = stage;
  const context = (id: string, role = 'tourist') => ({ ...contextOf(id, role), ip: TEXTS.ip });
  const { firstName, lastName } = TEXTS;
  const { accountId } = await openAccount(node, contextOf('admin', 'admin'), {
    role: 'instructor',
    email,
    phone,
    firstName,
    lastName,
    password: 'correct horse',
  });
  const mine = context(accountId, 'instructor');
  await requestRole(node, context(accountId), accountId, {
    role: 'tour_operator',
    companyName: TEXTS.company,
    documents: [{ name: 'passport of Vergessen', url: TEXTS.document }],
    comment: 'Vergessen asks',
  });
  const booking = await stage.book(accountId, node, context(accountId));
  await updateBooking(node, context(accountId), booking.bookingId, { notes: TEXTS.notes });
  await addListing(node, mine, listingKinds.instructor, {
    ownerId: accountId,
    timezone: TIMEZONE,
    currency: 'RUB',
    details: { ...instructorDetails, name: TEXTS.instructor, description: 'Zinaida teaches' },
  });
  await changeOwnerSettings(node, mine, accountId, {
    nominalAccount: { bik: '044030827', accountNumber: TEXTS.account, holder: TEXTS.holder },
  });
  await writeEverything(accountId, context);
  const { method } = await addMethod(node, context(accountId), { method: 'card' });
  saving.says(method.methodId, 'active', { token: TEXTS.token, brand: 'Mir', last4: TEXTS.last4, exp: '12/40' });
  await syncMethod(node, context(accountId), accountId, method.methodId);
  await stores.pool.query(`insert into ops.sandbox_messages (phone, text) values ($1, 'a code')`, [phone]);
  await stores.pool.query(
    `insert into ops.sessions (id, account_id, token_version, started_at, expires_at)
     values (gen_random_uuid(), $1, 0, now(), now() + interval '1 day')`,
    [accountId],
  );
  return accountId;
};

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Four digits also occur by chance, in ids. */
const patternOf = (text: string): string =>
  /^\d{4}$/.test(text) ? `(?<![0-9a-f-])${text}(?![0-9a-f-])` : formsOf(text).map(escaped).join('|');

/** Where a text is found: tables, and events as this program reads them. */
const foundIn = async (texts: readonly string[]): Promise<string[]> => {
  const found: string[] = [];
  const tables = await stores.pool.query<{ name: string }>(
    // Partitions are searched through their parent.
    `select oid::regclass::text as name from pg_class
     where relnamespace in ('ops'::regnamespace, 'read'::regnamespace) and relkind in ('r', 'p') and not relispartition`,
  );
  for (const { name } of tables.rows) {
    const { rows } = await stores.pool.query<{ nth: number }>(
      `select nth::int from unnest($1::text[]) with ordinality as searched (pattern, nth)
       where exists (select 1 from ${name} t where t::text ~ pattern)`,
      [texts.map(patternOf)],
    );
    for (const { nth } of rows) found.push(`${texts[nth - 1]} in ${name}`);
  }
  for await (const { events } of readPages(stores.store)) {
    const decoded = await stage.node.codec.decode(events);
    const plain = JSON.stringify([events, decoded], (_, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    for (const text of texts) if (new RegExp(patternOf(text)).test(plain)) found.push(`${text} in the log`);
  }
  return found;
};

it('leaves nothing of the person in any table or event, and survives a restore', async () => {
  const { node } = stage;
  const person = await aPerson();
  await projected();
  const texts = Object.values(TEXTS);
  const before = await foundIn(texts);
  const hidden = [TEXTS.token, TEXTS.account]; // by every read model
  for (const text of texts.filter((each) => !hidden.includes(each)))
    expect(
      before.some((place) => place.startsWith(`${text} in read.`)),
      `${text} must be found before`,
    ).toBe(true);
  const shown = await shownAbout(stores.pool, models, person);
  expect(Object.keys(shown).toSorted()).toEqual(
    expect.arrayContaining([
      'accounts',
      'audit_events',
      'bookings',
      'instructors',
      'role_requests',
      'titles',
      'messages',
      'participants',
      'support_tickets',
    ]),
  );
  expect(await heldAbout(stores.pool, allMigrations, person)).toMatchObject({ 'ops.sessions': [{ ended_at: null }] });
  const epoch = async () => (await stores.pool.query('select epoch from read.epoch')).rows[0]?.epoch;
  const epochBefore = await epoch();
  const certificate = certificateOf(node.vault, person);
  const wrapped = (await stores.pool.query('select * from ops.vault_keys where person_id = $1', [person])).rows[0];

  await erasePerson<CommandDeps>(node, plan, person);
  await projected();
  await until(async () => !(await isForgetting(stores.pool)));
  expect(await foundIn(texts)).toEqual([]);
  expect(saving.removed).toEqual([TEXTS.token]);
  expect(await epoch(), 'clients go on').toBe(epochBefore);
  const told = await stores.pool.query(
    `select data::json ->> 'body' as body from read.changes where type = 'message.updated' and channel like 'chat_%'`,
  );
  expect(told.rows, 'whoever sees the messages').toEqual(Array(3).fill({ body: null }));
  await expect(loadAccount(node, person)).rejects.toThrow('does not exist');
  const certified = await certificateById(stores.pool, certificate);
  expect(certified?.doneAt).not.toBeNull();
  expect(certified?.parts).toEqual(
    expect.arrayContaining([
      { holder: 'key of the personal data in the log', outcome: 'key_destroyed', count: 1 },
      { holder: 'ops.sessions', outcome: 'deleted', count: 1 },
      { holder: 'read.messages', outcome: 'anonymised', count: 3 },
      { holder: 'saved cards at payment providers', outcome: 'removed', count: 1 },
    ]),
  );
  expect(JSON.stringify(certified?.parts)).not.toContain(person);
  expect(await heldAbout(stores.pool, allMigrations, person)).toEqual({});

  // What is served is what a rebuild makes of the log.
  for (const model of models.filter(({ personal }) => personal)) {
    const { differences } = await rebuild(node, model, { mode: 'verify', signal: projector.signal });
    expect([model.name, differences]).toEqual([model.name, 0]);
  }

  // The address is free: somebody else may use it.
  const { email, firstName } = TEXTS;
  await openAccount(node, contextOf('admin', 'admin'), {
    role: 'tourist',
    email,
    firstName,
    password: 'correct horse',
  });

  // A backup of the database brings the key back.
  await stores.pool.query(
    `update ops.vault_keys set wrapped_key = $2, master_key_id = $3, erased_at = null where person_id = $1`,
    [person, wrapped.wrapped_key, wrapped.master_key_id],
  );
  await stores.pool.query('delete from ops.erasures');
  expect(await replayTombstones<CommandDeps>(node, plan)).toBe(0);
  const { rows } = await stores.pool.query('select wrapped_key from ops.vault_keys where person_id = $1', [person]);
  expect(rows).toEqual([{ wrapped_key: null }]);
  expect(await plan.tombstones.list()).toMatchObject([{ person }]);
  expect(await certificateById(stores.pool, certificate)).toEqual(certified);
});

/** A person whose only trace is a saved card. */
const withCard = async (token: string): Promise<string> => {
  const { node } = stage;
  const person = randomUUID();
  const { method } = await addMethod(node, contextOf(person), { method: 'card' });
  saving.says(method.methodId, 'active', { token, brand: 'Mir', last4: '0001', exp: '12/40' });
  await syncMethod(node, contextOf(person), person, method.methodId);
  return person;
};

/** What the policies do with the events of a stream. */
const follow = async (stream: string): Promise<void> => {
  const { node } = stage;
  for (const event of await node.codec.decodeWithoutAddress<Recorded>(await stores.store.read(stream)))
    for (const { name, handlers } of policies.filter(({ name }) => ['files', 'chat', 'friends'].includes(name)))
      await handlers.get(event.type)?.(event as never, { deps: node, context: contextOf(name, 'system') });
};

it.each([
  ['before', true],
  ['after', false],
])('finds what a restored backup has in the log only, when policies come to it %s', async (_, policiesFirst) => {
  const { node } = stage;
  const open = async () => {
    const details = { role: 'tourist', email: `${randomUUID()}@example.org`, password: 'correct horse' } as const;
    return (await openAccount(node, contextOf('admin', 'admin'), details)).accountId;
  };
  const [person, other] = [await open(), await open()];
  const { threadId } = await startGroup(node, contextOf(other), other, { title: 'a group', memberIds: [] });
  await addMember(node, contextOf(other), threadId, { by: other, accountId: person });
  await invite(node, contextOf(other), { by: other, other: person }, 'id');
  await accept(node, contextOf(person), { by: person, other });
  const fileId = await uploaded(node, person, 'chat');
  for (const table of ['ops.files', 'ops.chat_group_members', 'ops.friend_pairs'])
    await stores.pool.query(`delete from ${table}`);
  const restored = async () => {
    for (const stream of [`file-${fileId}`, `thread-${threadId}`, `friendship-${pairId(person, other)}`])
      await follow(stream);
  };

  if (policiesFirst) await restored();
  await erasePerson<CommandDeps>(node, plan, person);
  await restored();
  await restored(); // also what the policies have appended
  expect((await node.aggregates.load(file, fileId)).state.status).toBe('removed');
  expect((await node.aggregates.load(thread, threadId)).state).toMatchObject({ members: [{ id: other }] });
  expect((await node.aggregates.load(friendship, pairId(person, other))).state.relations).toEqual({
    [person]: null,
    [other]: null,
  });
  expect(await heldAbout(stores.pool, allMigrations, person)).toEqual({});
});

it('waits for a provider that does not answer, but not for ever', async () => {
  const { node } = stage;
  const person = await withCard('later');
  saving.away = true;
  await expect(erasePerson<CommandDeps>(node, plan, person)).rejects.toThrow('no answer');
  expect((await stores.vault.keysToRead([person])).get(person)).not.toBe('erased');
  const nextWeek = { ...node, now: () => instantOf(Date.now() + 8 * DAY_MS) };
  expect(await replayTombstones<CommandDeps>(node, plan)).toBe(1);
  const storeAway = { before: () => Promise.reject(new StoreUnavailable('the event store is away')) };
  const modules = [storeAway, ...plan.modules];
  expect(await replayTombstones<CommandDeps>(nextWeek, { ...plan, modules }), 'a store is no outside system').toBe(1);
  expect((await stores.vault.keysToRead([person])).get(person)).not.toBe('erased');
  expect(await replayTombstones<CommandDeps>(nextWeek, plan)).toBe(0);
  expect((await stores.vault.keysToRead([person])).get(person)).toBe('erased');
  saving.away = false;
});

it('is repeated by a worker soon after a request for it has failed', async () => {
  const { node } = stage;
  const isErased = async (person: string) => (await stores.vault.keysToRead([person])).get(person) === 'erased';
  const person = await withCard('again');
  await stores.pool.query('delete from ops.erasures');
  const watch = watchTombstones(node, { TOMBSTONES_DIR: folder }, 20);
  try {
    // The worker has repeated all others, and waits.
    const all = (await plan.tombstones.list()).length;
    await until(async () => (await stores.pool.query('select 1 from ops.erasures')).rowCount === all);
    saving.away = true;
    await expect(erasePerson<CommandDeps>(node, plan, person)).rejects.toThrow('no answer');
    await until(() => watch.faults().length > 0);
    expect(watch.faults()).toEqual(['1 erasures are not complete.']);
    expect(await isErased(person)).toBe(false);
    saving.away = false;
    await until(() => isErased(person));
    await until(() => watch.faults().length === 0);
  } finally {
    saving.away = false;
    await watch.stop();
  }
});

it('finds what a table keeps that nobody declares', async () => {
  const { node } = stage;
  const [person, marker] = [randomUUID(), `kept reply ${randomUUID()}`];
  await stores.pool.query('insert into ops.notification_preferences (person_id, preferences) values ($1, $2)', [
    person,
    JSON.stringify({ marker }),
  ]);
  const without = plan.tables.map((each) => {
    const { 'ops.notification_preferences': _, ...holds } = each.holds ?? {};
    return { ...each, holds };
  });
  await erasePerson<CommandDeps>(node, { ...plan, tables: without }, person);
  expect(await foundIn([marker])).toEqual([`${marker} in ops.notification_preferences`]);
  await erasePerson<CommandDeps>(node, plan, person);
  expect(await foundIn([marker])).toEqual([]);
});

it('leaves a saved card at the provider when the step of payments is taken out', async () => {
  const { node } = stage;
  const token = `card-token-${randomUUID()}`;
  const person = await withCard(token);
  const modules = plan.modules.filter((each) => each !== payments.erasure);
  expect(modules.length).toBe(plan.modules.length - 1);
  await erasePerson<CommandDeps>(node, { ...plan, modules }, person);
  expect(saving.removed).not.toContain(token);
});

it('is killed after any step, and counts what was erased once', async () => {
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

it('keeps an account whose person signs in before the grace period ends, and erases it at its end', async () => {
  const { node } = stage;
  const letters: Message[] = [];
  let isCardRemoved = false;
  const deps = changed(node, {
    erase: async (person) => {
      if (!isCardRemoved) throw new Error('the provider is busy');
      await erasePerson<CommandDeps>(node, plan, person);
    },
    mailTransport: { send: async (letter) => void letters.push(letter), close: () => undefined },
  });
  const [email, password] = ['grace@example.org', 'correct horse battery'];
  const { accountId } = await openAccount(deps, contextOf('admin', 'admin'), { role: 'hotelier', email, password });
  const request = () => requestErasure(deps, contextOf(accountId, 'hotelier'), accountId, 14);
  const end = (dueAt: string) =>
    endOfGrace.run({ id: accountId, data: { dueAt }, attempt: 1 }, { deps, context: contextOf('system', 'system') });
  const first = await request();
  const told = (type: 'ErasureRequested' | 'ErasureWithdrawn', dueAt: string) =>
    privacyPolicy.handlers.get(type)?.({ type, streamId: accountId, at: node.now(), data: { dueAt } } as never, {
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
  expect(rows.map(({ run_at }) => new Date(run_at).toISOString())).toEqual([first]);
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

it('is noticed by a process whose connection for notifications was lost meanwhile', async () => {
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
