/** Parts of what is numbered in its order, such as the messages of a chat. What is new does not move them. */
import { type SelectQueryBuilder, sql } from 'kysely';

/** Which part: the newest, or those before, after or around a number. */
export type Cursor = { readonly before?: number; readonly after?: number; readonly around?: number };

export interface SeqPage<Row> {
  /** By ascending number. */
  readonly rows: readonly Row[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
}

/** At most `limit` rows of those that `all` selects, in the order of their column `seq`. */
export const seqPageOf = async <DB, TB extends keyof DB, Row>(
  all: SelectQueryBuilder<DB, TB, Row>,
  { before, after, around }: Cursor,
  limit: number,
): Promise<SeqPage<Row>> => {
  const seq = sql.ref<number>('seq');
  const above = (number: number, most: number): Promise<Row[]> =>
    all.where(seq, '>', number).orderBy(seq).limit(most).execute();
  const upTo = async (number: number, most: number): Promise<Row[]> =>
    (await all.where(seq, '<', number).orderBy(seq, 'desc').limit(most).execute()).reverse();
  if (after !== undefined) {
    const found = await above(after, limit + 1);
    return { rows: found.slice(0, limit), hasOlder: after > 0, hasNewer: found.length > limit };
  }
  if (around !== undefined) {
    const half = Math.floor(limit / 2);
    const [older, newer] = await Promise.all([upTo(around, half + 1), above(around - 1, limit - half + 1)]);
    const shown = { older: older.slice(-half), newer: newer.slice(0, limit - half) };
    return {
      rows: half > 0 ? [...shown.older, ...shown.newer] : shown.newer,
      hasOlder: older.length > half,
      hasNewer: newer.length > limit - half,
    };
  }
  const found = await upTo(before ?? Number.MAX_SAFE_INTEGER, limit + 1);
  return { rows: found.slice(-limit), hasOlder: found.length > limit, hasNewer: before !== undefined };
};
