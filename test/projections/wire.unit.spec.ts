import { Type } from '@sinclair/typebox';
import { expect, it } from 'vitest';
import { payloadsOf } from '../../projections/engine/payloads.ts';
import { readModel } from '../../projections/engine/readModel.ts';
import { audiences, SeenBy, showAll, wireForm, wireFormWith } from '../../projections/engine/wire.ts';
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
  expect(() => wireForm(hidden, (of: { part: null }) => of)).toThrow('union');
});
it('reads the overlay once for all rows', async () => {
  const reads: number[] = [];
  const titled = wireFormWith({
    schema: Type.Object({ id: Type.String(), title: Type.String() }),
    overlay: (_, rows: readonly { id: string }[]) => {
      reads.push(rows.length);
      return Promise.resolve(({ id }: { id: string }) => `title of ${id}`);
    },
    make: ({ id }, title) => ({ id, title }),
  });
  const replies = await showAll(emptyDb, titled, [{ id: 'a' }, { id: 'b' }], () => 'guest');
  expect(replies).toEqual([
    { id: 'a', title: 'title of a' },
    { id: 'b', title: 'title of b' },
  ]);
  expect(reads).toEqual([2]);
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
      idOf: ({ id }: { id: string }) => id,
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
