/** What every request must fit beyond what its operation declares. */
import { type TSchema, TypeGuard } from '@sinclair/typebox';
import { VISIBLE } from '../../infra/validation.ts';

type Change = (schema: TSchema) => TSchema;

/** A copy with the change made to the schema and to every one in it. */
const everywhere = (schema: TSchema, change: Change): TSchema => {
  const inner = (each: TSchema): TSchema => everywhere(each, change);
  const changed = change(schema);
  if (TypeGuard.IsObject(changed))
    return {
      ...changed,
      properties: Object.fromEntries(Object.entries(changed.properties).map(([name, each]) => [name, inner(each)])),
    };
  if (TypeGuard.IsArray(changed)) return { ...changed, items: inner(changed.items) };
  if (TypeGuard.IsUnion(changed)) return { ...changed, anyOf: changed.anyOf.map(inner) };
  if (Array.isArray(changed.oneOf)) return { ...changed, oneOf: changed.oneOf.map(inner) };
  return changed;
};

const closed: Change = (schema) =>
  TypeGuard.IsObject(schema) ? { ...schema, additionalProperties: schema.additionalProperties ?? false } : schema;

const visible: Change = (schema) => {
  const { minLength = 0, pattern, format } = schema as { minLength?: number; pattern?: string; format?: string };
  const isText = TypeGuard.IsString(schema) && minLength > 0;
  return isText && pattern === undefined && format === undefined ? { ...schema, pattern: VISIBLE } : schema;
};

/** Refuses unknown fields at every depth, so that a misspelt field name is an error. */
export const strict = <T extends TSchema>(schema: T): T => everywhere(schema, closed) as T;

/** Ignores unknown fields of the object itself. */
export const open = <T extends TSchema>(schema: T): T => ({ additionalProperties: true, ...schema });

/**
 * Like `strict`. A text that must not be empty must not be only white space either. Events do not say so: those that
 * were stored before stay readable.
 */
export const strictBody = <T extends TSchema>(schema: T): T => everywhere(schema, (each) => visible(closed(each))) as T;
