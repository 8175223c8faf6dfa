/** Bodies of requests with a mark in every field that a person fills, made from the schema that the route declares. */
import type { TSchema } from '@sinclair/typebox';
import { validator } from '../../infra/validation.ts';
import type { Marks } from './marks.ts';

type Given = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fits = new WeakMap<TSchema, (value: unknown) => boolean>();
const isValid = (schema: TSchema, value: unknown): boolean => {
  const check = fits.get(schema) ?? validator(schema);
  fits.set(schema, check);
  return check(value);
};

/** Names of texts that are nobody's own words. */
const NO_WORDS: Readonly<Record<string, string>> = {
  promo: 'the code of an offer',
  timezone: 'an IANA name',
  policy_version: 'names a text in force',
  app_version: 'a version',
  code: 'a one-time code, or that of a pass',
};

const lastName = (at: string): string => at.split('.').at(-1) ?? '';

/** Makes a mark. @param where it is written */
type Form = (marks: Marks, where: string) => string | number;
const TEXTS: readonly ((word: string) => string)[] = [
  (word) => `Ж"${word}`,
  String,
  (word) => `https://example.test/${word}`,
];
const SAMPLE = 'zq0a0b0c0d0e0fn100e';

/** The form of a mark that a text or a coordinate takes; undefined for what takes none: dates, codes, choices. */
const formFor = (schema: TSchema, at: string): Form | undefined => {
  const name = lastName(at);
  if (name in NO_WORDS) return;
  if (schema.type === 'number' && /^lat/.test(name)) return ({ lat }) => lat;
  if (schema.type === 'number' && /^lon/.test(name)) return ({ lon }) => lon;
  if (schema.type !== 'string' || schema.enum || schema.const !== undefined || schema.format === 'uuid') return;
  if (/phone$/.test(name)) return ({ phone }) => phone();
  if (name === 'inn') return ({ inn }) => inn();
  if (/email$/.test(name)) return ({ word }, where) => `${word(where)}@example.test`;
  const text = TEXTS.find((made) => isValid(schema, made(SAMPLE)));
  return text && (({ word }, where) => text(word(where)));
};

/** The members of a union that are not null; a single one for what is no union. */
const membersOf = (schema: TSchema): readonly TSchema[] =>
  (schema.oneOf ?? schema.anyOf ?? [schema]).filter(({ type }: TSchema) => type !== 'null');

/** The texts and coordinates that a person fills, as dotted names. */
export const freeFields = (schema: TSchema, at = ''): string[] => {
  const below = (inner: TSchema, name: string) => freeFields(inner, at ? `${at}.${name}` : name);
  const found = membersOf(schema).flatMap((one): string[] => {
    if (one !== schema) return freeFields(one, at);
    if (one.type === 'array') return freeFields(one.items, at);
    if (one.type !== 'object') return formFor(one, at) === undefined ? [] : [at];
    const named = Object.entries<TSchema>(one.properties ?? {}).flatMap(([name, inner]) => below(inner, name));
    return one.additionalProperties || one.patternProperties ? [...named, `${at}.*`] : named;
  });
  return [...new Set(found)];
};

const sample = ({ enum: choices, const: only, type, minimum, anyOf }: TSchema): unknown => {
  if (anyOf?.some((one: TSchema) => one.type === 'null')) return null;
  if (only !== undefined) return only;
  if (choices) return choices[0];
  if (type === 'boolean') return false;
  return type === 'number' || type === 'integer' ? Math.max(1, minimum ?? 1) : undefined;
};

const agrees = ({ properties = {} }: TSchema, given: unknown): boolean =>
  !isObject(given) ||
  Object.entries(given).every(([name, value]) => {
    const { const: only } = (properties[name] ?? {}) as TSchema;
    return only === undefined || only === value;
  });

/**
 * A value for a schema: as `given` (null: without it), with marks in all other fields that take one.
 * @returns undefined when something that is required is neither
 */
const filled = (schema: TSchema, given: unknown, where: string, marks: Marks, at = ''): unknown => {
  const members = membersOf(schema);
  if (members[0] !== schema) {
    const member = members.find((one) => agrees(one, given));
    return member && filled(member, given, where, marks, at);
  }
  if (schema.type === 'array') {
    if (given === undefined) {
      const one = filled(schema.items, undefined, where, marks, at);
      return one === undefined ? undefined : [one];
    }
    return (given as unknown[]).map((one) => filled(schema.items, one, where, marks, at));
  }
  if (schema.type !== 'object') return given === undefined ? formFor(schema, at)?.(marks, `${where} ${at}`) : given;
  const required = new Set<string>(schema.required);
  const made: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries<TSchema>(schema.properties ?? {})) {
    const own = isObject(given) ? given[name] : undefined;
    if (own === null) continue;
    const value =
      filled(inner, own, where, marks, at ? `${at}.${name}` : name) ?? (required.has(name) ? sample(inner) : undefined);
    if (value !== undefined) made[name] = value;
    else if (required.has(name)) return undefined;
  }
  if (schema.additionalProperties || schema.patternProperties) made.note = marks.word(`${where} ${at}.*`);
  return made;
};

/** The dotted names of what a body has. */
const namesIn = (value: unknown, at = ''): string[] => {
  if (Array.isArray(value)) return value.flatMap((one) => namesIn(one, at));
  if (!isObject(value)) return [at];
  return Object.entries(value).flatMap(([name, inner]) => namesIn(inner, at ? `${at}.${name}` : name));
};

/** The body of an operation as `given`, with a mark in every other field that a person fills. */
export const markedBody = (schema: TSchema, given: object, key: string, marks: Marks): unknown => {
  const body = filled(schema, given, key, marks);
  if (body === undefined) throw new Error(`something that ${key} requires is not given`);
  const names = new Set([...namesIn(body), ...namesIn(given)]);
  const missing = freeFields(schema).filter((name) => !name.endsWith('*') && !names.has(name));
  if (missing.length > 0) throw new Error(`${key} is called without ${missing}: give what is around it, or null`);
  return body;
};
