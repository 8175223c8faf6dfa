/** Data of a release before 0.1.0: every way to start refuses it with one line, and changes nothing. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatPosition, saveCheckpoint } from '../../eventstore/checkpoints.ts';
import { type ConnectedStore, connectEventStore, OtherLog } from '../../eventstore/client/index.ts';
import { runNode } from '../../eventstore/embedded/node.ts';
import { assertLogFormat } from '../../eventstore/format.ts';
import { assertSameLog, followedLogId, logCheck } from '../../eventstore/identity.ts';
import { assertNotSealed, watchSeal } from '../../eventstore/seal.ts';
import { IncompatibleData } from '../../infra/incompatible.ts';
import { createLogger } from '../../infra/log.ts';
import { runProjector } from '../../projections/engine/runner.ts';
import { events } from '../eventstore/stage.ts';
import { startForwarder } from '../kit/forwarder.ts';
import { freshStores, type Stores } from '../kit/stores.ts';
import { until, WAIT_MS } from '../kit/until.ts';
import { counted, counterModel, counters, groupsOf } from '../projections/counters.ts';

const MAIN = path.resolve(import.meta.dirname, '../../dist/bundle/main.mjs');
const FORMER_DATABASE = /^This database was made before release 0\.1\.0 .*empty data folder.*\n$/;
const OTHER_LOG = /^This database follows the log \S+, but the event store at \S+ has .*restore.*\n$/;
const FORMER_LOG = /^This log was written before release 0\.1\.0 .*empty data folder.*\n$/;

const fail = (error: unknown): void => {
  throw error;
};
let dataDir: string;
const opened: Stores[] = [];
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'resort-incompatible-'));
});
afterAll(async () => {
  for (const stores of opened) await stores.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const someStores = async (): Promise<Stores> => {
  const stores = await freshStores({ amongOthers: true });
  opened.push(stores);
  return stores;
};

/** What the lines of a log say. */
const said = (lines: string): string => lines.replaceAll(/^.+$/gm, (line) => JSON.parse(line).msg);

/** Starts `role` on these stores, and waits until it has ended. */
const start = (
  role: string,
  { databaseUrl, eventStore }: Stores,
): Promise<{ code: unknown; out: string; err: string }> =>
  new Promise((resolve) => {
    const ports = { PORT: '0', REALTIME_PORT: '0', SANDBOX_PORT: '0' };
    const env = { PATH: process.env.PATH, NODE_ENV: 'test', LOG_LEVEL: 'error', DATA_DIR: dataDir, ...ports };
    const stores = { DATABASE_URL: databaseUrl, ESDB_CONNECTION_STRING: eventStore };
    execFile(
      process.execPath,
      [MAIN],
      { env: { ...env, ...stores, ROLE: role }, timeout: WAIT_MS },
      (error, out, err) => resolve({ code: error ? error.code : 0, out, err: said(err) }),
    );
  });

/** Writes events as others do: metadata is theirs. */
const writeRaw = async ({ eventStore }: Stores, ...metadata: Record<string, unknown>[]): Promise<void> => {
  const client = EventStoreDBClient.connectionString(eventStore);
  for (const each of metadata)
    await client.appendToStream(
      `booking-${randomUUID()}`,
      jsonEvent({ type: 'BookingPaid', data: {}, metadata: each }),
    );
  await client.dispose();
};
const { format: _, ...former } = events()[0]?.metadata ?? { format: 1 };

describe.each(['worker', 'all'])('the role %s', (role) => {
  it('refuses a database from before 0.1.0', async () => {
    const stores = await someStores();
    await stores.pool.query('drop schema ops cascade; create schema ops; create table ops.leases (name text)');
    expect(await start(role, stores)).toEqual({ code: 1, out: '', err: expect.stringMatching(FORMER_DATABASE) });
  });

  it('refuses a log from before 0.1.0', async () => {
    const stores = await someStores();
    await writeRaw(stores, former);
    expect(await start(role, stores)).toEqual({ code: 1, out: '', err: expect.stringMatching(FORMER_LOG) });
  });
});

describe('a log that the database does not follow', () => {
  const from = (revision: bigint) => (revision === 0n ? 'no_stream' : revision - 1n);
  /** Stores whose database has handled these events of a log. */
  const followed = async (count: number): Promise<{ stores: Stores; written: ReturnType<typeof events> }> => {
    const stores = await someStores();
    const written = Array.from({ length: count }, () => events()).flat();
    for (const [revision, event] of written.entries())
      await stores.store.append('counter-1', [event], from(BigInt(revision)));
    await assertSameLog(stores.pool, stores.store);
    const last = (await stores.store.read('counter-1')).at(-1);
    if (!last) throw new Error('an event');
    await saveCheckpoint(stores.pool, 'read-models', last.position, last);
    return { stores, written };
  };
  /** The database of one, the log of another. */
  const mixed = (database: Stores, log: Stores): Stores => ({ ...database, eventStore: log.eventStore });

  it.each(['worker', 'all'])('is refused by the role %s with one line', async (role) => {
    const { stores } = await followed(1);
    const other = await someStores();
    await other.store.append('counter-1', events(), 'no_stream');
    expect(await start(role, mixed(stores, other))).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(OTHER_LOG),
    });
  });

  it('is refused when it is another log, empty, or an older copy', async () => {
    const { stores, written } = await followed(2);
    const [another, empty, older] = [await someStores(), await someStores(), await someStores()];
    await another.store.append('counter-1', events(), 'no_stream');
    await older.store.append('counter-1', written.slice(0, 1), 'no_stream');
    await assertSameLog(stores.pool, stores.store);
    const refused = async (words: string, logs = [another, empty]) => {
      for (const { store } of logs) await expect(assertSameLog(stores.pool, store)).rejects.toThrow(words);
    };
    await refused(`follows the log ${await stores.store.id()}`, [another, empty, older]);
    // As release 0.2.0 has left them.
    const [first] = await stores.store.read('counter-1', { max: 1 });
    const former = 'update ops.log set log_id = null, first_event_id = $1, first_position = $2';
    await stores.pool.query(former, [first?.id, first && formatPosition(first.position)]);
    await refused('does not have what this database has handled', [another, empty, older]);
    await stores.pool.query('delete from ops.checkpoints');
    await refused(`follows the log that begins with event ${first?.id}`);
    await assertSameLog(stores.pool, stores.store);
    expect(await followedLogId(stores.pool)).toBe(await stores.store.id());
  });

  it('is refused when a checkpoint lies beyond its end', async () => {
    const { stores } = await followed(1);
    await stores.pool.query('update ops.checkpoints set commit = commit + 1000000');
    await expect(assertSameLog(stores.pool, stores.store)).rejects.toThrow(
      'does not have what this database has handled',
    );
  });

  it('is refused beside an empty database, until a person says that it shall begin anew', async () => {
    const [{ store }, { pool }] = [(await followed(1)).stores, await someStores()];
    await pool.query('delete from ops.log');
    const refused = assertSameLog(pool, store);
    await expect(refused).rejects.toThrow(IncompatibleData);
    await expect(refused).rejects.toThrow('npm run events -- adopt');
    await assertSameLog(pool, store, { emptyDatabase: 'restored' });
    expect(await followedLogId(pool)).toBeUndefined();
    await assertSameLog(pool, store, { emptyDatabase: 'adopts' });
    expect(await followedLogId(pool)).toBe(await store.id());
  });

  it('takes the place of the log of a running process: nothing is appended to it, or read from it', async () => {
    const { pool } = await someStores();
    const open = (name: string) => runNode(path.join(dataDir, name), 0, fail, fail, { isOpen: true });
    const nodes = [await open('ours'), await open('other')] as const;
    const [ours, other] = nodes.map(({ connectionString }) => connectEventStore(connectionString)) as [
      ConnectedStore,
      ConnectedStore,
    ];
    await pool.query('delete from ops.log');
    await assertSameLog(pool, ours);
    await other.append('counter-1', events(), 'no_stream');
    let node = nodes[0];
    const forwarder = await startForwarder(() => [Number(new URL(node.connectionString).port)]);
    const at = `esdb://127.0.0.1:${forwarder.port}?tls=false`;
    const store = connectEventStore(at, { check: logCheck(pool, 'refused') });
    await store.append('counter-2', events(), 'no_stream');
    const otherId = await other.id(true);
    const before = await other.head();

    node = nodes[1];
    forwarder.off();
    forwarder.on();
    await expect(store.append('counter-3', events(), 'no_stream')).rejects.toThrow(
      `This database follows the log ${await ours.id()}, but the event store at 127.0.0.1:${forwarder.port} has the log ${otherId}`,
    );
    await expect(store.read('counter-1')).rejects.toThrow(OtherLog);
    expect(store.away()).toContain('follows the log');
    expect(await other.head()).toEqual(before);

    node = nodes[0];
    const same = events();
    await until(() => store.append('counter-4', same, 'no_stream').catch(() => undefined));
    expect(store.away()).toBeUndefined();
    for (const each of [store, ours, other]) await each.close();
    for (const each of nodes) await each.stop();
    await forwarder.stop();
  });

  it('ends a running projector, which has handled nothing of it', async () => {
    const { stores } = await followed(1);
    const other = counters(await someStores());
    await other.append(randomUUID(), counted());
    const { pool } = stores;
    const running = runProjector({ ...other, pool, groups: groupsOf(counterModel()) }, new AbortController().signal);
    await expect(running).rejects.toThrow(IncompatibleData);
    expect((await pool.query('select * from read.counters')).rows).toEqual([]);
  });
});

describe('a sealed log', () => {
  const SEALED = /^This log was sealed .*set ESDB_CONNECTION_STRING to the copy.*\n$/;

  it.each(['worker', 'api', 'all'])('is refused by the role %s with one line', async (role) => {
    const stores = await someStores();
    await stores.store.append('counter-1', events(), 'no_stream');
    await stores.store.seal(true);
    expect(await start(role, stores)).toEqual({ code: 1, out: '', err: expect.stringMatching(SEALED) });
  });

  it('ends processes that run on it, until it is opened again', async () => {
    const { store } = await someStores();
    const running = watchSeal(store, createLogger({ level: 'silent', role: 'test' }), new AbortController().signal, 10);
    await store.seal(true);
    await expect(running).rejects.toThrow(IncompatibleData);
    await expect(assertNotSealed(store)).rejects.toThrow('npm run events -- unseal');
    await store.seal(false);
    await assertNotSealed(store);
  });

  it('has no event more for its readers', async () => {
    const { store } = await someStores();
    await store.append('counter-1', events(), 'no_stream');
    await store.seal(true);
    expect((await store.readAll({ max: 10 })).events.map(({ stream }) => stream)).toEqual(['counter-1']);
  });
});

describe('the format of a log', () => {
  it('is right when the log is empty, was written by this release, or has events of others', async () => {
    const { store, ...stores } = await someStores();
    await assertLogFormat(store);
    await writeRaw({ store, ...stores }, { format: 7 }, {});
    await store.append('counter-1', events(), 'no_stream');
    await assertLogFormat(store);
  });

  it('is refused when it is older or newer, also behind events of others', async () => {
    for (const [metadata, message] of [
      [former, 'before release 0.1.0'],
      [{ ...former, format: 2 }, 'newer release, in format 2'],
    ] as const) {
      const stores = await someStores();
      await stores.store.head(); // so that the database follows the log
      await writeRaw(stores, {}, metadata);
      const refused = assertLogFormat(stores.store);
      await expect(refused).rejects.toThrow(IncompatibleData);
      await expect(refused).rejects.toThrow(message);
    }
  });
});
