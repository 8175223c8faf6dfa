/** One process that is one role or several: started, drained, and ended together with its supervisor. */
import {
  AccessDenied,
  type ConnectedStore,
  connectEventStore,
  StoreUnavailable,
} from '../../eventstore/client/index.ts';
import { assertLogFormat } from '../../eventstore/format.ts';
import { assertSameLog } from '../../eventstore/identity.ts';
import { assertMasterKeys } from '../../eventstore/keyRotation.ts';
import { assertNotSealed, watchSeal } from '../../eventstore/seal.ts';
import { watchDescriptors } from '../../infra/descriptors.ts';
import { IncompatibleData } from '../../infra/incompatible.ts';
import { createLogger, type Logger } from '../../infra/log.ts';
import { collectProcessMetrics } from '../../infra/metrics.ts';
import { migrateOps } from '../../infra/migrations.ts';
import { endProcess, sayFatal } from '../../infra/output.ts';
import { assertOwnSessions } from '../../infra/ownSessions.ts';
import { createPool, type Pool } from '../../infra/postgres.ts';
import { sleep, withTimeout } from '../../infra/retry.ts';
import { ConfigError } from '../../infra/settings.ts';
import { ensureTables } from '../../projections/engine/tableVersions.ts';
import { groups } from '../../projections/modules.ts';
import { sendReports } from '../childReports.ts';
import { type Config, PORT_OF, type PortSetting, type Role, vaultKeysOf } from '../config.ts';
import { said } from '../healthLine.ts';
import { keepNewObjectsYoung } from '../heap.ts';
import { watchOneself } from '../operators/watchOneself.ts';
import { portTaken } from '../ports.ts';
import { conditionOf, serveProbe } from '../probe.ts';
import { isSupervised, tellParent } from '../roleProcess.ts';
import { logStartWarnings } from '../startWarnings.ts';
import { allMigrations } from '../tables.ts';
import { shareEventStore } from '../wiring.ts';
import { expandRoles, startRole } from './index.ts';
import type { Running } from './role.ts';

/** How long a role may finish what it has begun. */
const DRAIN_MS = 12_000;

/**
 * Prepares the stores: brings the schema `ops` up to date, checks the keys of the vault, that this release can read the log,
 * and that the database follows it, and makes the tables of read models that are missing. Every process that is not
 * supervised does it first; the order among them does not matter. A log that cannot be reached is checked by the next
 * start: until then nothing in another format is read, because each event names its format, and every subscription
 * compares the log again.
 * @throws IncompatibleData for data of an unreleased or newer version, for other keys than those of the database, and for
 * another log than it follows
 * @throws ConfigError when the database is behind a pooler that shares sessions
 * @throws AccessDenied when the user of the connection string lacks a right
 */
export const prepareStores = async (
  { databaseUrl, eventStore }: StoreAddresses,
  config: Config,
  log: Logger,
): Promise<void> => {
  const pool = databaseUrl
    ? createPool(databaseUrl, { max: 1, applicationName: 'migrate', log, statementTimeoutMs: 0 })
    : undefined;
  try {
    if (databaseUrl) await assertOwnSessions(databaseUrl);
    if (pool) {
      await migrateOps(pool, allMigrations);
      await assertMasterKeys(pool, vaultKeysOf(config));
    }
    if (eventStore) await checkLog(eventStore, pool, log);
    if (pool) await ensureTables(pool, groups);
  } finally {
    await pool?.end();
  }
};

/** `undefined`: this process uses no such store. */
export interface StoreAddresses {
  readonly databaseUrl: string | undefined;
  readonly eventStore: string | undefined;
}

/** A cluster that starts for the first time has no users for some seconds. */
const NO_USERS_YET_MS = 60_000;
const ASK_AGAIN_MS = 1_000;

/** @throws AccessDenied when the user lacks a right after a minute, too */
const waitForAccess = async (store: ConnectedStore, log: Logger): Promise<void> => {
  let told: string | undefined;
  for (const end = performance.now() + NO_USERS_YET_MS; ; await sleep(ASK_AGAIN_MS))
    try {
      return await store.assertAccess();
    } catch (err) {
      if (!(err instanceof AccessDenied) || performance.now() > end) throw err;
      if (err.message !== told) log.warn({ why: err.message }, 'the event store does not let us in yet');
      told = err.message;
    }
};

const checkLog = async (eventStore: string, pool: Pool | undefined, log: Logger): Promise<void> => {
  const store = connectEventStore(eventStore);
  try {
    await waitForAccess(store, log);
    await assertLogFormat(store);
    await assertNotSealed(store);
    if (pool) await assertSameLog(pool, store);
  } catch (err) {
    if (!(err instanceof StoreUnavailable)) throw err;
    log.warn({ err }, 'the log was not checked: the event store is unavailable');
  } finally {
    await store.close();
  }
};

/** Runs until a signal, the loss of the supervisor, or an unhandled error. */
export const runRoles = async (config: Config): Promise<void> => {
  keepNewObjectsYoung();
  const name = config.ROLE.join('+');
  const log = createLogger({ level: config.LOG_LEVEL, role: name });
  const running: Running[] = [];
  let ending = false;

  const end = async (why: string, exitCode: number): Promise<void> => {
    if (ending) return;
    ending = true;
    log.info({ why }, 'stopping');
    const stopAll = async () => {
      for (const role of [...running].reverse()) await role.stop();
    };
    const clean = await withTimeout(stopAll(), DRAIN_MS, `not drained within ${DRAIN_MS / 1_000} s`).then(
      () => true,
      (err: unknown) => {
        log.error({ err }, 'stopping failed');
        return false;
      },
    );
    await endProcess(clean ? exitCode : 1);
  };

  process.on('SIGTERM', () => void end('SIGTERM', 0));
  // Ctrl-C and the end of a terminal reach the whole group at once: the supervisor decides who stops when.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => void (isSupervised() || end(signal, 0)));
  const orphaned = () => void end('the supervisor is gone', 0);
  process.on('disconnect', orphaned);
  // It may have ended while this process was loading.
  if (isSupervised() && !process.connected) return orphaned();
  exitOnFault(log, name);

  try {
    collectProcessMetrics(name);
    const condition = () => conditionOf(running);
    if (isSupervised()) sendReports(log, condition);
    else logStartWarnings(log, config, process.env);
    const descriptors = watchDescriptors(log);
    running.push({ ...descriptors, faults: () => said('OpenFilesFew', name, descriptors.faults()) });
    if (!isSupervised())
      await prepareStores({ databaseUrl: config.DATABASE_URL, eventStore: config.ESDB_CONNECTION_STRING }, config, log);
    const roles = expandRoles(config.ROLE);
    for (const role of roles) {
      const started = await startRole(role, config, log).catch((error: unknown) =>
        Promise.reject(explain(role, config, error)),
      );
      running.push(started);
    }
    running.push(watchOneself(config, { roles: name, usesStores: roles.some(usesLog), condition, log }));
    // After the roles: the client is theirs.
    if (config.ESDB_CONNECTION_STRING && roles.some(usesLog))
      running.push(watchLog(config.ESDB_CONNECTION_STRING, log, (why) => void end(why, 1)));
    if (config.METRICS_PORT > 0)
      running.push(await serveProbe({ host: config.HOST, port: config.METRICS_PORT, role: name, log, condition }));
  } catch (error) {
    if (!isForOperator(error)) log.fatal({ err: error }, 'cannot start');
    const why = error instanceof Error ? error.message : String(error);
    if (isSupervised()) await tellParent({ kind: 'failed', why });
    else sayFatal(name, why);
    return end('it could not start', 1);
  }
  const address = running.find((role) => role.address !== undefined)?.address;
  log.info({ listening: address }, 'started');
  await tellParent({ kind: 'ready', ...(address === undefined ? {} : { address }) });
};

const usesLog = (role: Role): boolean => role !== 'eventstore' && role !== 'sandbox';

/** Ends the process when its log is sealed, and tells `/health` when the event store is away. */
const watchLog = (eventStore: string, log: Logger, onSealed: (why: string) => void): Running => {
  const { store, release } = shareEventStore(eventStore, { log });
  const stopping = new AbortController();
  const watching = watchSeal(store, log, stopping.signal).catch((err: unknown) => {
    log.fatal({ err }, 'the log is sealed');
    onSealed('the log is sealed');
  });
  return {
    faults: () => {
      const away = store.away();
      return said('StoreAway', 'the event store', away === undefined ? [] : [`The event store is away: ${away}`]);
    },
    stop: async () => {
      stopping.abort();
      await watching;
      await release();
    },
  };
};

/** After an uncaught error the state of the process is unknown: it exits, and the supervisor starts it again. */
export const exitOnFault = (log: Logger, role: string): void => {
  const fault = (err: unknown) => {
    if (isForOperator(err)) sayFatal(role, (err as Error).message);
    else log.fatal({ err }, 'unhandled error');
    void endProcess(1);
  };
  process.on('unhandledRejection', fault);
  process.on('uncaughtException', fault);
};

/** One sentence is enough, because the operator can fix it. */
const isForOperator = (error: unknown): boolean =>
  error instanceof ConfigError || error instanceof IncompatibleData || error instanceof AccessDenied;

const explain = (role: Role, config: Config, error: unknown): unknown => {
  const setting: PortSetting | undefined = (PORT_OF as Partial<Record<Role, PortSetting>>)[role];
  return setting && (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? portTaken(setting, config) : error;
};
