/** The one way to Postgres: pools, transactions and LISTEN. */
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Logger } from './log.ts';
import { PreparingClient } from './preparedStatements.ts';
import { createBackoff, linkSignals, sleep } from './retry.ts';

export type Pool = pg.Pool;
export type PoolClient = pg.PoolClient;
/** Anything that can run a query: a pool, or a client inside a transaction. */
export type Queryable = Pick<pg.Pool, 'query'> | Pick<pg.PoolClient, 'query'>;

/** A text as SQL, for statements that take no parameters. */
export const { escapeLiteral } = pg;

/**
 * A parameter that is a list, in SQL that hides its length from the planner: for statements whose best plan is the same for
 * any number of values. PostgreSQL otherwise finds that a plan for the number of now is better than one for any number, and
 * plans the statement at each execution.
 * @param parameter such as `$1`
 */
export const anyNumberOf = (parameter: string, type: string): string => `(select ${parameter}::${type}[])::${type}[]`;

const { builtins } = pg.types;

const toNumber = (text: string): number | string => {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
};
const asIs = (text: string): string => text;
const parsedInstant = (text: string): string =>
  text.endsWith('infinity') ? text : new Date(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00')).toISOString();
/**
 * `2026-01-02 03:04:05.678901+03` → `2026-01-02T00:04:05.678Z`; `infinity` stays as it is. Sessions run in UTC, so that
 * nearly all texts only need to be cut, which is nine times as fast as parsing them.
 */
const toInstant = (text: string): string =>
  text.endsWith('+00') && text[4] === '-'
    ? `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).slice(0, 3).padEnd(3, '0')}Z`
    : parsedInstant(text);

type Parse = (text: string) => unknown;
const ofAnyOid = pg.types.getTypeParser as (oid: number, format?: string) => Parse;
const textArray = ofAnyOid(1009) as (text: string) => (string | null)[];
const arrayOf =
  (parse: Parse): Parse =>
  (text) =>
    textArray(text).map((item) => (item === null ? null : parse(item)));

const parsers = new Map<number, Parse>([
  [builtins.INT8, toNumber],
  [builtins.NUMERIC, asIs],
  [builtins.DATE, asIs],
  [builtins.TIMESTAMPTZ, toInstant],
  [1016, arrayOf(toNumber)],
  [1182, arrayOf(asIs)],
  [1185, arrayOf(toInstant)],
]);

/**
 * How column values are parsed: int8 as a number (as text beyond 2^53), numeric as text, date as `YYYY-MM-DD`,
 * timestamptz as RFC 3339 UTC with milliseconds. Other types as `pg` parses them.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: string) =>
    (format === 'binary' ? undefined : parsers.get(oid)) ?? ofAnyOid(oid, format),
};

export interface PoolOptions {
  /** Maximum number of connections. */
  readonly max: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly log: Logger;
  /** Time limit of one statement, 30 s by default. 0 = no limit, for rebuilds and migrations. */
  readonly statementTimeoutMs?: number;
  /** Whether statements stay prepared on their connection. True by default. */
  readonly prepares?: boolean;
}

/**
 * Creates a pool that survives a database restart: a broken connection is logged and replaced, and never ends the
 * process.
 */
export const createPool = (url: string, options: PoolOptions): Pool => {
  const statementTimeoutMs = options.statementTimeoutMs ?? 30_000;
  const pool = new pg.Pool({
    connectionString: url,
    max: options.max,
    application_name: options.applicationName,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs === 0 ? 0 : statementTimeoutMs + 5_000,
    idle_in_transaction_session_timeout: 60_000,
    options: '-c timezone=UTC',
    types,
    // What does not wait for an answer is sent at once, and answered in its order: less way to and fro, which costs most
    // where all processors are busy.
    pipeline: true,
    ...(options.prepares !== false && { Client: PreparingClient }),
  });
  const onError = (err: Error) => options.log.warn({ err }, 'database connection lost');
  pool.on('error', onError);
  // A checked-out client has no error listener between two queries: without this one its error would end the process.
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
};

/**
 * A pool of its own for the same database, whose queries never wait for those of the first one.
 * @param options statements that take longer than `statementTimeoutMs` fail
 */
export const besidePool = (
  pool: Pool,
  options: { readonly max: number; readonly applicationName: string; readonly statementTimeoutMs: number },
  onError: (err: Error) => void,
): Pool => {
  const beside = new pg.Pool({
    ...pool.options,
    max: options.max,
    application_name: options.applicationName,
    statement_timeout: options.statementTimeoutMs,
    query_timeout: options.statementTimeoutMs,
  });
  beside.on('error', onError);
  beside.on('connect', (client) => client.on('error', onError));
  return beside;
};

/** A typed query builder over a pool. `Schema` maps table names to row types. */
export const kysely = <Schema>(pool: Pool): Kysely<Schema> =>
  new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });

interface Opening<Asked> {
  /** Statements without parameters that are sent with the beginning. */
  readonly first: readonly string[];
  /** What the transaction asks first. It may only read: it is sent before anybody knows that a transaction has begun. */
  readonly ask: (client: PoolClient) => Promise<Asked>;
}

/**
 * Runs `work` in one transaction: committed when it returns, rolled back when it throws.
 * @param first statements without parameters that are sent with its beginning
 */
export const inTransaction = <T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
  first: readonly string[] = [],
): Promise<T> => inOpened(pool, { first, ask: async () => undefined }, work);

/** The same, where the first question is sent together with the beginning. */
export const inOpened = async <T, Asked>(
  pool: Pool,
  { first, ask }: Opening<Asked>,
  work: (client: PoolClient, asked: Asked) => Promise<T>,
): Promise<T> => {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    const [, asked] = await Promise.all([client.query(['begin', ...first].join('; ')), ask(client)]);
    const result = await work(client, asked);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.release(broken);
  }
};

const NO_LIMIT_MS = 2 ** 31 - 1;

/** Runs one statement of a transaction without a time limit, like creating an index or comparing whole tables. */
export const unbounded = async <R extends pg.QueryResultRow>(
  client: PoolClient,
  text: string,
): Promise<pg.QueryResult<R>> => {
  await client.query('set local statement_timeout = 0');
  const query: pg.QueryConfig & { query_timeout: number } = { text, query_timeout: NO_LIMIT_MS };
  return client.query<R>(query);
};

export interface ListenOptions {
  readonly applicationName: string;
  readonly log: Logger;
  /** Called after each reconnect: notifications may have been missed, so catch up. */
  readonly onReconnect?: () => void;
  /** Called when the connection is lost: notifications are missed from now on. */
  readonly onLost?: () => void;
  /** Ends the listening, and the wait for the first connection. */
  readonly signal?: AbortSignal;
}

export interface Listener {
  stop(): Promise<void>;
}

const HEARTBEAT_MS = 10_000;

/**
 * Listens on `channels` over its own connection, and reconnects with backoff after a loss. Resolves once it listens for
 * the first time, or the signal has fired.
 */
export const listen = async (
  url: string,
  channels: readonly string[],
  onNotify: (channel: string, payload: string) => void,
  options: ListenOptions,
): Promise<Listener> => {
  const { signal: stopping, end: stop } = linkSignals(...(options.signal ? [options.signal] : []));
  const backoff = createBackoff();
  let client: pg.Client | undefined;

  /** Runs one connection until it is lost. */
  const session = async (onListening: () => void): Promise<void> => {
    const connection = new pg.Client({
      connectionString: url,
      application_name: options.applicationName,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
      keepAlive: true,
    });
    client = connection;
    const lost = new AbortController();
    lost.signal.addEventListener('abort', () => options.onLost?.());
    connection.on('error', (err) => {
      options.log.warn({ err }, 'connection for database notifications lost');
      lost.abort();
    });
    connection.on('end', () => lost.abort());
    connection.on('notification', ({ channel, payload }) => onNotify(channel, payload ?? ''));
    try {
      await connection.connect();
      for (const channel of channels) await connection.query(`listen ${pg.escapeIdentifier(channel)}`);
      onListening();
      // A half-open connection reports no error, so query it regularly.
      while (!lost.signal.aborted && !stopping.aborted) {
        await sleep(HEARTBEAT_MS, lost.signal, stopping);
        if (!lost.signal.aborted && !stopping.aborted) await connection.query('select 1');
      }
    } finally {
      await connection.end().catch((err: unknown) => options.log.debug({ err }, 'listening connection ended badly'));
    }
  };

  let running: Promise<void> | undefined;
  await new Promise<void>((resolve) => {
    let first = true;
    const onListening = () => {
      backoff.reset();
      if (!first) options.onReconnect?.();
      first = false;
      resolve();
    };
    const run = async () => {
      while (!stopping.aborted) {
        await session(onListening).catch((err: unknown) => options.log.warn({ err }, 'cannot listen to the database'));
        await sleep(stopping.aborted ? 0 : backoff.next(), stopping);
      }
    };
    running = run();
    stopping.addEventListener('abort', () => resolve());
    if (stopping.aborted) resolve();
  });
  return {
    stop: async () => {
      stop();
      await client?.end();
      await running;
    },
  };
};
