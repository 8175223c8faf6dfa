/** Where the personal data of an event is: found once in its declaration, then replaced in its data. */
import { type TObject, type TSchema, TypeGuard } from '@sinclair/typebox';
import type { EventDeclaration } from '../domain/core/decider.ts';
import { isPersonal } from '../domain/core/schema.ts';

type Json = Record<string, unknown>;
/** `*` stands for every item of an array. */
export type Path = readonly string[];

/** A place with personal data. */
export interface PersonalField {
  readonly path: Path;
  /** Whether it is a text; otherwise it is a number, an object or a list. */
  readonly isText: boolean;
}

/** An event that does not fit its declaration: a bug when writing, an incompatible change when reading. */
export class CodecError extends Error {
  override readonly name = 'CodecError';
}

/** The places in a schema that are marked as personal data. */
export const fieldsIn = (schema: TSchema, at: Path = []): PersonalField[] => {
  if (isPersonal(schema)) return [{ path: at, isText: schema.type === 'string' }];
  if (TypeGuard.IsObject(schema))
    return Object.entries((schema as TObject).properties).flatMap(([name, inner]) => fieldsIn(inner, [...at, name]));
  if (TypeGuard.IsArray(schema)) return fieldsIn(schema.items, [...at, '*']);
  if (TypeGuard.IsUnion(schema)) return schema.anyOf.flatMap((inner) => fieldsIn(inner, at));
  return [];
};

/**
 * Finds the personal data of a declaration.
 * @throws CodecError when some personal data would be written unencrypted, or could be a text or not
 */
export const personalFields = (type: string, { data, person }: EventDeclaration): PersonalField[] => {
  const fields = fieldsIn(data);
  const marked = JSON.stringify(data).split('"x-personal":true').length - 1;
  if (fields.length < marked)
    throw new CodecError(`${type} has personal data in a place that the codec does not support`);
  if (fields.length > 0 && person === undefined) throw new CodecError(`${type} has personal data but names no person`);
  const byPath = new Map<string, PersonalField>();
  for (const field of fields) {
    const name = field.path.join('.');
    if ((byPath.get(name) ?? field).isText !== field.isText)
      throw new CodecError(`${type} has a personal field that may be a text or another value: ${name}`);
    byPath.set(name, field);
  }
  return [...byPath.values()];
};

/** Replaces a value that is not null, given the path of its field. */
export type Change = (value: unknown, field: string) => unknown;

/** Copies `data` with the value at `path` replaced. Where the field is absent or null, it is `data` itself. */
export const replaceAt = (data: unknown, path: Path, change: Change, at: Path = []): unknown => {
  const [name, ...rest] = path;
  if (data === null || data === undefined) return data;
  if (name === undefined) return change(data, at.join('.'));
  if (typeof data !== 'object') return data;
  if (name === '*')
    return Array.isArray(data)
      ? data.map((item, index) => replaceAt(item, rest, change, [...at, String(index)]))
      : data;
  const before = (data as Json)[name];
  const after = replaceAt(before, rest, change, [...at, name]);
  return after === before ? data : { ...data, [name]: after };
};

/** Only what is at these paths, as deep as it was. An array keeps its items, so that each stays at its place. */
export const onlyAt = (data: unknown, paths: readonly Path[]): unknown => {
  if (paths.some((path) => path.length === 0)) return data;
  if (data === null || typeof data !== 'object') return null;
  const below = (name: string) => paths.filter(([first]) => first === name).map(([, ...rest]) => rest);
  if (Array.isArray(data)) return data.map((item) => onlyAt(item, below('*')));
  const names = [...new Set(paths.flatMap(([first]) => first ?? []))].filter((name) => name in data);
  return Object.fromEntries(names.map((name) => [name, onlyAt((data as Json)[name], below(name))]));
};
