/** The few shapes that events, rows, requests and replies are made of. Pure: TypeBox only. */
import { type Static, type TObject, type TSchema, type TString, Type } from '@sinclair/typebox';

/** UUID in its canonical text form. */
export const Uuid = Type.String({ format: 'uuid' });
/** The id of the one stream of an aggregate that there is only one of, such as `commissionRules-<this>`. */
export const ONLY_ONE = '00000000-0000-0000-0000-000000000000';
/** RFC 3339 instant, always written in UTC. */
export const Instant = Type.String({ format: 'date-time' });
/** `YYYY-MM-DD` in the property's own time zone. */
export const DateOnly = Type.String({ format: 'date' });
/** ISO 4217 code. */
export const Currency = Type.String({ pattern: '^[A-Z]{3}$', examples: ['RUB'] });
/** Whole minor units (kopecks, cents). Never a fraction. */
export const Minor = Type.Integer();

export const Money = Type.Object({ minor: Minor, currency: Currency });
export type Money = Static<typeof Money>;

/** One of the given strings, as a JSON Schema `enum`. */
export const OneOf = <const T extends readonly string[]>(values: T, options: object = {}) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options });

/** One of several objects, told apart by a field that each gives a literal of its own: errors speak of the one meant. */
export const Tagged = <const M extends readonly TObject[]>(tag: string, members: M) =>
  Type.Unsafe<Static<M[number]>>({
    type: 'object',
    required: [tag],
    properties: { [tag]: { enum: members.map((member) => member.properties[tag]?.const) } },
    discriminator: { propertyName: tag },
    oneOf: members,
  });

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/**
 * Marks a text field of an event as personal data: the codec writes it encrypted with its person's key
 * (`eventstore/vault.ts`), and reads it back as `[erased]` once that key has been destroyed.
 */
export const Personal = <T extends TString>(schema: T): T => ({ ...schema, 'x-personal': true });
export const isPersonal = (schema: TSchema): boolean => schema['x-personal'] === true;
/** What replay shows in place of personal data whose key is gone. */
export const ERASED = '[erased]';

/**
 * A field that nobody is shown, not even auditors: what people and keys prove themselves with, and where their money
 * lies. Told by its name.
 */
export const isSecretField = (name: string): boolean => /(hash|hashes|secret|password|accountNumber)$/i.test(name);
/** What is shown in its place. */
export const HIDDEN = '[hidden]';
