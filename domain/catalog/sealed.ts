/**
 * What a seller says of what they offer is encrypted with the seller's key, and goes with the last owner: a seller is often
 * one person, whose name, address and website these are. Every free text and every place of the details is sealed without
 * being named, so that none is forgotten.
 */
import { type TObject, type TProperties, type TSchema, TypeGuard } from '@sinclair/typebox';
import type { EventDeclaration } from '../core/decider.ts';
import { isPersonal, Personal, PersonalValue } from '../core/schema.ts';

/** Words chosen by a seller: no choice of a list, no id, date or time of day. */
const isFreeText = ({ type, enum: choices, format, pattern }: TSchema): boolean =>
  type === 'string' && choices === undefined && (format === 'uri' || (format === undefined && pattern === undefined));

const isPlace = (schema: TSchema): boolean =>
  TypeGuard.IsObject(schema) && 'latitude' in schema.properties && 'longitude' in schema.properties;

const seal = (schema: TSchema): TSchema => {
  if (isPersonal(schema)) return schema;
  if (isFreeText(schema)) return Personal(schema as never);
  if (isPlace(schema)) return PersonalValue(schema);
  if (TypeGuard.IsObject(schema)) return sealed(schema);
  if (TypeGuard.IsArray(schema)) return { ...schema, items: seal(schema.items) };
  return TypeGuard.IsUnion(schema) ? { ...schema, anyOf: schema.anyOf.map(seal) } : schema;
};

/**
 * Details as events and rows have them. Their type stays that of the details, although a place is null once the seller is
 * erased: nobody is shown such a listing any more.
 */
export const sealed = <P extends TProperties>(details: TObject<P>): TObject<P> => ({
  ...details,
  properties: Object.fromEntries(Object.entries(details.properties).map(([name, schema]) => [name, seal(schema)])) as P,
});

/**
 * The second version of an event with details: they are sealed. The first had the same shape, in plain.
 * @param before the fields that the first version encrypted with the owner's own key
 */
export const sealing = (before: readonly string[] = []) =>
  ({
    person: 'ownerId',
    seller: { since: 2, before },
    upcast: [(data) => data],
  }) as const satisfies Omit<EventDeclaration, 'data'>;
