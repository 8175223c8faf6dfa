/**
 * The client package with connections of our own. It is used for requests, replies and errors; which node is called,
 * and when a connection is given up, is decided here. The package's own connections do not survive a cluster in trouble:
 * one failed query for the server's features, or one failed discovery, disables every later append; the calls of a
 * connection that was replaced stay open, and their answers end the process.
 */
import type { Duplex, Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type EndPoint, EventStoreDBClient, type GRPCClientConstructor, NotLeaderError } from '@eventstore/db-client';
import type { Client } from '@grpc/grpc-js';
import { StoreUnavailable } from '../store.ts';
import { Connection } from './connection.ts';
import { createDiscovery, type Discovery } from './discovery.ts';
import { asClientError, isConnectionLost } from './errors.ts';
import type { ConnectionSettings } from './settings.ts';

type Call = Readable | Writable | Duplex;
type Created<T> = T | Promise<T>;

export class LeaderClient extends EventStoreDBClient {
  readonly #settings: ConnectionSettings;
  readonly #discovery: Discovery;
  #opening: Promise<Connection> | undefined;
  #connection: Connection | undefined;
  /** Where a node that does not lead said that the leader is. */
  #hint: EndPoint | undefined;
  #closed = false;

  constructor(settings: ConnectionSettings) {
    const [endpoint = { address: 'localhost', port: 2113 }] = settings.hosts;
    const { connectionName } = settings;
    super({ endpoint, ...(connectionName && { connectionName }) }, { insecure: !settings.isSecure }, settings.user);
    this.#settings = settings;
    this.#discovery = createDiscovery(settings);
  }

  /**
   * The connection to the leader; opened when there is none.
   * @throws StoreUnavailable when no leader is found
   */
  async connected(): Promise<Connection> {
    for (;;) {
      if (this.#closed) throw new StoreUnavailable('the event store was closed');
      this.#opening ??= this.#open();
      const connection = await this.#opening;
      if (!connection.isClosed) return connection; // Else it was lost while this call waited for it.
    }
  }

  #open(): Promise<Connection> {
    const opening = this.#leader().then((leader) => {
      if (this.#closed) throw new StoreUnavailable('the event store was closed');
      this.#connection = new Connection(leader, this.#settings);
      return this.#connection;
    });
    opening.catch(() => {
      if (this.#opening === opening) this.#opening = undefined;
    });
    return opening;
  }

  /** Only a cluster is asked by gossip: one host may stand for a proxy, whose node calls itself by another name. */
  async #leader(): Promise<EndPoint> {
    const hint = this.#hint;
    this.#hint = undefined;
    const [host] = this.#settings.hosts;
    if (this.#settings.discovers || !host) return this.#discovery.findLeader();
    return hint ?? host;
  }

  /** Gives up a connection: its calls fail, and the next call looks for the leader again. */
  #lose(connection: Connection): void {
    if (connection === this.#connection) {
      this.#connection = undefined;
      this.#opening = undefined;
    }
    connection.close();
  }

  #lostBy(error: Error, connection: Connection): void {
    const known = asClientError(error);
    if (!isConnectionLost(known)) return;
    if (known instanceof NotLeaderError) this.#hint = known.leader;
    this.#lose(connection);
  }

  /** Gives up a connection over which nothing was heard since `since`, although a call waits for its answer. */
  async suspect(connection: Connection, since: number): Promise<void> {
    await nextTurn(); // What has arrived while this process was busy counts.
    if (connection.heardAt < since) this.#lose(connection);
  }

  protected override execute = async <C extends Client, T>(
    service: GRPCClientConstructor<C>,
    _name: string,
    action: (client: C) => Promise<T>,
  ): Promise<T> => {
    const connection = await this.connected();
    try {
      return await action(connection.client(service));
    } catch (error) {
      if (error instanceof Error) this.#lostBy(error, connection);
      throw error;
    }
  };

  protected override GRPCStreamCreator =
    <C extends Client, T extends Call>(
      service: GRPCClientConstructor<C>,
      _name: string,
      create: (client: C) => Created<T>,
      shared?: WeakMap<C, Created<T>>,
    ) =>
    async (): Promise<T> => {
      const connection = await this.connected();
      const client = connection.client(service);
      const existing = shared?.get(client);
      if (existing) return existing;
      const call = create(shared ? forgivingBatch(client) : client);
      shared?.set(client, call);
      const opened = await call;
      connection.track(opened, { isShared: shared !== undefined }, (error) => {
        shared?.delete(client);
        if (error) this.#lostBy(error, connection);
      });
      return opened;
    };

  /** Every server since 21.10 has the methods that this platform uses. Asking is one more thing that can fail. */
  protected override supports = async (): Promise<boolean> => true;

  override dispose = async (): Promise<void> => {
    this.#closed = true;
    if (this.#connection) this.#lose(this.#connection);
  };
}

/** What the package throws when it destructures the missing entry of an append that it has already rejected. */
const FORGOTTEN = /not iterable/;

/**
 * The package keeps the pending appends of all connections in one map, and rejects all of them when one connection
 * fails. The answers that still arrive for them would throw inside an event handler and end the process. Here they are
 * ignored: whoever waited has been told to repeat the append.
 */
const forgivingBatch = <C extends Client>(client: C): C =>
  new Proxy(client, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function' || name !== 'batchAppend') return value;
      return (...args: unknown[]) => {
        const call: Duplex = value.apply(target, args);
        const emit = call.emit.bind(call);
        call.emit = (event: string | symbol, ...values: unknown[]) => {
          try {
            return emit(event, ...values);
          } catch (error) {
            if (event === 'data' && error instanceof TypeError && FORGOTTEN.test(error.message)) return true;
            throw error;
          }
        };
        return call;
      };
    },
  });
