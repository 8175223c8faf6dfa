/**
 * Ajv, configured once: nothing is coerced or dropped silently, and schemas compile on first use so that the start
 * stays fast.
 */
import type { Static, TSchema } from '@sinclair/typebox';
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

const options: Options = {
  // One error is reported: to look for all of them costs an attacker's input more than it helps anybody.
  allErrors: false,
  // An error comes with its schema, whose example says more than a pattern. It also has the value: errors are not logged.
  verbose: true,
  strictTypes: false,
  discriminator: true,
  keywords: ['x-personal', 'x-audience', 'column'],
};
const strict = new Ajv(options);
/**
 * Query strings and path parameters are text: numbers and booleans are parsed and defaults filled in. Bodies are validated as they are.
 */
const fromText = new Ajv({ ...options, coerceTypes: true, useDefaults: true });
/** Years that both Postgres and `toISOString` write with four digits. */
const [FIRST_MS, LAST_MS] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];
/** Whether an RFC 3339 time exists in UTC: an offset can lead out of these years, and no clock of ours has leap seconds. */
const exists = (instant: string): boolean => {
  const ms = Date.parse(instant);
  return ms >= FIRST_MS && ms <= LAST_MS;
};
/** As Postgres reads it: the package also takes `urn:uuid:` before it. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
for (const ajv of [strict, fromText]) {
  addFormats.default(ajv, ['date', 'date-time', 'email', 'uri', 'time']);
  ajv.addFormat('uuid', UUID);
  const format = (name: string) => (ajv.formats[name] as { validate: (text: string) => boolean }).validate;
  const [isDate, isTime] = [format('date'), format('date-time')];
  ajv.addFormat('date', (text) => !text.startsWith('0000') && isDate(text)); // Postgres has no year 0
  ajv.addFormat('date-time', (text) => isTime(text) && exists(text));
}

export interface Validator<T extends TSchema> {
  /** True when `value` fits; narrows it. With `fromText`, numbers and booleans inside `value` are converted in place. */
  (value: unknown): value is Static<T>;
  /** Errors of the last failed call. Read them before the next call. */
  readonly errors: readonly ErrorObject[];
}

/** A copy without `$id`, which names a schema in documents only: Ajv would refuse to compile the same name twice. */
const withoutIds = (schema: unknown): object => {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    if (value === null || typeof value !== 'object') return value;
    const fields = Object.entries(value).filter(([name, inner]) => name !== '$id' || typeof inner !== 'string');
    return Object.fromEntries(fields.map(([name, inner]) => [name, copy(inner)]));
  };
  return copy(schema) as object;
};

/** What was compiled, by schema: compiling takes milliseconds, and Ajv never forgets what it has compiled. */
const known = { json: new WeakMap<TSchema, ValidateFunction>(), text: new WeakMap<TSchema, ValidateFunction>() };

const compiledOf = (schema: TSchema, from: 'json' | 'text'): ValidateFunction => {
  const compiled = known[from].get(schema) ?? (from === 'text' ? fromText : strict).compile(withoutIds(schema));
  known[from].set(schema, compiled);
  return compiled;
};

/** A validator that is compiled when it is first called. */
export const validator = <T extends TSchema>(schema: T, from: 'json' | 'text' = 'json'): Validator<T> => {
  let compiled: ValidateFunction | undefined;
  const check = (value: unknown): value is Static<T> => {
    compiled ??= compiledOf(schema, from);
    return compiled(value) as boolean;
  };
  Object.defineProperty(check, 'errors', { get: () => compiled?.errors ?? [] });
  return check as Validator<T>;
};

/** Formats the first error as one line: `/nights/0 must match format "date"`. */
export const explain = (errors: readonly ErrorObject[]): string =>
  errors.map((e) => `${e.instancePath || 'value'} ${e.message ?? e.keyword}`).join('; ');
