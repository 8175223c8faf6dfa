/** Fixtures of the hub's specs: a real database with the changes tables, hubs, accounts, and sockets that record. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { describe } from 'vitest';
import { WebSocket } from 'ws';
import { createLogger } from '../../infra/log.ts';
import { migrateOps } from '../../infra/migrations.ts';
import { createPool, inTransaction, type Pool } from '../../infra/postgres.ts';
import { signAccessToken } from '../../infra/tokens.ts';
import { startEmbeddedPostgres } from '../../ops/postgres/server.ts';
import { allMigrations } from '../../ops/tables.ts';
import { appendChanges } from '../../projections/engine/changes.ts';
import { type HubOptions, type RunningHub, startHub } from '../../realtime/hub/hub.ts';
import type { Limits } from '../../realtime/hub/limits.ts';
import type { Envelope, EphemeralFrame, ServerFrame } from '../../realtime/hub/protocol.ts';
import { loadUws } from '../../realtime/hub/uwsTransport.ts';
import { channels } from '../../realtime/modules.ts';
import { type Database, freshDatabase } from '../kit/databases.ts';
import { scratchFolder } from '../kit/scratch.ts';
import { until } from '../kit/until.ts';

export const log = createLogger({ level: 'silent' });
export const secrets = { jwtSecret: 'not-a-secret-of-thirty-two-letters', jwtSecretPrevious: undefined };

type Transport = 'uws' | 'ws';

/** Runs the suite over both transports. Where uWebSockets.js cannot be loaded, its half is skipped and the title says so. */
export const overEachTransport = async (suite: (transport: Transport) => void): Promise<void> => {
  const loaded = await loadUws();
  describe('over ws', () => suite('ws'));
  if ('uws' in loaded) describe('over uWebSockets.js', () => suite('uws'));
  else describe.skip(`over uWebSockets.js (skipped: ${loaded.missing})`, () => suite('uws'));
};

export interface Stage {
  readonly url: string;
  /** A pool of the spec; hubs have their own. */
  readonly pool: Pool;
  startHub(limits?: Partial<Limits>, options?: Partial<HubOptions>): Promise<RunningHub>;
  /** Appends `count` changes to the channel in one transaction. */
  write(channel: string, count?: number, data?: object): Promise<void>;
  /** A signed-in account. */
  account(role?: string): Promise<Player>;
  /** Another token of the same account. */
  tokenOf(player: Player, role?: string): Promise<string>;
  stop(): Promise<void>;
}

export interface Player {
  readonly id: string;
  readonly sessionId: string;
  readonly token: string;
  /** Its own channel. */
  readonly channel: string;
}

/** A database on a server of its own, which can be restarted. */
export const restartableDatabase = async () => {
  const dataDir = await scratchFolder('restarted');
  let server = await startEmbeddedPostgres({ dataDir, log });
  const pool = createPool(server.url, { max: 1, applicationName: 'setup', log });
  await migrateOps(pool, allMigrations);
  await pool.end();
  return {
    url: server.url,
    restart: async () => {
      await server.stop();
      server = await startEmbeddedPostgres({ dataDir, log });
    },
    drop: async () => {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
};

/** @param given the database to use; it is dropped at the end, as one of its own is */
export const startStage = async (transport: Transport, given?: Database): Promise<Stage> => {
  const database = given ?? (await freshDatabase());
  const { url } = database;
  const openPool = (applicationName: string) => createPool(url, { max: 5, applicationName, log });
  const pool = openPool('spec');
  const closing: (() => Promise<void>)[] = [];

  const sign = (accountId: string, sessionId: string, role: string) =>
    signAccessToken(secrets, { accountId, sessionId, role, tokenVersion: 0 });

  return {
    url,
    pool,
    startHub: async (limits = {}, options = {}) => {
      const hubPool = openPool('hub');
      const hub = await startHub({
        port: 0,
        host: '127.0.0.1',
        pool: hubPool,
        databaseUrl: url,
        secrets,
        version: '1.2.3',
        channels,
        payloads: [],
        transport,
        trustProxy: 0,
        log,
        limits,
        ...options,
      });
      const stop = async () => {
        await hub.stop();
        if (!hubPool.ended) await hubPool.end();
      };
      closing.push(stop);
      return { port: hub.port, stop };
    },
    write: (channel, count = 1, data = {}) =>
      inTransaction(pool, (client) =>
        appendChanges(
          client,
          Array.from({ length: count }, () => ({
            channel,
            type: 'booking.updated',
            data: JSON.stringify(data),
            at: new Date().toISOString(),
          })),
        ),
      ),
    account: async (role = 'tourist') => {
      const [id, sessionId] = [randomUUID(), randomUUID()];
      await pool.query(
        `insert into ops.sessions (id, account_id, token_version, started_at, expires_at)
         values ($1, $2, 0, now(), now() + interval '1 day')`,
        [sessionId, id],
      );
      return { id, sessionId, token: await sign(id, sessionId, role), channel: `realtime:user_${id}` };
    },
    tokenOf: (player, role = 'tourist') => sign(player.id, player.sessionId, role),
    stop: async () => {
      for (const close of closing) await close();
      await pool.end();
      await database.drop();
    },
  };
};

type Frame = ServerFrame | Envelope | EphemeralFrame;

export interface Listening {
  readonly socket: WebSocket;
  /** Every frame that has arrived, in order. */
  readonly frames: Frame[];
  /** The close code, once there is one. */
  readonly code: number | undefined;
  send(frame: object): void;
  /** Waits for the first frame of this type. */
  first<T extends Frame['type']>(type: T): Promise<Extract<Frame, { type: T }>>;
  /** Sends a frame with a new id and waits for the answer to it. */
  ask(frame: object): Promise<ServerFrame>;
  /** Offsets of the changes that have arrived. */
  offsets(channel: string): number[];
  closed(): Promise<number>;
}

/** Opens a socket. `token` goes into the header; without one the caller sends an `auth` frame. */
export const connect = (port: number, token?: string, path = '/ws'): Listening => {
  const socket = new WebSocket(
    `ws://127.0.0.1:${port}${path}`,
    token ? { headers: { authorization: `Bearer ${token}` } } : {},
  );
  const frames: Frame[] = [];
  let code: number | undefined;
  let asked = 0;
  socket.on('message', (data) => frames.push(JSON.parse(String(data)) as Frame));
  socket.on('close', (closed) => {
    code = closed;
  });
  socket.on('error', () => undefined); // `code` tells
  const send = (frame: object) => {
    const text = JSON.stringify(frame);
    if (socket.readyState === WebSocket.CONNECTING) socket.once('open', () => socket.send(text));
    else socket.send(text);
  };
  const find = async <F extends Frame>(fits: (frame: Frame) => boolean): Promise<F> => {
    await until(() => frames.some(fits) || code !== undefined);
    const found = frames.find(fits);
    if (!found) throw new Error(`closed with ${code} before the frame arrived`);
    return found as F;
  };
  return {
    socket,
    frames,
    get code() {
      return code;
    },
    send,
    first: (type) => find((frame) => frame.type === type),
    ask: (frame) => {
      asked += 1;
      const id = `ask-${asked}`;
      send({ ...frame, id });
      return find((answer) => 'id' in answer && answer.id === id);
    },
    offsets: (channel) =>
      frames
        .filter((frame): frame is Envelope => 'offset' in frame && 'data' in frame && frame.channel === channel)
        .map(({ offset }) => offset),
    closed: async () => {
      await until(() => code !== undefined);
      return code ?? 0;
    },
  };
};

/** `[from, …, to]`: the offsets that a channel must have sent. */
export const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** The HTTP status of the answer to a refused upgrade. */
export const refusedWith = (port: number, headers: Record<string, string>, path = '/ws'): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers });
    socket.on('open', () => {
      socket.terminate();
      reject(new Error('the upgrade was accepted'));
    });
    socket.on('unexpected-response', (_request, response) => {
      socket.terminate();
      resolve(response.statusCode ?? 0);
    });
    socket.on('error', () => undefined); // follows the answer
  });

/** A socket that is signed in and subscribed to a channel. */
export const subscribed = async (port: number, token: string, channel: string): Promise<Listening> => {
  const listening = connect(port, token);
  await listening.first('ready');
  listening.send({ type: 'subscribe', channel });
  await listening.first('subscribed');
  return listening;
};
