/** What the erasure does with the rows about a person in durable tables, as their owners declare (`personalData`). */
import { deleteRecorded, type ErasedPart, recordParts } from './erasedParts.ts';
import type { Migrations } from './migrations.ts';
import { deletingColumns, tablesAboutPeople } from './personalData.ts';
import type { Queryable } from './postgres.ts';

/** Tables with rows that are deleted with people, and the columns with these people. */
const deletedTables = (
  declared: readonly Migrations[],
): { readonly table: string; readonly columns: readonly string[] }[] =>
  tablesAboutPeople(declared)
    .map(([table, about]) => ({ table, columns: deletingColumns(about) }))
    .filter(({ columns }) => columns.length > 0);

/** Deletes the person's rows. @returns table by table, how many */
export const deleteRows = async (
  db: Queryable,
  declared: readonly Migrations[],
  person: string,
): Promise<readonly ErasedPart[]> => {
  const parts: ErasedPart[] = [];
  for (const { table, columns } of deletedTables(declared)) {
    const { rowCount } = await db.query(`delete from ${table} where $1 in (${columns.join(', ')})`, [person]);
    parts.push({ holder: table, outcome: 'deleted', count: rowCount ?? 0 });
  }
  return parts;
};

/** Deletes the person's rows, and records in the certificate what was deleted and what stays. Safe to repeat. */
export const eraseRows = async (
  db: Queryable,
  declared: readonly Migrations[],
  person: string,
  certificate: string,
): Promise<void> => {
  for (const { table, columns } of deletedTables(declared))
    await deleteRecorded(db, certificate, { table, columns, person });
  for (const [table, about] of tablesAboutPeople(declared)) {
    if (about.erased === 'deleted') continue;
    const { rows } = await db.query<{ count: number }>(
      `select count(*)::int as count from ${table} where ${about.whose} = $1`,
      [person],
    );
    await recordParts(db, certificate, [{ holder: table, outcome: 'kept', count: rows[0]?.count ?? 0 }]);
  }
};
