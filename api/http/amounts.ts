/**
 * Money on the wire: replies have each amount in major units and, as `…_minor`, in minor units; requests have major
 * units only. The names of the fields in the schemas of the domain show which of them are money.
 */
import { type TObject, type TSchema, type TUnion, Type, TypeGuard } from '@sinclair/typebox';
import { Rejected } from '../../domain/core/decider.ts';
import { toMajor, toMinor } from '../../domain/core/money.ts';
import { Nullable } from '../../domain/core/schema.ts';

/** In bodies that order something. */
export const ExpectedTotal = Type.Optional(
  Type.Number({
    minimum: 0,
    description:
      'The total that the customer was shown. If it has changed, the answer is 409 `price_changed` with the new quote.',
  }),
);

const SUFFIX = '_minor';
const isMinor = (name: string): boolean => name.endsWith(SUFFIX);
const majorName = (name: string): string => name.slice(0, -SUFFIX.length);

type Fields = Readonly<Record<string, unknown>>;

/** The schema in major units for a schema in minor units. */
const major = (minor: TSchema): TSchema => {
  const described = minor.description === undefined ? {} : { description: minor.description as string };
  return TypeGuard.IsUnion(minor) ? Nullable(Type.Number(described)) : Type.Number({ minimum: 0, ...described });
};

const mapped = (schema: TSchema, amount: (name: string, minor: TSchema) => Record<string, TSchema>): TSchema => {
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

/** The schema of the input of `minorOf`. */
export const majorSchema = (schema: TObject): TObject =>
  mapped(schema, (name, minor) => ({ [majorName(name)]: major(minor) })) as TObject;

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

const exactly = (name: string, amount: number, { maximum = Number.MAX_SAFE_INTEGER }: TSchema, currency: string) => {
  const minor = toMinor(amount, currency);
  if (minor > maximum) throw new Rejected('invalid', `${majorName(name)} is too large.`);
  return minor;
};

/** The object of a union whose required fields the input has; the input fits one of them, because it was validated. */
const variantOf = ({ anyOf }: TUnion, value: unknown): TSchema => {
  const has = (name: string): boolean => (isMinor(name) ? majorName(name) : name) in (value as Fields);
  return anyOf.find((each) => TypeGuard.IsObject(each) && each.required?.every(has)) ?? Type.Unknown();
};

/**
 * Input in minor units. `schema` is that of the result; absent fields stay absent.
 * @throws Rejected `invalid` for amounts that the currency cannot express
 */
export const minorOf = (schema: TSchema, value: unknown, currency: string): unknown => {
  if (TypeGuard.IsArray(schema)) return (value as unknown[]).map((item) => minorOf(schema.items, item, currency));
  if (value === null) return value;
  if (TypeGuard.IsUnion(schema)) return minorOf(variantOf(schema, value), value, currency);
  if (!TypeGuard.IsObject(schema)) return value;
  const sent = value as Fields;
  const fields = Object.entries(schema.properties).map(([name, inner]) => {
    const given = sent[isMinor(name) ? majorName(name) : name];
    if (given === undefined) return {};
    const stored = isMinor(name) ? exactly(name, given as number, inner, currency) : minorOf(inner, given, currency);
    return { [name]: stored };
  });
  return Object.assign({}, ...fields);
};
