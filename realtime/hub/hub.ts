/**
 * The realtime hub: tells clients what the projector wrote. It keeps nothing of its own: any number of hubs run side by
 * side, and a client resumes at any of them.
 */
import { type us_listen_socket, us_listen_socket_close, us_socket_local_port } from 'uWebSockets.js';
import type { Logger } from '../../infra/log.ts';
import { listen, type Pool } from '../../infra/postgres.ts';
import { sleep, withTimeout } from '../../infra/retry.ts';
import {
  type Access,
  type Ended,
  isLive,
  isPlausible,
  SESSIONS_CHANNEL,
  type TokenSecrets,
  verifyAccessToken,
} from '../../infra/tokens.ts';
import { CHANGES_CHANNEL, EPOCH_CHANNEL } from '../../projections/engine/changes.ts';
import type { Payload } from '../../projections/engine/payloads.ts';
import { createApp } from './app.ts';
import { asyncApi } from './asyncapi.ts';
import { createChangeLog } from './changeLog.ts';
import type { Connection, Hub } from './connection.ts';
import { createCensus } from './connectionRegistry.ts';
import { createFeed } from './feed.ts';
import { createGate, defaultLimits, type Limits } from './limits.ts';

export interface HubOptions {
  /** 0 = any free one. */
  readonly port: number;
  readonly host: string;
  readonly pool: Pool;
  /** For a connection of its own, that listens. */
  readonly databaseUrl: string;
  readonly secrets: TokenSecrets;
  readonly version: string;
  /** What the messages carry, for `/asyncapi.json`. */
  readonly payloads: readonly Payload[];
  /** Number of reverse proxies in front whose `X-Forwarded-For` is believed. */
  readonly trustProxy: number;
  readonly log: Logger;
  readonly limits?: Partial<Limits>;
}

export interface RunningHub {
  readonly port: number;
  /** Accepts nobody any more, tells every socket to resume, and ends within seconds. The pool stays open. */
  stop(): Promise<void>;
}

const AUTHENTICATE_MS = 5_000;
const RECHECKS_AT_ONCE = 4;
/** What close frames get to leave before their connections are cut. */
const FAREWELL_MS = 250;
const STOP_MS = 5_000;

/** Resolves once the hub accepts sockets, for which the database must be there. Throws when the port is taken. */
export const startHub = async (options: HubOptions): Promise<RunningHub> => {
  const { pool, log, secrets } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const census = createCensus<Connection>(limits);
  const changeLog = createChangeLog(pool);
  const feed = await createFeed(changeLog, log);
  let draining = false;
  /** Counts the ends of sessions that we were told of. */
  let endings = 0;

  /** A session that ends while its token is being checked may have been seen alive: such a check is made again. */
  const verify = async (token: string): Promise<Access> => {
    const before = endings;
    const access = await verifyAccessToken({ pool, secrets }, token);
    return endings === before ? access : verify(token);
  };
  const hub: Hub = {
    census,
    changeLog,
    feed,
    limits,
    log,
    authenticate: (token) => withTimeout(verify(token), AUTHENTICATE_MS, 'authentication took too long'),
    isLive: (access) => isLive(pool, access),
  };

  const gate = createGate(RECHECKS_AT_ONCE);
  const recheck = (connections: readonly Connection[]): void => {
    endings += 1;
    for (const connection of connections) void gate(connection.recheck);
  };
  const onNotify = (channel: string, payload: string): void => {
    if (channel === SESSIONS_CHANNEL) recheck(census.membersOf(accountOf(payload)));
    else feed.wake();
  };
  /** Whatever was said while we could not listen may concern anybody. */
  const onReconnect = (): void => {
    feed.wake();
    recheck(census.members());
  };
  const listener = await listen(options.databaseUrl, [CHANGES_CHANNEL, EPOCH_CHANNEL, SESSIONS_CHANNEL], onNotify, {
    applicationName: 'realtime-listener',
    log,
    onReconnect,
  });
  feed.wake();

  const { app, connections } = createApp({
    hub,
    isPlausible: (token) => isPlausible(secrets, token),
    trustProxy: options.trustProxy,
    isDraining: () => draining,
    version: options.version,
    document: asyncApi(options.version, options.payloads, limits),
  });
  const stopReading = () =>
    withTimeout(Promise.all([feed.stop(), listener.stop()]), STOP_MS, 'the database did not let go').catch(
      (err: unknown) => log.warn({ err }, 'stopping without it'),
    );

  const socket = await new Promise<us_listen_socket | false>((resolve) => {
    app.listen(options.host, options.port, resolve);
  });
  if (!socket) {
    await stopReading();
    throw new Error(`cannot listen on ${options.host}:${options.port}: the port is taken`);
  }
  const port = us_socket_local_port(socket);
  log.info({ port }, 'realtime hub started');

  // uWebSockets.js does not survive closing a listening socket twice.
  const stop = async (): Promise<void> => {
    if (draining) return;
    draining = true;
    us_listen_socket_close(socket);
    for (const connection of connections) connection.close('going_away');
    await Promise.all([stopReading(), sleep(FAREWELL_MS)]);
    app.close();
  };
  return { port, stop };
};

/** A payload that cannot be read ends no session: there is none it could mean. */
const accountOf = (payload: string): string => {
  try {
    return (JSON.parse(payload) as Ended).accountId;
  } catch {
    return '';
  }
};
