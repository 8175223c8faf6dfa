/**
 * The embedded PostgreSQL: real server binaries from npm, started when DATABASE_URL is unset. It listens on loopback
 * only and on a socket in its data directory, is durable, and recovers at the next start from a power cut, `kill -9` or an
 * orphaned server.
 */
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdir, open, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import type { Logger } from '../../infra/log.ts';
import { createBackoff, sleep } from '../../infra/retry.ts';
import { putFile } from '../../infra/wholeFiles.ts';
import { guardProcess } from '../guard.ts';
import { freePort } from '../ports.ts';
import { CannotRun, exists, findHome, makeOwned, type PostgresHome, serverEnv } from './home.ts';
import { type DataOwnership, ownData, ownDataDir } from './ownership.ts';
import { endServer, removeServerMarks } from './process.ts';
import { canHaveSocket } from './socket.ts';

export interface EmbeddedPostgresOptions {
  /** Holds `postgres/` (the data and the socket), `postgres.json` (port and password, 0600) and `postgres.log`. */
  readonly dataDir: string;
  /** A fixed port. Default: the port of the last start if it is free, else any free one. */
  readonly port?: number;
  readonly log: Logger;
  /** Server settings that are to differ from ours, as tests need them. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called when the server ends unexpectedly. */
  readonly onExit?: () => void;
}

export interface EmbeddedPostgres {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Fast shutdown: open transactions are rolled back, nothing committed is lost. */
  stop(): Promise<void>;
}

interface State {
  readonly password: string;
  readonly port: number;
}

const DATABASE = 'resort';
const READY_WITHIN_MS = 60_000;
const START_ATTEMPTS = 6;

/**
 * Memory of the server for pages of tables, in MB: a thirty-second of what there is, because everything else runs on the
 * machine, too; 128 MB (PostgreSQL's default) to 1 GB. It is taken as pages are read. With 768 instead of 128 MB,
 * bookings on a database of 6 GB took an eighth less of PostgreSQL's CPU time.
 * @param bytes memory of the machine, or less where its container has a limit
 */
export const sharedMegabytes = (bytes: number): number =>
  Math.min(1_024, Math.max(128, Math.round(bytes / 32 / 1_024 ** 2)));

/** A container without a limit says 0, or more than any machine has. */
const availableBytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);

/** For one machine and many short queries. Durability (`fsync`, `synchronous_commit`) stays as PostgreSQL has it: on. */
const SERVER_SETTINGS = {
  listen_addresses: '127.0.0.1',
  max_connections: '100',
  shared_buffers: `${sharedMegabytes(availableBytes)}MB`,
  random_page_cost: '1.1',
  jit: 'off',
  // Tables of a new system grow fast: until they are analysed, statements go on with plans for empty ones.
  autovacuum_naptime: '10s',
  // Analysing a table that grows fast takes a core for a second with the usual 100, and requests wait that long.
  default_statistics_target: '25',
  timezone: 'UTC',
  log_checkpoints: 'off',
  // Failed statements are reported to their sender. In the log they would fill the disk and quote personal data.
  log_min_messages: 'log',
  log_error_verbosity: 'terse',
} as const;

/**
 * Starts the server of `dataDir`, and creates it at the first start.
 * @throws Error with one sentence for the operator
 */
export const startEmbeddedPostgres = async (options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> => {
  await mkdir(options.dataDir, { recursive: true });
  const dataDir = await realpath(options.dataDir);
  const owned = await ownDataDir(dataDir);
  try {
    return await startOwned(dataDir, options, owned.release);
  } catch (error) {
    owned.release();
    throw error;
  }
};

/** A server that may be started: all that one start of it needs. */
interface Startable {
  readonly home: PostgresHome;
  readonly dataDir: string;
  readonly password: string;
  /** Given to the server. */
  readonly serverLock: number;
  /** To be called when the server has ended. */
  readonly disown: () => void;
}

const startOwned = async (dataDir: string, options: EmbeddedPostgresOptions, release: () => void) => {
  const { log } = options;
  const home = await findHome(dataDir, log);
  const saved = await readState(dataDir);
  const password = saved?.password ?? randomBytes(24).toString('hex');
  const owned = await ownHome(home, dataDir, { password, isSaved: saved !== undefined }, log);
  const disown = () => {
    owned.release();
    release();
  };
  const server = { home, dataDir, password, serverLock: owned.serverLock, disown };
  try {
    await removeServerMarks(home.data);
    return await launchTrying(server, saved?.port, options);
  } catch (error) {
    owned.release();
    throw error;
  }
};

/** Owns the data directory, which is made if it is missing, or if its password is lost and it may be put aside. */
const ownHome = async (
  home: PostgresHome,
  dataDir: string,
  { password, isSaved }: { readonly password: string; readonly isSaved: boolean },
  log: Logger,
): Promise<DataOwnership> => {
  if (await exists(home.data)) {
    const found = await ownData(home.data, home.user, log);
    if (isSaved) return found;
    await putAside(home, dataDir, log).finally(found.release);
  }
  await writeState(dataDir, { password, port: 0 });
  await initialise(home, password, log);
  return ownData(home.data, home.user, log);
};

const launchTrying = async (
  server: Startable,
  lastPort: number | undefined,
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> => {
  const backoff = createBackoff(100, 1_000);
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort('127.0.0.1', lastPort));
    await writeState(server.dataDir, { password: server.password, port });
    try {
      return await launch(server, port, options);
    } catch (err) {
      // Two reasons to try again: backends of a killed server hold its shared memory briefly, and another program can
      // take the port meanwhile.
      if (attempt === START_ATTEMPTS) throw err;
      options.log.warn({ err, attempt }, 'the embedded PostgreSQL did not start and is tried again');
      await sleep(backoff.next());
    }
  }
};

/**
 * Data without its `postgres.json` cannot be opened. Under /var/lib it belongs to an erased DATA_DIR, whose event log
 * is gone as well: it is put aside. Inside DATA_DIR the operator has to decide.
 */
const putAside = async (home: PostgresHome, dataDir: string, log: Logger): Promise<void> => {
  if (home.data.startsWith(dataDir)) {
    throw new CannotRun(
      `${stateFile(dataDir)} is missing: restore it, or remove ${home.data} to start with an empty database`,
    );
  }
  const aside = `${home.data}.old`;
  await rm(aside, { recursive: true, force: true });
  await rename(home.data, aside);
  log.warn(`the database of the erased ${dataDir} was moved to ${aside}`);
};

const stateFile = (dataDir: string): string => join(dataDir, 'postgres.json');
const readState = async (dataDir: string): Promise<State | undefined> =>
  (await exists(stateFile(dataDir))) ? (JSON.parse(await readFile(stateFile(dataDir), 'utf8')) as State) : undefined;
const writeState = (dataDir: string, state: State): Promise<void> =>
  putFile(stateFile(dataDir), (next) => writeFile(next, `${JSON.stringify(state)}\n`, { mode: 0o600 }));

/**
 * Creates the cluster in a temporary directory and moves it when it is complete, so that no incomplete one is ever
 * found.
 */
const initialise = async (home: PostgresHome, password: string, log: Logger): Promise<void> => {
  await removePartial(home.data);
  // A name of its own: the `initdb` of an owner that was killed may still write to the former one.
  const [partial, passwordFile] = [`${home.data}.new-${randomUUID()}`, `${home.data}.password`];
  await makeOwned(partial, home.user);
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (home.user.uid !== undefined && home.user.gid !== undefined)
    await chown(passwordFile, home.user.uid, home.user.gid);
  const flags = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--encoding=UTF8'];
  // The builtin locale sorts and folds Unicode in the same way on every machine, independent of the C library.
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const initdb = spawn(home.initdb, [`--pgdata=${partial}`, ...flags, ...locale], {
    ...home.user,
    cwd: '/',
    env: serverEnv(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  initdb.stderr.on('data', (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(-2_000);
  });
  const [code] = (await once(initdb, 'close')) as [number | null];
  await rm(passwordFile, { force: true });
  if (code !== 0) throw new CannotRun(`cannot create the database in ${home.data}: ${complaint.trim()}`);
  await rename(partial, home.data);
  log.info({ data: home.data }, 'embedded PostgreSQL created');
};

const removePartial = async (data: string): Promise<void> => {
  const [parent, prefix] = [dirname(data), `${basename(data)}.new`];
  const partial = (await readdir(parent)).filter((name) => name.startsWith(prefix));
  for (const name of partial) await rm(join(parent, name), { recursive: true, force: true });
};

const launch = async (
  { home, dataDir, password, serverLock, disown }: Startable,
  port: number,
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> => {
  const hasSocket = await canHaveSocket(home.data, port);
  // Relative to the data directory, in which the server runs.
  const unix_socket_directories = hasSocket ? '.' : '';
  const settings = Object.entries({
    ...SERVER_SETTINGS,
    unix_socket_directories,
    ...options.settings,
    port,
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const logFile = await open(join(dataDir, 'postgres.log'), 'w', 0o600);
  // A session of its own, so that Ctrl-C does not reach the server and it stops last.
  const server = spawn(home.postgres, ['-D', home.data, ...settings], {
    ...home.user,
    cwd: '/',
    env: serverEnv(),
    detached: true,
    stdio: ['ignore', logFile.fd, logFile.fd, serverLock],
  });
  const exited = new AbortController();
  server.once('exit', () => exited.abort());
  server.once('error', () => exited.abort());
  await logFile.close();
  if (server.pid === undefined) throw new CannotRun(`cannot run ${home.postgres}`);
  const release = guardProcess(server.pid, {
    signals: ['INT', 'QUIT', 'KILL'],
    user: home.user,
    onError: (err) => options.log.warn({ err }, 'PostgreSQL has no guard: it outlives a kill -9 of this process'),
  });

  const end = async () => {
    await endServer(server, exited.signal);
    release();
  };
  // Clients that know the parameter `host`, such as libpq, prefer it to the host before the path.
  const parameters = hasSocket ? `?host=${encodeURIComponent(home.data)}` : '';
  const address = (database: string) => `postgresql://postgres:${password}@127.0.0.1:${port}/${database}${parameters}`;
  try {
    await waitUntilReady(address('postgres'), exited.signal);
    await ensureDatabase(address('postgres'));
  } catch (cause) {
    await end();
    const lines = (await readFile(join(dataDir, 'postgres.log'), 'utf8')).trim().split('\n').slice(-3);
    throw new CannotRun(`embedded PostgreSQL did not start: ${lines.join(' / ')}`, { cause });
  }
  let asked = false;
  exited.signal.addEventListener('abort', () => {
    release();
    disown();
    if (!asked) options.onExit?.();
  });
  options.log.info({ port, server_pid: server.pid }, 'embedded PostgreSQL started');
  const stop = () => {
    asked = true;
    return end();
  };
  return { url: address(DATABASE), port, pid: server.pid, stop };
};

const waitUntilReady = async (url: string, exited: AbortSignal): Promise<void> => {
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    if (exited.aborted) throw new CannotRun('the server ended');
    const failure = await withClient(url, (client) => client.query('select 1')).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure === undefined) return;
    const wrongPassword = failure instanceof pg.DatabaseError && failure.code === '28P01';
    if (wrongPassword || performance.now() > deadline) throw failure;
    await sleep(50, exited);
  }
};

const ensureDatabase = (url: string): Promise<void> =>
  withClient(url, async (client) => {
    const found = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
  });

const withClient = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 30_000 });
  // A server that ends between two statements fails the next one; without a listener it would end this process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
};
