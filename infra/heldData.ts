/** What the durable tables hold about one person: shown and erased as their owners declare (`migrations`). */
import { Type } from '@sinclair/typebox';
import { deleteRecorded, recordParts } from './erasedParts.ts';
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

/** Deletes the person's rows, and records in the certificate what was deleted and what stays. Safe to repeat. */
export const eraseHeld = async (
  db: Queryable,
  declared: readonly Migrations[],
  person: string,
  certificate: string,
): Promise<void> => {
  for (const [table, { person: column, erased }] of aboutPeople(declared))
    if (erased === 'deleted') await deleteRecorded(db, certificate, { table, column, person });
    else {
      const { rows } = await db.query<{ count: number }>(
        `select count(*)::int as count from ${table} where ${column} = $1`,
        [person],
      );
      await recordParts(db, certificate, [{ holder: table, outcome: 'kept', count: rows[0]?.count ?? 0 }]);
    }
};
