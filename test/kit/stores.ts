/**
 * The two stores without the system around them: a real Postgres and the real event node, for tests of what stands
 * directly on them. The whole run shares one server; each test has a database and a log of its own.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { connectEventStore, type EventStore } from '../../eventstore/client/index.ts';
import { runNode } from '../../eventstore/embedded/node.ts';
import { ALL_TRAITS, LIKE_SERVER } from '../../eventstore/embedded/traits.ts';
import { logCheck } from '../../eventstore/identity.ts';
import { createVault, type Vault } from '../../eventstore/vault.ts';
import { createLogger, type Logger } from '../../infra/log.ts';
import { createPool, type Pool } from '../../infra/postgres.ts';
import { freshDatabase } from './databases.ts';
import { scratchFolder } from './scratch.ts';

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

/** Of the vault of every spec. */
export const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');

/**
 * The event nodes behave like servers: they drop subscribers that a burst overtakes, let reads lag that do not require
 * the leader, and so on. `amongOthers`: statistics and links of projections are written between the events as well.
 */
export const startStoreServers = async ({ amongOthers = false } = {}): Promise<StoreServers> => {
  const traits = amongOthers ? ALL_TRAITS : LIKE_SERVER;
  const directory = await scratchFolder('events');
  const log = createLogger({ level: (process.env.TEST_LOG_LEVEL as 'info' | undefined) ?? 'silent' });
  let count = 0;

  return {
    fresh: async () => {
      count += 1;
      const database = await freshDatabase();
      const databaseUrl = database.url;
      const pool = createPool(databaseUrl, { max: 10, applicationName: 'test', log });
      // In this process: starting one per test would take longer than most tests.
      const report = (err: unknown) => log.error({ err }, 'the event node failed');
      const node = await runNode(path.join(directory, String(count)), 0, report, report, { traits });
      const store = connectEventStore(node.connectionString, { log, check: logCheck(pool, 'refused') });
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
          await database.drop();
        },
      };
    },
    stop: () => rm(directory, { recursive: true, force: true }),
  };
};
