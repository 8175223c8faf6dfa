/** Amounts are stored in minor units, in fields named `…_minor`. Wire forms have them in major units, too. */
import { type TObject, type TSchema, Type, TypeGuard } from '@sinclair/typebox';
import { toMajor } from '../../domain/core/money.ts';
import { Nullable } from '../../domain/core/schema.ts';

const SUFFIX = '_minor';
export const isMinor = (name: string): boolean => name.endsWith(SUFFIX);
export const majorName = (name: string): string => name.slice(0, -SUFFIX.length);

/** The schema in major units for a schema in minor units. */
export const major = (minor: TSchema): TSchema => {
  const described = minor.description === undefined ? {} : { description: minor.description as string };
  return TypeGuard.IsUnion(minor) ? Nullable(Type.Number(described)) : Type.Number({ minimum: 0, ...described });
};

/** A copy of a schema with other properties in place of each amount, at every depth. */
export const mapped = (schema: TSchema, amount: (name: string, minor: TSchema) => Record<string, TSchema>): TSchema => {
  if (TypeGuard.IsArray(schema)) return { ...schema, items: mapped(schema.items, amount) };
  if (TypeGuard.IsUnion(schema)) return { ...schema, anyOf: schema.anyOf.map((each) => mapped(each, amount)) };
  if (!TypeGuard.IsObject(schema)) return schema;
  const { properties, required: _, type: __, ...options } = schema;
  const fields = Object.entries(properties).map(([name, inner]) =>
    isMinor(name) ? amount(name, inner) : { [name]: mapped(inner, amount) },
  );
  return Type.Object(Object.assign({}, ...fields), options);
};

/** The schema of `withMajor(value)`, from that of `value`. */
export const withMajorSchema = (schema: TObject): TObject =>
  mapped(schema, (name, minor) => ({ [majorName(name)]: major(minor), [name]: minor })) as TObject;

/** A copy with major units beside every amount, at every depth. */
export const withMajor = (value: unknown, currency: string): unknown => {
  if (Array.isArray(value)) return value.map((item) => withMajor(item, currency));
  if (value === null || typeof value !== 'object') return value;
  const fields = Object.entries(value).map(([name, inner]) =>
    isMinor(name)
      ? { [majorName(name)]: inner === null ? null : toMajor(inner, currency), [name]: inner }
      : { [name]: withMajor(inner, currency) },
  );
  return Object.assign({}, ...fields);
};
