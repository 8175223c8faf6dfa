/**
 * Money on the wire: replies have each amount in major units and, as `…_minor`, in minor units; requests have major
 * units only. The names of the fields in the schemas of the domain show which of them are money.
 */
import { type TObject, type TSchema, type TUnion, Type, TypeGuard } from '@sinclair/typebox';
import { sentMinor } from '../../commands/core/amounts.ts';
import { MOST_MINOR } from '../../domain/core/schema.ts';
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

/** The object of a union whose required fields the input has; the input fits one of them, because it was validated. */
const variantOf = ({ anyOf }: TUnion, value: unknown): TSchema => {
  const has = (name: string): boolean => (isMinor(name) ? majorName(name) : name) in (value as Fields);
  return anyOf.find((each) => TypeGuard.IsObject(each) && each.required?.every(has)) ?? Type.Unknown();
};

/**
 * Input in minor units. `schema` is that of the result; absent fields stay absent.
 * @param path of `value` in the request, with a slash at the end unless it is the whole body
 * @throws Rejected `invalid` for amounts that the currency cannot express
 */
export const minorOf = (schema: TSchema, value: unknown, currency: string, path = ''): unknown => {
  if (TypeGuard.IsArray(schema))
    return (value as unknown[]).map((item, index) => minorOf(schema.items, item, currency, `${path}${index}/`));
  if (value === null) return value;
  if (TypeGuard.IsUnion(schema)) return minorOf(variantOf(schema, value), value, currency, path);
  if (!TypeGuard.IsObject(schema)) return value;
  const sent = value as Fields;
  const fields = Object.entries(schema.properties).map(([name, inner]) => {
    const sentName = isMinor(name) ? majorName(name) : name;
    const given = sent[sentName];
    if (given === undefined) return {};
    const at = `${path}${sentName}`;
    const most = (inner.maximum as number | undefined) ?? MOST_MINOR;
    const stored = isMinor(name)
      ? sentMinor(at, given as number, currency, most)
      : minorOf(inner, given, currency, `${at}/`);
    return { [name]: stored };
  });
  return Object.assign({}, ...fields);
};
