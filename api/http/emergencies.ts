/** Emergencies, which are answered whatever the load, and are not refused for something in the body that makes no sense. */
import type { TSchema } from '@sinclair/typebox';
import { isPlaceholder } from '../../domain/core/schema.ts';
import { storableText } from '../../domain/core/storable.ts';
import { type Validator, validator } from '../../infra/validation.ts';
import { MAX_DEPTH } from './inputLimits.ts';
import type { Route } from './route.ts';

/**
 * A copy that can be stored: null in place of too large numbers, reserved texts and what is nested too deep.
 * @param ignored gets the pointers of these
 */
const usable = (value: unknown, ignored: string[], pointer = ''): unknown => {
  const unusable = () => {
    ignored.push(`/body${pointer}`);
    return null;
  };
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : unusable();
  if (typeof value === 'string') {
    const text = storableText(value);
    return isPlaceholder(text.trim()) ? unusable() : text;
  }
  if (value === null || typeof value !== 'object') return value;
  if (pointer.split('/').length > MAX_DEPTH) return unusable();
  if (Array.isArray(value)) return value.map((item, n) => usable(item, ignored, `${pointer}/${n}`));
  const entries = Object.entries(value).map(([key, inner]) => {
    const name = storableText(key);
    return [name, usable(inner, ignored, `${pointer}/${escaped(name)}`)];
  });
  return Object.fromEntries(entries);
};

/** A name as a part of a JSON pointer (RFC 6901). */
const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/**
 * Removes the value that a JSON pointer names. An item of a list leaves an empty object in its place, so that pointers of the
 * items after it still name what was sent.
 * @returns whether there was such a value
 */
const removeAt = (input: unknown, pointer: string): boolean => {
  const names = pointer.split('/').slice(1).map(unescaped);
  const last = names.pop();
  const parent = names.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], input);
  if (last === undefined || parent === null || typeof parent !== 'object') return false;
  if (!Array.isArray(parent)) delete (parent as Record<string, unknown>)[last];
  else if (isEmpty(parent[Number(last)])) parent.splice(Number(last), 1);
  else parent[Number(last)] = {};
  return true;
};
const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** Pointers of fields that the schema does not know. */
const unknownFields = (value: unknown, { properties, items }: TSchema, pointer = ''): string[] => {
  if (value === null || typeof value !== 'object') return [];
  if (Array.isArray(value))
    return items ? value.flatMap((item, n) => unknownFields(item, items, `${pointer}/${n}`)) : [];
  if (!properties) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = `${pointer}/${escaped(name)}`;
    return Object.hasOwn(properties, name) ? unknownFields(inner, properties[name], at) : [at];
  });
};

/** Whether an operation is one for emergencies that does not need a body: then it does not matter what is wrong with it. */
export const needsNoBody = ({ access, spec: { body } }: Pick<Route, 'access' | 'spec'>): boolean =>
  access === 'emergency' && body !== undefined && validator(body, 'body')({});

/** More wrong values than a body for emergencies has room for. */
const MOST_REMOVED = 10_000;

export interface Understood {
  readonly body: unknown;
  /** Pointers of what is not used of it, as errors have them: `/body/lat`; `/body` is all of it. */
  readonly ignored: readonly string[];
}

/**
 * A body without the values that do not fit, or without all of it. What is required must fit: otherwise the body is
 * returned with what is wrong.
 */
export const withoutNonsense = (sent: unknown, valid: Validator<TSchema>, schema: TSchema): Understood => {
  const ignored: string[] = [];
  const body = usable(sent, ignored);
  for (let removed = 0; removed < MOST_REMOVED && !valid(body); removed += 1) {
    const pointer = valid.errors[0]?.instancePath ?? '';
    if (!removeAt(body, pointer)) return valid({}) ? { body: {}, ignored: ['/body'] } : { body, ignored };
    ignored.push(`/body${pointer}`);
  }
  const unknown = unknownFields(body, schema).map((pointer) => `/body${pointer}`);
  return { body, ignored: [...new Set([...ignored, ...unknown])] };
};
