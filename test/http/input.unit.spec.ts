/** What a client is told about input that does not fit its schema. */
import { Type } from '@sinclair/typebox';
import { expect, it } from 'vitest';
import { fieldErrors } from '../../api/http/input.ts';
import { Nullable } from '../../domain/core/schema.ts';
import { validator } from '../../infra/validation.ts';

const Body = Type.Object({
  bik: Type.Optional(Nullable(Type.String({ pattern: '^\\d{9}$' }))),
  place: Type.Optional(Nullable(Type.Object({ name: Type.String({ minLength: 1 }) }))),
  nothing: Type.Optional(Type.Null()),
});
const told = (value: unknown): string[] => {
  const valid = validator(Body);
  expect(valid(value)).toBe(false);
  return fieldErrors('body', valid.errors).map(({ pointer, detail }) => `${pointer} ${detail}`);
};

it('says only what is wrong with a value where null is possible, too', () => {
  expect(told({ bik: '1' })).toEqual(['/body/bik must match pattern "^\\d{9}$"']);
  expect(told({ place: { name: '' } })).toEqual(['/body/place/name must NOT have fewer than 1 characters']);
  expect(told({ bik: 7 })).toEqual(['/body/bik must be string']);
});

it('says that a value must be null where nothing else is possible', () => {
  expect(told({ nothing: 1 })).toEqual(['/body/nothing must be null']);
});
