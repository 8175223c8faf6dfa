/** Who is told of a row that moved, and what. */
import { Type } from '@sinclair/typebox';
import { describe, expect, test } from 'vitest';
import type { ReadDb } from '../../projections/engine/readDb.ts';
import { type Json, type ReadModel, readModel } from '../../projections/engine/readModel.ts';
import { changesOf } from '../../projections/engine/tellings.ts';

const at = '2026-01-01T00:00:00Z';
const notes = readModel('notes', {
  version: 1,
  row: Type.Object({ id: Type.String(), text: Type.String(), readers: Type.Array(Type.String()) }),
  key: 'id',
  on: {},
  publishTo: [
    { channel: { name: 'reader', address: 'reader_{id}' }, idsOf: ({ readers }) => readers, audience: 'guest' },
  ],
});
const members = readModel('members', {
  version: 1,
  row: Type.Object({ id: Type.String(), thread: Type.String(), account: Type.String(), left: Type.Boolean() }),
  key: 'id',
  on: {},
  publishTo: [
    {
      channel: { name: 'thread', address: 'thread_{id}' },
      idsOf: ({ thread }) => [thread],
      memberOf: ({ account, left }) => (left ? null : account),
      audience: 'guest',
    },
  ],
});
const db = {} as ReadDb; // no wire form of these reads anything

describe('a row that many are told of', () => {
  const told = async (before: string[] | undefined, after: string[] | null) => {
    const row = (text: string, readers: string[]) => ({ id: '1', text, readers });
    const move = { before: before && row('old', before), after: after && row('new', after), at };
    const changes = await changesOf(db, notes, [move]);
    return changes.map(({ channel, type, data }) => [channel, type, JSON.parse(data).text]);
  };

  test('is created for who is told now, removed as it was for who is no longer told, and updated for the others', async () => {
    expect(await told(['a', 'b'], ['b', 'c'])).toEqual([
      ['reader_a', 'note.removed', 'old'],
      ['reader_b', 'note.updated', 'new'],
      ['reader_c', 'note.created', 'new'],
    ]);
  });
  test('is created, and removed, for all of them', async () => {
    expect(await told(undefined, ['a'])).toEqual([['reader_a', 'note.created', 'new']]);
    expect(await told(['a'], null)).toEqual([['reader_a', 'note.removed', 'old']]);
    expect(await told(['a'], [])).toEqual([['reader_a', 'note.removed', 'old']]);
  });
  test('that came and went within a batch is told to nobody', async () => {
    expect(await told(undefined, null)).toEqual([]);
  });
});

describe('a row whose former text is withdrawn', () => {
  const [publication] = notes.publishTo;
  const erasable = {
    ...notes,
    publishTo: [
      {
        ...publication,
        withdraws: (before: Json, { text }: Json) => (text === '' ? { ...before, text: 'gone' } : null),
      },
    ],
  };
  const told = async (text: string, readers: string[]) => {
    const before = { id: '1', text: 'old', readers: ['a'] };
    const changes = await changesOf(db, erasable as ReadModel, [{ before, after: { id: '1', text, readers }, at }]);
    return changes.map(({ type, data, withdraws }) => [
      type,
      JSON.parse(data).text,
      withdraws ? [withdraws.id, JSON.parse(withdraws.instead).text] : null,
    ]);
  };

  test('says so where it is told, and shows who is told no more neither the former nor the new text', async () => {
    expect(await told('', ['a'])).toEqual([['note.updated', '', ['1', 'gone']]]);
    expect(await told('new', ['a'])).toEqual([['note.updated', 'new', null]]);
    expect(await told('', [])).toEqual([['note.removed', 'gone', ['1', 'gone']]]);
    expect(await told('new', [])).toEqual([['note.removed', 'old', null]]);
  });
  test('is named by each of its changes, so that they are found later; others name none', async () => {
    const row = { id: '1', text: 'new', readers: ['b'] };
    const move = { before: { ...row, readers: ['a'] }, after: row, at };
    const named = async (model: unknown) =>
      (await changesOf(db, model as ReadModel, [move])).map(({ type, ofRow }) => [type, ofRow]);
    expect(await named(erasable)).toEqual([
      ['note.removed', '1'],
      ['note.created', '1'],
    ]);
    expect(await named(notes)).toEqual([
      ['note.removed', null],
      ['note.created', null],
    ]);
  });
  test('shows in its former changes what the last change of the batch says', async () => {
    const [old, gone, back] = ['old', '', 'back'].map((text) => ({ id: '1', text, readers: ['a'] }));
    const moves = [
      { before: old, after: gone ?? null, at },
      { before: gone, after: back ?? null, at },
    ];
    const changes = await changesOf(db, erasable as ReadModel, moves);
    expect(changes.map(({ withdraws }) => withdraws?.id)).toEqual(['1', '1']);
  });
});

describe('a row that gives access', () => {
  const member = { id: '1', thread: 't', account: 'a', left: false };
  const changes = (before: typeof member | undefined, after: typeof member | null) =>
    changesOf(db, members, [{ before, after, at }]);
  const endsFor = async (...row: Parameters<typeof changes>) => (await changes(...row)).map((change) => change.endsFor);
  const startsFor = async (...row: Parameters<typeof changes>) =>
    (await changes(...row)).map((change) => change.startsFor);

  test('ends it with the change that takes it away', async () => {
    expect(await endsFor(member, null)).toEqual(['a']);
    expect(await endsFor(member, { ...member, left: true })).toEqual(['a']);
    expect(await endsFor(member, { ...member, account: 'b' })).toEqual(['a']);
  });
  test('begins it with the change that gives it', async () => {
    expect(await startsFor(undefined, member)).toEqual(['a']);
    expect(await startsFor({ ...member, left: true }, member)).toEqual(['a']);
    expect(await startsFor({ ...member, account: 'b' }, member)).toEqual(['a']);
    expect(await startsFor(member, member)).toEqual([null]);
    expect(await startsFor(undefined, { ...member, left: true })).toEqual([null]);
  });
  test('ends nothing with another change', async () => {
    expect(await endsFor(undefined, member)).toEqual([null]);
    expect(await endsFor(member, member)).toEqual([null]);
    expect(await endsFor({ ...member, left: true }, member)).toEqual([null]);
  });
});
