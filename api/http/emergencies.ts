/** Emergencies, which are answered whatever the load, and are not refused for something in the body that makes no sense. */
import type { TSchema } from '@sinclair/typebox';
import { isPlaceholder } from '../../domain/core/schema.ts';
import { storableText } from '../../domain/core/storable.ts';
import { type Validator, validator } from '../../infra/validation.ts';
import { MAX_DEPTH } from './inputLimits.ts';
import type { Route } from './route.ts';

/** Without unusable characters; a reserved text is empty. */
const usableText = (text: string): string => {
  const stored = storableText(text);
  return isPlaceholder(stored.trim()) ? '' : stored;
};

/** A copy that can be stored: too large numbers and what is nested too deep are null. */
const usable = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : null;
  if (typeof value === 'string') return usableText(value);
  if (value === null || typeof value !== 'object') return value;
  if (depth >= MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => usable(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [usableText(name), usable(inner, depth + 1)]));
};

/** Removes the value that a JSON pointer names. @returns whether there was one */
const removeAt = (input: unknown, pointer: string): boolean => {
  const names = pointer.split('/').slice(1);
  const last = names.pop();
  const parent = names.reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], input);
  if (last === undefined || parent === null || typeof parent !== 'object') return false;
  if (Array.isArray(parent)) parent.splice(Number(last), 1);
  else delete (parent as Record<string, unknown>)[last];
  return true;
};

/** Whether an operation is one for emergencies that does not need a body: then it does not matter what is wrong with it. */
export const needsNoBody = ({ access, spec: { body } }: Pick<Route, 'access' | 'spec'>): boolean =>
  access === 'emergency' && body !== undefined && validator(body, 'body')({});

/** More wrong values than a body for emergencies has room for. */
const MOST_REMOVED = 10_000;

export interface Understood {
  readonly body: unknown;
  /** Pointers of what was left out of it, as errors have them: `/body/lat`; `/body` is all of it. */
  readonly ignored: readonly string[];
}

/**
 * A body without the values that do not fit, or without all of it. What is required must fit: otherwise the body is
 * returned with what is wrong.
 */
export const withoutNonsense = (sent: unknown, valid: Validator<TSchema>): Understood => {
  const body = usable(sent);
  const ignored: string[] = [];
  while (ignored.length < MOST_REMOVED && !valid(body)) {
    const pointer = valid.errors[0]?.instancePath ?? '';
    if (!removeAt(body, pointer)) return valid({}) ? { body: {}, ignored: ['/body'] } : { body, ignored };
    ignored.push(`/body${pointer}`);
  }
  return { body, ignored };
};
