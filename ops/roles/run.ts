/** One process that is one role or several: started, drained, and ended together with its supervisor. */
import { AccessDenied, connectEventStore, StoreUnavailable } from '../../eventstore/client/index.ts';
import { assertLogFormat } from '../../eventstore/format.ts';
import { IncompatibleData } from '../../infra/incompatible.ts';
import { createLogger, type Logger } from '../../infra/log.ts';
import { collectProcessMetrics } from '../../infra/metrics.ts';
import { migrateOps } from '../../infra/migrations.ts';
import { createPool } from '../../infra/postgres.ts';
import { withTimeout } from '../../infra/retry.ts';
import { ConfigError } from '../../infra/settings.ts';
import { type Config, PORT_OF, type PortSetting, type Role } from '../config.ts';
import { portTaken } from '../ports.ts';
import { serveProbe } from '../probe.ts';
import { isSupervised, tellParent } from '../roleProcess.ts';
import { allMigrations } from '../tables.ts';
import { shareMetrics } from '../wholeMetrics.ts';
import { expandRoles, startRole } from './index.ts';
import type { Running } from './role.ts';

/** How long a role may finish what it has begun. */
const DRAIN_MS = 12_000;

/**
 * Prepares the stores: brings the schema `ops` up to date, and checks that this release can read the log. Every process
 * that is not supervised does it first; the order among them does not matter. A log that cannot be reached is checked by
 * the next start: until then nothing in another format is read, because each event names its format.
 * @throws IncompatibleData for data of an unreleased or newer version
 * @throws AccessDenied when the user of the connection string lacks a right
 */
export const prepareStores = async (stores: StoreAddresses, log: Logger): Promise<void> => {
  if (stores.databaseUrl) await migrate(stores.databaseUrl, log);
  if (!stores.eventStore) return;
  const store = connectEventStore(stores.eventStore);
  try {
    await store.assertAccess();
    await assertLogFormat(store);
  } catch (err) {
    if (!(err instanceof StoreUnavailable)) throw err;
    log.warn({ err }, 'the format of the log was not checked: the event store is unavailable');
  } finally {
    await store.close();
  }
};

/** `undefined`: this process uses no such store. */
export interface StoreAddresses {
  readonly databaseUrl: string | undefined;
  readonly eventStore: string | undefined;
}

const migrate = async (databaseUrl: string, log: Logger): Promise<void> => {
  const pool = createPool(databaseUrl, { max: 1, applicationName: 'migrate', log, statementTimeoutMs: 0 });
  await migrateOps(pool, allMigrations).finally(() => pool.end());
};

/** Runs until a signal, the loss of the supervisor, or an unhandled error. */
export const runRoles = async (config: Config): Promise<void> => {
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
    process.exit(clean ? exitCode : 1);
  };

  process.on('SIGTERM', () => void end('SIGTERM', 0));
  // Ctrl-C reaches the whole group at once: the supervisor decides who stops when.
  process.on('SIGINT', () => void (isSupervised() || end('SIGINT', 0)));
  process.on('disconnect', () => void end('the supervisor is gone', 0));
  exitOnFault(log);

  try {
    collectProcessMetrics(name);
    if (isSupervised()) shareMetrics(log);
    if (!isSupervised())
      await prepareStores({ databaseUrl: config.DATABASE_URL, eventStore: config.ESDB_CONNECTION_STRING }, log);
    for (const role of expandRoles(config.ROLE)) {
      const started = await startRole(role, config, log).catch((error: unknown) =>
        Promise.reject(explain(role, config, error)),
      );
      running.push(started);
    }
    if (config.METRICS_PORT > 0) running.push(await serveProbe(config.HOST, config.METRICS_PORT, name));
  } catch (error) {
    if (!isForOperator(error)) log.fatal({ err: error }, 'cannot start');
    const why = error instanceof Error ? error.message : String(error);
    if (isSupervised()) await tellParent({ kind: 'failed', why });
    else process.stderr.write(`${why}\n`);
    return end('it could not start', 1);
  }
  const address = running.find((role) => role.address !== undefined)?.address;
  log.info({ listening: address }, 'started');
  await tellParent({ kind: 'ready', ...(address === undefined ? {} : { address }) });
};

/** After an uncaught error the state of the process is unknown: it exits, and the supervisor starts it again. */
export const exitOnFault = (log: Logger): void => {
  const fault = (err: unknown) => {
    log.fatal({ err }, 'unhandled error');
    process.exit(1);
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
