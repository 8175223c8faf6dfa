/** Parts of what is numbered in its order, such as the messages of a chat. What is new does not move them. */
import { type SelectQueryBuilder, sql } from 'kysely';

/** Which part: the newest, or those before, after or around a number. */
export type Cursor = { readonly before?: number; readonly after?: number; readonly around?: number };

export interface SeqPage<Row> {
  /** By ascending number. */
  readonly rows: readonly Row[];
  /** Rows with a lower number are older than the page; null: there are none. */
  readonly before: number | null;
  /** Rows with a higher number are newer than the page; null: there are none. */
  readonly after: number | null;
}

/**
 * At most `limit` rows of those that `all` selects, in the order of their column `seq`. Whether there are others is looked up
 * on both sides, so that a page says it truly also where it is empty: it then lies between the numbers beside the cursor.
 */
export const seqPageOf = async <DB, TB extends keyof DB, Row extends { readonly seq: number }>(
  all: SelectQueryBuilder<DB, TB, Row>,
  { before, after, around }: Cursor,
  limit: number,
): Promise<SeqPage<Row>> => {
  const seq = sql.ref<number>('seq');
  const above = (number: number, most: number): Promise<Row[]> =>
    all.where(seq, '>', number).orderBy(seq).limit(most).execute();
  const below = async (number: number, most: number): Promise<Row[]> =>
    (await all.where(seq, '<', number).orderBy(seq, 'desc').limit(most).execute()).reverse();
  /** @param place where an empty page lies: what is older has lower numbers, what is newer this one and higher ones */
  const pageAt = async (place: number, rows: readonly Row[]): Promise<SeqPage<Row>> => {
    const first = rows[0]?.seq ?? place;
    const last = rows.at(-1)?.seq ?? place - 1;
    const isNewest = place === Number.MAX_SAFE_INTEGER;
    const [older, newer] = await Promise.all([below(first, 1), isNewest ? [] : above(last, 1)]);
    return { rows, before: older.length > 0 ? first : null, after: newer.length > 0 ? Math.max(0, last) : null };
  };
  if (after !== undefined) return pageAt(after + 1, await above(after, limit));
  if (around !== undefined) {
    const half = Math.floor(limit / 2);
    const [older, newer] = await Promise.all([below(around, half), above(around - 1, limit - half)]);
    return pageAt(around, [...older, ...newer]);
  }
  const place = before ?? Number.MAX_SAFE_INTEGER;
  return pageAt(place, await below(place, limit));
};
