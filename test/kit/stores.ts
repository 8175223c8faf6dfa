/**
 * The two stores without the system around them: a real Postgres and the real event node, for tests of what stands
 * directly on them. The whole run shares one server; each test has a database and a log of its own.
 */
import { rm } from 'node:fs/promises';
import { countErasedWith } from '../../commands/core/certificateParts.ts';
import { connectEventStore, type EventStore } from '../../eventstore/client/index.ts';
import { runNode } from '../../eventstore/embedded/node.ts';
import { ALL_TRAITS, LIKE_SERVER } from '../../eventstore/embedded/traits.ts';
import { logCheck } from '../../eventstore/identity.ts';
import { createVault, type Vault } from '../../eventstore/vault.ts';
import { createLogger, type Logger } from '../../infra/log.ts';
import { createPool, type Pool } from '../../infra/postgres.ts';
import type { CountErased } from '../../projections/engine/forgetting.ts';
import { freshDatabase } from './databases.ts';
import { endsWithSpec } from './ending.ts';
import { scratchFolder } from './scratch.ts';

export interface Stores {
  readonly databaseUrl: string;
  readonly eventStore: string;
  readonly pool: Pool;
  readonly store: EventStore;
  readonly vault: Vault;
  readonly countErased: CountErased;
  readonly log: Logger;
  stop(): Promise<void>;
}

/** Of the vault of every spec. */
export const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');

/**
 * An empty database with the `ops` tables, and an empty log. They end with the test or the file that asks for them.
 *
 * The event node behaves like a server: it drops subscribers that a burst overtakes, lets reads lag that do not require the
 * leader, and so on. `amongOthers`: statistics and links of projections are written between the events as well.
 */
export const freshStores = async ({ amongOthers = false } = {}): Promise<Stores> => {
  const log = createLogger({ level: (process.env.TEST_LOG_LEVEL as 'info' | undefined) ?? 'silent' });
  const [database, directory] = await Promise.all([freshDatabase(), scratchFolder('events')]);
  const pool = createPool(database.url, { max: 10, applicationName: 'test', log });
  // In this process: starting one per test would take longer than most tests.
  const report = (err: unknown) => log.error({ err }, 'the event node failed');
  const node = await runNode(directory, 0, report, report, { traits: amongOthers ? ALL_TRAITS : LIKE_SERVER });
  const vault = createVault(pool, MASTER_KEY);
  const store = connectEventStore(node.connectionString, { log, check: logCheck(pool, 'refused') });
  return {
    databaseUrl: database.url,
    eventStore: node.connectionString,
    pool,
    store,
    vault,
    countErased: countErasedWith(vault),
    log,
    stop: endsWithSpec(async () => {
      await store.close();
      await node.stop();
      await pool.end();
      await database.drop();
      await rm(directory, { recursive: true, force: true });
    }),
  };
};
