/** Whether each connection has a session of the server of its own: a pooler may share sessions between connections. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { sleep } from './retry.ts';
import { ConfigError } from './settings.ts';

/** How long a notification may take on a busy machine. */
const HEARD_MS = 5_000;

const refused = (what: string) =>
  new ConfigError([
    `DATABASE_URL leads to a pooler that gives connections no session of their own (${what}): set it to session mode (PgBouncer: pool_mode = session), or connect to PostgreSQL itself`,
  ]);

type Session = Pick<pg.Client, 'query' | 'on' | 'end'>;

const pidOf = async (session: Session): Promise<unknown> =>
  (await session.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;

const open = (url: string) => async (): Promise<Session> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 10_000 });
  client.on('error', () => undefined); // what is asked next fails
  await client.connect();
  return client;
};

/**
 * Asks for what locks and notifications need: while one connection does nothing, another one gets another session, and what it
 * announces is heard.
 * @throws ConfigError when it is not so
 */
export const assertOwnSessions = async (url: string, connect = open(url), heardMs = HEARD_MS): Promise<void> => {
  const channel = `probe_${randomUUID().replaceAll('-', '')}`;
  const heard = new AbortController();
  const listening = await connect();
  try {
    listening.on('notification', () => heard.abort());
    await listening.query(`listen ${channel}`);
    const pid = await pidOf(listening);
    const other = await connect();
    try {
      await other.query('begin');
      if ((await pidOf(other)) === pid) throw refused('two connections share one');
      await other.query(`notify ${channel}`);
      await other.query('commit');
      await sleep(heardMs, heard.signal);
      if (!heard.signal.aborted) throw refused('LISTEN hears nothing');
    } finally {
      await other.end();
    }
  } finally {
    await listening.end();
  }
};
