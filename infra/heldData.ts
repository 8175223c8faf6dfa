/** What the durable tables hold about one person: shown and erased as their owners declare (`migrations`). */
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
      : [{ name, text: `select ${columns} from ${name} where ${person} = $1`, show: (row) => row }];
  });

/** Table → what the person may see of their rows. */
export const heldAbout = (
  db: Queryable,
  declared: readonly Migrations[],
  person: string,
): Promise<Record<string, readonly object[]>> => collectSections(db, heldSections(declared), person);

/** Deletes the person's rows. Safe to repeat. */
export const eraseHeld = async (db: Queryable, declared: readonly Migrations[], person: string): Promise<void> => {
  for (const [table, { person: column, erased }] of aboutPeople(declared))
    if (erased === 'deleted') await db.query(`delete from ${table} where ${column} = $1`, [person]);
};
