/** Keeps the periods that tables declare (`retention`), and measures how old the oldest row is. */

import type { Migrations } from './migrations.ts';
import { type Period, periodsOf, type Retention } from './personalData.ts';
import type { Queryable } from './postgres.ts';

/** A table, durable or of a read model, with how long its rows are kept. */
export interface KeptTable {
  /** With its schema. */
  readonly table: string;
  readonly retention: Retention;
}

/** Settings by their names, as the environment has them. */
export type Settings = Readonly<Record<string, unknown>>;

export const keptTables = (declared: readonly Migrations[]): KeptTable[] =>
  declared.flatMap(({ personalData = {} }) =>
    Object.entries(personalData).flatMap(([table, { retention }]) => (retention ? [{ table, retention }] : [])),
  );

/** In seconds. @throws Error for a setting that is not a number */
export const lengthOf = ({ days = 0, hours = 0 }: Period, settings: Settings): number => {
  const length = typeof days === 'string' ? settings[days] : days;
  if (typeof length !== 'number') throw new Error(`the setting ${days} is not a number of days`);
  return length * 86_400 + hours * 3_600;
};

const onlyThose = (where: string | undefined): string => (where === undefined ? '' : `and (${where})`);

/** Rows whose period is over. `$1` is its length in seconds. */
const isOver = ({ after, isDay, where }: Period): string => {
  const length = `$1 * interval '1 second'`;
  const limit = isDay ? `(now() at time zone 'utc' - ${length})::date` : `now() - ${length}`;
  return `${after} < ${limit} ${onlyThose(where)}`;
};

const DELETED_AT_ONCE = 10_000;

const deleteOver = async (db: Queryable, table: string, period: Period, settings: Settings): Promise<void> => {
  const text = `delete from ${table} where ctid = any(array(
    select ctid from ${table} where ${isOver(period)} limit ${DELETED_AT_ONCE}))`;
  for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE; )
    deleted = (await db.query(text, [lengthOf(period, settings)])).rowCount ?? 0;
};

/**
 * Deletes the rows of durable tables whose period is over, in small steps, but for those that something else deletes (`by`).
 * Safe to repeat, and from several processes at once.
 * @param failed is told of a table that could not be cleaned; the others are
 */
export const keepPeriods = async (
  db: Queryable,
  declared: readonly Migrations[],
  settings: Settings = {},
  failed: (err: unknown, table: string) => void = (err) => {
    throw err;
  },
): Promise<void> => {
  for (const { table, retention } of keptTables(declared))
    for (const period of periodsOf(retention))
      if (period.by === undefined)
        await deleteOver(db, table, period, settings).catch((err: unknown) => failed(err, table));
};

/** How old the oldest row of a table is, counted as one of its periods is. */
export interface Age {
  readonly table: string;
  /** In seconds. */
  readonly period: number;
  /** In seconds; 0 when there is no row whose period has begun. */
  readonly oldest: number;
}

/** Of every table with periods. A table that does not exist yet has no row. */
export const measureAges = async (
  db: Queryable,
  tables: readonly KeptTable[],
  settings: Settings,
): Promise<readonly Age[]> => {
  const ages: Age[] = [];
  for (const { table, retention } of tables) {
    const { rows: found } = await db.query<{ is_there: boolean }>('select to_regclass($1) is not null as is_there', [
      table,
    ]);
    for (const period of periodsOf(retention)) {
      const from = period.isDay ? `(${period.after} + 1)::timestamp at time zone 'utc'` : period.after;
      const { rows } = found[0]?.is_there
        ? await db.query<{ oldest: number | null }>(
            `select greatest(0, extract(epoch from now() - min(${from})))::float8 as oldest
             from ${table} where true ${onlyThose(period.where)}`,
          )
        : { rows: [] };
      ages.push({ table, period: lengthOf(period, settings), oldest: rows[0]?.oldest ?? 0 });
    }
  }
  return ages;
};
