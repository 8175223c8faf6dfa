/** One connection to one node, with the calls that run over it. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type Duplex, finished, type Readable, type Writable } from 'node:stream';
import { type EndPoint, type GRPCClientConstructor, UnavailableError } from '@eventstore/db-client';
import { Channel, type ChannelCredentials, type Client, connectivityState } from '@grpc/grpc-js';
import { deepestCause } from '../../infra/outsideFault.ts';
import { withTimeout } from '../../infra/retry.ts';
import { StoreUnavailable } from '../store.ts';
import { addressOf, type Node } from './endPoint.ts';
import type { ConnectionSettings } from './settings.ts';

type Call = Readable | Writable | Duplex;

/** The client's limit: a server can hold events that are larger than an append over gRPC may be. */
const MAX_MESSAGE_BYTES = 17 * 1024 * 1024;

const cancel = (call: Call): void => {
  if ('cancel' in call && typeof call.cancel === 'function') call.cancel();
};

/**
 * Asks whether anybody listens there. gRPC has no way to end an attempt to connect: it would go on in the background, for
 * minutes where packets are dropped.
 */
const assertListens = async ({ address, port }: EndPoint, limitMs: number): Promise<void> => {
  const socket = connect(port, address);
  try {
    await withTimeout(once(socket, 'connect'), limitMs, `${address}:${port} did not accept a connection`);
  } finally {
    socket.on('error', () => undefined).destroy();
  }
};

/** The sockets of one connection. */
class Sockets {
  readonly #open = new Set<Socket>();
  #closed = false;

  /** The same credentials. gRPC makes its connections with them, so that its sockets are known here. */
  noting(credentials: ChannelCredentials): ChannelCredentials {
    const noting: ChannelCredentials = Object.create(credentials);
    noting._createSecureConnector = (...given) => {
      const connector = credentials._createSecureConnector(...given);
      return {
        connect: async (socket) => {
          this.#open.add(socket);
          socket.once('close', () => this.#open.delete(socket));
          this.#assertOpen();
          return connector.connect(socket);
        },
        waitForReady: async () => {
          this.#assertOpen();
          await connector.waitForReady();
        },
        getCallCredentials: () => connector.getCallCredentials(),
        destroy: () => connector.destroy(),
      };
    };
    return noting;
  }

  /** A channel that was closed while it connected would connect once more. */
  #assertOpen(): void {
    if (this.#closed) throw new Error('the connection was closed');
  }

  /** Closes them, even where the other end does not answer. */
  close(): void {
    this.#closed = true;
    for (const socket of this.#open) socket.destroy();
  }
}

export class Connection {
  readonly #channel: Channel;
  readonly #credentials: ChannelCredentials;
  readonly #sockets = new Sockets();
  readonly #clients = new Map<unknown, Client>();
  readonly #calls = new Map<Call, { readonly isShared: boolean }>();
  #heardAt = performance.now();
  #closed = false;

  private constructor(node: Node, settings: ConnectionSettings) {
    this.#credentials = this.#sockets.noting(settings.channelCredentials);
    this.#channel = new Channel(addressOf(node), this.#credentials, {
      'grpc.keepalive_time_ms': settings.keepAliveMs,
      'grpc.keepalive_timeout_ms': settings.keepAliveTimeoutMs,
      'grpc.keepalive_permit_without_calls': 1,
      'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
      // Otherwise the next connection to this node would share a socket that may be dead.
      'grpc.use_local_subchannel_pool': 1,
      'grpc.enable_http_proxy': 0,
      ...(node.certifiedAs && { 'grpc.ssl_target_name_override': node.certifiedAs }),
    });
  }

  /**
   * Connects to a node, which has then answered in HTTP/2.
   * @throws StoreUnavailable when it does not do so in time; nothing is left open then
   */
  static async open(node: Node, settings: ConnectionSettings, limitMs: number): Promise<Connection> {
    let connection: Connection | undefined;
    const end = performance.now() + limitMs;
    try {
      await assertListens(node, limitMs);
      connection = new Connection(node, settings);
      await withTimeout(connection.#becomesReady(), Math.max(0, end - performance.now()), 'the node does not answer');
      connection.#closeWhenLost();
      return connection;
    } catch (error) {
      connection?.close();
      // An error of several addresses says nothing itself.
      const why = (error as Error).message || deepestCause(error);
      throw new StoreUnavailable(`no connection to the event store at ${addressOf(node)}: ${why}`);
    }
  }

  /** @throws when the node refuses, and when this connection is closed meanwhile */
  async #becomesReady(): Promise<void> {
    for (;;) {
      const state = this.#channel.getConnectivityState(true);
      if (state === connectivityState.READY) return;
      if (state === connectivityState.TRANSIENT_FAILURE) throw new Error('the connection was refused');
      await new Promise<void>((resolve) =>
        this.#channel.watchConnectivityState(state, Number.POSITIVE_INFINITY, () => resolve()),
      );
    }
  }

  /** gRPC would connect again by itself, and nobody would ask whether the same log is behind it. */
  #closeWhenLost(): void {
    this.#channel.watchConnectivityState(connectivityState.READY, Number.POSITIVE_INFINITY, () => this.close());
  }

  /** When the node last sent something, as `performance.now()`. */
  get heardAt(): number {
    return this.#heardAt;
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  client<C extends Client>(service: GRPCClientConstructor<C>): C {
    const known = this.#clients.get(service);
    if (known instanceof service) return known;
    const client = new service('', this.#credentials, { channelOverride: this.#channel });
    this.#clients.set(service, client);
    return client;
  }

  /** `isShared`: many callers wait for its answers, each with a time limit of its own. */
  track(call: Call, { isShared }: { isShared: boolean }, onEnd: (error: Error | null | undefined) => void): void {
    this.#calls.set(call, { isShared });
    if ('push' in call) {
      const push = call.push.bind(call);
      call.push = (...message) => {
        this.#heardAt = performance.now();
        return push(...message);
      };
    }
    finished(call, (error) => {
      this.#calls.delete(call);
      onEnd(error);
    });
  }

  /** Ends all calls with an error, and closes the socket, even where the other end does not answer. Safe to call again. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const [call, { isShared }] of this.#calls) {
      // Subscriptions and reads take a cancelled call for one that they have cancelled themselves, and stay silent.
      if (!isShared) call.destroy(new UnavailableError(undefined, 'the connection was given up'));
      cancel(call);
    }
    this.#channel.close();
    this.#sockets.close();
  }
}
