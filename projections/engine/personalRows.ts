/** Personal data in read models: shown to the person, and forgotten at the erasure. */
import { isDeepStrictEqual } from 'node:util';
import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import { PERSON_ERASED, type Recorded } from '../../domain/core/decider.ts';
import { ERASED, Uuid } from '../../domain/core/schema.ts';
import { replaceAt } from '../../eventstore/personalPaths.ts';
import type { ExportSection } from '../../infra/exportSections.ts';
import { jsonOf } from '../../infra/jsonText.ts';
import { deletingColumns } from '../../infra/personalData.ts';
import type { Queryable } from '../../infra/postgres.ts';
import { validator } from '../../infra/validation.ts';
import { quoted, READ_SCHEMA, tableName } from './readDb.ts';
import type { Json, PersonalColumns, ReadModel } from './readModel.ts';
import { columnsOf, columnType, deleteByKeys, selectByKeys, upsertRows, withDerived } from './tables.ts';
import type { Move } from './tellings.ts';

/** People who are erased → the instant. */
export type Erased = ReadonlyMap<string, string>;

const isId = validator(Uuid);

/** The people whom these events erase. Others may have written one for somebody who has no id: nothing is kept of them. */
export const erasedBy = (events: readonly Recorded[]): Erased =>
  new Map(
    events
      .filter(({ type, streamId }) => type === PERSON_ERASED && isId(streamId))
      .map(({ streamId, at }) => [streamId, at]),
  );

/** The keys of the rows that name these people in one of these columns. */
const keysOf = async (
  db: Queryable,
  { model, table }: Stored,
  named: readonly string[],
  people: Erased,
): Promise<Json[]> => {
  const isOfThem = named.map((column) => {
    const type = columnType(model.row.properties[column] as TSchema);
    return `${quoted(column)} = any($1::${type}[])`;
  });
  const { rows } = await db.query<Json>(
    `select ${model.key.map(quoted).join(', ')} from ${tableName(table)} where ${isOfThem.join(' or ')}`,
    [[...people.keys()]],
  );
  return rows;
};

/** The row as a rebuild makes it once the person's key is destroyed. Null stays null. */
export const withoutPerson = (
  row: Json,
  { texts = [], values = [] }: Pick<PersonalColumns, 'texts' | 'values'>,
): Json => {
  let forgotten: unknown = row;
  for (const path of texts) forgotten = replaceAt(forgotten, path.split('.'), () => ERASED);
  for (const path of values) forgotten = replaceAt(forgotten, path.split('.'), () => null);
  return forgotten as Json;
};

/** A row as it may be written in a batch that erases people. */
export const forgetIn = ({ personalData }: Pick<ReadModel, 'personalData'>, row: Json, people: Erased): Json =>
  personalData?.whose && people.has(String(row[personalData.whose])) ? withoutPerson(row, personalData) : row;

/** Whether a row goes with these people. */
export const goesWith = ({ personalData }: Pick<ReadModel, 'personalData'>, row: Json, people: Erased): boolean =>
  people.size > 0 &&
  personalData !== undefined &&
  deletingColumns(personalData).some((column) => people.has(String(row[column])));

/** What was erased of a person, as the certificate says it. */
export interface ErasedRows {
  readonly person: string;
  /** What held the rows: `read.bookings`. */
  readonly holder: string;
  readonly outcome: 'deleted' | 'anonymised' | 'purged';
  readonly count: number;
}

interface Stored {
  readonly model: ReadModel;
  /** Live or not. */
  readonly table: string;
}

/** So many rows are in memory at once. */
const ROWS_AT_ONCE = 500;

/**
 * Forgets people in the stored rows of a model's table. Safe to repeat.
 * @param onMoves gets the rows that said something about them, or may show something of them from other models
 * @returns how many rows were changed or deleted, by the statement that did it
 */
export const forgetPeople = async (
  db: Queryable,
  stored: Stored,
  people: Erased,
  onMoves: (moves: readonly Move[]) => void = () => undefined,
): Promise<readonly ErasedRows[]> => {
  const { model, table } = stored;
  const { personalData, wire } = model;
  if (!personalData?.whose || people.size === 0) return [];
  const { whose, texts, values } = personalData;
  const deleting = deletingColumns(personalData);
  // Rows that say nothing personal beside whose they are stay as they are, unless they go.
  const changing = [...texts, ...values].length > 0 ? [whose] : [];
  const named = [...new Set([...deleting, ...changing])];
  if (named.length === 0) return [];
  const holder = `${READ_SCHEMA}.${model.name}`;
  const counts = [...people.keys()].flatMap((person) => [
    { person, holder, outcome: 'deleted' as const, columns: deleting, count: 0 },
    { person, holder, outcome: 'anonymised' as const, columns: changing, count: 0 },
  ]);
  const keys = await keysOf(db, stored, named, people);
  for (let n = 0; n < keys.length; n += ROWS_AT_ONCE) {
    const { rows } = await db.query<Json>(selectByKeys(model, table), [
      JSON.stringify(keys.slice(n, n + ROWS_AT_ONCE)),
    ]);
    const moves = rows.map((before) => ({
      before,
      after: goesWith(model, before, people) ? null : withoutPerson(before, personalData),
      at: named.flatMap((column) => people.get(String(before[column])) ?? [])[0] ?? '',
    }));
    const changed = moves.filter(({ before, after }) => !isDeepStrictEqual(before, after));
    const gone = changed.flatMap(({ before, after }) => (after ? [] : [before]));
    const kept = changed.flatMap(({ after }) => (after ? [withDerived(model, after)] : []));
    if (gone.length > 0) await db.query(deleteByKeys(model, table), [JSON.stringify(gone)]);
    if (kept.length > 0) await db.query(upsertRows(model, table), [jsonOf(kept)]);
    for (const each of counts)
      each.count += (each.outcome === 'deleted' ? gone : kept).filter((row) =>
        each.columns.some((column) => String(row[column]) === each.person),
      ).length;
    onMoves(wire.overlay ? moves : changed);
  }
  return counts.map(({ columns: _, ...count }) => count);
};

/** The fields that an export shows of a model's rows: those that follow from the row alone. */
export const ownForm = ({ wire }: Pick<ReadModel, 'wire'>): TObject => {
  const added = new Set(wire.overlay?.fields);
  return Type.Object(
    Object.fromEntries(Object.entries(wire.schemaFor('guest').properties).filter(([name]) => !added.has(name))),
  );
};

/** The rows of the person in each model that has some, as the person sees them. */
export const modelSections = (models: readonly ReadModel[]): ExportSection[] =>
  models.flatMap((model) => {
    const { name, personalData, wire } = model;
    if (!personalData?.whose || typeof personalData.exported === 'string') return [];
    const { whose, exported } = personalData;
    const columns = columnsOf(model).map(quoted).join(', ');
    return [
      {
        name,
        text: `select ${columns} from ${tableName(name)} where ${quoted(whose)} = $1`,
        show: (row) => ({ ...wire.of(row as Json, 'guest'), ...exported?.of(row as Json) }),
        schema: Type.Object({ ...ownForm(model).properties, ...exported?.schema.properties }),
      },
    ];
  });
