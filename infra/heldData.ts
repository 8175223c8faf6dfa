/** What the durable tables hold about one person: shown and erased as their owners declare (`migrations`). */
import { Type } from '@sinclair/typebox';
import { addParts, type ErasedPart, recordParts } from './erasedParts.ts';
import { deletingColumns } from './holding.ts';
import type { Held, Migrations } from './migrations.ts';
import { collectSections, type Section } from './personalSections.ts';
import { inTransaction, type Pool, type Queryable } from './postgres.ts';

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

/** Deletes the person's rows of one table. @returns how many; undefined where the erasure deletes none */
const deleteIn = async (
  db: Queryable,
  [table, about]: readonly [string, About],
  person: string,
): Promise<ErasedPart | undefined> => {
  const columns = deletingColumns(about.person, about);
  if (columns.length === 0) return undefined;
  const { rowCount } = await db.query(`delete from ${table} where $1 in (${columns.join(', ')})`, [person]);
  return { holder: table, outcome: 'deleted', count: rowCount ?? 0 };
};

/** Deletes the person's rows. @returns table by table, how many */
export const deleteHeld = async (
  db: Queryable,
  declared: readonly Migrations[],
  person: string,
): Promise<readonly ErasedPart[]> => {
  const parts: ErasedPart[] = [];
  for (const held of aboutPeople(declared)) {
    const part = await deleteIn(db, held, person);
    if (part) parts.push(part);
  }
  return parts;
};

/** Deletes the person's rows, and records in the certificate what was deleted and what stays. Safe to repeat. */
export const eraseHeld = async (
  pool: Pool,
  declared: readonly Migrations[],
  person: string,
  certificate: string,
): Promise<void> => {
  for (const held of aboutPeople(declared)) {
    await inTransaction(pool, async (client) => {
      const part = await deleteIn(client, held, person);
      if (part) await addParts(client, [{ ...part, certificate }]);
    });
    const [table, about] = held;
    if (about.erased === 'deleted') continue;
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::int as count from ${table} where ${about.person} = $1`,
      [person],
    );
    await recordParts(pool, certificate, [{ holder: table, outcome: 'kept', count: rows[0]?.count ?? 0 }]);
  }
};
