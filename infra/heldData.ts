/** What the durable tables hold about one person: shown and erased as their owners declare (`migrations`). */
import { Type } from '@sinclair/typebox';
import { deleteRecorded, type ErasedPart, recordParts } from './erasedParts.ts';
import { deletingColumns } from './holding.ts';
import type { Held, Migrations } from './migrations.ts';
import { collectSections, type Section } from './personalSections.ts';
import type { Queryable } from './postgres.ts';

type About = Extract<Held, { readonly person: string }>;

/** Tables with rows about one person each. */
export const aboutPeople = (declared: readonly Migrations[]): [table: string, about: About][] =>
  declared.flatMap(({ holds = {} }) =>
    Object.entries(holds).flatMap(([table, held]): [string, About][] => ('person' in held ? [[table, held]] : [])),
  );

/** What the person may see of their rows in the durable tables, each section named after its table. */
export const heldSections = (declared: readonly Migrations[]): Section[] =>
  aboutPeople(declared).flatMap(([name, { person, exported }]) => {
    const columns = exported.join(', ');
    return exported.length === 0
      ? []
      : [
          {
            name,
            text: `select ${columns} from ${name} where ${person} = $1`,
            show: (row) => row,
            schema: Type.Object(Object.fromEntries(exported.map((column) => [column, Type.Unknown()]))),
          },
        ];
  });

/** Table → what the person may see of their rows. */
export const heldAbout = (
  db: Queryable,
  declared: readonly Migrations[],
  person: string,
): Promise<Record<string, readonly object[]>> => collectSections(db, heldSections(declared), person);

/** Tables with rows that are deleted with people, and the columns with these people. */
const deletedTables = (
  declared: readonly Migrations[],
): { readonly table: string; readonly columns: readonly string[] }[] =>
  aboutPeople(declared)
    .map(([table, about]) => ({ table, columns: deletingColumns(about.person, about) }))
    .filter(({ columns }) => columns.length > 0);

/** Deletes the person's rows. @returns table by table, how many */
export const deleteHeld = async (
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
export const eraseHeld = async (
  db: Queryable,
  declared: readonly Migrations[],
  person: string,
  certificate: string,
): Promise<void> => {
  for (const { table, columns } of deletedTables(declared))
    await deleteRecorded(db, certificate, { table, columns, person });
  for (const [table, about] of aboutPeople(declared)) {
    if (about.erased === 'deleted') continue;
    const { rows } = await db.query<{ count: number }>(
      `select count(*)::int as count from ${table} where ${about.person} = $1`,
      [person],
    );
    await recordParts(db, certificate, [{ holder: table, outcome: 'kept', count: rows[0]?.count ?? 0 }]);
  }
};
