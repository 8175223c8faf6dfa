/**
 * The two stores without the system around them: a real Postgres and the real event node, for tests of what stands
 * directly on them. One server a spec file, one database and one log a test.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connectEventStore, type EventStore } from '../eventstore/client.ts';
import { startEmbeddedNode } from '../eventstore/embedded/start.ts';
import { createVault, type Vault } from '../eventstore/vault.ts';
import { createLogger, type Logger } from '../ops/base/log.ts';
import { createPool, migrateOps, type Pool } from '../ops/base/postgres.ts';
import { startEmbeddedPostgres } from '../ops/postgres.ts';
import { allTables } from '../ops/tables.ts';

export interface Stores {
  readonly databaseUrl: string;
  readonly eventStore: string;
  readonly pool: Pool;
  readonly store: EventStore;
  readonly vault: Vault;
  readonly log: Logger;
  stop(): Promise<void>;
}

export interface StoreServers {
  /** An empty database with the `ops` tables, and an empty log. */
  fresh(): Promise<Stores>;
  stop(): Promise<void>;
}

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');

export const startStoreServers = async (): Promise<StoreServers> => {
  const directory = await mkdtemp(path.join(tmpdir(), 'resort-stores-'));
  const log = createLogger({ level: (process.env.TEST_LOG_LEVEL as 'info' | undefined) ?? 'silent' });
  const postgres = await startEmbeddedPostgres({ dataDir: directory, log });
  const admin = createPool(postgres.url, { max: 1, applicationName: 'test admin', log });
  let count = 0;

  return {
    fresh: async () => {
      count += 1;
      const name = `test_${count}`;
      await admin.query(`create database ${name}`);
      const databaseUrl = Object.assign(new URL(postgres.url), { pathname: name }).href;
      const pool = createPool(databaseUrl, { max: 10, applicationName: 'test', log });
      await migrateOps(pool, allTables);
      const node = await startEmbeddedNode({
        directory: path.join(directory, name),
        onExit: (reason) => log.error({ reason }, 'the event node ended'),
      });
      const store = connectEventStore(node.connectionString);
      return {
        databaseUrl,
        eventStore: node.connectionString,
        pool,
        store,
        vault: createVault(pool, MASTER_KEY),
        log,
        stop: async () => {
          await store.close();
          await node.stop();
          await pool.end();
        },
      };
    },
    stop: async () => {
      await admin.end();
      await postgres.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
};
