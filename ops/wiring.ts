/** What most roles need, made from the settings: the stores, the codec, the vault, and the ports of all modules. */
import { deletionBlockers } from '../api/deletionBlockers.ts';
import { settlingWith } from '../api/privacy/settling.ts';
import { countErasedWith } from '../commands/core/certificateParts.ts';
import type { CoreDeps } from '../commands/core/deps.ts';
import { erasePerson } from '../commands/core/erasure.ts';
import { createFollowedStates } from '../commands/core/followedStates.ts';
import { createAggregates } from '../commands/core/handle.ts';
import { createSnapshots } from '../commands/core/snapshots.ts';
import { type CommandDeps, connectModules, followedByApi, followedByWorkers } from '../commands/modules.ts';
import { allEvents } from '../domain/modules.ts';
import { type ConnectedStore, connectEventStore, type StoreOptions } from '../eventstore/client/index.ts';
import { createCodec } from '../eventstore/codec.ts';
import { type EmptyDatabase, logCheck } from '../eventstore/identity.ts';
import { createVault } from '../eventstore/vault.ts';
import type { Logger } from '../infra/log.ts';
import { besidePool, createPool, OF_WORK, type PoolOptions, type StatementLimits } from '../infra/postgres.ts';
import { tellAccounts } from '../projections/accounts/accountMessages.ts';
import { ephemeralSender } from '../projections/engine/ephemeral.ts';
import type { CountErased } from '../projections/engine/forgetting.ts';
import { type Config, vaultKeysOf } from './config.ts';
import { erasurePlan } from './erasure.ts';
import { exportSections } from './processingRecord.ts';

/** Addresses of both stores. `ops/main.ts` has started those that were not configured. */
export const storesOf = (config: Config): { databaseUrl: string; eventStore: string } => {
  const { DATABASE_URL: databaseUrl, ESDB_CONNECTION_STRING: eventStore } = config;
  if (!databaseUrl || !eventStore)
    throw new Error('a role that runs alone needs DATABASE_URL and ESDB_CONNECTION_STRING');
  return { databaseUrl, eventStore };
};

/** How a process connects to PostgreSQL. */
export const poolOptions = (config: Config): Pick<PoolOptions, 'max' | 'prepares'> => ({
  max: config.DATABASE_POOL,
  prepares: config.DATABASE_PREPARE,
});

export interface Wiring extends CommandDeps {
  readonly store: ConnectedStore;
  readonly databaseUrl: string;
  /** For a projector. */
  readonly countErased: CountErased;
  /**
   * For an API process: until the signal fires, follows what prices are quoted from and what many commands come for at once,
   * so that neither is read for each request.
   */
  followForRequests(signal: AbortSignal): Promise<void>;
  /** For a worker: until the signal fires, follows what policies ask for all the time. */
  followForPolicies(signal: AbortSignal): Promise<void>;
  /** Has the caches of this process forget an erased person. Without an id: anybody may have been erased. */
  forgetErased(person?: string): void;
  close(): Promise<void>;
}

const clients = new Map<string, { store: ConnectedStore; users: number }>();

/**
 * One client for each process, however many roles it has: two would share a map of pending appends inside the package.
 * @param options those of the first role count for all
 */
export const shareEventStore = (
  connectionString: string,
  options: StoreOptions,
): { store: ConnectedStore; release(): Promise<void> } => {
  const client = clients.get(connectionString) ?? { store: connectEventStore(connectionString, options), users: 0 };
  clients.set(connectionString, client);
  client.users += 1;
  return {
    store: client.store,
    release: async () => {
      client.users -= 1;
      if (client.users > 0) return;
      clients.delete(connectionString);
      await client.store.close();
    },
  };
};

/** Connections for statements that take long. */
const PATIENT = 5;

export interface WiringOptions {
  /** Of most statements; those of the patient pool may take as long as work in the background. */
  readonly limits?: StatementLimits;
  /** What an empty database means beside a log with events; by default that the two do not belong together. */
  readonly emptyDatabase?: EmptyDatabase | undefined;
}

/** Connects lazily: the first query opens the connections. Call `close` after everything that uses them has stopped. */
export const wire = (
  config: Config,
  role: string,
  log: Logger,
  { limits = OF_WORK, emptyDatabase = 'refused' }: WiringOptions = {},
): Wiring => {
  const { databaseUrl, eventStore } = storesOf(config);
  const pool = createPool(databaseUrl, { ...poolOptions(config), ...limits, applicationName: role, log });
  const patientPool =
    limits === OF_WORK
      ? pool
      : besidePool(pool, { ...OF_WORK, max: PATIENT, applicationName: `${role} (patient)`, log });
  const vault = createVault(pool, vaultKeysOf(config));
  const { store, release } = shareEventStore(eventStore, { log, check: logCheck(pool, emptyDatabase) });
  const codec = createCodec(allEvents, vault);
  const followed = createFollowedStates();
  const snapshots = createSnapshots(pool, log, vault);
  const aggregates = createAggregates(store, codec, { snapshots, followed });
  const core: Omit<CoreDeps, 'settings'> = {
    aggregates,
    snapshots,
    store,
    codec,
    vault,
    pool,
    patientPool,
    jobs: pool,
    publish: tellAccounts,
    tell: ephemeralSender(pool, log),
    settle: (...given) => settlingWith(wiring, deletionBlockers)(...given),
    erase: (person) => erasePerson<CommandDeps>(wiring, erasurePlan(config), person),
    exportSections,
    now: () => new Date().toISOString(),
    log,
  };
  const wiring: Wiring = {
    databaseUrl,
    countErased: countErasedWith(vault),
    ...connectModules(config, core),
    store,
    followForPolicies: (signal) => followed.follow({ store, log, aggregates }, followedByWorkers, signal),
    followForRequests: (signal) => followed.follow({ store, log, aggregates }, followedByApi, signal),
    forgetErased: (person) => {
      vault.forget(person);
      aggregates.forget();
    },
    close: async () => {
      for (const service of Object.values(wiring.pushServices)) service.close();
      await wiring.fileStore.close();
      await release();
      await pool.end();
      if (patientPool !== pool) await patientPool.end();
    },
  };
  return wiring;
};
