/**
 * Money on the wire: replies have each amount in major units and, as `…_minor`, in minor units; requests have major
 * units only. The names of the fields in the schemas of the domain show which of them are money.
 */
import { type TObject, type TSchema, type TUnion, Type, TypeGuard } from '@sinclair/typebox';
import { Rejected } from '../../domain/core/decider.ts';
import { toMinor } from '../../domain/core/money.ts';
import { isMinor, major, majorName, mapped } from '../../projections/engine/majorUnits.ts';

/** In bodies that order something. */
export const ExpectedTotal = Type.Optional(
  Type.Number({
    minimum: 0,
    description:
      'The total that the customer was shown. If it has changed, the answer is 409 `price_changed` with the new quote.',
  }),
);

/** The schema of the input of `minorOf`. */
export const majorSchema = (schema: TObject): TObject =>
  mapped(schema, (name, minor) => ({ [majorName(name)]: major(minor) })) as TObject;

type Fields = Readonly<Record<string, unknown>>;

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
