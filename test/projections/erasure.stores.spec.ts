/** What an erasure leaves of a person in rows and changes, whatever else its batch holds, and who is told. */
import { Type } from '@sinclair/typebox';
import { expect, it } from 'vitest';
import { type AnyEvent, PERSON_ERASED } from '../../domain/core/decider.ts';
import { ERASED, Uuid } from '../../domain/core/schema.ts';
import { createCodec } from '../../eventstore/codec.ts';
import { isForgetting } from '../../projections/engine/changes.ts';
import { addressOf } from '../../projections/engine/channels.ts';
import { readModel } from '../../projections/engine/readModel.ts';
import { rebuild } from '../../projections/engine/rebuild.ts';
import { canResume, createChangeLog } from '../../realtime/hub/changeLog.ts';
import type { Cursor } from '../../realtime/hub/protocol.ts';
import { recordBatches } from '../kit/counts.ts';
import { until } from '../kit/until.ts';
import { counted, newIds } from './counters.ts';
import { useWorld, world } from './world.ts';

const declarations = {
  Counted: { data: Type.Object({ by: Type.Integer(), label: Type.String() }) },
  [PERSON_ERASED]: { data: Type.Object({}) },
};
const personErased: AnyEvent = { type: PERSON_ERASED, data: {} };
/** As if the person's key were still in memory. */
const SECRET = 'what nobody may see';
const POISON = -1;

const channel = { name: 'user', address: 'realtime:user_{id}' };
const noteChannel = (id: string) => addressOf(channel, id);

/** `by` rows for each event, with its label. */
const notes = readModel('notes', {
  version: 1,
  row: Type.Object({ id: Uuid, n: Type.Integer(), text: Type.String() }),
  key: ['id', 'n'],
  publishTo: [
    {
      channel,
      idsOf: ({ id }) => [id],
      audience: 'guest',
      withdraws: (before, after) => (before.text === after.text ? null : after),
    },
  ],
  personalData: {
    whose: 'id',
    texts: ['text'],
    why: { purpose: 'test', basis: 'contract', seenBy: ['self'] },
    retention: 'account',
  },
  on: {
    Counted: {
      keys: ({ streamId: id, data: { by } }: { streamId: string; data: { by: number } }) => {
        if (by === POISON) throw new Error('cannot be applied');
        return Array.from({ length: by }, (_, n) => ({ id, n }));
      },
      fold: (_: unknown, { data }: { data: { label: string } }, key: object) => ({ ...key, text: data.label }),
    },
  } as never,
});

useWorld({ amongOthers: true }, ({ vault }) => createCodec(declarations, vault));

const texts = async (): Promise<string[]> =>
  (await world.pool.query('select distinct text from read.notes')).rows.map(({ text }) => text);
const told = async () =>
  (await world.pool.query(`select type, data::json->>'text' as text from read.changes order by id`)).rows;
const epoch = async () => (await world.pool.query('select epoch from read.epoch')).rows[0]?.epoch;

it.each([
  ['in a batch of their own', []],
  ['in a batch with an event that cannot be applied', [counted(POISON)]],
])('who sees the rows is told of the erasure, and nothing says what they said: %s', async (_, others) => {
  const [person = '', other = ''] = newIds(2);
  const batches = recordBatches(world.pool);
  const before = world.project(notes);
  await world.projected(await world.append(person, counted(1, SECRET)));
  const epochBefore = await epoch();
  await before.stop();
  await world.append(person, counted(2, SECRET), personErased);
  const last = await world.append(other, counted(1, 'of another'), ...others);
  const after = world.project(notes);
  await world.projected(last);
  await until(async () => !(await isForgetting(world.pool)));
  await after.stop();
  expect(await texts()).toEqual(expect.arrayContaining([ERASED, 'of another']));
  expect(await texts()).toHaveLength(2);
  const changes = await told();
  expect(changes).toContainEqual({ type: 'note.updated', text: ERASED });
  expect(changes).toContainEqual({ type: 'note.created', text: 'of another' });
  expect(JSON.stringify(changes)).not.toContain(SECRET);
  expect(await epoch()).toBe(epochBefore);
  // Each row would be looked for in all changes of its channel: thousands in millions.
  const lookedFor = batches
    .flatMap(({ statements }) => statements)
    .filter((text) => text.startsWith('update read.changes'));
  expect(lookedFor).toEqual([]);
});

it('who sees very many rows of somebody who is erased reads their state again, and nobody else', async () => {
  const [person = '', other = ''] = newIds(2);
  const projector = world.project(notes);
  await world.append(other, counted(1, 'of another'));
  await world.projected(await world.append(person, counted(2_001, SECRET)));
  const epochBefore = await epoch();
  const log = createChangeLog(world.pool);
  const cursorOn = async (id: string) => ({ epoch: epochBefore, offset: (await log.page(noteChannel(id), 0)).last });
  const before = new Map([
    [person, await cursorOn(person)],
    [other, await cursorOn(other)],
  ]);
  await world.projected(await world.append(person, personErased));
  const resumes = async (id: string) => {
    const cursor = before.get(id) as Cursor;
    return canResume(await log.page(noteChannel(id), cursor.offset), cursor);
  };
  expect([await resumes(person), await resumes(other)]).toEqual([false, true]);
  await until(async () => !(await isForgetting(world.pool)));
  await projector.stop();
  expect([await resumes(person), await resumes(other)]).toEqual([false, true]);
  expect(await texts()).toEqual(expect.arrayContaining([ERASED, 'of another']));
  expect(JSON.stringify(await told())).not.toContain(SECRET);
  expect(await epoch()).toBe(epochBefore);
});

/** Rows that go with the person whose they are, and with the other whom they name. */
const pairs = readModel('pairs', {
  version: 1,
  row: Type.Object({ id: Uuid, other_id: Uuid, n: Type.Integer() }),
  key: ['id', 'n'],
  personalData: {
    whose: 'id',
    erased: 'deleted',
    others: { other_id: 'deleted' },
    why: { purpose: 'test', basis: 'contract', seenBy: ['self'] },
    retention: 'account',
  },
  on: {
    Counted: {
      keys: ({ streamId: id, data: { by } }: { streamId: string; data: { by: number } }) => [{ id, n: by }],
      fold: (_: unknown, { data }: { data: { label: string } }, key: object) => ({ ...key, other_id: data.label }),
    },
  } as never,
});

it('rows go with each person whom they name, and none is made by what was under way, live or in a rebuild', async () => {
  const [person = '', friend = '', stranger = ''] = newIds(3);
  for (const one of [person, friend, stranger]) await world.vault.keyToWrite(one);
  const projector = world.project(pairs);
  await world.append(person, counted(1, friend));
  await world.append(friend, counted(1, person), counted(2, stranger));
  const ofPairs = async () =>
    (await world.pool.query('select id, n from read.pairs where other_id = any($1)', [[person, friend, stranger]]))
      .rows;
  await world.projected(await world.append(stranger, counted(1, friend), counted(2, person)));
  expect(await ofPairs()).toHaveLength(5);
  await world.vault.erase(person);
  await world.projected(await world.append(person, personErased));
  await world.append(person, counted(3, stranger));
  await world.projected(await world.append(stranger, counted(3, person), counted(4, friend)));
  const left = [
    { id: friend, n: 2 },
    { id: stranger, n: 1 },
    { id: stranger, n: 4 },
  ];
  expect(await ofPairs()).toEqual(expect.arrayContaining(left));
  expect(await ofPairs()).toHaveLength(left.length);
  const signal = new AbortController().signal;
  expect(await rebuild(world, pairs, { mode: 'verify', signal })).toMatchObject({ differences: 0 });
  await projector.stop();
});
