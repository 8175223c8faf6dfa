/** Values that are JSON text already, such as a stored reply: they are sent as they are, without parsing them first. */
import { randomUUID } from 'node:crypto';

/** The JSON text of a `T`. */
export class JsonText<T = unknown> {
  /** Only a type: what the text says. */
  declare readonly says?: T;
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  /** Wherever it is part of a value that is converted as a whole. */
  toJSON(): T {
    return JSON.parse(this.text) as T;
  }
}

/** A value, or its JSON text. */
export type OrText<T> = T | JsonText<T>;

/** Stands before the digits of an integer that a number cannot hold, until they are written without quotes. */
const DIGITS = `digits:${randomUUID()}:`;
const QUOTED_DIGITS = new RegExp(`"${DIGITS}(-?\\d+)"`, 'g');
const withDigits = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${DIGITS}${value}` : value);

/**
 * The JSON of a value. A `bigint` is written with all its digits, as an integer.
 * @throws TypeError for what JSON cannot say
 */
export const jsonOf = (value: unknown): string => {
  if (value instanceof JsonText) return value.text;
  try {
    return JSON.stringify(value);
  } catch (error) {
    // Nearly no value has a bigint: only then the slower way is worth its time.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(value, withDigits).replaceAll(QUOTED_DIGITS, '$1');
  }
};

export const arrayText = <T>(items: readonly JsonText<T>[]): JsonText<T[]> =>
  new JsonText(`[${items.map(({ text }) => text).join()}]`);

/** An object with these fields; those that are undefined are left out. */
export const objectText = <T extends object>(fields: { readonly [K in keyof T]: OrText<T[K]> }): JsonText<T> => {
  let [hasText, text] = [false, ''];
  for (const name in fields) if (fields[name] instanceof JsonText) hasText = true;
  if (!hasText) return new JsonText(jsonOf(fields));
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${jsonOf(value)}`;
  }
  return new JsonText(`{${text}}`);
};

/** The object `base`, which has none of these fields, with them. */
export const withFields = <T extends object, F extends object>(
  base: JsonText<T>,
  fields: { readonly [K in keyof F]: OrText<F[K]> },
): JsonText<T & F> => {
  const more = objectText(fields).text;
  if (more === '{}') return new JsonText(base.text);
  return new JsonText(base.text === '{}' ? more : `${base.text.slice(0, -1)},${more.slice(1)}`);
};
