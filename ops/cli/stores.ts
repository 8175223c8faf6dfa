/** The stores that a command uses: those of the settings, else those of the running system of this machine. */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedNode } from '../../eventstore/embedded/start.ts';
import type { EmptyDatabase } from '../../eventstore/identity.ts';
import { createLogger, type Logger } from '../../infra/log.ts';
import { type Config, readConfig } from '../config.ts';
import { freePort, keepConfigured } from '../ports.ts';
import { startEmbeddedPostgres } from '../postgres/server.ts';
import { readRuntime } from '../runtime.ts';
import { onStopSignal } from '../signals.ts';
import { type Wiring, wire } from '../wiring.ts';
import { CommandFailed } from './failed.ts';

export { CommandFailed } from './failed.ts';

export interface CliContext extends Wiring {
  readonly config: Config;
  /** Fires at Ctrl-C; a second one ends the program at once. */
  readonly signal: AbortSignal;
}

/** The first Ctrl-C asks for a clean end; the second one ends the program at once. */
const interruption = (): AbortSignal => {
  const stopping = new AbortController();
  onStopSignal(() => stopping.abort(), 130);
  return stopping.signal;
};

const use = async <T>(
  config: Config,
  log: Logger,
  work: (cli: CliContext) => Promise<T>,
  emptyDatabase?: EmptyDatabase,
): Promise<T> => {
  const wiring = wire(config, 'cli', log, { emptyDatabase });
  try {
    return await work({ ...wiring, config, signal: interruption() });
  } finally {
    await wiring.close();
  }
};

const commandLog = (): Logger => createLogger({ level: 'error', role: 'cli', destination: process.stderr });

/** Runs `work` with the stores. @throws CommandFailed when none are configured and nothing is running */
export const withStores = async <T>(work: (cli: CliContext) => Promise<T>): Promise<T> => {
  const config = readConfig(process.env);
  const running = await readRuntime(config.DATA_DIR);
  const databaseUrl = config.DATABASE_URL ?? running?.databaseUrl;
  const eventStore = config.ESDB_CONNECTION_STRING ?? running?.eventStore;
  if (!databaseUrl || !eventStore)
    throw new CommandFailed(
      `nothing is running on ${config.DATA_DIR}: run npm start, or set DATABASE_URL and ESDB_CONNECTION_STRING`,
    );
  const found = { DATABASE_URL: databaseUrl, ESDB_CONNECTION_STRING: eventStore };
  // It may listen on any free port.
  const SANDBOX_URL = process.env.SANDBOX_URL ?? running?.sandbox ?? config.SANDBOX_URL;
  const SANDBOX_PUBLIC_URL = process.env.SANDBOX_PUBLIC_URL ?? SANDBOX_URL;
  return use({ ...config, ...found, SANDBOX_URL, SANDBOX_PUBLIC_URL }, commandLog(), work);
};

interface AtRest {
  /** Makes embedded stores where they do not exist. */
  readonly create?: boolean;
  readonly emptyDatabase?: EmptyDatabase;
}

/** Like `withStores`, but requires that the system is stopped. Embedded stores are started while `work` runs. */
export const withStoresAtRest = async <T>(
  work: (cli: CliContext) => Promise<T>,
  { create = false, emptyDatabase }: AtRest = {},
): Promise<T> => {
  const config = readConfig(process.env);
  const { DATA_DIR: dataDir } = config;
  if (await readRuntime(dataDir)) throw new CommandFailed(`stop the system on ${dataDir} first`);
  const nodeDir = join(dataDir, 'eventstore');
  if (create) await mkdir(dataDir, { recursive: true });
  else if (!config.ESDB_CONNECTION_STRING && !existsSync(nodeDir))
    throw new CommandFailed(`there is no log in ${nodeDir}`);
  keepConfigured(config);
  const log = commandLog();
  const stop: (() => Promise<void>)[] = [];
  try {
    let { DATABASE_URL: databaseUrl, ESDB_CONNECTION_STRING: eventStore } = config;
    if (!eventStore) {
      const onExit = (reason: string) => log.error({ reason }, 'the event node ended');
      const node = await startEmbeddedNode({ directory: nodeDir, port: await freePort('127.0.0.1'), onExit });
      stop.push(node.stop);
      eventStore = node.connectionString;
    }
    if (!databaseUrl) {
      const postgres = await startEmbeddedPostgres({ dataDir, log });
      stop.push(postgres.stop);
      databaseUrl = postgres.url;
    }
    const found = { DATABASE_URL: databaseUrl, ESDB_CONNECTION_STRING: eventStore };
    return await use({ ...config, ...found }, log, work, emptyDatabase);
  } finally {
    for (const end of stop.reverse()) await end();
  }
};
