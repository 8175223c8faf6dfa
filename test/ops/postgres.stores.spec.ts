import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { listen } from '../../infra/listen.ts';
import { createLogger } from '../../infra/log.ts';
import { createPool, inOpened, inTransaction } from '../../infra/postgres.ts';
import { type EmbeddedPostgres, sharedMegabytes, startEmbeddedPostgres } from '../../ops/postgres/server.ts';
import { until } from '../kit/until.ts';

const log = createLogger({ level: 'silent' });

const query = async (url: string, sql: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url });
  // A server that stops says so to a connection between two statements as well: what is asked next then fails.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
};

test.each([
  [2, 128],
  [24, 768],
  [256, 1_024],
])('with %i GB of memory, PostgreSQL keeps pages in %i MB', (gigabytes, megabytes) => {
  expect(sharedMegabytes(gigabytes * 1_024 ** 3)).toBe(megabytes);
});

describe('embedded PostgreSQL', () => {
  // A space in the path, on purpose.
  let dataDir: string;
  let server: EmbeddedPostgres;
  const start = (onExit?: () => void) => startEmbeddedPostgres({ dataDir, log, ...(onExit ? { onExit } : {}) });

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'resort pg '));
    server = await start();
    await query(server.url, 'create table kept (id int); insert into kept values (1)');
  });
  afterAll(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  test('is durable, UTF-8, on loopback only, with its password in a private file', async () => {
    const [settings] = await query(
      server.url,
      `select current_setting('fsync') fsync, current_setting('synchronous_commit') sync,
        current_setting('listen_addresses') listen, current_setting('server_encoding') encoding,
        lower('ПРИЮТ Öl') lower, 'Приют' ilike 'приют' as folds, to_tsvector('simple', 'Приют Одиннадцати')::text words`,
    );
    expect(settings).toEqual({
      fsync: 'on',
      sync: 'on',
      listen: '127.0.0.1',
      encoding: 'UTF8',
      lower: 'приют öl',
      folds: true,
      words: "'одиннадцати':2 'приют':1",
    });
    expect((await stat(join(dataDir, 'postgres.json'))).mode & 0o777).toBe(0o600);
    const wrong = server.url.replace(/:[0-9a-f]+@/, ':wrong@');
    await expect(query(wrong, 'select 1')).rejects.toThrow(/password/);
  });

  const connectionOf = async (url: string) =>
    (await query(url, 'select inet_server_addr() is null as "overSocket"'))[0];

  test('is reached over a socket in its directory; over TCP by who does not know it, or where the path is too long', async () => {
    expect(await connectionOf(server.url)).toEqual({ overSocket: true });
    expect(await connectionOf(server.url.replace(/\?.*/, ''))).toEqual({ overSocket: false });
    const long = await mkdtemp(join(tmpdir(), `resort-pg-${'x'.repeat(100)}`));
    const other = await startEmbeddedPostgres({ dataDir: long, log });
    expect(await connectionOf(other.url)).toEqual({ overSocket: false });
    await other.stop();
    await rm(long, { recursive: true, force: true });
  });

  test('keeps port and data over a restart', async () => {
    const { port } = server;
    await server.stop();
    server = await start();
    expect(server.port).toBe(port);
    expect(await query(server.url, 'select id from kept')).toEqual([{ id: 1 }]);
  });

  test('notifies its owner when it dies, and recovers from kill -9', async () => {
    let exits = 0;
    await server.stop();
    server = await start(() => {
      exits += 1;
    });
    process.kill(server.pid, 'SIGKILL');
    await until(() => exits === 1);
    server = await start();
    expect(await query(server.url, 'select id from kept')).toEqual([{ id: 1 }]);
  });

  test('removes lock files whose process id belongs to another program', async () => {
    await server.stop();
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), `${process.pid}\n/elsewhere\n0\n5432\n`);
    await writeFile(join(dataDir, 'postgres', `.s.PGSQL.${server.port}.lock`), `${process.pid}\n/elsewhere\n0\n5432\n`);
    server = await start();
    expect(await query(server.url, 'select id from kept')).toEqual([{ id: 1 }]);
  });

  test('does not stop a server whose owner is alive', async () => {
    await expect(start()).rejects.toThrow(/in use by the PostgreSQL of another running system/);
    expect(await query(server.url, 'select id from kept')).toEqual([{ id: 1 }]);
  });

  test('starts once when two processes start it on a new directory', async () => {
    const shared = await mkdtemp(join(tmpdir(), 'resort-pg-'));
    const both = await Promise.allSettled([1, 2].map(() => startEmbeddedPostgres({ dataDir: shared, log })));
    const started = both.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(started.length).toBeLessThanOrEqual(1);
    for (const one of started) await one.stop();
    const again = await startEmbeddedPostgres({ dataDir: shared, log });
    expect(await query(again.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await again.stop();
    await rm(shared, { recursive: true, force: true });
  });

  test('stops when its owner is killed', async () => {
    await server.stop();
    const owner = await startOwner(dataDir);
    process.kill(owner.pid, 'SIGKILL');
    await until(async () => !(await answers(owner.url)));
    server = await start();
    expect(await query(server.url, 'select id from kept')).toEqual([{ id: 1 }]);
  });

  test('replaces a server that outlived its owner', async () => {
    await server.stop();
    const owner = await startOwner(dataDir);
    for (const pid of owner.guards) process.kill(pid, 'SIGKILL');
    process.kill(owner.pid, 'SIGKILL');
    server = await start();
    expect(server.pid).not.toBe(owner.server);
    expect(await query(server.url, 'select id from kept')).toEqual([{ id: 1 }]);
  });
});

const answers = (url: string): Promise<boolean> =>
  query(url, 'select 1').then(
    () => true,
    () => false,
  );

/** A separate process that has started the server, and the shells that guard its server. */
const startOwner = async (dataDir: string) => {
  const modules = new URL('../../dist/ops/', import.meta.url).href;
  const script = `
    import { startEmbeddedPostgres } from '${modules}postgres/server.js';
    import { createLogger } from '${modules}../infra/log.js';
    const server = await startEmbeddedPostgres({ dataDir: process.argv[1], log: createLogger({ level: 'silent' }) });
    console.log(JSON.stringify({ url: server.url, server: server.pid }));
    setInterval(() => {}, 1000);`;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script, dataDir]);
  const [line] = (await once(owner.stdout, 'data')) as [Buffer];
  const pid = owner.pid ?? 0;
  const children = await promisify(execFile)('ps', ['-o', 'pid=,comm=', '--ppid', String(pid)]);
  const guards = children.stdout
    .split('\n')
    .flatMap((child) => (child.endsWith(' sh') ? [Number.parseInt(child, 10)] : []));
  return { pid, guards, ...(JSON.parse(line.toString()) as { url: string; server: number }) };
};

describe('the connection', () => {
  let dataDir: string;
  let server: EmbeddedPostgres;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'resort-pg-'));
    server = await startEmbeddedPostgres({ dataDir, log });
  });
  afterAll(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  const open = () => createPool(server.url, { max: 2, applicationName: 'spec', log });

  test('parses columns into the shapes of the wire format', async () => {
    const pool = open();
    const { rows } = await pool.query(`
      select 42::int8 as few, 9007199254740993::int8 as many, 1.50::numeric as money, '2026-02-28'::date as day,
        '2026-02-28T23:59:59.1239+03:30'::timestamptz as at, 'infinity'::timestamptz as ever, array[1, null, 2]::int8[] as counts,
        array['2026-02-28']::date[] as days, array['2026-02-28T00:00Z']::timestamptz[] as times`);
    expect(rows).toEqual([
      {
        few: 42,
        many: 9_007_199_254_740_993n,
        money: '1.50',
        day: '2026-02-28',
        at: '2026-02-28T20:29:59.123Z',
        ever: 'infinity',
        counts: [1, null, 2],
        days: ['2026-02-28'],
        times: ['2026-02-28T00:00:00.000Z'],
      },
    ]);
    await pool.end();
  });

  test.each([
    ['2026-02-28T23:59:59Z', '2026-02-28T23:59:59.000Z'],
    ['2026-02-28T23:59:59.5Z', '2026-02-28T23:59:59.500Z'],
    ['2026-02-28T23:59:59.12Z', '2026-02-28T23:59:59.120Z'],
    ['2026-02-28T23:59:59.123456Z', '2026-02-28T23:59:59.123Z'],
    ['-infinity', '-infinity'],
  ])('parses the instant %s, whatever the time zone of the server', async (at, parsed) => {
    const pool = open();
    const shown = async () => (await pool.query('select $1::timestamptz as at', [at])).rows[0]?.at;
    expect(await shown()).toBe(parsed);
    expect((await pool.query('show timezone')).rows).toEqual([{ TimeZone: 'UTC' }]);
    const elsewhere = new pg.Pool({ ...pool.options, options: '-c timezone=Asia/Kolkata' });
    expect((await elsewhere.query('select $1::timestamptz as at', [at])).rows[0]?.at).toBe(parsed);
    await elsewhere.end();
    await pool.end();
  });

  test('commits a transaction completely or not at all, and survives a killed connection', async () => {
    const pool = open();
    await pool.query('create table t (id int primary key)');
    const failing = inTransaction(pool, async (client) => {
      await client.query('insert into t values (1)');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    const killed = inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() pid');
      await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      await until(async () => {
        const alive = await pool.query('select 1 from pg_stat_activity where pid = $1', [rows[0]?.pid]);
        return alive.rowCount === 0;
      });
      await client.query('insert into t values (2)');
    });
    await expect(killed).rejects.toThrow();
    await inTransaction(pool, (client) => client.query('insert into t values (3)'));
    expect((await pool.query('select id from t')).rows).toEqual([{ id: 3 }]);
    await pool.end();
  });

  test('begins a transaction together with its first question', async () => {
    const pool = open();
    const first = [`set local application_name = 'asking'`];
    const name = async (client: pg.PoolClient) =>
      (await client.query<{ name: string }>(`select current_setting('application_name') as name`)).rows[0]?.name;
    await expect(inOpened(pool, { first, ask: name }, async (_, asked) => asked)).resolves.toBe('asking');
    const work = vi.fn(async () => undefined);
    const badQuestion = (client: pg.PoolClient) => client.query('select no_such_column');
    await expect(inOpened(pool, { first, ask: badQuestion }, work)).rejects.toMatchObject({ code: '42703' });
    await expect(inOpened(pool, { first: ['select 1 / 0'], ask: name }, work)).rejects.toMatchObject({ code: '22012' });
    expect(work).not.toHaveBeenCalled();
    await expect(inTransaction(pool, name)).resolves.toBe('spec');
    await pool.end();
  });

  test('answers statements that are sent together each by itself, and fails all that a killed connection leaves', async () => {
    const pool = open();
    const together = await inTransaction(pool, (client) =>
      Promise.all([1, 2, 3].map(async (n) => (await client.query('select $1::int as n', [n])).rows[0]?.n)),
    );
    expect(together).toEqual([1, 2, 3]);
    let left: readonly PromiseSettledResult<unknown>[] = [];
    const killed = inTransaction(pool, async (client) => {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      const sent = ['select pg_sleep(60)', 'select 1', 'select 2'].map((statement) => client.query(statement));
      const settled = Promise.allSettled(sent);
      await pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      left = await settled;
      return client.query('select 3');
    });
    await expect(killed).rejects.toThrow();
    expect(left.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect((await pool.query('select 4 as n')).rows).toEqual([{ n: 4 }]);
    await pool.end();
  });

  test('keeps listening after a lost connection, and reports that notifications may have been missed', async () => {
    const pool = open();
    const heard: string[] = [];
    let reconnects = 0;
    const listener = await listen(server.url, ['spec'], (_channel, payload) => heard.push(payload), {
      applicationName: 'listener',
      log,
      onReconnect: () => {
        reconnects += 1;
      },
    });
    await pool.query(`select pg_notify('spec', 'one')`);
    await until(() => heard.length === 1);
    await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'listener'`);
    await until(() => reconnects === 1);
    await pool.query(`select pg_notify('spec', 'two')`);
    await until(() => heard.length === 2);
    expect(heard).toEqual(['one', 'two']);
    await listener.stop();
    await pool.end();
  });

  test('does not wait for a connection any more once it is to stop', async () => {
    const stopping = new AbortController();
    const listening = listen('postgres://localhost:1/nothing', ['spec'], () => undefined, {
      applicationName: 'listener',
      log,
      signal: stopping.signal,
    });
    stopping.abort();
    await (await listening).stop();
  });
});
