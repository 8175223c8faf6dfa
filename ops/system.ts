/** Runs the whole system on one machine: the stores that are not configured, then every role in its own process. */
import { access, chmod, mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedNode } from '../eventstore/embedded/start.ts';
import { createLogger, type Logger } from '../infra/log.ts';
import { endProcess, output } from '../infra/output.ts';
import { collectReports } from './childReports.ts';
import { type Config, type Role, readConfig } from './config.ts';
import { freePort, settlePorts } from './ports.ts';
import { startEmbeddedPostgres } from './postgres/server.ts';
import { serveProbe } from './probe.ts';
import { type RoleOptions, roleService } from './roleProcess.ts';
import type { Running } from './roles/role.ts';
import { exitOnFault, prepareStores } from './roles/run.ts';
import { ownRuntime, type RuntimeFile } from './runtime.ts';
import { seedDemoOnce } from './seed/demo.ts';
import { onStopSignal } from './signals.ts';
import { logStartWarnings } from './startWarnings.ts';
import { createSupervisor, type Service, type Supervisor } from './supervisor.ts';

const LOOPBACK = '127.0.0.1';
/** The roles that clients connect to, in the order of the start message. */
const LISTENING = ['api', 'realtime', 'sandbox'] as const;

/**
 * DATA_DIR contains passwords, keys and personal data: it is made private, also when an earlier release made it. Access
 * for the group to pass through stays: the embedded PostgreSQL of root needs it.
 */
const makePrivate = async (directory: string): Promise<void> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const { mode, uid } = await stat(directory);
  if ((mode & 0o067) !== 0 && uid === process.getuid?.()) await chmod(directory, 0o700);
};

/** Production has no sandbox. */
const listeningRoles = ({ NODE_ENV }: Pick<Config, 'NODE_ENV'>) =>
  LISTENING.filter((role) => role !== 'sandbox' || NODE_ENV !== 'production');

export interface SystemOptions {
  /** The compiled `ops/main.ts` that the processes of the roles run. By default this process's own. */
  readonly main?: string;
  /** How the processes of the roles are made, and how long they get. */
  readonly role?: Pick<RoleOptions, 'fork' | 'limits'>;
  /** Called before anything is stopped. */
  readonly onStop?: () => void;
}

/** Starts everything and keeps it running until a signal. If it cannot start, it stops everything and throws. */
export const runSystem = async (
  config: Config,
  env: NodeJS.ProcessEnv,
  options: SystemOptions = {},
): Promise<Supervisor> => {
  const main = options.main ?? (process.argv[1] as string);
  const log = createLogger({ level: config.LOG_LEVEL, role: 'supervisor' });
  const ports = await settlePorts(['all'], config);
  const settled = readConfig({ ...env, ...ports });
  await makePrivate(settled.DATA_DIR);
  exitOnFault(log, 'supervisor');
  const processes = LISTENING.map((role) => ({ ...settled, ROLE: [role] }));
  logStartWarnings(log, settled, env, processes);

  const stores: Known = {
    databaseUrl: settled.DATABASE_URL ?? '',
    eventStore: settled.ESDB_CONNECTION_STRING ?? '',
    metrics: undefined,
  };
  let probe: Running | undefined;
  const runtime = await ownRuntime(settled.DATA_DIR);
  const supervisor = createSupervisor({ log, onChange: () => record(runtime, stores, supervisor) });
  const stop = async () => {
    options.onStop?.();
    await probe?.stop();
    await supervisor.stop();
    runtime?.remove();
  };
  stopOnSignal(stop, log);

  try {
    const eventNode = await eventNodeService(settled.DATA_DIR);
    const startPostgres = async () => {
      if (settled.DATABASE_URL) return;
      const { address = '' } = await supervisor.start(postgresService(settled.DATA_DIR, log));
      stores.databaseUrl = address;
    };
    const startEventNode = async () => {
      if (settled.ESDB_CONNECTION_STRING) return;
      const { address = '' } = await supervisor.start(eventNode);
      stores.eventStore = address;
    };
    await Promise.all([startPostgres(), startEventNode()]);
    await prepareStores(stores, settled, log);

    const childEnv = {
      ...env,
      ...ports,
      // No metrics ports: the supervisor reports the whole system.
      METRICS_PORT: '0',
      DATABASE_URL: stores.databaseUrl,
      ESDB_CONNECTION_STRING: stores.eventStore,
    };
    const { onFork, metrics, condition } = collectReports();
    if (settled.METRICS_PORT > 0) {
      const { HOST: host, METRICS_PORT: port } = settled;
      probe = await serveProbe({ host, port, role: 'all', log, metrics, condition });
      stores.metrics = probe.address;
    }
    const start = (role: Role) => supervisor.start(roleService(role, main, childEnv, { ...options.role, onFork }));
    const wantsDemo = settled.SEED_DEMO && settled.NODE_ENV !== 'production';
    await Promise.all([
      start('worker').then(async () => {
        if (wantsDemo) await seedDemoOnce(readConfig(childEnv), log);
      }),
      ...listeningRoles(settled).map(start),
    ]);
    if (!runtime) log.warn(`the command line does not find this system: ${settled.DATA_DIR} describes another one`);
    output.write(await welcome(settled.DATA_DIR, supervisor));
    return supervisor;
  } catch (error) {
    await stop();
    throw error;
  }
};

const postgresService = (dataDir: string, log: Logger): Service => {
  let port: number | undefined;
  return {
    name: 'postgres',
    start: async (onExit) => {
      const server = await startEmbeddedPostgres({
        dataDir,
        log,
        onExit: () => onExit('ended'),
        ...(port === undefined ? {} : { port }),
      });
      port = server.port;
      return { pid: server.pid, address: server.url, stop: server.stop };
    },
  };
};

const eventNodeService = async (dataDir: string): Promise<Service> => {
  const port = await freePort(LOOPBACK);
  return {
    name: 'eventstore',
    start: async (onExit) => {
      const node = await startEmbeddedNode({ directory: join(dataDir, 'eventstore'), port, onExit });
      return { pid: node.pid, address: node.connectionString, stop: node.stop };
    },
  };
};

/** Addresses that are known before the roles start. */
interface Known {
  databaseUrl: string;
  eventStore: string;
  metrics: string | undefined;
}

const record = (runtime: RuntimeFile | undefined, { metrics, ...stores }: Known, supervisor: Supervisor): void => {
  const running = supervisor.running();
  runtime?.write({
    ...Object.fromEntries(LISTENING.map((role) => [role, running.get(role)?.address])),
    ...stores,
    ...(metrics !== undefined && { metrics }),
    pids: { supervisor: process.pid, ...Object.fromEntries([...running].map(([name, { pid }]) => [name, pid])) },
  });
};

const stopOnSignal = (stop: () => Promise<void>, log: Logger): void =>
  onStopSignal((signal) => {
    log.info({ signal }, 'stopping');
    stop().then(
      () => endProcess(0),
      (err: unknown) => {
        log.error({ err }, 'stopping failed');
        return endProcess(1);
      },
    );
  }, 1);

interface Demo {
  readonly password: string;
  readonly accounts: Readonly<Record<string, { readonly email: string }>>;
}

const welcome = async (dataDir: string, supervisor: Supervisor): Promise<string> => {
  const running = supervisor.running();
  const addresses = LISTENING.flatMap((role) => {
    const address = running.get(role)?.address;
    return address === undefined ? [] : [`${role} ${address}`];
  });
  const demo = await readDemo(join(dataDir, 'demo.json'));
  const emails = demo && Object.values(demo.accounts).map((account) => account.email);
  return [
    `ready  ${addresses.join('  ')}`,
    ...(demo && emails ? [`       sign in as ${emails.join(', ')} with ${demo.password}`] : []),
    `       try  curl -s ${running.get('api')?.address}/api/v1/hotels`,
    '            npm run projections -- list',
    '            npm run events -- all',
    '',
  ].join('\n');
};

const readDemo = async (file: string): Promise<Demo | undefined> => {
  const present = await access(file).then(
    () => true,
    () => false,
  );
  return present ? (JSON.parse(await readFile(file, 'utf8')) as Demo) : undefined;
};
