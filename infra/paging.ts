/** Pages of a list. */
import type { Queryable } from './postgres.ts';

export interface Paging {
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
}

/** A number of rows. */
export interface Total {
  readonly count: number;
  /** There are more: they were counted no further, because that would cost more with each of them. */
  readonly isAtLeast: boolean;
}
export const exactly = (count: number): Total => ({ count, isAtLeast: false });

export interface Page<Row> {
  readonly rows: Row[];
  /** How many there are on all pages. */
  readonly total: Total;
}

/** Rows are counted up to this number. */
const COUNTED = 1_000;
/** How many rows a query has to count to know whether there are more. */
export const ROWS_TO_COUNT = COUNTED + 1;

/** What was counted of rows of which no more than `ROWS_TO_COUNT` were looked at. */
export const totalOf = (counted: number): Total =>
  counted > COUNTED ? { count: COUNTED, isAtLeast: true } : exactly(counted);

export interface Window {
  readonly limit: number;
  readonly offset: number;
}
/** How many rows of a list pages reach: to find a page, PostgreSQL reads each row before it. */
export const REACHED = 10_000;
export const isBeyondReach = ({ page, perPage }: Paging): boolean => (page - 1) * perPage >= REACHED;

/** Of a page beyond reach, nothing is read. */
export const windowOf = (paging: Paging): Window => {
  const { page, perPage } = paging;
  return isBeyondReach(paging) ? { limit: 0, offset: 0 } : { limit: perPage, offset: (page - 1) * perPage };
};

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
  return { rows: all.slice(offset, offset + limit), total: exactly(all.length) };
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
    db.query<{ total: number }>(
      `select count(*)::int as total from (select from ${from} limit ${ROWS_TO_COUNT}) as counted`,
      [...values],
    ),
  ]);
  return { rows: found.rows, total: totalOf(counted.rows[0]?.total ?? 0) };
};
