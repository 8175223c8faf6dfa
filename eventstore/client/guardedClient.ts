/**
 * The client package with connections of our own. It is used for requests, replies and errors; over which connection they
 * go is decided here. The package's own connections do not survive a cluster in trouble: one failed query for the server's
 * features, or one failed discovery, disables every later append; the calls of a connection that was replaced stay open, and
 * their answers end the process.
 */
import type { Duplex, Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { EventStoreDBClient, type GRPCClientConstructor } from '@eventstore/db-client';
import type { Client } from '@grpc/grpc-js';
import type { Connection } from './connection.ts';
import { asClientError, isConnectionLost } from './errors.ts';
import type { ConnectionSettings } from './settings.ts';

type Call = Readable | Writable | Duplex;
type Created<T> = T | Promise<T>;

/**
 * An append names the moment until which the server may take it, by the clock of this process. A process whose clock is
 * behind by more than that could append nothing, so it is far away. How long anybody waits is limited here, by durations.
 */
const DEADLINE_MS = 24 * 3_600_000;

/** Why a connection is given up. */
export interface WhyLost {
  /** What a call over it says. */
  readonly error?: Error;
  /** Since when nothing was heard, as `performance.now()`. */
  readonly silentSince?: number;
}

export abstract class GuardedClient extends EventStoreDBClient {
  constructor({ hosts, connectionName, isSecure, user }: ConnectionSettings) {
    const [endpoint = { address: 'localhost', port: 2113 }] = hosts;
    const named = connectionName === undefined ? {} : { connectionName };
    super({ endpoint, defaultDeadline: DEADLINE_MS, ...named }, { insecure: !isSecure }, user);
  }

  /**
   * The connection that calls go over; opened when there is none.
   * @throws StoreUnavailable when none can be opened, within this time
   */
  abstract connected(limitMs?: number): Promise<Connection>;

  /** Gives up a connection: its calls fail. */
  protected abstract readonly lose: (connection: Connection, why: WhyLost) => void;

  #lostBy(error: Error, connection: Connection): void {
    const known = asClientError(error);
    if (isConnectionLost(known)) this.lose(connection, { error: known });
  }

  /** Gives up a connection over which nothing was heard since `since`, although a call waits for its answer. */
  async suspect(connection: Connection, since: number): Promise<void> {
    await nextTurn(); // What has arrived while this process was busy counts.
    if (connection.heardAt < since) this.lose(connection, { silentSince: since });
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
