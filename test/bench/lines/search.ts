/** The line that searches over dates. */

import { searchHotels } from '../../../projections/catalog/hotelSearch.ts';
import { readDbIn } from '../../../projections/engine/readDb.ts';
import { answerTo, withLoad } from '../http.ts';
import { type Line, rateGoal } from '../line.ts';
import type { KoaOptions } from '../peers/koa.ts';
import { startProgram } from '../program.ts';
import type { Resort } from '../resort.ts';
import { compare } from '../rounds.ts';

type Statement = NonNullable<KoaOptions['statements']>[number];

/** The statements of the same search where it is made by SQL alone. */
const statementsOf = async ({ wiring }: Resort, stay: { checkIn: string; checkOut: string }): Promise<Statement[]> => {
  const statements: Statement[] = [];
  const query = (text: string, values: unknown[]) => {
    statements.push({ text, values });
    return wiring.pool.query(text, values);
  };
  const db = readDbIn({ query: query as never }); // nothing follows this database, so that SQL answers
  const at = new Date().toISOString();
  await searchHotels(db, { sort: 'name', stay, guests: 2, page: 1, perPage: 20, at });
  return statements;
};

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

export const search: Line = {
  name: 'search',
  work: 'hotels with a free room over three nights, among 10,000 with a season',
  peer: 'the SQL of that search alone in bare Koa',
  goal: '≥ 20 ×',
  run: async ({ size, resort: open }) => {
    const resort = await open();
    const { stores, system } = resort;
    const stay = { checkIn: inDays(10), checkOut: inDays(13) };
    const line = `GET /api/v1/hotels?check_in=${stay.checkIn}&check_out=${stay.checkOut}&guests=2`;
    const { total } = JSON.parse(await answerTo(system.api, { line }));
    if (total === 0) throw new Error('no hotel is free: the search would be too easy');
    const statements = await statementsOf(resort, stay);
    const peer = await startProgram('peers/koa', { databaseUrl: stores.postgres.url, statements });
    try {
      const url = await peer.ask<string>({});
      const { processes, counts } = system;
      const sql = {
        name: 'SQL in bare Koa',
        isPeer: true,
        processes: () => ({ koa: peer.pid, postgres: stores.postgres.pid }),
        load: { url, requests: [{ line: 'GET /query' }], status: 200 },
      };
      const ours = { name: 'ours', processes, counts, load: { url: system.api, requests: [{ line }], status: 200 } };
      const results = await withLoad([ours, sql], (contenders) => compare(contenders, size.plan));
      return [
        { name: 'search', results, goals: [rateGoal(results[0], results[1], 20)], note: `${total} hotels are found` },
      ];
    } finally {
      await peer.stop();
    }
  },
};
