/**
 * The client whose calls go to the leader. While there is no connection, one search for it runs, for all who wait; after
 * some seconds nobody waits any more, until the search has found it.
 */
import { type EndPoint, NotLeaderError } from '@eventstore/db-client';
import { createBackoff, sleep } from '../../infra/retry.ts';
import { createWaiters } from '../../infra/waiters.ts';
import { KnownAway, OtherLog, StoreUnavailable } from '../store.ts';
import { Connection } from './connection.ts';
import { createDiscovery, type Discovery } from './discovery.ts';
import { GuardedClient, type WhyLost } from './guardedClient.ts';
import { LIMIT_MS } from './persistently.ts';
import type { ConnectionSettings } from './settings.ts';

/** How long a node may take to answer to a new connection. */
const CONNECT_MS = 2_000;
/** Calls wait for a connection until it has been missing for as long as one call may take. */
const AWAY_AFTER_MS = LIMIT_MS;
/** Later ones wait no longer than this: it is about as long as the search needs to see that a node is back. */
const LOOK_MS = 300;
const BACKOFF = { minMs: 50, maxMs: 250 };

/** What the owner of the client wants to know and to decide about its connections. */
export interface ConnectionWatch {
  /**
   * Looks at a new connection, before any call goes over it. When it throws, the connection is not used, and the search goes on.
   * @param over a client whose calls go over this connection
   */
  readonly check?: (over: GuardedClient) => Promise<void>;
  /** Told when calls are no longer waited for, and when they are answered again. */
  readonly onAway?: (reason: KnownAway) => void;
  readonly onBack?: (awayMs: number) => void;
}

/** Its calls go over one connection, and fail once that is closed. */
class SingleClient extends GuardedClient {
  readonly #connection: Connection;
  protected override readonly lose: (connection: Connection, why: WhyLost) => void;

  constructor(
    settings: ConnectionSettings,
    connection: Connection,
    lose: (connection: Connection, why: WhyLost) => void,
  ) {
    super(settings);
    this.#connection = connection;
    this.lose = lose;
  }

  override async connected(): Promise<Connection> {
    if (this.#connection.isClosed) throw new KnownAway('the connection to the event store was lost at once');
    return this.#connection;
  }
}

export class LeaderClient extends GuardedClient {
  readonly #settings: ConnectionSettings;
  readonly #watch: ConnectionWatch;
  readonly #discovery: Discovery;
  readonly #closing = new AbortController();
  readonly #waiters = createWaiters();
  #connection: Connection | undefined;
  /** Since when the store has not answered; undefined while no search for it runs. */
  #searchingSince: number | undefined;
  /** Why calls are not waited for. */
  #away: KnownAway | undefined;
  /** Why the last attempt to connect failed. */
  #failure = 'the event store could not be reached in time';
  /** Where a node that does not lead said that the leader is. */
  #hint: EndPoint | undefined;

  constructor(settings: ConnectionSettings, watch: ConnectionWatch = {}) {
    super(settings);
    this.#settings = settings;
    this.#watch = watch;
    this.#discovery = createDiscovery(settings);
  }

  /** Why there has been no connection for some seconds; undefined while there is one, or calls still wait for it. */
  get away(): KnownAway | undefined {
    return this.#away;
  }

  get #open(): Connection | undefined {
    return this.#connection?.isClosed ? undefined : this.#connection;
  }

  override async connected(limitMs = AWAY_AFTER_MS): Promise<Connection> {
    const isThere = () => this.#open !== undefined || this.#closing.signal.aborted;
    if (!isThere()) this.#searchingSince ??= this.#search();
    const patienceMs = this.#away ? 0 : (this.#searchingSince ?? 0) + AWAY_AFTER_MS - performance.now();
    await this.#waiters.until(isThere, Math.min(limitMs, Math.max(LOOK_MS, patienceMs)));
    if (this.#closing.signal.aborted) throw new StoreUnavailable('the event store was closed');
    if (this.#open) return this.#open;
    throw this.#away ?? new StoreUnavailable(this.#failure);
  }

  /** Searches until there is a connection. @returns `since`: when calls began to wait */
  #search(since = performance.now()): number {
    const { signal } = this.#closing;
    const patienceMs = since + AWAY_AFTER_MS - performance.now();
    const patience = setTimeout(() => this.#setAway(new KnownAway(this.#failure)), patienceMs);
    const searching = async (): Promise<void> => {
      const backoff = createBackoff(BACKOFF.minMs, BACKOFF.maxMs);
      while (!signal.aborted)
        try {
          this.#connection = await this.#connect();
          if (this.#away) this.#watch.onBack?.(performance.now() - since);
          this.#away = undefined;
          return;
        } catch (error) {
          this.#failure = (error as Error).message;
          if (error instanceof OtherLog) this.#setAway(error);
          else if (this.#away) this.#setAway(new KnownAway(this.#failure));
          await sleep(backoff.next(), signal);
        }
    };
    void searching().finally(() => {
      clearTimeout(patience);
      this.#searchingSince = undefined;
      this.#waiters.check();
    });
    return since;
  }

  #setAway(away: KnownAway): void {
    if (this.#away === undefined) this.#watch.onAway?.(away);
    this.#away = away;
    if (away instanceof OtherLog) this.#waiters.giveUp();
  }

  async #connect(): Promise<Connection> {
    const connection = await Connection.open(await this.#leader(), this.#settings, CONNECT_MS);
    try {
      await this.#watch.check?.(new SingleClient(this.#settings, connection, this.lose));
      if (this.#closing.signal.aborted) throw new StoreUnavailable('the event store was closed');
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /** Only a cluster is asked by gossip: one host may stand for a proxy, whose node calls itself by another name. */
  async #leader(): Promise<EndPoint> {
    const hint = this.#hint;
    this.#hint = undefined;
    const [host] = this.#settings.hosts;
    if (this.#settings.discovers || !host) return this.#discovery.findLeader();
    return hint ?? host;
  }

  protected override lose = (connection: Connection, { error, silentSince }: WhyLost): void => {
    if (error instanceof NotLeaderError) this.#hint = error.leader;
    if (connection === this.#connection) this.#connection = undefined;
    connection.close();
    // Those who waited for an answer have waited already: together with the search, no longer than a call may take.
    const isMissing = this.#open === undefined && !this.#closing.signal.aborted;
    if (silentSince !== undefined && isMissing) this.#searchingSince ??= this.#search(silentSince);
  };

  override dispose = async (): Promise<void> => {
    this.#closing.abort();
    this.#waiters.check();
    this.#connection?.close();
  };
}
