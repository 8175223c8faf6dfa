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
import { certificateById } from '../../commands/core/certificates.ts';
import { type ErasurePlan, erasePerson, replayTombstones } from '../../commands/core/erasure.ts';
import type { CommandContext } from '../../commands/core/handle.ts';
import { FileStoreAway } from '../../commands/files/fileStore.ts';
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
import { certificateOf } from '../../infra/erasedParts.ts';
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

const CARDS = 'saved cards at payment providers';

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

const anAccount = async (email: string): Promise<string> => {
  const details = { role: 'tourist', email, password: 'correct horse' } as const;
  return (await openAccount(stage.node, contextOf('admin', 'admin'), details)).accountId;
};

const startSession = (accountId: string) =>
  stores.pool.query(
    `insert into ops.sessions (id, account_id, token_version, started_at, expires_at)
     values (gen_random_uuid(), $1, 0, now(), now() + interval '1 day')`,
    [accountId],
  );

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
  await startSession(accountId);
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
  await stores.pool.query('delete from ops.erased_parts where holder = $1', [CARDS]); // it was taken before
  expect(await replayTombstones<CommandDeps>(node, plan)).toBe(0);
  const { rows } = await stores.pool.query('select wrapped_key from ops.vault_keys where person_id = $1', [person]);
  expect(rows).toEqual([{ wrapped_key: null }]);
  expect(await plan.tombstones.list()).toMatchObject([{ person }]);
  expect(await certificateById(stores.pool, certificate)).toEqual(certified);
});

const addCard = async (person: string, token: string): Promise<void> => {
  const { node } = stage;
  const { method } = await addMethod(node, contextOf(person), { method: 'card' });
  saving.says(method.methodId, 'active', { token, brand: 'Mir', last4: '0001', exp: '12/40' });
  await syncMethod(node, contextOf(person), person, method.methodId);
};

/** A person whose only trace is a saved card. */
const withCard = async (token: string): Promise<string> => {
  const person = randomUUID();
  await addCard(person, token);
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
  const { rowCount } = await stores.pool.query('select 1 from ops.friend_pairs where $1 in (person_id, other_id)', [
    person,
  ]);
  expect(rowCount).toBe(0);
});

/** What the certificate of a person says now: `holder outcome` → count. */
const certified = async (person: string) => {
  const found = await certificateById(stores.pool, certificateOf(stage.node.vault, person));
  const parts = Object.fromEntries((found?.parts ?? []).map((part) => [`${part.holder} ${part.outcome}`, part.count]));
  return { isDone: found?.doneAt != null, parts };
};
/** Runs the jobs for what waits outside for a person. */
const runOutsideJobs = async (node: CommandDeps, person: string): Promise<void> => {
  const { rows } = await stores.pool.query<{ id: string; kind: string }>(
    'select id, kind from ops.outside_erasures where certificate_id = $1',
    [certificateOf(node.vault, person)],
  );
  const kinds = plan.modules.flatMap(({ outside = [] }) => outside);
  for (const { id, kind } of rows)
    await kinds
      .find((each) => each.kind === kind)
      ?.job.run(
        { id, data: {}, attempt: 1 },
        { deps: node, context: { ...contextOf('system', 'system'), at: node.now() } },
      );
};

const isErased = async (person: string) => (await stores.vault.keysToRead([person])).get(person) === 'erased';

it('keeps nothing here for a provider whose page is still open, and has it told later', async () => {
  const { node } = stage;
  const signingIn = { identifier: 'page@example.org', password: 'correct horse' };
  const person = await anAccount(signingIn.identifier);
  await addCard(person, 'of the page');
  const { method } = await addMethod(node, contextOf(person), { method: 'sbp' });
  await projected();
  expect(await erasePerson<CommandDeps>(node, plan, person)).toEqual({ waitsOutside: 1 });
  await projected();
  await expect(loadAccount(node, person)).rejects.toThrow('does not exist');
  await expect(signIn(node, contextOf('anonymous'), signingIn)).rejects.toThrow('wrong');
  expect(await foundIn([signingIn.identifier])).toEqual([]);
  expect(await certified(person)).toMatchObject({
    isDone: true,
    parts: { [`${CARDS} removed`]: 1, [`${CARDS} waiting`]: 1, 'read.accounts anonymised': 1 },
  });
  const { rows } = await stores.pool.query('select * from ops.outside_erasures where certificate_id = $1', [
    certificateOf(node.vault, person),
  ]);
  for (const text of [person, method.methodId, 'reference', method.provider ?? ''])
    expect(JSON.stringify(rows), 'it says nothing in plain').not.toContain(text);

  await runOutsideJobs(node, person);
  expect(await certified(person), 'the page is still open').toMatchObject({ parts: { [`${CARDS} waiting`]: 1 } });
  saving.says(method.methodId, 'active', { token: 'confirmed-late' });
  await runOutsideJobs(node, person);
  expect(saving.removed).toContain('confirmed-late');
  expect((await certified(person)).parts).toMatchObject({ [`${CARDS} removed`]: 2 });
  expect((await certified(person)).parts).not.toHaveProperty(`${CARDS} waiting`);
  const keys = await stores.pool.query('select 1 from ops.vault_keys where person_id = any($1)', [
    rows.map(({ id }) => id),
  ]);
  expect([rows.length, keys.rowCount], 'its key is gone').toEqual([1, 0]);
});

it('asks a provider that does not answer for a week, and says then what stays there', async () => {
  const { node } = stage;
  const [person, refused] = [await withCard('later'), await withCard('refused')];
  saving.away = true;
  for (const each of [person, refused]) {
    expect(await erasePerson<CommandDeps>(node, plan, each)).toEqual({ waitsOutside: 1 });
    expect(await isErased(each)).toBe(true);
  }
  expect(await replayTombstones<CommandDeps>(node, plan)).toBe(0);
  saving.forgets('refused');
  saving.away = false;
  await runOutsideJobs(node, refused);
  saving.away = true;
  expect((await certified(refused)).parts).toMatchObject({ [`${CARDS} left`]: 1 });
  const inDays = (days: number) => ({ ...node, now: () => instantOf(Date.now() + days * DAY_MS) });
  await runOutsideJobs(inDays(6), person);
  expect((await certified(person)).parts).toMatchObject({ [`${CARDS} waiting`]: 1 });
  await runOutsideJobs(inDays(8), person);
  expect((await certified(person)).parts).toEqual(expect.objectContaining({ [`${CARDS} left`]: 1 }));
  expect((await certified(person)).parts).not.toHaveProperty(`${CARDS} waiting`);
  saving.away = false;
});

it('leads nobody to files whose store does not answer, and deletes their bytes later', async () => {
  const { node } = stage;
  const person = randomUUID();
  const fileId = await uploaded(node, person, 'avatars');
  await follow(`file-${fileId}`);
  let isAway = true;
  const remove = (key: string) =>
    isAway ? Promise.reject(new FileStoreAway('no answer')) : node.fileStore.remove(key);
  const busy = changed(node, { fileStore: { ...node.fileStore, remove } });
  expect(await erasePerson<CommandDeps>(busy, plan, person)).toEqual({ waitsOutside: 1 });
  expect((await node.aggregates.load(file, fileId)).state.status).toBe('removed');
  expect((await certified(person)).parts).toMatchObject({ 'files waiting': 1 });
  isAway = false;
  await runOutsideJobs(busy, person);
  expect((await certified(person)).parts).toMatchObject({ 'files deleted': 1 });
  await expect(node.fileStore.get(fileId)).rejects.toThrow('no such file');
});

it('is repeated by a worker soon after a request for it has failed', async () => {
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

it('ends what other modules have although one fails', async () => {
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
      return erasePerson<CommandDeps>(node, plan, person);
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
