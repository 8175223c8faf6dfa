/**
 * The wire form of a read model: what REST replies and realtime messages show of a row. It is made by one function from
 * one declaration, so that both always agree. The schema marks the fields that only some audiences see.
 */
import { type Static, type TObject, type TSchema, Type, TypeGuard } from '@sinclair/typebox';
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

export interface WireDeclaration<Row, S extends TObject, Overlay> {
  /** The reply and the realtime payload. Fields marked with `SeenBy` are absent for other audiences. */
  readonly schema: S;
  /** The whole form of a row, for an audience that sees everything. Pure. */
  readonly make: (row: Row, overlay: Overlay) => Static<S>;
  /** The form without what this audience does not see any more at an instant. Nothing is withheld by default. Pure. */
  readonly withhold?: (form: Static<S>, audience: Audience, at: string) => Static<S>;
  /**
   * What the form shows of other read models, such as titles. Read once for many rows; the projector reads it after it
   * has applied the batch to the models that come before this one.
   */
  readonly overlay: (db: ReadDb, rows: readonly Row[]) => Promise<(row: Row) => Overlay>;
}

/** Methods, not function properties: a form of one row type then fits where a form of any row is expected. */
export interface WireForm<Row = object, S extends TObject = TObject, Overlay = unknown> {
  readonly schema: S;
  schemaFor(audience: Audience): TObject;
  /** One row for one audience. `at`: when it is sent; now by default. */
  of(row: Row, audience: Audience, overlay: Overlay, at?: string): Static<S>;
  overlay(db: ReadDb, rows: readonly Row[]): Promise<(row: Row) => Overlay>;
}

/** Declares the wire form of a row that shows parts of other read models. */
export const wireFormWith = <Row, S extends TObject, Overlay>({
  schema,
  make,
  withhold = (form) => form,
  overlay,
}: WireDeclaration<Row, S, Overlay>): WireForm<Row, S, Overlay> => {
  const hides = new Map(audiences.map((audience) => [audience, hider(schema, audience)]));
  return {
    schema,
    schemaFor: (audience) => schemaFor(schema, audience) as TObject,
    of: (row, audience, extra, at = new Date().toISOString()) => {
      const whole = withhold(make(row, extra), audience, at);
      return (hides.get(audience)?.(whole) ?? whole) as Static<S>;
    },
    overlay,
  };
};

/** Declares the wire form of a row that needs no other read model. */
export const wireForm = <Row, S extends TObject>(schema: S, make: (row: Row) => Static<S>): WireForm<Row, S, void> =>
  wireFormWith({ schema, make, overlay: () => Promise.resolve(() => undefined) });

/** One row as a reply for an audience. */
export const showOne = async <Row, S extends TObject, Overlay>(
  db: ReadDb,
  form: WireForm<Row, S, Overlay>,
  row: Row,
  audience: Audience,
): Promise<Static<S>> => {
  const overlayOf = await form.overlay(db, [row]);
  return form.of(row, audience, overlayOf(row));
};

/** Rows as replies, each for the audience that the viewer belongs to. */
export const showAll = async <Row, S extends TObject, Overlay>(
  db: ReadDb,
  form: WireForm<Row, S, Overlay>,
  rows: readonly Row[],
  audienceOf: (row: Row) => Audience,
): Promise<Static<S>[]> => {
  const overlayOf = await form.overlay(db, rows);
  return rows.map((row) => form.of(row, audienceOf(row), overlayOf(row)));
};
