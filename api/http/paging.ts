/** Paged lists: `page` from 1, `per_page` 20 by default and at most 100. A page past the end is empty. */
import { type TSchema, Type } from '@sinclair/typebox';
import { arrayText, type JsonText, objectText } from '../../infra/jsonText.ts';
import { isBeyondReach, type Page, type Paging, REACHED, type Total } from '../../infra/paging.ts';
import { USUAL_PER_PAGE } from '../../projections/engine/paging.ts';
import { refuseQuery } from './errors.ts';

/** Query fields of every paged list: spread into the route's `query`. */
export const pagingQuery = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
  per_page: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: USUAL_PER_PAGE })),
};

/** The list envelope of one kind of item. */
export const ListOf = <T extends TSchema>(item: T) =>
  Type.Object({
    data: Type.Array(item),
    total: Type.Integer({ description: 'The number of rows on all pages.' }),
    total_is_at_least: Type.Optional(
      Type.Literal(true, {
        description: 'There are more rows than `total`: they were counted no further. Not sent where `total` is exact.',
      }),
    ),
    page: Type.Integer(),
    per_page: Type.Integer(),
  });

interface PagingQuery {
  readonly page?: number;
  readonly per_page?: number;
}

export const pagingOf = ({ page = 1, per_page: perPage = USUAL_PER_PAGE }: PagingQuery): Paging => ({ page, perPage });

/**
 * The envelope around one page of rows. A page past the end is empty.
 * @throws HttpError `validation_failed` for a page of a long list that is beyond reach
 */
export const listOf = <T>({ rows, total }: Page<T>, paging: Paging) => {
  const { page, perPage } = paging;
  if (isBeyondReach(paging) && (total.isAtLeast || total.count > (page - 1) * perPage))
    refuseQuery(
      'page',
      'too_deep',
      `is beyond row ${REACHED} of the list: narrow it with its filters to see further rows`,
    );
  return {
    data: rows,
    total: total.count,
    ...(total.isAtLeast && { total_is_at_least: true as const }),
    page,
    per_page: perPage,
  };
};

/** The same around rows that are JSON text already. */
export const textListOf = <T>({ rows, total }: { rows: readonly JsonText<T>[]; total: Total }, paging: Paging) =>
  objectText<ReturnType<typeof listOf<T>>>({ ...listOf<T>({ rows: [], total }, paging), data: arrayText(rows) });

type Find<Row> = (paging: Paging) => Promise<Page<Row>>;
type Envelope<T> = ReturnType<typeof listOf<T>>;

/** The page that a query asks for, in its envelope. @param show a row as it is sent; by default as it is found */
export function paged<Row>(query: PagingQuery, find: Find<Row>): Promise<Envelope<Row>>;
export function paged<Row, T>(query: PagingQuery, find: Find<Row>, show: (row: Row) => T): Promise<Envelope<T>>;
export async function paged<Row, T>(query: PagingQuery, find: Find<Row>, show?: (row: Row) => T) {
  const paging = pagingOf(query);
  const { rows, total } = await find(paging);
  return listOf<Row | T>({ rows: show ? rows.map((row) => show(row)) : rows, total }, paging);
}

/** The same of rows that are JSON text already. */
export const pagedText = async <T>(query: PagingQuery, find: Find<JsonText<T>>) => {
  const paging = pagingOf(query);
  return textListOf(await find(paging), paging);
};
