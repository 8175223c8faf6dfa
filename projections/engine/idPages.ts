/** Ids that are read some at a time, each time as the table is then: a person can have very many. */

const IDS_AT_ONCE = 100;

/**
 * @param read at most `limit` rows, in an order that goes on after `last`; without it, from the beginning
 * @returns their ids, page by page
 */
export const idPages = async function* <Row extends { readonly id: string }>(
  read: (limit: number, last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<readonly string[]> {
  for (let rows = await read(IDS_AT_ONCE, undefined); rows.length > 0; rows = await read(IDS_AT_ONCE, rows.at(-1)))
    yield rows.map(({ id }) => id);
};
