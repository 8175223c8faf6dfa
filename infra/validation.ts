/**
 * Ajv, configured once: nothing is coerced or dropped silently, and schemas compile on first use so that the start
 * stays fast.
 */
import type { Static, TSchema } from '@sinclair/typebox';
import { Ajv, type ErrorObject, type Options, type SchemaValidateFunction, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { typedLine, typedLines } from './typedText.ts';

const options: Options = {
  // One error is reported: to look for all of them costs an attacker's input more than it helps anybody.
  allErrors: false,
  // An error comes with its schema, whose example says more than a pattern. It also has the value: errors are not logged.
  verbose: true,
  strictTypes: false,
  discriminator: true,
  keywords: ['x-personal', 'x-audience', 'x-exact', 'column'],
};
/** The years of what may be sent. What is calculated from it, such as the season around a day, is a date, too. */
export const SENT_YEARS = { first: 1900, last: 2999 } as const;
/** Those that both Postgres and `toISOString` write with four digits. */
const STORED_YEARS = { first: 1, last: 9999 } as const;
type Years = typeof SENT_YEARS | typeof STORED_YEARS;

/** As Postgres reads it: the package also takes `urn:uuid:` before it. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A value that was sent gets the one form in which it is compared and stored, by its format. */
const CANONICAL = 'canonical';
const canonical: Readonly<Record<string, (text: string) => string>> = {
  // Some devices write UUIDs in capitals. Streams and derived ids take them as they are: as another id.
  uuid: (text) => text.toLowerCase(),
  // PostgreSQL refuses offsets beyond 16 hours and fractions of more than a hundred digits, which JavaScript reads.
  'date-time': (text) => new Date(text).toISOString(),
};
const toCanonical: SchemaValidateFunction = (format: string, text: string, _, at) => {
  // A value by itself is in nothing that could hold another.
  if (at?.parentData) at.parentData[at.parentDataProperty] = canonical[format]?.(text) ?? text;
  return true;
};

/**
 * A text that was sent is cleaned of what does harm where it is shown, before its length is checked. How long it may be says
 * whether it has lines: one of fewer characters than this is a name, a title, a short reason.
 */
const LEAST_WITH_LINES = 500;
const TYPED = 'typed';
const typed = { line: typedLine, lines: typedLines };
const toTyped: SchemaValidateFunction = (form: keyof typeof typed, text: string, _, at) => {
  if (at?.parentData) at.parentData[at.parentDataProperty] = typed[form](text);
  return true;
};
/** The pattern of a text that is not only white space. */
export const VISIBLE = '\\S';
/** How a text of this schema is cleaned; undefined: it must have a form of its own anyway, or counts as it is. */
const typedForm = (schema: Record<string, unknown>): keyof typeof typed | undefined => {
  const { type, format, pattern = VISIBLE, maxLength } = schema;
  const isFree = type === 'string' && format === undefined && pattern === VISIBLE;
  if (!isFree || 'enum' in schema || 'const' in schema || schema['x-exact'] === true) return undefined;
  return typeof maxLength === 'number' && maxLength >= LEAST_WITH_LINES ? 'lines' : 'line';
};

const ajvOf = (years: Years, more: Options = {}): Ajv => {
  const ajv = new Ajv({ ...options, ...more });
  addFormats.default(ajv, ['date', 'date-time', 'email', 'uri', 'time']);
  ajv.addFormat('uuid', UUID);
  const format = (name: string) => (ajv.formats[name] as { validate: (text: string) => boolean }).validate;
  const [isDate, isTime] = [format('date'), format('date-time')];
  const [first, last] = [`${years.first}-01-01`, `${years.last}-12-31`].map((date) => date.padStart(10, '0'));
  const [firstMs, lastMs] = [Date.parse(`${first}T00:00:00Z`), Date.parse(`${last}T23:59:59.999Z`)];
  // Of a time, the year in UTC: an offset can lead out of these years. No clock of ours has leap seconds.
  const isWithin = (ms: number) => ms >= firstMs && ms <= lastMs;
  ajv.addKeyword({ keyword: CANONICAL, type: 'string', modifying: true, errors: false, validate: toCanonical });
  ajv.addKeyword({
    keyword: TYPED,
    type: 'string',
    modifying: true,
    errors: false,
    before: 'maxLength',
    validate: toTyped,
  });
  ajv.addFormat('date', (text) => isDate(text) && isWithin(Date.parse(text)));
  ajv.addFormat('date-time', (text) => isTime(text) && isWithin(Date.parse(text)));
  return ajv;
};

/**
 * Where values come from: `stored` ones from our own stores or from other services; the `body` of a request, or one that
 * its sender has `signed`; `text` of an address, in which numbers and booleans are parsed and defaults filled in. UUIDs of
 * what was sent get lower case, times UTC. What people type, in bodies and addresses, is cleaned (`typedText.ts`).
 */
const sources = {
  stored: ajvOf(STORED_YEARS),
  body: ajvOf(SENT_YEARS),
  signed: ajvOf(SENT_YEARS),
  text: ajvOf(SENT_YEARS, { coerceTypes: true, useDefaults: true }),
};
type Source = keyof typeof sources;

export interface Validator<T extends TSchema> {
  /** True when `value` fits; narrows it. From `text`, numbers and booleans inside `value` are converted in place. */
  (value: unknown): value is Static<T>;
  /** Errors of the last failed call. Read them before the next call. */
  readonly errors: readonly ErrorObject[];
}

/**
 * A copy for Ajv: without `$id`, which names a schema in documents only, as the same name would not be compiled twice; and
 * with `canonical` for ids and times that are sent, `typed` for texts.
 */
const compilable = (schema: unknown, source: Source): object => {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    if (value === null || typeof value !== 'object') return value;
    const fields = Object.entries(value).filter(([name, inner]) => name !== '$id' || typeof inner !== 'string');
    const copied = Object.fromEntries(fields.map(([name, inner]) => [name, copy(inner)]));
    const { format } = copied;
    const isRewritten = source !== 'stored' && typeof format === 'string' && format in canonical;
    const form = source === 'body' || source === 'text' ? typedForm(copied) : undefined;
    return { ...copied, ...(isRewritten && { [CANONICAL]: format }), ...(form && { [TYPED]: form }) };
  };
  return copy(schema) as object;
};

/** What was compiled, by schema: compiling takes milliseconds, and Ajv never forgets what it has compiled. */
const known: Readonly<Record<Source, WeakMap<TSchema, ValidateFunction>>> = {
  stored: new WeakMap(),
  body: new WeakMap(),
  signed: new WeakMap(),
  text: new WeakMap(),
};

const compiledOf = (schema: TSchema, source: Source): ValidateFunction => {
  const compiled = known[source].get(schema) ?? sources[source].compile(compilable(schema, source));
  known[source].set(schema, compiled);
  return compiled;
};

/** A validator that is compiled when it is first called. */
export const validator = <T extends TSchema>(schema: T, source: Source = 'stored'): Validator<T> => {
  let compiled: ValidateFunction | undefined;
  const check = (value: unknown): value is Static<T> => {
    compiled ??= compiledOf(schema, source);
    return compiled(value) as boolean;
  };
  Object.defineProperty(check, 'errors', { get: () => compiled?.errors ?? [] });
  return check as Validator<T>;
};

/** Formats the first error as one line: `/nights/0 must match format "date"`. */
export const explain = (errors: readonly ErrorObject[]): string =>
  errors.map((e) => `${e.instancePath || 'value'} ${e.message ?? e.keyword}`).join('; ');
