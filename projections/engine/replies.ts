/** Rows as replies: their stored wire form, with the overlay that is added when it is sent. */
import { type RawBuilder, sql } from 'kysely';
import { JsonText, withFields } from '../../infra/jsonText.ts';
import { isAnyOf, type ReadDb, tables } from './readDb.ts';
import { type Json, type ReadModel, WIRE } from './readModel.ts';
import type { Audience, WireForm } from './wire.ts';

/** The stored form for an audience, as SQL. @throws Error when the model does not store it */
export const storedText = ({ name, storedForms }: ReadModel, audience: Audience): RawBuilder<string | null> => {
  const column = storedForms.get(audience);
  if (!column) throw new Error(`${name} does not store its wire form`);
  const [guests, others] = [sql.ref(WIRE), sql.ref(column)];
  return column === WIRE
    ? sql`${guests}`
    : sql`case when ${others} = '{}' then ${guests} else left(${guests}, -1) || ',' || substr(${others}, 2) end`;
};

/** A row as a query for replies finds it. */
export interface Found {
  readonly id: string;
  /** The stored form; null while the table waits for its rebuild by a newer release. */
  readonly wire: string | null;
}

/** The stored forms of rows, without overlay. What is not stored yet is made from the whole row. */
export const basesOf = async (
  db: ReadDb,
  model: ReadModel,
  found: readonly Found[],
  audienceOf: (row: Found) => Audience,
): Promise<JsonText<object>[]> => {
  const missing = found.filter(({ wire }) => wire === null).map(({ id }) => id);
  const rows = missing.length > 0 ? await wholeRows(db, model, missing) : new Map<string, Json>();
  return found.map((row) => {
    if (row.wire !== null) return new JsonText<object>(row.wire);
    const whole = rows.get(row.id);
    if (!whole) throw new Error(`${model.name} ${row.id} was removed while it was read`);
    return model.wire.textOf(whole, audienceOf(row));
  });
};

const wholeRows = async (db: ReadDb, model: ReadModel, ids: readonly string[]): Promise<ReadonlyMap<string, Json>> => {
  const rows = await tables(db, model)
    .selectFrom(model.name)
    .select(Object.keys(model.row.properties))
    .where(isAnyOf('id', ids))
    .execute();
  return new Map((rows as Json[]).map((row) => [row.id as string, row]));
};

/** What adds the overlay to the form of each of these rows. */
const overlayer = async <Row extends object>(
  db: ReadDb,
  { overlay }: Pick<WireForm, 'overlay'>,
  rows: readonly Row[],
  seers: readonly Audience[],
): Promise<(base: JsonText<object>, row: Row, audience: Audience) => JsonText> => {
  if (!overlay || rows.length === 0) return (base) => base;
  const fieldsOf = await overlay.read(db, rows, seers);
  const at = new Date().toISOString();
  return (base, row, audience) => withFields(base, fieldsOf(row, audience, at));
};

/** The forms of whole rows, such as those that a command or an event has just changed, for some audiences. */
export const formsOf = async <Row extends object>(
  db: ReadDb,
  { wire }: { readonly wire: WireForm<Row> },
  rows: readonly Row[],
  seers: readonly Audience[],
): Promise<(row: Row, audience: Audience) => JsonText> => {
  const complete = await overlayer(db, wire, rows, seers);
  return (row, audience) => complete(wire.textOf(row, audience), row, audience);
};

/** Rows that a query has found, as replies, each for its audience. */
export const foundAsReplies = async <T, Row extends Found>(
  db: ReadDb,
  model: ReadModel,
  found: readonly Row[],
  audienceOf: (row: Row) => Audience,
): Promise<JsonText<T>[]> => {
  const bases = await basesOf(db, model, found, audienceOf as (row: Found) => Audience);
  const complete = await overlayer(db, model.wire, found, [...new Set(found.map(audienceOf))]);
  return found.map((row, n) => complete(bases[n] as JsonText<object>, row, audienceOf(row)) as JsonText<T>);
};
