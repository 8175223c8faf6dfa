/** Where the personal texts of an event are: found once in its declaration, then replaced in its data. */
import { type TObject, type TSchema, TypeGuard } from '@sinclair/typebox';
import type { EventDeclaration } from '../domain/core/decider.ts';
import { isPersonal } from '../domain/core/schema.ts';

type Json = Record<string, unknown>;
/** `*` stands for every item of an array. */
export type Path = readonly string[];

/** An event that does not fit its declaration: a bug when writing, an incompatible change when reading. */
export class CodecError extends Error {
  override readonly name = 'CodecError';
}

const pathsIn = (schema: TSchema, at: Path = []): Path[] => {
  if (isPersonal(schema)) return [at];
  if (TypeGuard.IsObject(schema))
    return Object.entries((schema as TObject).properties).flatMap(([name, inner]) => pathsIn(inner, [...at, name]));
  if (TypeGuard.IsArray(schema)) return pathsIn(schema.items, [...at, '*']);
  if (TypeGuard.IsUnion(schema)) return schema.anyOf.flatMap((inner) => pathsIn(inner, at));
  return [];
};

/**
 * Finds the personal texts of a declaration.
 * @throws CodecError when some personal data would be written unencrypted
 */
export const personalPaths = (type: string, { data, person }: EventDeclaration): Path[] => {
  const paths = pathsIn(data);
  const marked = JSON.stringify(data).split('"x-personal":true').length - 1;
  if (paths.length < marked)
    throw new CodecError(`${type} has personal data in a place that the codec does not support`);
  if (paths.length > 0 && person === undefined) throw new CodecError(`${type} has personal data but names no person`);
  return [...new Map(paths.map((path) => [path.join('.'), path])).values()];
};

/** Replaces a text, given the path of its field. */
export type Change = (text: string, field: string) => string;

/** Copies `value` with the text at `path` replaced. An absent or null field stays as it is. */
const replaceAt = (value: unknown, path: Path, change: Change, at: Path = []): unknown => {
  const [name, ...rest] = path;
  if (name === undefined) return typeof value === 'string' ? change(value, at.join('.')) : value;
  if (value === null || typeof value !== 'object') return value;
  if (name === '*')
    return Array.isArray(value)
      ? value.map((item, index) => replaceAt(item, rest, change, [...at, String(index)]))
      : value;
  return name in value ? { ...value, [name]: replaceAt((value as Json)[name], rest, change, [...at, name]) } : value;
};

/** Copies `data` with the texts at all `paths` replaced. */
export const replaceTexts = (data: unknown, paths: readonly Path[], change: Change): unknown =>
  paths.reduce((copy, path) => replaceAt(copy, path, change), data);
