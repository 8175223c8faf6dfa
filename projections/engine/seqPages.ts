/** Parts of what is numbered in its order, such as the messages of a chat. What is new does not move them. */

/** Which part: the newest, or those before, after or around a number. */
export type Cursor = { readonly before?: number; readonly after?: number; readonly around?: number };

export interface SeqPage<Row> {
  /** By ascending number. */
  readonly rows: readonly Row[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
}

/**
 * How rows are read: at most a number of them with a lower number, the highest first, or with a higher one, the lowest
 * first.
 */
export interface SeqRows<Row> {
  readonly below: (seq: number, most: number) => Promise<Row[]>;
  readonly above: (seq: number, most: number) => Promise<Row[]>;
}

/** At most `limit` rows. */
export const seqPageOf = async <Row>(
  { below, above }: SeqRows<Row>,
  { before, after, around }: Cursor,
  limit: number,
): Promise<SeqPage<Row>> => {
  const upTo = async (seq: number, most: number): Promise<Row[]> => (await below(seq, most)).reverse();
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
