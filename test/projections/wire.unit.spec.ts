import { Type } from '@sinclair/typebox';
import { expect, it } from 'vitest';
import { arrayText, JsonText, jsonOf, withFields } from '../../infra/jsonText.ts';
import { payloadsOf } from '../../projections/engine/payloads.ts';
import { readModel } from '../../projections/engine/readModel.ts';
import { formsOf } from '../../projections/engine/replies.ts';
import { wireColumns, withDerived } from '../../projections/engine/tables.ts';
import { audiences, SeenBy, wireForm, wireFormWith } from '../../projections/engine/wire.ts';
import { models } from '../../projections/modules.ts';
import { emptyDb } from '../kit/projected.ts';

const Part = Type.Object({ name: Type.String(), secret: SeenBy(['admin'], Type.Integer(), 'A number.') });
const Schema = Type.Object({
  id: Type.String(),
  share: SeenBy(['seller', 'admin'], Type.Integer(), 'A share.'),
  parts: Type.Array(Part),
});
const row = { id: 'a', share: 7, parts: [{ name: 'x', secret: 1 }] };
const form = wireForm(Schema, (of: typeof row) => of);

it('leaves out what an audience does not see, at every depth', () => {
  const parts = [{ name: 'x' }];
  expect(form.of(row, 'guest')).toEqual({ id: 'a', parts });
  expect(form.of(row, 'seller')).toEqual({ id: 'a', share: 7, parts });
  expect(form.of(row, 'admin')).toEqual(row);
});
it('leaves it out of the schema too, and says in the schema who sees it', () => {
  expect(Object.keys(form.schemaFor('guest').properties)).toEqual(['id', 'parts']);
  expect(form.schemaFor('seller')).toMatchObject({ required: ['id', 'parts'] });
  expect(Schema.properties.share.description).toBe('A share. Only for: seller, admin.');
});
it('refuses a mark where it would have no effect', () => {
  const hidden = Type.Object({ part: Type.Union([Part, Type.Null()]) });
  const form = wireForm(hidden, (of: { part: null }) => of);
  expect(() => form.of({ part: null }, 'guest')).toThrow('union');
});
it('shows only what the schema names, whatever else the row has', () =>
  expect(form.of({ ...row, other: 'x' } as typeof row, 'admin')).toEqual(row));

const titled = wireFormWith({
  schema: Type.Object({
    id: Type.String(),
    title: Type.String(),
    share: SeenBy(['seller'], Type.Integer(), 'A share.'),
  }),
  make: ({ id, share }: { id: string; share: number; kind: string; title: string }) => ({
    id,
    share,
    title: 'of the row',
  }),
  overlay: {
    fields: ['title'],
    needs: ['kind'],
    read: (_, rows, seers) => {
      reads.push([rows.length, ...seers]);
      return Promise.resolve(({ kind }, audience) => ({ title: `${kind} for a ${audience}` }));
    },
  },
});
const reads: unknown[] = [];
const things = ['a', 'b'].map((id) => ({ id, share: 7, kind: 'thing', title: 'hidden' }));

it('adds the overlay to what is made of the row, which it takes the place of, and reads it once for all rows', async () => {
  expect(titled.textOf(things[0] as never, 'guest').text).toBe('{"id":"a"}');
  const formFor = await formsOf(emptyDb, { wire: titled }, things, ['guest', 'seller']);
  expect(reads).toEqual([[2, 'guest', 'seller']]);
  expect(things.map((thing) => formFor(thing, 'guest').text)).toEqual([
    '{"id":"a","title":"thing for a guest"}',
    '{"id":"b","title":"thing for a guest"}',
  ]);
  expect(formFor(things[0] as never, 'seller').toJSON()).toEqual({ id: 'a', share: 7, title: 'thing for a seller' });
});
it('is stored once for the audiences that see the same', () => {
  const stored = readModel('things', {
    version: 1,
    row: Type.Object({ id: Type.String(), share: Type.Integer(), kind: Type.String(), title: Type.String() }),
    key: 'id',
    on: {},
    wire: titled,
    storesWire: true,
  });
  expect(wireColumns(stored)).toEqual(['wire', 'wire_seller']);
  expect(withDerived(stored, things[0] as never)).toEqual({
    ...things[0],
    wire: '{"id":"a"}',
    wire_seller: '{"share":7}',
  });
  expect([...stored.storedForms]).toEqual([
    ['guest', 'wire'],
    ['seller', 'wire_seller'],
    ['admin', 'wire'],
  ]);
});
it('writes JSON text into other JSON text', () => {
  const base = new JsonText<object>('{}');
  expect(withFields(base, {}).text).toBe('{}');
  expect(withFields(base, { a: 1 }).text).toBe('{"a":1}');
  const one = withFields(new JsonText<object>('{"b":"ü\\"}"}'), {
    a: undefined,
    list: arrayText([base, base]),
    c: null,
  });
  expect(JSON.parse(one.text)).toEqual({ b: 'ü"}', list: [{}, {}], c: null });
  expect(JSON.parse(JSON.stringify({ one }))).toEqual({ one: one.toJSON() });
  expect(jsonOf([1])).toBe('[1]');
});

const model = (...seers: readonly ('guest' | 'seller')[]) =>
  readModel('things', {
    version: 1,
    row: Type.Object({ id: Type.String() }),
    key: 'id',
    on: {},
    wire: wireForm(Schema, () => row),
    publishTo: seers.map((audience) => ({
      channel: { name: `${audience}s`, address: '{id}' },
      idsOf: ({ id }: { id: string }) => [id],
      audience,
    })),
  });
it('describes a message for each audience that sees something else', () => {
  expect(payloadsOf([model('guest', 'seller')])).toMatchObject([
    { name: 'thing', entity: 'thing', channels: ['guests'] },
    { name: 'thing_seller', entity: 'thing', channels: ['sellers'] },
  ]);
  expect(payloadsOf([model('guest', 'guest')])).toMatchObject([{ name: 'thing', channels: ['guests', 'guests'] }]);
});
it('names each message once', () => {
  const names = payloadsOf(models).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining(['booking', 'booking_seller', 'payment', 'trip', 'purchase', 'payout']));
});
it.each(audiences)('hides the commission and the provider_reason from guests only: %s', (audience) => {
  const fieldsOf = (name: string) =>
    Object.keys(models.find((each) => each.name === name)?.wire.schemaFor(audience).properties ?? {});
  expect(fieldsOf('bookings').includes('commission')).toBe(audience !== 'guest');
  expect(fieldsOf('payments').includes('provider_reason')).toBe(audience !== 'guest');
});
