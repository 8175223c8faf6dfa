import { type TSchema, Type } from '@sinclair/typebox';
import { expect, it } from 'vitest';
import { strictBody } from '../../api/http/strictSchemas.ts';
import { routes } from '../../api/modules.ts';
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

/** Every text that a body of an operation can have, by where it is. */
const textsOfBodies = (): Map<string, TSchema> => {
  const found = new Map<string, TSchema>();
  const visit = (schema: TSchema, at: string): void => {
    const {
      type,
      format,
      properties = {},
      items,
      anyOf = [],
      oneOf = [],
      additionalProperties,
      propertyNames,
    } = schema;
    if (type === 'string' && format === undefined && !('enum' in schema) && !('const' in schema)) found.set(at, schema);
    for (const [name, inner] of Object.entries<TSchema>(properties)) visit(inner, `${at}.${name}`);
    if (items) visit(items, `${at}[]`);
    for (const each of [...anyOf, ...oneOf]) visit(each, at);
    if (typeof additionalProperties === 'object') visit(additionalProperties, `${at}.*`);
    if (propertyNames) visit(propertyNames, `${at}.(name)`);
  };
  for (const { key, spec } of routes) if (spec.body) visit(spec.body, key);
  return found;
};

it('every text of a request is cleaned, refuses by its form what harms, or is one of few that count as they are sent', () => {
  const texts = [...textsOfBodies()];
  expect(texts.length).toBeGreaterThan(200);
  const harmful = ['\u202e', '\u200b', '\u3164', '\u{e0041}', '\n', '\u2028'].flatMap((each) =>
    [`ab${each}ab`, each.repeat(2), `a${each}b`].map((text) => ({ text, each })),
  );
  // A flag that does not exist is refused, whatever its key looks like.
  const namesOfWhatExists = /flags\.\(name\)$|parents\[\]\.flag$/;
  const unclean = texts.filter(([at, schema]) => {
    if (schema['x-exact'] === true || namesOfWhatExists.test(at)) return false;
    const valid = validator(Type.Object({ text: schema }), 'body');
    return harmful.some(({ text, each }) => {
      const sent = { text };
      return valid(sent) && sent.text.includes(each) && !(each === '\n' && schema.maxLength >= 500);
    });
  });
  expect(unclean.map(([at]) => at)).toEqual([]);
  const exact = texts.filter(([, schema]) => schema['x-exact'] === true).map(([at]) => at.replace(/^.*[.]/, ''));
  expect([...new Set(exact)].sort()).toEqual([
    'code',
    'current_password',
    'email',
    'identifier',
    'new_password',
    'password',
    'value',
  ]);
});

it('a text that is needed is refused when it shows nothing', () => {
  const needed = [...textsOfBodies()].filter(
    ([, { minLength = 0, 'x-exact': exact }]) => minLength > 0 && exact !== true,
  );
  const accepting = needed.filter(([, schema]) => {
    const valid = validator(strictBody(Type.Object({ text: schema })), 'body');
    const nothing = ['\u3164', '\u2800', '\u200b', '\u202e', ' \n', '\u{e0041}'];
    return nothing.some((each) => valid({ text: each.repeat(Math.max(20, schema.minLength)) }));
  });
  expect(accepting.map(([at]) => at)).toEqual([]);
});
