/** How many exports run at once, however they begin and end. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { exportRoute, exportRouteWithin } from '../../api/privacy/export.ts';
import { type ServedModules, serveModules } from '../kit/servedModules.ts';
import { until } from '../kit/until.ts';

const AT_ONCE = 2;

const latch = () => {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
};
/** Requests that wait to be authenticated, and all go on at once. */
let waiting: number;
let known: ReturnType<typeof latch>;
/** Exports wait for it while they hold a connection. */
let reading: ReturnType<typeof latch>;
let held: number;
let failure: Error | undefined;
let served: ServedModules;

const client = {
  query: async () => {
    await reading.promise;
    if (failure) throw failure;
    return { rows: [] };
  },
  release: () => {
    held -= 1;
  },
};
const pool = {
  query: async () => ({ rows: [] }),
  connect: async () => {
    held += 1;
    return client;
  },
};

beforeEach(async () => {
  [waiting, held] = [0, 0];
  [known, reading, failure] = [latch(), latch(), undefined];
  served = await serveModules([{ service: 'privacy', routes: [exportRoute] }], {
    patientPool: pool,
    exportSections: [],
    authenticateUser: async () => {
      waiting += 1;
      await known.promise;
      return { kind: 'user', id: randomUUID(), role: 'tourist', provedAt: Date.now() };
    },
    positions: { reached: async () => true },
  });
});
afterEach(async () => {
  reading.resolve();
  served.server.closeAllConnections();
  await until(() => held === 0);
  served.stop();
});

const ask = (): Promise<Response> =>
  fetch(`${served.origin}/api/v1/me/export`, { headers: { authorization: 'Bearer token' } });
const statuses = async (count: number): Promise<number[]> =>
  (await Promise.all(Array.from({ length: count }, ask))).map(({ status }) => status).toSorted();

it('are two, also of requests that are let in at the same moment', async () => {
  const asked = statuses(6);
  await until(() => waiting === 6);
  known.resolve();
  expect(await asked).toEqual([200, 200, 429, 429, 429, 429]);
  await until(() => held > 0);
  expect(held).toBe(AT_ONCE);
});

/** A connection on which an export was asked for. */
const asking = (method = 'GET'): Socket => {
  const socket = connect(served.port, '127.0.0.1').on('error', () => undefined);
  socket.write(`${method} /api/v1/me/export HTTP/1.1\r\nhost: x\r\nauthorization: Bearer token\r\n\r\n`);
  return socket;
};

it.each<[string, () => Promise<unknown>]>([
  [
    'whose clients went away before the first byte',
    async () => {
      const gone: Promise<unknown>[] = [];
      served.server.on('connection', (socket: Socket) => gone.push(once(socket, 'close')));
      const sockets = Array.from({ length: AT_ONCE }, () => asking());
      await until(() => waiting === AT_ONCE);
      for (const socket of sockets) socket.destroy();
      await Promise.all(gone);
      known.resolve();
    },
  ],
  [
    'whose clients went away in the middle',
    async () => {
      known.resolve();
      const sockets = Array.from({ length: AT_ONCE }, () => asking());
      await until(() => held === AT_ONCE);
      for (const socket of sockets) socket.destroy();
    },
  ],
  [
    'that failed',
    async () => {
      known.resolve();
      reading.resolve();
      failure = new Error('the database is gone');
      for (let n = 0; n < AT_ONCE; n += 1) await expect((await ask()).text()).rejects.toThrow();
      failure = undefined;
    },
  ],
  [
    'that were asked for the head only',
    async () => {
      known.resolve();
      for (let n = 0; n < AT_ONCE; n += 1) await once(asking('HEAD'), 'data');
    },
  ],
])('leave their places to others: %s', async (_, end) => {
  await end();
  reading.resolve();
  await until(() => held === 0);
  const replies = await until(async () => {
    const all = await Promise.all(Array.from({ length: AT_ONCE }, ask));
    const texts = await Promise.all(all.map((reply) => reply.text()));
    return all.every(({ status }) => status === 200) && texts;
  }, 5_000);
  for (const text of replies) expect(JSON.parse(text)).toMatchObject({ schema_version: 1, data: {} });
});

it('leaves its place to others when it is read too slowly', async () => {
  const rows = Array.from({ length: 100 }, () => ({ text: 'x'.repeat(1_000) }));
  let isHeld = false;
  const endless = {
    query: async () => ({ rows }),
    release: () => {
      isHeld = false;
    },
  };
  const slow = await serveModules([{ service: 'privacy', routes: [exportRouteWithin(100)] }], {
    patientPool: {
      connect: async () => {
        isHeld = true;
        return endless;
      },
    },
    exportSections: [{ name: 'notes', text: '', show: (row: object) => row }],
    authenticateUser: async () => ({ kind: 'user', id: randomUUID(), role: 'tourist', provedAt: Date.now() }),
    positions: { reached: async () => true },
  });
  try {
    // It never reads.
    const socket = connect(slow.port, '127.0.0.1').on('error', () => undefined);
    socket.write('GET /api/v1/me/export HTTP/1.1\r\nhost: x\r\nauthorization: Bearer token\r\n\r\n');
    await until(() => isHeld);
    await until(() => !isHeld);
    socket.destroy();
  } finally {
    slow.server.closeAllConnections();
    slow.stop();
  }
});
