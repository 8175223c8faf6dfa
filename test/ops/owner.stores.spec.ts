/**
 * Who owns the folders of embedded stores: also against a second system that sees neither the processes nor the ports of the
 * first, as in a container on the same volume.
 */
import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedNode, startEmbeddedNode } from '../../eventstore/embedded/start.ts';
import { createLogger } from '../../infra/log.ts';
import { migrateOps } from '../../infra/migrations.ts';
import { createPool } from '../../infra/postgres.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../ops/postgres/server.ts';
import { ownRuntime } from '../../ops/runtime.ts';
import { allMigrations } from '../../ops/tables.ts';
import { runCli } from '../kit/cli.ts';
import { until } from '../kit/until.ts';

const DIST = path.resolve(import.meta.dirname, '../../dist');
const CLI = path.join(DIST, 'bundle/cli.mjs');
const log = createLogger({ level: 'silent' });
const SILENT = `createLogger({ level: 'silent' })`;

/** Namespaces of its own for network and processes: what a container on the same machine sees. */
const ELSEWHERE = ['unshare', '-n', '-p', '-f', '--mount-proc', '/bin/sh', '-c', 'ip link set lo up; exec "$@"', 'sh'];
const mayUnshare = ((): boolean => {
  try {
    const [program = '', ...args] = ELSEWHERE;
    execFileSync(program, [...args, 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();
if (!mayUnshare) process.stderr.write('namespaces are not permitted here: a second system runs beside the first\n');

interface Ran {
  readonly code: number;
  readonly stderr: string;
}

/** Runs Node as a second system would. */
const runElsewhere = (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> =>
  new Promise((resolve) => {
    const [program = '', ...rest] = [...(mayUnshare ? ELSEWHERE : []), process.execPath, ...args];
    const all = { PATH: process.env.PATH, NODE_ENV: 'test', ...env };
    execFile(program, rest, { env: all, timeout: 120_000 }, (error, _, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stderr }),
    );
  });

const startPostgresIn = (dataDir: string) => `
  import { startEmbeddedPostgres } from '${DIST}/ops/postgres/server.js';
  import { createLogger } from '${DIST}/infra/log.js';
  const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: ${SILENT} })
    .catch((error) => { process.stderr.write(error.message + '\\n'); process.exit(3); });
  console.log(JSON.stringify({ pid: server.pid, url: server.url }));
  setInterval(() => {}, 1_000);`;
const startNodeIn = (dataDir: string) => `
  import { startEmbeddedNode } from '${DIST}/eventstore/embedded/start.js';
  await startEmbeddedNode({ directory: ${JSON.stringify(path.join(dataDir, 'eventstore'))}, onExit: () => undefined })
    .catch((error) => { process.stderr.write(error.message + '\\n'); process.exit(3); });
  process.exit(0);`;
const script = (text: string) => ['--input-type=module', '-e', text];

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const scratch = () => mkdtemp(path.join(tmpdir(), 'resort-owner-'));

describe('the folders of a running system', () => {
  let dataDir: string;
  let set: string;
  let postgres: EmbeddedPostgres;
  let node: EmbeddedNode;
  const ask = async <T extends object>(sql: string): Promise<T[]> => {
    const pool = createPool(postgres.url, { max: 1, applicationName: 'test', log });
    return (await pool.query<T>(sql).finally(() => pool.end())).rows;
  };

  beforeAll(async () => {
    dataDir = await scratch();
    set = await scratch();
    [postgres, node] = await Promise.all([
      startEmbeddedPostgres({ dataDir, log }),
      startEmbeddedNode({ directory: path.join(dataDir, 'eventstore'), onExit: () => undefined }),
    ]);
    const pool = createPool(postgres.url, { max: 1, applicationName: 'test', log });
    await migrateOps(pool, allMigrations).finally(() => pool.end());
    const runtime = await ownRuntime(dataDir);
    runtime?.write({ databaseUrl: postgres.url, eventStore: node.connectionString, pids: {} });
    await runCli(dataDir, 'backup', set, '--json');
    // What follows is decided by the folders alone.
    runtime?.remove();
  });
  afterAll(async () => {
    await node.stop();
    await postgres.stop();
    for (const folder of [dataDir, set]) await rm(folder, { recursive: true, force: true });
  });

  /** The server has been the only one all along: another one would have written its id. */
  const expectUntouched = async () => {
    const [pid] = (await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n');
    expect(Number(pid)).toBe(postgres.pid);
    expect(await ask('select count(*)::int as n from ops.migrations')).not.toEqual([{ n: 0 }]);
    expect(isAlive(node.pid)).toBe(true);
  };
  const oneLine = (folder: string) =>
    expect.stringMatching(new RegExp(`^${folder.replaceAll('/', '\\/')}\\S* is in use by .*: stop .*\\n$`));

  it.each([
    ['PostgreSQL', startPostgresIn, ''],
    ['event node', startNodeIn, '/eventstore'],
  ])('are refused to a second %s, in one line that says what to do', async (_, start, folder) => {
    expect(await runElsewhere(script(start(dataDir)))).toEqual({ code: 3, stderr: oneLine(dataDir + folder) });
    await expectUntouched();
  });

  it.each([
    ['restore', () => ['restore', set, '--without-tombstones']],
    ['events unseal', () => ['events', 'unseal']],
    ['events copy', () => ['events', 'copy', '--to', 'esdb://127.0.0.1:1?tls=false', '--switch']],
  ])('are refused to the command %s', async (_, args) => {
    const { code, stderr } = await runElsewhere([CLI, ...args()], { DATA_DIR: dataDir });
    // A restore first says what it has found in the set.
    const said = stderr.replace(/^verifying .*\n/, '').replace(/^\d+ tombstones .*\n/, '');
    expect({ code, said }).toEqual({ code: 1, said: oneLine(dataDir) });
    await expectUntouched();
  });

  it('are refused to a whole second system, which changes nothing of the first', async () => {
    const env = { DATA_DIR: dataDir, PORT: '0', REALTIME_PORT: '0', SANDBOX_PORT: '0', METRICS_PORT: '0' };
    const { code, stderr } = await runElsewhere([path.join(DIST, 'bundle/main.mjs')], { ...env, LOG_LEVEL: 'error' });
    const { level, role, msg } = JSON.parse(stderr);
    expect({ code, level, role, said: `${msg}\n` }).toEqual({
      ...{ code: 1, level: 'fatal', role: 'all', said: oneLine(dataDir) },
    });
    await expectUntouched();
  });

  it('are refused to another DATA_DIR that leads to the same data', async () => {
    const other = await scratch();
    await symlink(path.join(dataDir, 'postgres'), path.join(other, 'postgres'));
    await writeFile(path.join(other, 'postgres.json'), await readFile(path.join(dataDir, 'postgres.json')));
    await expect(startEmbeddedPostgres({ dataDir: other, log })).rejects.toThrow(/is in use by/);
    await expectUntouched();
    await rm(other, { recursive: true, force: true });
  });
});

describe('what a system left that has ended', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await scratch();
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  it('stops nothing: marks with ids and ports of processes that are alive', async () => {
    await mkdir(path.join(dataDir, 'eventstore'), { recursive: true });
    const postgres = await startEmbeddedPostgres({ dataDir, log });
    const pool = createPool(postgres.url, { max: 1, applicationName: 'test', log });
    await migrateOps(pool, allMigrations).finally(() => pool.end());
    await postgres.stop();
    const mark = `node-8080-${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}.lock`;
    for (const folder of [dataDir, path.join(dataDir, 'eventstore')])
      await writeFile(path.join(folder, mark), `held by process ${process.pid}\n`);
    await writeFile(path.join(dataDir, 'postgres/postmaster.pid'), `${process.pid}\n${dataDir}/postgres\n0\n5432\n`);
    const runtime = { databaseUrl: 'postgresql://x', eventStore: 'esdb://x', pids: { supervisor: process.pid } };
    await writeFile(path.join(dataDir, 'runtime.json'), JSON.stringify(runtime));
    const { stderr } = await runElsewhere([CLI, 'events', 'unseal'], { DATA_DIR: dataDir });
    expect(stderr).toBe('this log is not sealed\n');
    expect((await readdir(dataDir)).filter((name) => name.startsWith('node-'))).toEqual([]);
  });

  it('is not killed where this release did not start it: a PostgreSQL without our lock', async () => {
    const owner = spawn(process.execPath, script(startPostgresIn(dataDir)), { stdio: ['ignore', 'pipe', 'ignore'] });
    const [line] = (await once(owner.stdout, 'data')) as [Buffer];
    const { pid } = JSON.parse(line.toString()) as { pid: number };
    for (const lock of ['postgres.lock', 'postgres/owner.lock', 'postgres/server.lock'])
      await rm(path.join(dataDir, lock));
    await expect(startEmbeddedPostgres({ dataDir, log })).rejects.toThrow(`process ${pid}`);
    expect(isAlive(pid)).toBe(true);
    owner.kill('SIGKILL');
    await until(() => !isAlive(pid));
  });
});

describe('a program that npm started', () => {
  let folder: string;
  const started = () => readFile(path.join(folder, 'pid'), 'utf8').then(Number, () => 0);
  beforeAll(async () => {
    folder = await scratch();
    await writeFile(
      path.join(folder, 'program.mjs'),
      `import { endWithNpm } from '${DIST}/infra/npm.js';
       import { renameSync, writeFileSync } from 'node:fs';
       endWithNpm();
       writeFileSync('pid.next', String(process.pid));
       renameSync('pid.next', 'pid');
       setInterval(() => {}, 1_000);`,
    );
    const { scripts } = JSON.parse(await readFile(path.resolve(DIST, '../package.json'), 'utf8'));
    const start = scripts.start.replaceAll('dist/bundle/main.mjs', 'program.mjs');
    // The second one is started as commands with arguments are: by a shell that stays.
    const both = { start, command: 'node program.mjs' };
    await writeFile(path.join(folder, 'package.json'), JSON.stringify({ name: 'started', scripts: both }));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each([
    ['start', 'SIGTERM'],
    ['start', 'SIGINT'],
    ['start', 'SIGHUP'],
    ['start', 'SIGKILL'],
    ['command', 'SIGTERM'],
    ['command', 'SIGKILL'],
  ] as const)('ends with npm: run %s, %s', async (name, signal) => {
    await rm(path.join(folder, 'pid'), { force: true });
    const npm = spawn('npm', ['run', '--silent', name], { cwd: folder, stdio: 'ignore', detached: true });
    await until(async () => (await started()) !== 0);
    npm.kill(signal);
    const pid = await started();
    await until(() => !isAlive(pid));
  });
});
