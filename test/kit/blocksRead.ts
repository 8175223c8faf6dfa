/** What queries of read models cost PostgreSQL, by its own account. */
import { inTransaction, type Pool } from '../../infra/postgres.ts';
import { type ReadDb, readDbIn } from '../../projections/engine/readDb.ts';

/** How many blocks of 8 KB the queries of `work` touch, once PostgreSQL knows the tables. */
export const blocksRead = (pool: Pool, work: (db: ReadDb) => Promise<unknown>): Promise<number> =>
  inTransaction(pool, async (client) => {
    let blocks = 0;
    const explained = async (text: string, values: unknown[]) => {
      const { rows } = await client.query(`explain (analyze, buffers, format json) ${text}`, values);
      const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
      blocks += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
      return client.query(text, values);
    };
    const db = readDbIn({ query: explained } as never);
    await work(db);
    blocks = 0;
    await work(db);
    return blocks;
  });
