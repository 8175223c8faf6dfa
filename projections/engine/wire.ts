/**
 * The wire form of a read model: what REST replies and realtime messages show of a row. It is made by one function from
 * one declaration, so that both always agree. The schema marks the fields that only some audiences see.
 */
import { type Static, type TObject, type TSchema, Type, TypeGuard } from '@sinclair/typebox';
import { JsonText, type OrText } from '../../infra/jsonText.ts';
import type { ReadDb } from './readDb.ts';

/** Who reads a row: the person it belongs to as a customer, the seller of what it is about, or an admin. */
export const audiences = ['guest', 'seller', 'admin'] as const;
export type Audience = (typeof audiences)[number];

/** Who asks: enough to decide which audience they belong to. */
export interface Viewer {
  readonly id: string;
  readonly role: string;
}

const MARK = 'x-audience';

/** Marks a field of a wire schema that only these audiences see. For everybody else it is absent, not null. */
export const SeenBy = <T extends TSchema>(seers: readonly Audience[], schema: T, description: string) =>
  Type.Optional({ ...schema, description: `${description} Only for: ${seers.join(', ')}.`, [MARK]: seers });

const isHidden = (schema: TSchema, audience: Audience): boolean =>
  Array.isArray(schema[MARK]) && !schema[MARK].includes(audience);

/** The schema without the fields that an audience does not see, at every depth. */
const schemaFor = (schema: TSchema, audience: Audience): TSchema => {
  if (TypeGuard.IsArray(schema)) return { ...schema, items: schemaFor(schema.items, audience) };
  if (!TypeGuard.IsObject(schema)) return schema;
  const { properties, required: _, type: __, $id: ___, ...options } = schema;
  const seen = Object.entries(properties).filter(([, inner]) => !isHidden(inner, audience));
  return Type.Object(Object.fromEntries(seen.map(([name, inner]) => [name, schemaFor(inner, audience)])), options);
};

type Hide = (value: unknown) => unknown;

/** A function that copies a value without the fields an audience does not see; undefined when it sees all of them. */
const hider = (schema: TSchema, audience: Audience): Hide | undefined => {
  if (TypeGuard.IsArray(schema)) {
    const hide = hider(schema.items, audience);
    return hide && ((value) => (Array.isArray(value) ? value.map(hide) : value));
  }
  if (!TypeGuard.IsObject(schema)) {
    const { [MARK]: _, ...inside } = schema;
    if (JSON.stringify(inside).includes(`"${MARK}"`)) throw new Error('SeenBy does not work inside a union.');
    return undefined;
  }
  const fields = new Map<string, Hide>();
  for (const [name, inner] of Object.entries(schema.properties)) {
    const hide = isHidden(inner, audience) ? () => undefined : hider(inner, audience);
    if (hide) fields.set(name, hide);
  }
  if (fields.size === 0) return undefined;
  return (value) => {
    const copy: Record<string, unknown> = { ...(value as object) };
    for (const [name, hide] of fields) {
      const left = hide(copy[name]);
      if (left === undefined) delete copy[name];
      else copy[name] = left;
    }
    return copy;
  };
};

/** What a wire form shows of other rows, or depends on the viewer or the clock: it is added when the form is sent. */
export interface Overlay<Row, Fields extends object, Column extends keyof Row & string> {
  /** The names of the fields. */
  readonly fields: readonly (keyof Fields & string)[];
  /** The columns that it is made of. */
  readonly needs: readonly Column[];
  /**
   * Read once for many rows; the projector reads it after it has applied the batch to the models that come before this
   * one. `seers`: the audiences that it is read for; `at`: when it is sent.
   */
  readonly read: (
    db: ReadDb,
    rows: readonly Pick<Row, Column>[],
    seers: readonly Audience[],
  ) => Promise<(row: Pick<Row, Column>, audience: Audience, at: string) => TextFields<Fields>>;
}
type TextFields<Fields> = { readonly [K in keyof Fields]: OrText<Fields[K]> };

/** An overlay of whatever rows. */
export interface AnyOverlay {
  readonly fields: readonly string[];
  readonly needs: readonly string[];
  read(
    db: ReadDb,
    rows: readonly object[],
    seers: readonly Audience[],
  ): Promise<(row: object, audience: Audience, at: string) => object>;
}

/** Methods, not function properties: a form of one row type then fits where a form of any row is expected. */
export interface WireForm<Row = object, S extends TObject = TObject, Base = object> {
  readonly schema: S;
  schemaFor(audience: Audience): TObject;
  /** What of the form follows from the row alone, for one audience. */
  of(row: Row, audience: Audience): Base;
  /** The same as text. A row that was asked for before is not converted again. */
  textOf(row: Row, audience: Audience): JsonText<Base>;
  /** The fields that are added when it is sent. */
  readonly overlay: AnyOverlay | undefined;
}

/** Declares the wire form of a row, without overlay unless one is given. */
const declare = <Row extends object, S extends TObject, Base extends object>(
  schema: S,
  make: (row: Row) => Base,
  overlay?: AnyOverlay,
): WireForm<Row, S, Base> => {
  // Made at the first use: a process has hundreds of forms and shows few of them to everybody.
  const shown = new Map<Audience, TObject>();
  const shownTo = (audience: Audience): TObject => {
    const known = shown.get(audience) ?? (schemaFor(schema, audience) as TObject);
    shown.set(audience, known);
    return known;
  };
  const hides = new Map<Audience, Hide | undefined>();
  const hideFor = (audience: Audience): Hide | undefined => {
    if (!hides.has(audience)) hides.set(audience, hider(schema, audience));
    return hides.get(audience);
  };
  const own = Object.keys(schema.properties).filter((name) => !overlay?.fields.includes(name));
  const of = (row: Row, audience: Audience): Base => {
    const made = make(row) as Record<string, unknown>;
    const all: Record<string, unknown> = {};
    for (const name of own) if (made[name] !== undefined) all[name] = made[name];
    return (hideFor(audience)?.(all) ?? all) as Base;
  };
  const texts = new Map(audiences.map((audience) => [audience, new WeakMap<Row, JsonText<Base>>()]));
  return {
    schema,
    schemaFor: shownTo,
    of,
    textOf: (row, audience) => {
      const known = texts.get(audience)?.get(row);
      if (known) return known;
      const text = new JsonText<Base>(JSON.stringify(of(row, audience)));
      texts.get(audience)?.set(row, text);
      return text;
    },
    overlay,
  };
};

/** Declares the wire form of a row that needs no other read model. It has only the fields of the schema. */
export const wireForm = <Row extends object, S extends TObject>(
  schema: S,
  make: (row: Row) => Static<S>,
): WireForm<Row, S, Static<S>> => declare(schema, make);

/** Declares the wire form of a row with an overlay. `make` gives the other fields. */
export const wireFormWith = <
  Row extends object,
  S extends TObject,
  F extends keyof Static<S> & string,
  Column extends keyof Row & string,
>({
  schema,
  make,
  overlay,
}: {
  /** The reply and the realtime payload. Fields marked with `SeenBy` are absent for other audiences. */
  readonly schema: S;
  /** The form of a row, for an audience that sees everything. Pure. */
  readonly make: (row: Row) => Omit<Static<S>, F>;
  readonly overlay: Overlay<Row, Pick<Static<S>, F>, Column>;
}): WireForm<Row, S, Omit<Static<S>, F>> => declare(schema, make, overlay as AnyOverlay);
