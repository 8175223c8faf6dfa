/** The shapes that events, rows, requests and replies share. Pure: TypeBox only. */
import { type Static, type TObject, type TSchema, type TString, Type } from '@sinclair/typebox';

/** UUID in its canonical text form. */
export const Uuid = Type.String({ format: 'uuid' });
/** The stream id of an aggregate that exists only once, such as `commissionRules-<this>`. */
export const ONLY_ONE = '00000000-0000-0000-0000-000000000000';
/** RFC 3339 instant, always written in UTC. */
export const Instant = Type.String({ format: 'date-time' });
/** `YYYY-MM-DD` in the property's own time zone. */
export const DateOnly = Type.String({ format: 'date' });
/** ISO 4217 code. */
export const Currency = Type.String({ pattern: '^[A-Z]{3}$', examples: ['RUB'] });
/**
 * The largest amount that can be sent, in minor units: 10 billion roubles. Thousands of such amounts add up to a number that
 * is still exact.
 */
export const MOST_MINOR = 1e12;
/** Whole minor units (kopecks, cents). Never a fraction. */
export const Minor = Type.Integer();
/** Minor units added up over many amounts: a `bigint` where a number would not be exact, and an integer in JSON. */
export type MinorSum = number | bigint;
export const MinorSum = Type.Unsafe<MinorSum>(Minor);
/** How many of something. */
export const Count = Type.Integer({ minimum: 0 });
/** A text of a request that counts as it was sent: a password. Others are cleaned (`typedText.ts`). */
export const Exact = <T extends TString>(schema: T): T => ({ ...schema, 'x-exact': true });
/** Why somebody did something, in their words. */
export const ReasonText = Type.String({ minLength: 1, maxLength: 1_000 });
/** An address in the web. */
export const WebUrl = Type.String({ format: 'uri', pattern: '^https?://', maxLength: 2_000 });

/** One of the given strings, as a JSON Schema `enum`. */
export const OneOf = <const T extends readonly string[]>(values: T, options: object = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options });

/**
 * One of several objects, distinguished by the literal value of a field, so that validation reports errors of that
 * object only.
 */
export const Tagged = <const M extends readonly TObject[]>(tag: string, members: M) =>
  Type.Unsafe<Static<M[number]>>({
    type: 'object',
    required: [tag],
    properties: { [tag]: { enum: members.map((member) => member.properties[tag]?.const) } },
    discriminator: { propertyName: tag },
    oneOf: members,
  });

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** An object whose names are not known before: each fits `name`, and has a value of one shape. */
export const MapOf = <T extends TSchema>(
  name: TString,
  value: T,
  options: { maxProperties: number; description?: string },
) =>
  Type.Unsafe<Record<string, Static<T>>>({
    type: 'object',
    propertyNames: name,
    additionalProperties: value,
    ...options,
  });

/**
 * Marks a text field of an event as personal data: the codec writes it encrypted with its person's key
 * (`eventstore/vault.ts`), and reads it back as `[erased]` once that key has been destroyed.
 */
export const Personal = <T extends TString>(schema: T): T => ({ ...schema, 'x-personal': true });
/**
 * Marks a number, an object or a list of an event as personal data, such as coordinates. Its JSON is encrypted like a
 * text. Once it cannot be read it is null, which its type says: there is no placeholder that is a number.
 */
export const PersonalValue = <T extends TSchema>(schema: T) => Nullable({ ...schema, 'x-personal': true });
export const isPersonal = (schema: TSchema): boolean => schema['x-personal'] === true;
/** The text that a replay shows instead of personal data whose key was destroyed. */
export const ERASED = '[erased]';
/** The text that stands for personal data whose key is missing, which is a fault: the key was not destroyed on purpose. */
export const UNREADABLE = '[unreadable]';
/** Whether a text is a placeholder: it must not be used as an address, a number or a token. */
export const isPlaceholder = (text: string): boolean => text === ERASED || text === UNREADABLE;
/** What can be shown of a text; null: its person was erased. */
export const textOrNull = (text: string | null): string | null => (text === null || isPlaceholder(text) ? null : text);

/**
 * Whether a field is never shown, not even to auditors: credentials of people and keys, and bank account numbers. It is
 * recognised by its name.
 */
export const isSecretField = (name: string): boolean => /(hash|hashes|secret|password|accountNumber)$/i.test(name);
/** The text that is shown instead. */
export const HIDDEN = '[hidden]';
