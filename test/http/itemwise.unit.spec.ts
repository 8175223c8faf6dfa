/** Lists whose items are checked one by one. */
import { Type } from '@sinclair/typebox';
import { expect, it } from 'vitest';
import { itemChecker, withAnyItems, withoutItems } from '../../api/http/itemwise.ts';
import { routes } from '../../api/modules.ts';
import { validator } from '../../infra/validation.ts';

const Item = Type.Object({ name: Type.String({ minLength: 2 }), more: Type.Optional(Type.Unknown()) });
const Body = Type.Object({ at: Type.String(), items: Type.Array(Item, { minItems: 1, maxItems: 3 }) });

it('rejects a wrong item with its place and reason, and keeps the others', () => {
  const deep = JSON.parse(`${'['.repeat(30)}${']'.repeat(30)}`);
  const { fitting, rejected } = itemChecker(
    'items',
    Item,
  )([
    { name: 'first' },
    { name: 'x' },
    7,
    { name: 'known', unknown: 1 },
    { name: 'deep', more: deep },
    { name: 'last', more: { any: ['thing'] } },
  ]);
  expect(fitting.map(({ index, item }) => [index, item.name])).toEqual([
    [0, 'first'],
    [5, 'last'],
  ]);
  expect(rejected).toEqual([
    { index: 1, detail: '/items/1/name must NOT have fewer than 2 characters' },
    { index: 2, detail: '/items/2 must be object' },
    { index: 3, detail: '/items/3/unknown is not a known field' },
    { index: 4, detail: `/items/4/more${'/0'.repeat(19)} is nested deeper than 20 levels` },
  ]);
});

it('lets any items into the body, and nothing else', () => {
  const valid = validator(withAnyItems(Body, 'items'));
  expect(valid({ at: 'now', items: [1, { name: 7 }] })).toBe(true);
  expect(valid({ at: 7, items: [1] })).toBe(false);
  expect(valid({ at: 'now', items: [] })).toBe(false);
  expect(valid({ at: 'now', items: [1, 2, 3, 4] })).toBe(false);
  expect(withoutItems({ at: 'now', items: [1] }, 'items')).toEqual({ at: 'now', items: [] });
  expect(withoutItems(null, 'items')).toBe(null);
  expect(() => withAnyItems(Body, 'at')).toThrow('at is not a list of the body');
});

it('names a list of the body in every operation', () => {
  for (const { spec } of routes)
    if (spec.body && spec.itemwise !== undefined)
      expect(() => withAnyItems(spec.body as never, spec.itemwise as string)).not.toThrow();
});
