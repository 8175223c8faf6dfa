/**
 * Lists of what waits for an admin, of some kinds and statuses, the oldest first. Each kind and status is read in the order
 * of its own part of one index, and no further than the page: what a page costs depends neither on how many rows there are
 * nor on what PostgreSQL believes about them.
 */
import type { Static, TObject } from '@sinclair/typebox';
import { sql } from 'kysely';
import { type Page, type Paging, pageOfMerged } from '../engine/paging.ts';
import { type ReadDb, rowColumns, tableOf } from '../engine/readDb.ts';

/** What the lists are of: a model with `oldestFirstIndex`. */
interface Listed<S extends TObject> {
  readonly name: string;
  readonly row: S;
}

/** The only index that a list may use. @param kind the column with the kind */
export const oldestFirstIndex = (kind: string): string => `${kind}, status, created_at, id`;

interface Asked {
  /** The column with the kind. */
  readonly kind: string;
  readonly kinds: readonly string[];
  readonly statuses: readonly string[];
}

export const listOldestFirst = <S extends TObject>(
  db: ReadDb,
  model: Listed<S>,
  { kind, kinds, statuses }: Asked,
  paging: Paging,
): Promise<Page<Static<S>>> => {
  const columns = sql.join(rowColumns(model).map((column) => sql.ref(`r.${column}`)));
  /** @param limit how many rows of each kind and status */
  const first = (limit: number) =>
    db
      .selectFrom(
        sql<Static<S>>`(select ${columns} from unnest(${kinds}::text[]) as k (kind)
          cross join unnest(${statuses}::text[]) as s (status)
          cross join lateral (select * from ${tableOf(model)} where ${sql.ref(kind)} = k.kind and status = s.status
            order by created_at, id limit ${limit}) as r)`.as('listed'),
      )
      .selectAll()
      .orderBy(sql`created_at`)
      .orderBy(sql`id`);
  return pageOfMerged(db, first, paging);
};
