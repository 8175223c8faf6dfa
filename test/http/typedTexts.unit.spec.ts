import { Type } from '@sinclair/typebox';
import { expect, it } from 'vitest';
import { Exact, Nullable, OneOf } from '../../domain/core/schema.ts';
import { validator } from '../../infra/validation.ts';

const Sent = Type.Object({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 8 })),
  nickname: Type.Optional(Nullable(Type.String({ maxLength: 8 }))),
  tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 8 }))),
  notes: Type.Optional(Type.String({ maxLength: 500 })),
  password: Type.Optional(Exact(Type.String({ maxLength: 500 }))),
  kind: Type.Optional(OneOf(['a', 'b'] as const)),
});
const cleaned = (source: 'body' | 'text' | 'signed' | 'stored', value: object) => {
  const valid = validator(Sent, source);
  return valid(value) ? value : valid.errors[0]?.message;
};

it('texts of requests are cleaned before their length is checked', () => {
  for (const source of ['body', 'text'] as const) {
    expect(cleaned(source, { name: ' An\u200bna\u202e\n', nickname: 'e\u0301', tags: ['x\ty'] })).toEqual({
      name: 'Anna',
      nickname: 'é',
      tags: ['x y'],
    });
    expect(cleaned(source, { name: '\u200b1234567\u202e8\r\n' })).toEqual({ name: '12345678' });
    expect(cleaned(source, { name: ' \u200b ' })).toMatch(/fewer than 1/);
    expect(cleaned(source, { notes: 'one\r\n\u0007two' })).toEqual({ notes: 'one\ntwo' });
  }
});

it('passwords count as they were sent', () => {
  const password = ' e\u0301\u200b\n';
  expect(cleaned('body', { password })).toEqual({ password });
});

it('what is stored or signed stays as it is', () => {
  for (const source of ['stored', 'signed'] as const)
    expect(cleaned(source, { name: ' \u202eA\n' })).toEqual({ name: ' \u202eA\n' });
});

it('what is one of several words stays as it was sent', () => {
  expect(cleaned('body', { kind: 'a\u200b' })).toMatch(/must be equal/);
});
