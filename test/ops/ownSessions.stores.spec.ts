/** Poolers that are refused at the start. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assertOwnSessions } from '../../infra/ownSessions.ts';
import { type Database, freshDatabase } from '../kit/databases.ts';

let database: Database;
beforeAll(async () => {
  database = await freshDatabase({ isEmpty: true });
});
afterAll(() => database?.drop());

const open = async () => {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return client;
};

it('PostgreSQL itself gives each connection a session of its own', () => assertOwnSessions(database.url));

it('a pooler that gives two connections one session is refused with one line', async () => {
  const shared = await open();
  const lent = async () => ({
    query: shared.query.bind(shared),
    on: shared.on.bind(shared),
    end: async () => undefined,
  });
  await expect(assertOwnSessions(database.url, lent as never)).rejects.toThrow(
    /pooler .* \(two connections share one\).* pool_mode = session/,
  );
  await shared.end();
});

it('a pooler that passes no notifications on is refused', async () => {
  const deaf = async () => Object.assign(await open(), { on: () => undefined });
  await expect(assertOwnSessions(database.url, deaf as never, 50)).rejects.toThrow('LISTEN hears nothing');
});
