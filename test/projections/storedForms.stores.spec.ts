/** What is stored of a row for replies: the whole form of guests, and beside it what only others see. */
import { Type } from '@sinclair/typebox';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { jsonOf } from '../../infra/jsonText.ts';
import { readDb, tables } from '../../projections/engine/readDb.ts';
import { readModel } from '../../projections/engine/readModel.ts';
import { storedText } from '../../projections/engine/replies.ts';
import { createTable, upsertRows, withDerived } from '../../projections/engine/tables.ts';
import { audiences, SeenBy, wireForm } from '../../projections/engine/wire.ts';
import { freshStores, type Stores } from '../kit/stores.ts';

const row = Type.Object({ id: Type.String(), title: Type.String(), share: Type.Integer(), note: Type.String() });
const schema = Type.Object({
  id: Type.String(),
  title: Type.String(),
  share: SeenBy(['seller', 'admin'], Type.Integer(), 'A share.'),
  note: SeenBy(['admin'], Type.String(), 'A note; absent where it is empty.'),
});
const form = wireForm(schema, ({ note, ...shown }: (typeof row)['static']) => ({ ...shown, ...(note && { note }) }));
const things = readModel('stored_things', { version: 1, row, key: 'id', on: {}, wire: form, storesWire: true });

let stores: Stores;
beforeAll(async () => {
  stores = await freshStores();
  await stores.pool.query(createTable(things, things.name));
});
afterAll(() => stores.pool.query('drop table read.stored_things'));

it('every audience is answered with what it sees of the row, whatever texts it has', async () => {
  const texts = fc.string({ unit: 'binary', maxLength: 20 }).filter((text) => !text.includes('\0'));
  const rows = fc.record({ id: fc.uuid(), title: texts, share: fc.integer(), note: texts });
  await fc.assert(
    fc.asyncProperty(rows, async (one) => {
      const valid = { ...one, title: one.title.toWellFormed(), note: one.note.toWellFormed() };
      await stores.pool.query(upsertRows(things, things.name), [jsonOf([withDerived(things, valid)])]);
      for (const audience of audiences) {
        const [found] = await tables(readDb(stores.pool), things)
          .selectFrom('stored_things')
          .select(storedText(things, audience).as('wire'))
          .where('id', '=', one.id)
          .execute();
        expect(JSON.parse(String(found?.wire))).toEqual(form.of(valid, audience));
      }
    }),
    { numRuns: 20 },
  );
});

it('what some see and guests see otherwise cannot be stored', () => {
  const hidden = Type.Object({ id: Type.String(), secret: SeenBy(['guest'], Type.String(), 'A secret.') });
  const declare = () =>
    readModel('others', {
      ...{ version: 1, row: Type.Object({ id: Type.String() }), key: 'id', on: {}, storesWire: true },
      wire: wireForm(hidden, ({ id }: { id: string }) => ({ id, secret: '' })),
    });
  expect(declare).toThrow('seller must see it, too');
});
