/** Paged queries. */
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { type Page, type Paging, ROWS_TO_COUNT, totalOf, type Window, windowOf } from '../../infra/paging.ts';
import type { ReadDb } from './readDb.ts';
import { statement } from './statements.ts';

export type { Page, Paging } from '../../infra/paging.ts';

/** Rows of a page of which nobody has said how many it shall have. */
export const USUAL_PER_PAGE = 20;

/** A row of the page beside the number of all; without one, that comes alone. */
type Counted<Row> = Row & { readonly all_rows: number; readonly is_row: boolean | null };

/**
 * A part of an ordered query, and the number of its rows as far as they are counted.
 * @param window undefined: the first page, as most people ask for it. Its text says how few rows are wanted: where
 * PostgreSQL does not know that, it plans a prepared statement anew each time, which takes as long as to run it. Other pages
 * share one text, so that the texts stay few
 */
const counted = <DB, TB extends keyof DB, Row>(
  ordered: SelectQueryBuilder<DB, TB, Row>,
  window: Window | undefined,
  countedOf = ordered,
): RawBuilder<Counted<Row>> => {
  const all = countedOf.clearSelect().clearOrderBy().select(sql`1`.as('one')).limit(sql.lit(ROWS_TO_COUNT));
  const found = ordered.select(sql<boolean>`true`.as('is_row'));
  const rows = window ? found.limit(window.limit).offset(window.offset) : found.limit(sql.lit(USUAL_PER_PAGE));
  // One row joined with an ordered query: the join keeps the order.
  return sql<
    Counted<Row>
  >`select * from (select count(*) as all_rows from ${all} as a) as t left join ${rows} as p on true`;
};

const pageFound = async <Row>(db: ReadDb, found: RawBuilder<Counted<Row>>): Promise<Page<Row>> => {
  const { rows } = await found.execute(db.withoutPlugins());
  return {
    total: totalOf(rows[0]?.all_rows ?? 0),
    rows: rows.flatMap(({ all_rows, is_row, ...row }) => (is_row ? [row as Row] : [])),
  };
};

/** One page of an ordered query, and how many rows all pages have, in one statement. */
export const pageOf = <DB, TB extends keyof DB, Row>(
  db: ReadDb,
  ordered: SelectQueryBuilder<DB, TB, Row>,
  paging: Paging,
): Promise<Page<Row>> => pageFound(db, counted(ordered, windowOf(paging)));

/**
 * The same of several lists that are merged: each is read in its own order, and no further than the page.
 * @param first the ordered query of the merged lists, with so many rows of each
 */
export const pageOfMerged = <DB, TB extends keyof DB, Row>(
  db: ReadDb,
  first: (limit: number) => SelectQueryBuilder<DB, TB, Row>,
  paging: Paging,
): Promise<Page<Row>> => {
  const { offset, limit } = windowOf(paging);
  return pageFound(db, counted(first(offset + limit), { offset, limit }, first(ROWS_TO_COUNT)));
};

export interface PageOptions {
  /**
   * Whether the usual page has a plan that is good for all values, such as the newest rows of a person by an index. It is
   * then planned once on each connection. A search is planned for what it looks for.
   */
  readonly isPlannedOnce?: boolean;
}

/** The same for a query that is built once for each shape (see `statement`). Its rows are not for replies as they are. */
export const pageStatement = <Values extends object, DB, TB extends keyof DB, Row, Shape extends object>(
  ordered: (db: ReadDb, values: Values, shape: Shape) => SelectQueryBuilder<DB, TB, Row>,
  { isPlannedOnce = false }: PageOptions = {},
) => {
  const find = statement<{ values: Values; window?: Window }, Counted<Row>, { shape: Shape }>(
    (db, { values, window }, { shape }) => ({
      compile: () => counted(ordered(db, values, shape), window).compile(db.withoutPlugins()),
    }),
  );
  return async (db: ReadDb, values: Values, shape: Shape, paging: Paging): Promise<Page<Row>> => {
    const isUsual = isPlannedOnce && paging.page === 1 && paging.perPage === USUAL_PER_PAGE;
    const rows = await find(db, { values, ...(!isUsual && { window: windowOf(paging) }) }, { shape });
    return { total: totalOf(rows[0]?.all_rows ?? 0), rows: rows[0]?.is_row ? rows : [] };
  };
};
