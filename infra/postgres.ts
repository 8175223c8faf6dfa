/** The one way to Postgres: pools and transactions. `listen.ts` hears notifications. */
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { BoundedClient } from './boundedClient.ts';
import type { ClockReading } from './clock.ts';
import { createLockGate } from './lockGate.ts';
import type { Logger } from './log.ts';
import { isPreparationRefused, PreparingClient } from './preparedStatements.ts';
import { spread } from './retry.ts';

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

/** A number as long as it is exact. What adds a number to a `bigint` by mistake fails, instead of being wrong. */
const toInteger = (text: string): number | bigint => {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
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
  [builtins.INT8, toInteger],
  [builtins.NUMERIC, asIs],
  [builtins.DATE, asIs],
  [builtins.TIMESTAMPTZ, toInstant],
  [1016, arrayOf(toInteger)],
  [1182, arrayOf(asIs)],
  [1185, arrayOf(toInstant)],
]);

/**
 * How column values are parsed: int8 as a number (beyond 2^53 as a bigint), numeric as text, date as `YYYY-MM-DD`,
 * timestamptz as RFC 3339 UTC with milliseconds. Other types as `pg` parses them.
 */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: string) =>
    (format === 'binary' ? undefined : parsers.get(oid)) ?? ofAnyOid(oid, format),
};

/** How long statements may take, in milliseconds. */
export interface StatementLimits {
  /** One statement. 0 = no limit, for migrations. */
  readonly statementTimeoutMs: number;
  /** Waiting for what others have locked; absent: as long as the statement may take. */
  readonly lockTimeoutMs?: number;
  /** What is not answered by then was lost on its way: the connection is closed. By default 2 s after the server gives up. */
  readonly answerTimeoutMs?: number;
  /** Getting a connection, or a new one. 5 s by default. */
  readonly connectTimeoutMs?: number;
}

/** Of requests: people wait for them, and they share their connections with everybody else's. */
export const OF_REQUESTS: StatementLimits = {
  statementTimeoutMs: 4_000,
  lockTimeoutMs: 2_000,
  answerTimeoutMs: 4_500,
  connectTimeoutMs: 4_500,
};
/** Of work in the background, and of the few requests that count or send much. */
export const OF_WORK: StatementLimits = { statementTimeoutMs: 30_000 };
/** Of batches of the read models, which are bounded: what takes longer is not answered any more. */
export const OF_BATCHES: StatementLimits = { statementTimeoutMs: 10_000 };
/** Of what is answered whatever the load and whoever else waits: emergencies, and whether the database is there. */
export const OF_EMERGENCIES: StatementLimits = {
  statementTimeoutMs: 1_000,
  lockTimeoutMs: 750,
  answerTimeoutMs: 1_500,
  connectTimeoutMs: 1_500,
};

export interface PoolOptions extends Partial<StatementLimits> {
  /** Maximum number of connections. */
  readonly max: number;
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  readonly log: Logger;
  /** Whether statements stay prepared on their connection. True by default. */
  readonly prepares?: boolean;
}

const ANSWER_MS = 2_000;
/** A connection is replaced after about this long, so that none stays for ever at a server that is not the right one. */
const LIFETIME_S = 600;
/** Connections that turn out to be read-only are closed together, at most this often. */
const READ_ONLY_MS = 2_000;

const limitsOf = ({
  statementTimeoutMs,
  lockTimeoutMs,
  answerTimeoutMs,
  connectTimeoutMs = 5_000,
}: StatementLimits) => ({
  connectionTimeoutMillis: connectTimeoutMs,
  statement_timeout: statementTimeoutMs,
  query_timeout: answerTimeoutMs ?? (statementTimeoutMs === 0 ? 0 : statementTimeoutMs + ANSWER_MS),
  lock_timeout: lockTimeoutMs ?? 0,
});

/** A client's connection: what we know of its server is asked and set at its beginning. */
export const CONNECTION = {
  keepAlive: true,
  keepAliveInitialDelayMillis: 5_000,
} as const;

/**
 * Has the server notice within some seconds that a client is gone: it then gives up what it does for it, and frees the
 * connection. Only what this server knows, some of it not every system can do. Over a local socket it has no effect.
 * Settings are asked for by name: to list all of them in `pg_settings` cost more than the rest of connecting.
 */
const SESSION = [
  `select set_config(name, value, false) from (values
     ('tcp_keepalives_idle', '10'), ('tcp_keepalives_interval', '5'), ('tcp_keepalives_count', '3'),
     ('tcp_user_timeout', '15s')) as wanted (name, value) where current_setting(name, true) is not null`,
  `select set_config(name, '5s', false) from (values ('client_connection_check_interval')) as wanted (name)
   where current_setting(name, true) is not null`,
];
export const setUpSession = (client: pg.ClientBase, log: Logger): void => {
  for (const statement of SESSION)
    client.query(statement).catch((err: unknown) => log.debug({ err }, 'a setting of the session is not supported'));
};

/** Logs what happens to the connections of a pool, and closes those that are of no use any more. */
const watchPool = (
  pool: Pool,
  options: Pick<PoolOptions, 'max' | 'lockTimeoutMs'>,
  log: Logger,
  what: string,
): void => {
  const clients = new Set<BoundedClient>();
  const gate =
    options.lockTimeoutMs === undefined ? undefined : createLockGate(Math.max(1, Math.floor(options.max / 4)));
  let closedAt = Number.NEGATIVE_INFINITY;
  const onReadOnly = (): void => {
    if (performance.now() - closedAt < READ_ONLY_MS) return;
    closedAt = performance.now();
    log.warn('the server of the database takes no writes: its connections are closed and opened anew');
    for (const client of clients) client.giveUp(new Error('Connection terminated: the server takes no writes'));
  };
  const onError = (err: Error) => log.warn({ err }, what);
  pool.on('error', onError);
  pool.on('connect', (connected) => {
    const client = connected as unknown as BoundedClient;
    clients.add(client);
    client.once('end', () => clients.delete(client));
    client.gate = gate;
    client.onReadOnly = onReadOnly;
    // A checked-out client has no error listener between two queries: without this one its error would end the process.
    client.on('error', onError);
    setUpSession(client, log);
  });
};

/**
 * Creates a pool that survives a database restart: a broken connection is logged and replaced, and never ends the
 * process. Statements may take as long as those of work in the background, unless the options say otherwise.
 */
export const createPool = (url: string, options: PoolOptions): Pool => {
  const pool = new pg.Pool({
    ...CONNECTION,
    ...limitsOf({ ...OF_WORK, ...options }),
    connectionString: url,
    max: options.max,
    application_name: options.applicationName,
    idleTimeoutMillis: 60_000,
    // Not all at the same moment.
    maxLifetimeSeconds: Math.round(spread(LIFETIME_S)),
    idle_in_transaction_session_timeout: 60_000,
    options: '-c timezone=UTC',
    types,
    // What does not wait for an answer is sent at once, and answered in its order: less way to and fro, which costs most
    // where all processors are busy.
    pipeline: true,
    Client: options.prepares === false ? BoundedClient : PreparingClient,
  });
  watchPool(pool, options, options.log, 'database connection lost');
  return pool;
};

/** A pool of its own for the same database, whose queries never wait for those of the first one. */
export const besidePool = (pool: Pool, { log, ...options }: PoolOptions & StatementLimits): Pool => {
  const beside = new pg.Pool({
    ...pool.options,
    ...limitsOf(options),
    max: options.max,
    application_name: options.applicationName,
  });
  watchPool(beside, options, log, `connection lost: ${options.applicationName}`);
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
 * Runs `work` in one transaction: committed when it returns, rolled back when it throws. It runs twice where a table has other
 * columns than its statements were prepared for: what it does elsewhere must be safe to repeat.
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
  const attempt = async (): Promise<T> => {
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
    }
  };
  try {
    return await attempt().catch((error: unknown) => {
      if (broken || !isPreparationRefused(error)) throw error;
      return attempt();
    });
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

/** The same for a statement that cannot be part of a transaction, like creating an index beside those who write. */
export const unboundedAlone = async (pool: Pool, text: string): Promise<void> => {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query({ text, query_timeout: NO_LIMIT_MS } as pg.QueryConfig);
  } finally {
    // With its settings.
    client.release(true);
  }
};

/** A server that takes no writes: a standby, or a primary that was demoted. */
class ReadOnlyServer extends Error {
  override readonly name = 'ReadOnlyServer';
  readonly code = '25006';
  constructor() {
    super('the server takes no writes');
  }
}

/**
 * Asks whether the server takes writes. The one that was the primary before a failover may keep its connections open, and
 * nothing is announced there any more.
 * @throws Error when it takes none
 */
export const assertWritable = async (client: Queryable): Promise<void> => {
  await askWritable(client);
};

/** The same; returns the clock of the server, which costs no question of its own. */
export const askWritable = async (client: Queryable): Promise<ClockReading> => {
  const askedMs = Date.now();
  const { rows } = await client.query<{ read_only: string; at: number }>(
    `select current_setting('transaction_read_only') as read_only,
      extract(epoch from clock_timestamp())::float8 as at`,
  );
  const answeredMs = Date.now();
  const [row] = rows;
  if (row?.read_only !== 'off') throw new ReadOnlyServer();
  return { databaseS: row.at, askedMs, answeredMs };
};
