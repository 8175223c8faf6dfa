/** Backup and restore: from a system under load, and by the command line after everything was destroyed. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countErasedWith } from '../../commands/core/certificateParts.ts';
import { startWorker } from '../../commands/core/worker.ts';
import { jobs, policies } from '../../commands/modules.ts';
import { inventory } from '../../domain/catalog/inventory.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/core/instants.ts';
import { allEvents } from '../../domain/modules.ts';
import { listCheckpoints } from '../../eventstore/checkpoints.ts';
import { connectEventStore, type StoredEvent } from '../../eventstore/client/index.ts';
import { createCodec } from '../../eventstore/codec.ts';
import { startEmbeddedNode } from '../../eventstore/embedded/start.ts';
import { logCheck } from '../../eventstore/identity.ts';
import { eventsOf } from '../../eventstore/pages.ts';
import { isAfter } from '../../eventstore/subscribe.ts';
import { createVault } from '../../eventstore/vault.ts';
import { createLogger } from '../../infra/log.ts';
import { migrateOps } from '../../infra/migrations.ts';
import { createPool, type Pool } from '../../infra/postgres.ts';
import { createTombstones } from '../../infra/tombstones.ts';
import { pruneBackups, takeBackup } from '../../ops/backup/backup.ts';
import { findSet, openSet, restoreBackup } from '../../ops/backup/restore.ts';
import { backUpDaily } from '../../ops/backup/schedule.ts';
import { type Manifest, nameOf, setsIn } from '../../ops/backup/set.ts';
import { LEFT_OUT } from '../../ops/backup/tables.ts';
import { readConfig } from '../../ops/config.ts';
import { startEmbeddedPostgres } from '../../ops/postgres/server.ts';
import { ownRuntime } from '../../ops/runtime.ts';
import { allMigrations } from '../../ops/tables.ts';
import { groups, models } from '../../projections/modules.ts';
import { createStage, type Stage } from '../bookings/stage.ts';
import { runProcess } from '../kit/cli.ts';
import { contextOf } from '../kit/context.ts';
import { testDeps } from '../kit/deps.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');
const KEYS = { master: MASTER_KEY };
const signal = new AbortController().signal;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'resort-backup-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};
const eraseAgain = async () => 0;
const withoutPosition = ({ position: _, ...event }: StoredEvent) => event;

describe('a backup of a system under load', () => {
  let source: Stores;
  let target: Stores;
  let stage: Stage;
  let manifest: Manifest;
  let set: string;
  const sets = () => path.join(folder, 'under load');
  const ADDRESS = '203.0.113.7';

  const stopping = new AbortController();
  let loading: Promise<unknown> = Promise.resolve();
  let booked = 0;
  const untilBooked = (more: number) => {
    const before = booked;
    return until(() => booked >= before + more);
  };

  /** Guests book, and every second one pays; each has a key of their own. */
  const load = () => {
    const guest = async () => {
      while (!stopping.signal.aborted) {
        const userId = randomUUID();
        const { bookingId } = await stage.book(userId, stage.node, { ...contextOf(userId), ip: ADDRESS });
        booked += 1;
        if (booked % 2) continue;
        const { paymentId } = await stage.pay(bookingId, userId);
        stage.provider.says(paymentId, 'succeeded');
        await stage.notify(paymentId);
      }
    };
    return Promise.all([guest(), guest(), guest()]);
  };

  beforeAll(async () => {
    [source, target] = [await freshStores(), await freshStores()];
    stage = await createStage(source, { units: 5_000, holdTtlMs: 30 * MINUTE_MS, paymentTtlMs: DAY_MS });
    stage.work();
    loading = load();
    await untilBooked(30);
    // Much happens between the snapshot of the tables and the head of the log.
    const head = async () => {
      await untilBooked(10);
      return source.store.head();
    };
    await source.pool.query(
      `insert into ops.erasure_certificates (id, requested_at, done_at, commit, prepare)
       values (gen_random_uuid(), now(), now(), 999999999999, 999999999999)`,
    );
    const deps = { pool: source.pool, store: { ...source.store, head }, dataDir: folder, signal };
    ({ folder: set, manifest } = await takeBackup(deps, sets(), new Date('2030-01-01T02:00:00Z')));
    await untilBooked(10);
    stopping.abort();
    await loading;
    const codec = createCodec(allEvents, createVault(target.pool, MASTER_KEY));
    const into = { ...target, codec, groups, dataDir: path.join(folder, 'restored'), eraseAgain, signal };
    await restoreBackup(into, set, await openSet(set, KEYS));
  });
  afterAll(async () => {
    stopping.abort();
    await loading;
    await target.stop();
  });

  it('restores the log up to the backup, with every key of personal data', async () => {
    const [before, after] = [await collect(eventsOf(source.store)), await collect(eventsOf(target.store))];
    expect(after).toHaveLength(manifest.log.lines);
    expect(after.map(withoutPosition)).toEqual(before.slice(0, after.length).map(withoutPosition));
    const decoded = await createCodec(allEvents, createVault(target.pool, MASTER_KEY)).decode<Recorded>(after);
    const guests = decoded.filter(({ type, meta }) => type === 'BookingCreated' && meta.actor.kind === 'user');
    expect(guests.length).toBeGreaterThan(20);
    for (const { meta } of guests) expect(meta.ip).toBe(ADDRESS);
  });

  it('contains every table that is not left out by name', async () => {
    const { rows } = await source.pool.query(
      `select relname as tablename from pg_class
       where relnamespace = 'ops'::regnamespace and relkind in ('r', 'p') and not relispartition`,
    );
    const named = [...LEFT_OUT, ...manifest.tables.map(({ table }) => table)];
    expect(named.toSorted()).toEqual(rows.map(({ tablename }) => tablename).toSorted());
  });

  it('has no checkpoint ahead of the log', async () => {
    const last = (await collect(eventsOf(target.store))).at(-1)!.position;
    const checkpoints = await listCheckpoints(target.pool);
    expect(checkpoints.size).toBeGreaterThan(policies.length / 2);
    for (const [name, position] of checkpoints) expect(isAfter(position, last), name).toBe(false);
  });

  it('has certificates of erasures that the read models can reach', async () => {
    const { rows } = await target.pool.query('select commit, prepare from ops.erasure_certificates');
    const { commit, prepare } = (await target.store.head())!;
    expect(rows).toEqual([{ commit: `${commit}`, prepare: `${prepare}` }]);
  });

  it('builds the read models from the restored log', async () => {
    const created = (await collect(eventsOf(target.store))).filter(({ type }) => type === 'BookingCreated');
    const { rows } = await target.pool.query('select count(*) from read.bookings');
    expect(rows[0].count).toBe(created.length);
  });

  it('continues where the log ends: policies and jobs do what was done after the snapshot', async () => {
    const { paymentProviders, settings } = stage.node;
    const node = testDeps(target, { paymentProviders, settings });
    const worker = startWorker(node, policies, jobs);
    const { state } = await node.aggregates.load(inventory, stage.roomId);
    expect(state.holds.size).toBeGreaterThan(20);
    // Each hold that nobody has paid for has its deadline again, and none that is paid.
    await until(async () => {
      const { state: now } = await node.aggregates.load(inventory, stage.roomId);
      const waiting = [...now.holds].filter(([, { expiresAt }]) => expiresAt !== null).map(([id]) => id);
      const { rows } = await target.pool.query<{ id: string }>(`select id from ops.jobs where kind = 'hold_expiry'`);
      return (
        waiting.toSorted().join() ===
          rows
            .map(({ id }) => id)
            .toSorted()
            .join() || undefined
      );
    });
    await worker.stop();
  });

  it('is refused by stores that have data', async () => {
    const codec = createCodec(allEvents, createVault(target.pool, MASTER_KEY));
    const into = { ...target, codec, groups, dataDir: path.join(folder, 'restored'), eraseAgain, signal };
    await expect(restoreBackup(into, set, manifest)).rejects.toThrow('has data already');
  });

  it('is refused with other keys, before anything is changed', async () => {
    const other = Buffer.alloc(32, 8).toString('base64');
    await expect(openSet(set, { master: other, fingerprint: MASTER_KEY })).rejects.toThrow('VAULT_MASTER_KEY');
    expect(await openSet(set, { master: other, previous: MASTER_KEY, fingerprint: MASTER_KEY })).toEqual(manifest);
  });

  it('that was interrupted is continued', async () => {
    const empty = await freshStores();
    const codec = createCodec(allEvents, createVault(empty.pool, MASTER_KEY));
    const into = { ...empty, codec, groups, dataDir: path.join(folder, 'again'), eraseAgain };
    const stopping = new AbortController();
    const interrupted = { ...into, signal: stopping.signal, onProgress: () => stopping.abort() };
    await expect(restoreBackup(interrupted, set, manifest)).rejects.toThrow('interrupted');
    const begun = (await collect(eventsOf(empty.store))).length;
    expect(begun).toBeGreaterThan(0);
    expect(begun).toBeLessThan(manifest.log.lines);
    expect(await restoreBackup({ ...into, signal }, set, manifest)).toMatchObject({ events: manifest.log.lines });
    await empty.stop();
  });

  it('that fails once the tables are in leaves the rest to a start of the system, and says so', async () => {
    const empty = await freshStores();
    const codec = createCodec(allEvents, createVault(empty.pool, MASTER_KEY));
    const into = { ...empty, codec, groups, dataDir: path.join(folder, 'unfinished'), signal };
    const unreadable = { ...into, eraseAgain: () => Promise.reject(new SyntaxError('no tombstone')) };
    const left = /everything is restored, but .*\(no tombstone\).* start the system/i;
    await expect(restoreBackup(unreadable, set, manifest)).rejects.toThrow(left);
    await expect(restoreBackup({ ...into, eraseAgain }, set, manifest)).rejects.toThrow(/start the system/);
    await empty.stop();
  });

  it.each([
    ['altered', async (file: string) => writeFile(file, (await readFile(file)).fill(7, 40, 44))],
    ['cut off', async (file: string) => writeFile(file, (await readFile(file)).subarray(0, -20))],
    ['lost', (file: string) => rm(file)],
  ])('is refused when a file was %s', async (how, damage) => {
    const copy = path.join(folder, how);
    await cp(set, copy, { recursive: true });
    await damage(path.join(copy, 'log.ndjson.gz'));
    await expect(openSet(copy, KEYS)).rejects.toThrow(/the backup is (damaged|incomplete): .*log\.ndjson/);
  });

  it('is refused by an older release', async () => {
    const copy = path.join(folder, 'newer');
    await cp(set, copy, { recursive: true });
    const migrations = [...manifest.migrations, '9999_of_the_future'];
    await writeFile(path.join(copy, 'manifest.json'), JSON.stringify({ ...manifest, migrations }));
    await expect(openSet(copy, KEYS)).rejects.toThrow('9999_of_the_future');
  });

  it('is taken every day by one of the processes, at once when there is none', async () => {
    const folder = path.join(sets(), 'scheduled');
    const stopping = new AbortController();
    const taken: string[] = [];
    const scheduleOf = (name: string) => ({
      folder,
      hour: 2,
      take: async () => {
        taken.push(name);
        await mkdir(path.join(folder, nameOf(new Date())), { recursive: true });
      },
    });
    const running = ['a', 'b'].map((name) => backUpDaily(source.pool, scheduleOf(name), source.log, stopping.signal));
    await until(() => taken.length > 0 || undefined);
    await until(async () => (await setsIn(folder)).length === 1 || undefined);
    stopping.abort();
    await Promise.all(running);
    expect(taken).toHaveLength(1);
    await rm(folder, { recursive: true });
  });

  it('leaves nothing behind when it is interrupted, and keeps as many sets as asked for', async () => {
    const deps = { pool: source.pool, store: source.store, dataDir: folder };
    const at = (day: number) => new Date(Date.UTC(2030, 1, day, 2));
    await expect(takeBackup({ ...deps, signal: AbortSignal.abort() }, sets(), at(1))).rejects.toThrow('interrupted');
    expect(await readdir(sets())).toEqual(['2030-01-01T02-00-00Z']);
    for (const day of [2, 3]) await takeBackup({ ...deps, signal }, sets(), at(day));
    await mkdir(path.join(sets(), '2030-01-15T02-00-00Z.partial'));
    expect(await pruneBackups(sets(), 2)).toEqual(['2030-01-01T02-00-00Z', '2030-01-15T02-00-00Z.partial']);
    expect(await setsIn(sets())).toEqual(['2030-02-02T02-00-00Z', '2030-02-03T02-00-00Z']);
    expect(await findSet(sets())).toBe(path.join(sets(), '2030-02-03T02-00-00Z'));
    expect((await stat(path.join(await findSet(sets()), 'ops.vault_keys.ndjson.gz'))).mode & 0o777).toBe(0o600);
  });
});

describe('the drill: everything is destroyed', () => {
  const log = createLogger({ level: 'silent' });
  const { VAULT_MASTER_KEY } = readConfig({});

  const tombstones = path.join(tmpdir(), `resort-tombstones-${randomUUID()}`);
  afterAll(() => rm(tombstones, { recursive: true, force: true }));
  const run = (dataDir: string, ...args: string[]) =>
    runProcess({ DATA_DIR: dataDir, TOMBSTONES_DIR: tombstones }, args);

  /** Runs `work` with the embedded stores of a data folder, which look like a running system. */
  const withSystem = async <T>(dataDir: string, work: (stores: Stores) => Promise<T>): Promise<T> => {
    const postgres = await startEmbeddedPostgres({ dataDir, log });
    const node = await startEmbeddedNode({ directory: path.join(dataDir, 'eventstore'), onExit: () => undefined });
    const pool: Pool = createPool(postgres.url, { max: 5, applicationName: 'test', log });
    const store = connectEventStore(node.connectionString, { check: logCheck(pool, 'refused') });
    const addresses = { databaseUrl: postgres.url, eventStore: node.connectionString };
    const runtime = await ownRuntime(dataDir);
    runtime?.write({ ...addresses, pids: {} });
    try {
      const vault = createVault(pool, VAULT_MASTER_KEY);
      return await work({
        ...addresses,
        pool,
        store,
        vault,
        countErased: countErasedWith(vault),
        log,
        stop: async () => undefined,
      });
    } finally {
      runtime?.remove();
      await store.close();
      await pool.end();
      await node.stop();
      await postgres.stop();
    }
  };

  it('and restored by one command: the same log, rows and files, without who was erased since', async () => {
    const dataDir = path.join(folder, 'data');
    const sets = path.join(folder, 'sets');
    const erased = randomUUID();
    await mkdir(path.join(dataDir, 'files', 'images'), { recursive: true });
    await writeFile(path.join(dataDir, 'files', 'images', 'room.jpg'), Buffer.alloc(100_000, 5));
    const before = await withSystem(dataDir, async (stores) => {
      await migrateOps(stores.pool, allMigrations);
      const stage = await createStage(stores);
      const userId = randomUUID();
      await stage.book(userId, stage.node, { ...contextOf(userId), ip: '203.0.113.7' });
      await stage.book(erased, stage.node, { ...contextOf(erased), ip: '198.51.100.9' });
      const backup = await run(dataDir, 'backup', sets, '--keep', '3', '--json');
      // A slow backup shows its progress there.
      expect(backup).toMatchObject({ code: 0, stderr: expect.not.stringMatching(/^(?!backup )./m) });
      const events = await collect(eventsOf(stores.store));
      expect(JSON.parse(backup.stdout)).toMatchObject({ events: events.length, files: 1, deleted: [] });
      return events.map(withoutPosition);
    });
    await rm(dataDir, { recursive: true });

    const forgetting = await run(dataDir, 'restore', sets, '--json');
    const why = expect.stringContaining(`there are no tombstones in ${tombstones} (TOMBSTONES_DIR)`);
    expect(forgetting).toMatchObject({ code: 1, stdout: '', stderr: why });
    expect(existsSync(dataDir)).toBe(false);

    await createTombstones(tombstones).write({ person: erased, at: new Date().toISOString() });
    const restored = await run(dataDir, 'restore', sets, '--json');
    const found = expect.stringContaining(`1 tombstones of erased people in ${tombstones}`);
    expect(restored).toMatchObject({ code: 0, stderr: found });
    expect(JSON.parse(restored.stdout)).toMatchObject({ events: before.length, files: 1, read_models: models.length });
    expect(JSON.parse(restored.stdout)).toMatchObject({ tombstones: 1, unfinished_erasures: 0 });
    // Told to, it goes on without tombstones, to the next reason against it.
    await rm(tombstones, { recursive: true });
    const again = await run(dataDir, 'restore', sets, '--without-tombstones');
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('has data already') });
    expect(existsSync(path.join(dataDir, 'files', 'images', 'room.jpg'))).toBe(true);
    await withSystem(dataDir, async (stores) => {
      const events = await collect(eventsOf(stores.store));
      expect(events.map(withoutPosition)).toEqual(before);
      await createCodec(allEvents, stores.vault).decode(events);
      expect((await stores.pool.query('select count(*) from read.bookings')).rows).toEqual([{ count: 2 }]);
      const ips = await stores.pool.query('select distinct ip from read.audit_events where ip is not null order by ip');
      expect(ips.rows).toEqual([{ ip: '203.0.113.7' }, { ip: '[erased]' }]);
      const key = await stores.pool.query('select wrapped_key from ops.vault_keys where person_id = $1', [erased]);
      expect(key.rows).toEqual([{ wrapped_key: null }]);
      const busy = await run(dataDir, 'restore', sets, '--without-tombstones');
      expect(busy).toMatchObject({ code: 1, stderr: expect.stringContaining('stop the system') });
    });
  });
});
