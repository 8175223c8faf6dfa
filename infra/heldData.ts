/** What the durable tables hold about one person: shown and erased as their owners declare (`migrations`). */
import type { Held, Migrations } from './migrations.ts';
import type { Queryable } from './postgres.ts';

type About = Extract<Held, { readonly person: string }>;

const aboutPeople = (declared: readonly Migrations[]): [table: string, about: About][] =>
  declared.flatMap(({ holds = {} }) =>
    Object.entries(holds).flatMap(([table, held]): [string, About][] => ('person' in held ? [[table, held]] : [])),
  );

/** Table → what the person may see of their rows. */
export const heldAbout = async (
  db: Queryable,
  declared: readonly Migrations[],
  person: string,
): Promise<Record<string, readonly object[]>> => {
  const found: Record<string, readonly object[]> = {};
  for (const [table, { person: column, exported }] of aboutPeople(declared)) {
    if (exported.length === 0) continue;
    const { rows } = await db.query<object>(`select ${exported.join(', ')} from ${table} where ${column} = $1`, [
      person,
    ]);
    if (rows.length > 0) found[table] = rows;
  }
  return found;
};

/** Deletes the person's rows. Safe to repeat. */
export const eraseHeld = async (db: Queryable, declared: readonly Migrations[], person: string): Promise<void> => {
  for (const [table, { person: column, erased }] of aboutPeople(declared))
    if (erased === 'deleted') await db.query(`delete from ${table} where ${column} = $1`, [person]);
};
