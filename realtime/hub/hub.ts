/**
 * The realtime hub: sends clients the changes that the projector wrote. It stores nothing, so that any number of hubs
 * run side by side and a client resumes at any of them.
 */

import { fewDescriptorsLeft } from '../../infra/descriptors.ts';
import { type Listener, listen } from '../../infra/listen.ts';
import type { Logger } from '../../infra/log.ts';
import type { Pool } from '../../infra/postgres.ts';
import { sleep, withTimeout } from '../../infra/retry.ts';
import { SESSIONS_CHANNEL } from '../../infra/sessions.ts';
import type { TokenSecrets } from '../../infra/tokens.ts';
import { CHANGES_CHANNEL, changedChannels, EPOCH_CHANNEL } from '../../projections/engine/changes.ts';
import { EPHEMERAL_CHANNEL, ephemeralReader, ephemeralSender } from '../../projections/engine/ephemeral.ts';
import type { Payload } from '../../projections/engine/payloads.ts';
import { readDb } from '../../projections/engine/readDb.ts';
import { asyncApi } from './asyncapi.ts';
import { createChangeLog } from './changeLog.ts';
import { type ChannelDeclaration, createFindChannel } from './channels.ts';
import { chooseTransport, type TransportChoice } from './chooseTransport.ts';
import type { Connection, Hub } from './connection.ts';
import { createConnectionRegistry } from './connectionRegistry.ts';
import { createFeed } from './feed.ts';
import { createAnswers } from './http.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { createPresence, PRESENCE_ADDRESS } from './presence.ts';
import { accountOf, createSessions, type Sessions } from './sessions.ts';
import { decideUpgrade } from './upgrade.ts';

export interface HubOptions {
  /** 0 = any free one. */
  readonly port: number;
  readonly host: string;
  readonly pool: Pool;
  /** Whether the database takes writes: nothing changes where it does not, and nothing is announced. */
  readonly isWritable?: () => boolean;
  /** What `/health` says although all is well. */
  readonly remarks?: () => readonly string[];
  /** For a separate connection that listens to notifications. */
  readonly databaseUrl: string;
  readonly secrets: TokenSecrets;
  readonly version: string;
  readonly channels: readonly ChannelDeclaration[];
  /** The rows that messages carry, for `/asyncapi.json`. */
  readonly payloads: readonly Payload[];
  /** Number of reverse proxies in front whose `X-Forwarded-For` is believed. */
  readonly trustProxy: number;
  /** `auto`: uWebSockets.js where its binary loads, else ws. */
  readonly transport: TransportChoice;
  readonly log: Logger;
  readonly limits?: Partial<Limits>;
}

export interface RunningHub {
  readonly port: number;
  /** Accepts no socket any more, closes every open one with a code that says resume, and ends within seconds. The pool stays open. */
  stop(): Promise<void>;
}

/** How late a socket may be closed that did not authenticate in time, or whose token has expired. */
const SWEEP_MS = 1_000;
/** Time for close frames to leave before connections are cut. */
const FAREWELL_MS = 250;
const STOP_MS = 5_000;

/** Passes on what the database announces: changes, ephemeral messages and ended sessions. */
const followDatabase = (
  { pool, log, databaseUrl }: HubOptions,
  { feed, presence, registry, recheck }: Pick<Hub, 'feed' | 'presence' | 'registry'> & Pick<Sessions, 'recheck'>,
): Promise<Listener> => {
  const hear = ephemeralReader(
    pool,
    log,
    (channel) => channel === PRESENCE_ADDRESS || feed.isListenedTo(channel),
    (message) => (message.channel === PRESENCE_ADDRESS ? presence.heard(message) : feed.tell(message)),
  );
  const onNotify = (channel: string, payload: string): void => {
    if (channel === SESSIONS_CHANNEL) {
      const accountId = accountOf(payload);
      recheck(registry.membersOf(accountId), accountId);
    } else if (channel === EPHEMERAL_CHANNEL) hear(payload);
    else feed.wake(channel === CHANGES_CHANNEL ? changedChannels(payload) : undefined);
  };
  /** Notifications were lost while the connection was down: they may concern every socket. */
  const onReconnect = (): void => {
    feed.wake();
    presence.askAgain();
    recheck(registry.members());
  };
  return listen(databaseUrl, [CHANGES_CHANNEL, EPOCH_CHANNEL, SESSIONS_CHANNEL, EPHEMERAL_CHANNEL], onNotify, {
    applicationName: 'realtime-listener',
    log,
    onReconnect,
  });
};

/**
 * Closes the sockets that did not authenticate in time, or whose token has expired. It is called for all sockets together:
 * a timer for each would take more memory than the rest of it.
 */
const closeOverdue = (registry: Hub['registry']): void => {
  const now = Date.now();
  for (const connection of registry.all()) connection.checkDeadline(now);
};

/** Resolves once the hub accepts sockets, for which it needs the database. @throws when the port is taken */
export const startHub = async (options: HubOptions): Promise<RunningHub> => {
  const { pool, log, secrets } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const startTransport = await chooseTransport(options.transport, log);
  const registry = createConnectionRegistry<Connection>(limits);
  const changeLog = createChangeLog(pool);
  // Nobody has joined a topic before the transport has started.
  const feed = await createFeed(changeLog, (topic, frame) => transport.publish(topic, frame), log);
  const { authenticate, check, recheck } = createSessions(pool, secrets);
  const send = ephemeralSender(pool, log);
  const presence = createPresence({ relay: send, tell: feed.tell, now: Date.now });
  let draining = false;
  const hub: Hub = {
    findChannel: createFindChannel(options.channels, readDb(pool)),
    registry,
    changeLog,
    feed,
    limits,
    log,
    presence,
    send,
    authenticate,
    checkSession: check,
  };

  const listener = await followDatabase(options, { feed, presence, registry, recheck });
  feed.wake();

  const stopReading = () =>
    withTimeout(
      Promise.all([feed.stop(), listener.stop()]),
      STOP_MS,
      'the database connections did not close in time',
    ).catch((err: unknown) => log.warn({ err }, 'stopping without waiting for the database'));

  const upgradeOptions = {
    hub,
    secrets,
    trustProxy: options.trustProxy,
    isDraining: () => draining,
  };
  const transport = await startTransport({
    host: options.host,
    port: options.port,
    // Larger frames than allowed still arrive, so that their sender learns why it is closed.
    maxFrameBytes: 2 * limits.publishBytes,
    maxConnections: limits.connections,
    hasRoom: () => !fewDescriptorsLeft(),
    idleSeconds: limits.idleSeconds,
    onRequest: createAnswers({
      version: options.version,
      document: asyncApi(options.version, options.channels, options.payloads, limits),
      isHealthy: () => feed.healthy() && (options.isWritable?.() ?? true) && !fewDescriptorsLeft(),
      remarks: options.remarks ?? (() => []),
      log,
    }),
    onUpgrade: (request) => decideUpgrade(request, upgradeOptions),
  }).catch(async (error: unknown) => {
    await stopReading();
    throw error;
  });
  const { port } = transport;
  const sweep = setInterval(() => {
    closeOverdue(registry);
    presence.tick();
  }, SWEEP_MS);
  log.info({ port }, 'realtime hub started');

  const stop = async (): Promise<void> => {
    if (draining) return;
    draining = true;
    clearInterval(sweep);
    const stopListening = transport.stopListening();
    for (const connection of registry.all()) connection.close('going_away');
    await Promise.all([stopReading(), stopListening, sleep(FAREWELL_MS)]);
    transport.close();
  };
  return { port, stop };
};
