/** The tables of read models. */
import { Type } from '@sinclair/typebox';
import { expect, it } from 'vitest';
import { readModel } from '../../projections/engine/readModel.ts';
import { columnsOfMany, keepNoSamples } from '../../projections/engine/tables.ts';
import { wireForm } from '../../projections/engine/wire.ts';

const row = Type.Object({
  id: Type.String(),
  name: Type.String(),
  kind: Type.String(),
  tags: Type.Array(Type.String()),
  price: Type.Object({ minor: Type.Integer() }),
});

it('PostgreSQL samples neither personal columns nor wire forms, and JSON only where an index has it', () => {
  const things = readModel('things', {
    version: 1,
    row,
    key: 'id',
    on: {},
    indexes: ['kind', 'gin tags jsonb_path_ops'],
    personalData: { whose: 'id', texts: ['name'], why: 'sold', retention: 'always' } as never,
    wire: wireForm(Type.Object({ id: Type.String() }), ({ id }: { id: string }) => ({ id })),
    storesWire: true,
  });
  const [statement = '', ...others] = keepNoSamples(things, 'things');
  expect(others).toEqual([]);
  expect(/a\.attname = any\(array\[(.*?)\]/.exec(statement)?.[1]).toBe("'name', 'price', 'wire'");
});

it('a table with nothing of these is left as PostgreSQL has it', () => {
  const plain = Type.Object({ id: Type.String(), kind: Type.String() });
  expect(keepNoSamples(readModel('things', { version: 1, row: plain, key: 'id', on: {} }), 'things')).toEqual([]);
});

it('ids of people and things that indexes begin with are planned for as those that have many rows', () => {
  const Id = Type.String({ format: 'uuid' });
  const things = readModel('things', {
    version: 1,
    row: Type.Object({ id: Id, owner_id: Id, guest_id: Type.Union([Id, Type.Null()]), status: Type.String(), by: Id }),
    key: 'id',
    on: {},
    indexes: ['owner_id, status', 'guest_id', 'status', 'id, status'],
  });
  expect(columnsOfMany(things)).toEqual(['owner_id', 'guest_id']);
});
