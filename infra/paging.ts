/** Pages of a list. */
import type { Queryable } from './postgres.ts';

export interface Paging {
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
}

export interface Page<Row> {
  readonly rows: Row[];
  /** The number of rows on all pages. */
  readonly total: number;
}

export interface Window {
  readonly limit: number;
  readonly offset: number;
}
export const windowOf = ({ page, perPage }: Paging): Window => ({ limit: perPage, offset: (page - 1) * perPage });

/**
 * The page of rows of which one more than its length was asked for: only that one tells whether there are more. A page that
 * is full may be the last one.
 */
export const pageAndMore = <Row>(
  found: readonly Row[],
  limit: number,
): { readonly rows: readonly Row[]; readonly hasMore: boolean } => ({
  rows: found.slice(0, limit),
  hasMore: found.length > limit,
});

/** A page of a list that is in memory. */
export const pageFrom = <Row>(all: readonly Row[], paging: Paging): Page<Row> => {
  const { limit, offset } = windowOf(paging);
  return { rows: all.slice(offset, offset + limit), total: all.length };
};

/** The parts of a `select`, as SQL. */
interface Selection {
  readonly columns: string;
  /** The tables, and the conditions after them. */
  readonly from: string;
  /** No two rows are equal in it. */
  readonly orderBy: string;
  /** What `from` refers to: `$1` and so on. */
  readonly values?: readonly unknown[];
}

/** A page of the rows that are selected. */
export const pageOfRows = async <Row extends object>(
  db: Queryable,
  { columns, from, orderBy, values = [] }: Selection,
  paging: Paging,
): Promise<Page<Row>> => {
  const { limit, offset } = windowOf(paging);
  const part = `limit $${values.length + 1} offset $${values.length + 2}`;
  const [found, counted] = await Promise.all([
    db.query<Row>(`select ${columns} from ${from} order by ${orderBy} ${part}`, [...values, limit, offset]),
    db.query<{ total: number }>(`select count(*)::int as total from ${from}`, [...values]),
  ]);
  return { rows: found.rows, total: counted.rows[0]?.total ?? 0 };
};
