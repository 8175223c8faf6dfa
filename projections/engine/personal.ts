/** Personal data in read models: shown to the person, and forgotten at the erasure. */
import type { TSchema } from '@sinclair/typebox';
import { PERSON_ERASED, type Recorded } from '../../domain/core/decider.ts';
import { ERASED } from '../../domain/core/schema.ts';
import { replaceAt } from '../../eventstore/personalPaths.ts';
import { collectSections, type Section } from '../../infra/personalSections.ts';
import type { Queryable } from '../../infra/postgres.ts';
import { quoted, tableName } from './readDb.ts';
import type { Json, PersonalColumns, ReadModel } from './readModel.ts';
import { columnsOf, columnType, upsertRows, withWire } from './tables.ts';

/** The people whom these events erase. */
export const erasedBy = (events: readonly Recorded[]): string[] =>
  events.filter(({ type }) => type === PERSON_ERASED).map(({ streamId }) => streamId);

const rowsOf = async (
  db: Queryable,
  model: ReadModel,
  { of }: PersonalColumns,
  table: string,
  people: readonly string[],
): Promise<Json[]> => {
  const type = columnType(model.row.properties[of] as TSchema);
  const columns = columnsOf(model).map(quoted).join(', ');
  const { rows } = await db.query<Json>(
    `select ${columns} from ${tableName(table)} where ${quoted(of)} = any($1::${type}[])`,
    [people],
  );
  return rows;
};

/** The row as a rebuild makes it once the person's key is destroyed. Null stays null. */
export const withoutPerson = (row: Json, { texts, values = [] }: Pick<PersonalColumns, 'texts' | 'values'>): Json => {
  let forgotten: unknown = row;
  for (const path of texts) forgotten = replaceAt(forgotten, path.split('.'), () => ERASED);
  for (const path of values) forgotten = replaceAt(forgotten, path.split('.'), () => null);
  return forgotten as Json;
};

/** Forgets people in a model's table, live or not. Safe to repeat. */
export const forgetPeople = async (
  db: Queryable,
  { model, table }: { readonly model: ReadModel; readonly table: string },
  people: readonly string[],
): Promise<void> => {
  const { personal } = model;
  // Rows that say nothing personal beside whose they are stay as they are.
  if (!personal || personal.texts.length + (personal.values?.length ?? 0) === 0 || people.length === 0) return;
  const rows = await rowsOf(db, model, personal, table, people);
  if (rows.length === 0) return;
  const forgotten = rows.map((row) => withWire(model, withoutPerson(row, personal)));
  await db.query(upsertRows(model, table), [JSON.stringify(forgotten)]);
};

/** The rows of the person in each model that has some, as the person sees them. */
export const shownSections = (models: readonly ReadModel[]): Section[] =>
  models.flatMap((model) => {
    const { name, personal, wire } = model;
    if (!personal) return [];
    const columns = columnsOf(model).map(quoted).join(', ');
    const show = (row: object) => wire.of(row as Json, 'guest');
    return [{ name, text: `select ${columns} from ${tableName(name)} where ${quoted(personal.of)} = $1`, show }];
  });

/** Model → the person's rows, as the person sees them. */
export const shownAbout = (
  db: Queryable,
  models: readonly ReadModel[],
  person: string,
): Promise<Record<string, readonly object[]>> => collectSections(db, shownSections(models), person);
