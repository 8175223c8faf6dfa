/** The command line on its own stores: output, exit codes, and moving a log to another server. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countErasedWith } from '../../commands/core/certificateParts.ts';
import { createAggregates } from '../../commands/core/handle.ts';
import { auditLog } from '../../domain/audit/auditLog.ts';
import { instantOf } from '../../domain/core/instants.ts';
import { allEvents } from '../../domain/modules.ts';
import { connectEventStore, type EventStore } from '../../eventstore/client/index.ts';
import { createCodec } from '../../eventstore/codec.ts';
import { type EmbeddedNode, startEmbeddedNode } from '../../eventstore/embedded/start.ts';
import { LIKE_SERVER } from '../../eventstore/embedded/traits.ts';
import { logCheck } from '../../eventstore/identity.ts';
import { createVault } from '../../eventstore/vault.ts';
import { createLogger } from '../../infra/log.ts';
import { migrateOps } from '../../infra/migrations.ts';
import { createPool, type Pool } from '../../infra/postgres.ts';
import { readConfig } from '../../ops/config.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../ops/postgres/server.ts';
import { ownRuntime, type RuntimeFile } from '../../ops/runtime.ts';
import { allMigrations } from '../../ops/tables.ts';
import { listRuns } from '../../projections/engine/rebuildRuns.ts';
import { runProjector } from '../../projections/engine/runner.ts';
import { lag } from '../../projections/engine/status.ts';
import { tableVersions } from '../../projections/engine/tableVersions.ts';
import { groups, models } from '../../projections/modules.ts';
import { CLI, type CliSession, runProcess, startCli } from '../kit/cli.ts';
import { until } from '../kit/until.ts';

const EVENTS = 40;
const log = createLogger({ level: 'silent' });
const { VAULT_MASTER_KEY } = readConfig({});

let dataDir: string;
let cli: CliSession;
let postgres: EmbeddedPostgres;
let node: EmbeddedNode;
let runtime: RuntimeFile | undefined;
let stores: { pool: Pool; store: EventStore };
const stream = `auditLog-${randomUUID()}`;

const connect = (eventStore: string) => {
  const pool = createPool(postgres.url, { max: 5, applicationName: 'test', log });
  return { pool, store: connectEventStore(eventStore, { check: logCheck(pool, 'refused') }) };
};
const disconnect = async () => {
  await stores.store.close();
  await stores.pool.end();
};
const vaultOf = (pool: Pool) => createVault(pool, VAULT_MASTER_KEY);
const codecOf = (pool: Pool) => createCodec(allEvents, vaultOf(pool));

/** Each event has a millisecond of its own. */
const write = async (count: number): Promise<void> => {
  const from = Date.now() - count;
  const aggregates = createAggregates(stores.store, codecOf(stores.pool));
  for (let n = 0; n < count; n += 1) {
    const commandId = randomUUID();
    const meta = { correlationId: 'the-correlation', causationId: commandId, commandId, ip: null };
    const actor = { kind: 'user', id: `auditor-${n % 2}`, role: 'admin' } as const;
    const context = { ...meta, actor, at: instantOf(from + n) };
    const command = { type: 'RecordRead', what: 'events', query: { n: String(n) } } as const;
    await aggregates.handle(auditLog, stream.slice('auditLog-'.length), command, context);
  }
};

/** Runs a projector until the read models show everything. */
const project = async (): Promise<void> => {
  const stopping = new AbortController();
  const running = runProjector(
    { ...stores, codec: codecOf(stores.pool), countErased: countErasedWith(vaultOf(stores.pool)), groups, log },
    stopping.signal,
  );
  await until(async () => (await tableVersions(stores.pool)).size === models.length);
  await until(async () => {
    const live = await tableVersions(stores.pool);
    return (
      (await lag(stores, groups)).events === 0 &&
      models.every(({ name, version }) => live.get(name)?.version === version)
    );
  });
  stopping.abort();
  await running;
};

/** What a command left behind. One process serves them all: most of the time of a command is that of starting its process. */
const ended = (...args: string[]) => cli.ended(...args);
/** In a process of its own, which shows that it ends, and with which exit code. */
const processEnded = (...args: string[]) => runProcess({ DATA_DIR: dataDir }, args);

const startStores = async () => {
  postgres = await startEmbeddedPostgres({ dataDir, log });
  const directory = path.join(dataDir, 'eventstore');
  node = await startEmbeddedNode({ directory, traits: LIKE_SERVER, onExit: () => undefined });
  stores = connect(node.connectionString);
  runtime = await ownRuntime(dataDir);
  runtime?.write({ databaseUrl: postgres.url, eventStore: node.connectionString, pids: {} });
};
const stopStores = async () => {
  await disconnect();
  runtime?.remove();
  await node.stop();
  await postgres.stop();
};

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'resort-cli-'));
  await startStores();
  await migrateOps(stores.pool, allMigrations);
  await write(EVENTS);
  await project();
  cli = startCli(dataDir);
});
afterAll(async () => {
  await stopStores();
  await rm(dataDir, { recursive: true, force: true });
});

describe('projections', () => {
  it('are listed, rebuilt and verified', async () => {
    const { lag: behind, data } = await cli.run('projections', 'list', '--json');
    expect(behind).toMatchObject({ events: 0, seconds: 0, projector: null });
    expect(data.map(({ name }: { name: string }) => name)).toEqual(models.map(({ name }) => name));
    const rebuilt = await cli.run('projections', 'rebuild', 'audit_events', '--json');
    expect(rebuilt).toEqual([{ name: 'audit_events', events: EVENTS, differences: 0, seconds: expect.any(Number) }]);
    expect(await cli.run('projections', 'parked', '--json')).toEqual([]);
    expect(await cli.run('projections', 'retry', '--json')).toEqual([]);
    // No policy runs here: how long they have been waiting grows.
    const waiting = expect.arrayContaining([expect.objectContaining({ name: 'policy:accounts', position: null })]);
    expect(behind).toMatchObject({ consumers: waiting });
    expect(await cli.run('projections', 'lag', '--json')).toEqual({ ...behind, consumers: waiting });
  });

  it('are rebuilt and verified all at once', async () => {
    for (const command of ['rebuild', 'verify']) {
      const done = await cli.run('projections', command, 'all', '--json');
      expect(done).toEqual(
        models.map(({ name }) => ({ name, events: EVENTS, differences: 0, seconds: expect.any(Number) })),
      );
    }
  });

  it('verify exits with 1 when a rebuilt table differs from the live one', async () => {
    await stores.pool.query(`update read.audit_events set type = 'Altered' where revision = 3`);
    expect(await processEnded('projections', 'verify', 'audit_events')).toMatchObject({ code: 1 });
    await cli.run('projections', 'rebuild', 'audit_events', '--json');
    expect(await ended('projections', 'verify', 'audit_events')).toMatchObject({ code: 0 });
  });

  it('rebuild is cancelled by Ctrl-C, and says how to continue', async () => {
    const blocker = await stores.pool.connect();
    await blocker.query('begin; lock table ops.rebuilds in share mode');
    const child = spawn(process.execPath, [CLI, 'projections', 'rebuild', 'all'], {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir, NODE_ENV: 'test' },
    });
    let output = '';
    child.stderr.on('data', (text) => {
      output += text;
    });
    await until(async () => {
      const { rowCount } = await stores.pool.query(`select from pg_locks where not granted`);
      return rowCount === 1;
    });
    child.kill('SIGINT');
    const ended = once(child, 'exit');
    await blocker.query('rollback');
    blocker.release();
    expect(await ended).toEqual([130, null]);
    expect(output).toContain('run the same command again to continue');
    // Some of the next models may have begun before the command saw the signal: none of them is left behind.
    const runs = (await listRuns(stores.pool)).filter(({ mode }) => mode === 'rebuild');
    expect(runs.find(({ model }) => model === models[0]?.name)).toMatchObject({ status: 'cancelled' });
    expect(runs.filter(({ status }) => status !== 'cancelled' && status !== 'done')).toEqual([]);
  });

  it('report an error in one line', async () => {
    const unknown = await ended('projections', 'rebuild', 'nothing');
    expect(unknown).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^unknown read model nothing: choose one of .*\n$/),
    });
    const idle = await cli.endedWith({ DATA_DIR: path.join(dataDir, 'nowhere') }, 'projections', 'list');
    expect(idle).toMatchObject({ code: 1, stderr: expect.stringMatching(/^nothing is running on .*npm start.*\n$/) });
    await stores.pool.query('create database empty');
    const empty = Object.assign(new URL(postgres.url), { pathname: '/empty' }).href;
    const withoutTables = { DATABASE_URL: empty, ESDB_CONNECTION_STRING: node.connectionString };
    expect(await cli.endedWith(withoutTables, 'jobs', 'parked')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^this database has no tables of the platform: .*\n$/),
    });
    const away = { DATABASE_URL: 'postgres://a@localhost:1/a', ESDB_CONNECTION_STRING: 'esdb://127.0.0.1:1?tls=false' };
    expect(await runProcess(away, ['jobs', 'parked'])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^the database or a disk cannot be used: connect ECONNREFUSED .*\n$/),
    });
  });
});

describe('events', () => {
  it('are read by stream, and found in the whole log', async () => {
    const read = await cli.run('events', 'read', stream, '--json');
    expect(read).toHaveLength(EVENTS);
    expect(read[0]).toMatchObject({ stream, revision: 0, type: 'AuditRead', data: { query: { n: '0' } } });
    const all = (...filters: string[]) => cli.run('events', 'all', ...filters, '--json');
    expect(await all('--actor', 'auditor-1', '--limit', '5')).toMatchObject(
      [1, 3, 5, 7, 9].map((revision) => ({ revision })),
    );
    expect(await all('--newest', '--limit', '2')).toMatchObject([{ revision: EVENTS - 1 }, { revision: EVENTS - 2 }]);
    expect(await all('--correlation', 'another')).toEqual([]);
    expect(await all('--type', 'AuditRead', '--from', read[30].at, '--to', read[31].at)).toEqual([read[30], read[31]]);
  });

  it('do not end without a word where there is more or nothing, and refuse a type that does not exist', async () => {
    const stopped = { code: 0, stderr: 'stopped after 2 events: --limit shows more\n' };
    expect(await ended('events', 'read', stream, '--limit', '2')).toMatchObject(stopped);
    expect(await ended('events', 'all', '--limit', '2')).toMatchObject(stopped);
    const nothing = { code: 0, stderr: 'no event of the log is like that\n' };
    expect(await ended('events', 'all', '--type', 'BookingPaid')).toMatchObject(nothing);
    // An argument that is no good ends the process.
    expect(await processEnded('events', 'all', '--type', 'BookingPiad')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no such type of event; these begin alike: .*BookingPaid/),
    });
  });

  it('show the state of an aggregate at a moment', async () => {
    const state = (...moment: string[]) => cli.run('events', 'state', stream, ...moment, '--json');
    expect(await state()).toMatchObject({ revision: EVENTS - 1, state: { reads: EVENTS } });
    const then = await state('--revision', '9');
    expect(then).toMatchObject({ state: { reads: 10 } });
    expect(await state('--at', then.at)).toEqual(then);
    expect(await ended('events', 'state', `auditLog-${randomUUID()}`)).toMatchObject({ code: 1 });
    expect(await processEnded('events', 'state', stream, '--at', 'yesterday')).toMatchObject({ code: 1 });
  });

  it('are exported and imported', async () => {
    const file = path.join(dataDir, 'log.ndjson');
    const exported = await cli.run('events', 'export', '--hash', '--file', file, '--json');
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    expect(exported).toEqual({ events: EVENTS, hash: JSON.parse(lines.at(-1) ?? '').hash });
    expect(lines).toHaveLength(EVENTS);
    expect(await cli.run('events', 'import', file, '--json')).toEqual({ imported: 0 });

    const { hash: _, ...line } = JSON.parse(lines[0] ?? '');
    const former = path.join(dataDir, 'former.ndjson');
    await writeFile(former, JSON.stringify({ ...line, metadata: { ...line.metadata, format: undefined } }));
    expect(await ended('events', 'import', former)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^This log was written before release 0\.1\.0 .*\n$/),
    });
  });

  describe('of another log', () => {
    let another: EmbeddedNode;
    let there: EventStore;
    beforeAll(async () => {
      another = await startEmbeddedNode({ directory: path.join(dataDir, 'another'), onExit: () => undefined });
      there = connectEventStore(another.connectionString);
    });
    afterAll(async () => {
      await there.close();
      await another.stop();
    });

    it.each([
      'backup FOLDER/sets',
      'seed',
      'events export --file FOLDER/log.jsonl',
      'projections rebuild audit_events',
    ])('are refused to the command %s, in one line', async (command) => {
      const elsewhere = { ESDB_CONNECTION_STRING: another.connectionString };
      const refused = await cli.endedWith(elsewhere, ...command.replace('FOLDER', dataDir).split(' '));
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain(
        `This database follows the log ${await stores.store.id()}, but the event store at`,
      );
      expect(refused.stderr.trim().split('\n')).toHaveLength(1);
      expect(await there.head()).toBeNull();
    });
  });

  it('move to another server with the checkpoints, so that nothing is projected twice or skipped', async () => {
    const elsewhere = await startEmbeddedNode({ directory: path.join(dataDir, 'elsewhere'), onExit: () => undefined });
    try {
      const to = elsewhere.connectionString;
      expect(await ended('events', 'copy', '--to', to, '--switch')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('stop the system'),
      });
      expect(await cli.run('events', 'copy', '--to', to, '--json')).toMatchObject({ copied: EVENTS });
      expect(await ended('events', 'copy', '--to', node.connectionString)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('that is this log itself'),
      });
      await write(10);
      await stores.pool.query(
        `insert into ops.erasure_certificates (id, requested_at, done_at, commit, prepare)
         values (gen_random_uuid(), now(), now(), 999999999999, 999999999999)`,
      );
      await stores.pool.query(
        `insert into ops.idempotency_keys (caller, key, request_hash, event_position) values ('a', 'b', 'c', '9/9')`,
      );
      await stopStores();
      const moved = await cli.run('events', 'copy', '--to', to, '--switch', '--json');
      expect(moved).toEqual({ copied: 10, events: EVENTS + 10, switched: true });
      expect(await ended('events', 'copy', '--to', to, '--switch')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('follows that log already'),
      });

      await startStores();
      const former = connectEventStore(node.connectionString);
      expect(await former.isSealed()).toBe(true);
      await Promise.all([former.close(), stores.store.close()]);
      stores = { ...stores, store: connectEventStore(to) };
      expect(await lag(stores, groups)).toMatchObject({ events: 10 });
      const { commit, prepare } = (await stores.store.head())!;
      const certificates = await stores.pool.query('select commit, prepare from ops.erasure_certificates');
      expect(certificates.rows).toEqual([{ commit: `${commit}`, prepare: `${prepare}` }]);
      const keys = await stores.pool.query('select event_position from ops.idempotency_keys');
      expect(keys.rows).toEqual([{ event_position: null }]);
      const outdated = await stores.pool.query('select name from ops.read_models where version = 0 order by name');
      const withPositions = ['audit_events', 'ledger_entries', 'passes', 'resort_changes'];
      expect(outdated.rows.map(({ name }) => name)).toEqual(withPositions);
      await project();
      const { rows } = await stores.pool.query('select commit from read.audit_events order by revision');
      const there = await stores.store.read(stream);
      expect(rows.map(({ commit }) => commit)).toEqual(there.map(({ position }) => Number(position.commit)));
    } finally {
      await elsewhere.stop();
    }
  });
});
