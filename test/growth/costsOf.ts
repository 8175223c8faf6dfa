/** What queries cost a database, for specs of stores. */
import { createPool } from '../../infra/postgres.ts';
import { type ReadDb, readDb } from '../../projections/engine/readDb.ts';
import { endsWithSpec } from '../kit/ending.ts';
import type { Stores } from '../kit/stores.ts';
import { type Cost, explainStatements, hearPlans } from './plans.ts';

/** Measures what a query costs when its statements are planned already. */
export const createCosts = async ({ pool, databaseUrl, log }: Stores) => {
  const { rows } = await pool.query<{ name: string }>('select current_database() as name');
  const plans = hearPlans();
  await explainStatements(pool, rows[0]?.name ?? '');
  const explained = createPool(databaseUrl, { max: 1, applicationName: 'costs', log });
  endsWithSpec(async () => {
    await explained.end();
    plans.end();
  });
  const db = readDb(explained);
  return async (ask: (db: ReadDb) => Promise<unknown>): Promise<Pick<Cost, 'blocks' | 'rows'>> => {
    await ask(db);
    plans.cost();
    await ask(db);
    const { blocks, rows } = plans.cost();
    return { blocks, rows };
  };
};

/** By more than the height of a few indexes. */
export const costsMore = (before: Pick<Cost, 'blocks' | 'rows'>, after: Pick<Cost, 'blocks' | 'rows'>): boolean =>
  after.rows > before.rows * 1.34 + 20 || after.blocks > before.blocks * 1.34 + 20;
