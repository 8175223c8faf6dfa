/**
 * Converts field names between `camelCase` in the domain and in events, `snake_case` in tables and on the wire. Schemas
 * are converted too, so that a bound or a format is written once.
 */
import { type Static, type TArray, type TObject, type TSchema, type TUnion, TypeGuard } from '@sinclair/typebox';

type SnakeCase<S extends string> = S extends `${infer Head}${infer Tail}`
  ? `${Head extends Lowercase<Head> ? Head : `_${Lowercase<Head>}`}${SnakeCase<Tail>}`
  : S;
export type CamelCase<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : S;

export type Snake<T> = T extends readonly (infer Item)[]
  ? Snake<Item>[]
  : T extends object
    ? { [K in keyof T as K extends string ? SnakeCase<K> : K]: Snake<T[K]> }
    : T;
export type Camel<T> = T extends readonly (infer Item)[]
  ? Camel<Item>[]
  : T extends object
    ? { [K in keyof T as K extends string ? CamelCase<K> : K]: Camel<T[K]> }
    : T;

/** More names than all schemas have, and longer than any of them: what users name is remembered, too. */
const MAX_NAMES = 5_000;
const MAX_LENGTH = 60;

/** Converts each name once: the same few come again and again. */
const remembering = (convert: (name: string) => string): ((name: string) => string) => {
  const known = new Map<string, string>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const converted = convert(name);
    if (known.size < MAX_NAMES && name.length <= MAX_LENGTH) known.set(name, converted);
    return converted;
  };
};

export const snakeCase = remembering((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
export const camelCase = remembering((name) =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
);

const renamed = (value: unknown, rename: (name: string) => string): unknown => {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [rename(name), renamed(inner, rename)]));
};

/** A copy with every field name, at every depth, in `snake_case`. */
export const toSnake = <T>(value: T): Snake<T> => renamed(value, snakeCase) as Snake<T>;
/** A copy with every field name, at every depth, in `camelCase`. */
export const toCamel = <T>(value: T): Camel<T> => renamed(value, camelCase) as Camel<T>;

export type SnakeSchema<S extends TSchema> =
  S extends TObject<infer P>
    ? TObject<{ [K in keyof P & string as SnakeCase<K>]: SnakeSchema<P[K]> }>
    : S extends TArray<infer I>
      ? TArray<SnakeSchema<I>>
      : S extends TUnion<infer U>
        ? TUnion<{ [I in keyof U]: SnakeSchema<U[I] & TSchema> }>
        : S;

const snake = (schema: TSchema): TSchema => {
  if (TypeGuard.IsObject(schema))
    return {
      ...schema,
      ...(schema.required && { required: schema.required.map(snakeCase) }),
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([name, inner]) => [snakeCase(name), snake(inner)]),
      ),
    };
  if (TypeGuard.IsArray(schema)) return { ...schema, items: snake(schema.items) };
  if (TypeGuard.IsUnion(schema)) return { ...schema, anyOf: schema.anyOf.map(snake) };
  return schema;
};

/** The schema of `toSnake(value)`, from that of `value`. */
export const snakeSchema = <S extends TSchema>(schema: S): SnakeSchema<S> => snake(schema) as SnakeSchema<S>;

export type SnakeStatic<S extends TSchema> = Static<SnakeSchema<S>>;
