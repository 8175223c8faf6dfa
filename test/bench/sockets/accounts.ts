/** A database for a hub alone, with sessions of accounts that exist nowhere else. */
import { randomUUID } from 'node:crypto';
import { migrateOps } from '../../../infra/migrations.ts';
import { createPool, inTransaction, type Pool } from '../../../infra/postgres.ts';
import { tokenMigrations } from '../../../infra/sessions.ts';
import { signAccessToken } from '../../../infra/tokens.ts';
import { appendChanges, type Change, changesMigrations } from '../../../projections/engine/changes.ts';
import { type BenchStores, log } from '../stores.ts';

export const JWT_SECRET = 'not-a-secret-of-a-hub-that-is-measured';

export interface HubDatabase {
  readonly url: string;
  /** Tokens of so many accounts. */
  signIn(count: number, role: string): Promise<string[]>;
  /** Appends changes as the projector does. */
  append(changes: readonly Change[]): Promise<void>;
  close(): Promise<void>;
}

const openSessions = (pool: Pool, sessions: readonly { id: string; account: string }[]) =>
  pool.query(
    `insert into ops.sessions (id, account_id, token_version, started_at, expires_at)
     select id, account, 0, now(), now() + interval '1 day' from unnest($1::uuid[], $2::uuid[]) as s(id, account)`,
    [sessions.map(({ id }) => id), sessions.map(({ account }) => account)],
  );

export const createHubDatabase = async (stores: BenchStores): Promise<HubDatabase> => {
  const url = await stores.emptyDatabase('bench_hub');
  const pool = createPool(url, { max: 5, applicationName: 'bench', log });
  await migrateOps(pool, [changesMigrations, tokenMigrations]);
  return {
    url,
    signIn: async (count, role) => {
      const sessions = Array.from({ length: count }, () => ({ id: randomUUID(), account: randomUUID() }));
      await openSessions(pool, sessions);
      const sign = ({ id, account }: (typeof sessions)[number]) =>
        signAccessToken(
          { jwtSecret: JWT_SECRET, jwtSecretPrevious: undefined },
          { accountId: account, sessionId: id, role, tokenVersion: 0 },
        );
      return Promise.all(sessions.map(sign));
    },
    append: (changes) => inTransaction(pool, (client) => appendChanges(client, changes)),
    close: () => pool.end(),
  };
};
