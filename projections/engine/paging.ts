/** Paged queries. */
import type { SelectQueryBuilder } from 'kysely';

export interface Page<Row> {
  readonly rows: Row[];
  /** The number of rows on all pages. */
  readonly total: number;
}

/** One page of an ordered query (`page` from 1), and the number of rows on all pages. */
export const pageOf = async <DB, TB extends keyof DB, Row>(
  ordered: SelectQueryBuilder<DB, TB, Row>,
  { page, perPage }: { readonly page: number; readonly perPage: number },
): Promise<Page<Row>> => {
  const [rows, { total }] = await Promise.all([
    ordered
      .limit(perPage)
      .offset((page - 1) * perPage)
      .execute(),
    ordered
      .clearSelect()
      .clearOrderBy()
      .select((q) => q.fn.countAll().as('total'))
      .$castTo<{ total: number }>()
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
};
