/** The erasure of a person on the real stores: afterwards no table and no event shows anything of them. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadAccount, openAccount } from '../../commands/accounts/accounts.ts';
import { addMember, startGroup } from '../../commands/chat/threads.ts';
import { certificateOf } from '../../commands/core/certificateParts.ts';
import { certificateById } from '../../commands/core/certificates.ts';
import { erasePerson, replayTombstones } from '../../commands/core/erasure.ts';
import { accept, invite, pairId } from '../../commands/friends/friends.ts';
import type { CommandDeps } from '../../commands/modules.ts';
import { thread } from '../../domain/chat/thread.ts';
import { file } from '../../domain/files/file.ts';
import { friendship } from '../../domain/friends/friendship.ts';
import { allMigrations } from '../../ops/tables.ts';
import { isForgetting } from '../../projections/engine/changes.ts';
import { rebuild } from '../../projections/engine/rebuild.ts';
import { models } from '../../projections/modules.ts';
import { contextOf } from '../kit/context.ts';
import { inModels, inTables } from '../kit/personalData.ts';
import { until } from '../kit/until.ts';
import { uploaded } from '../kit/uploads.ts';
import { TEXTS } from './erasedPerson.ts';
import { CARDS, type ErasureWorld, startErasureWorld } from './erasureWorld.ts';

let world: ErasureWorld;
beforeAll(async () => {
  world = await startErasureWorld();
});
afterAll(() => world.stop());

it('leaves nothing of the person in any table or event, and survives a restore', async () => {
  const { stores, stage, saving, plan, projector, projected, aPerson, foundIn } = world;
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
  const shown = await inModels(stores.pool, models, person);
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
  expect(await inTables(stores.pool, allMigrations, person)).toMatchObject({ 'ops.sessions': [{ ended_at: null }] });
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
  expect(await inTables(stores.pool, allMigrations, person)).toEqual({});

  // What is served is what a rebuild makes of the log.
  for (const model of models.filter(({ personalData }) => personalData?.whose)) {
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

it.each([
  ['before', true],
  ['after', false],
])('finds what a restored backup has in the log only, when policies come to it %s', async (_, policiesFirst) => {
  const { stores, stage, plan, follow } = world;
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
  expect(await inTables(stores.pool, allMigrations, person)).toEqual({});
  const { rowCount } = await stores.pool.query('select 1 from ops.friend_pairs where $1 in (person_id, other_id)', [
    person,
  ]);
  expect(rowCount).toBe(0);
});

it('finds what a table keeps that nobody declares', async () => {
  const { stores, stage, plan, foundIn } = world;
  const { node } = stage;
  const [person, marker] = [randomUUID(), `kept reply ${randomUUID()}`];
  await stores.pool.query('insert into ops.notification_preferences (person_id, preferences) values ($1, $2)', [
    person,
    JSON.stringify({ marker }),
  ]);
  const without = plan.tables.map((each) => {
    const { 'ops.notification_preferences': _, ...personalData } = each.personalData ?? {};
    return { ...each, personalData };
  });
  await erasePerson<CommandDeps>(node, { ...plan, tables: without }, person);
  expect(await foundIn([marker])).toEqual([`${marker} in ops.notification_preferences`]);
  await erasePerson<CommandDeps>(node, plan, person);
  expect(await foundIn([marker])).toEqual([]);
});
