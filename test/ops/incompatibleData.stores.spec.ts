/** Data of a release before 0.1.0: every way to start refuses it with one line, and changes nothing. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertLogFormat } from '../../eventstore/format.ts';
import { IncompatibleData } from '../../infra/incompatible.ts';
import { events } from '../eventstore/stage.ts';
import { type StoreServers, type Stores, startStoreServers } from '../kit/stores.ts';

const MAIN = path.resolve(import.meta.dirname, '../../dist/ops/main.js');
const FORMER_DATABASE = /^This database was made before release 0\.1\.0 .*empty data folder.*\n$/;
const FORMER_LOG = /^This log was written before release 0\.1\.0 .*empty data folder.*\n$/;

let servers: StoreServers;
let dataDir: string;
const opened: Stores[] = [];
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'resort-incompatible-'));
  servers = await startStoreServers();
});
afterAll(async () => {
  for (const stores of opened) await stores.stop();
  await servers.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const someStores = async (): Promise<Stores> => {
  const stores = await servers.fresh();
  opened.push(stores);
  return stores;
};

/** Starts `role` on these stores, and waits until it has ended. */
const start = (
  role: string,
  { databaseUrl, eventStore }: Stores,
): Promise<{ code: unknown; out: string; err: string }> =>
  new Promise((resolve) => {
    const ports = { PORT: '0', REALTIME_PORT: '0', SANDBOX_PORT: '0' };
    const env = { PATH: process.env.PATH, NODE_ENV: 'test', LOG_LEVEL: 'error', DATA_DIR: dataDir, ...ports };
    const stores = { DATABASE_URL: databaseUrl, ESDB_CONNECTION_STRING: eventStore };
    execFile(process.execPath, [MAIN], { env: { ...env, ...stores, ROLE: role }, timeout: 45_000 }, (error, out, err) =>
      resolve({ code: error ? error.code : 0, out, err }),
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
      await writeRaw(stores, {}, metadata);
      const refused = assertLogFormat(stores.store);
      await expect(refused).rejects.toThrow(IncompatibleData);
      await expect(refused).rejects.toThrow(message);
    }
  });
});
