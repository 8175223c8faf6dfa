/** Databases of tests, on the Postgres that the whole run shares. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export interface Database {
  readonly url: string;
  /** Disconnects whoever is still connected. */
  drop(): Promise<void>;
}

let admin: pg.Pool | undefined;
/** Opened at the first use and once per worker; an idle connection closes, so that it keeps no process alive. */
const administer = async (statement: string): Promise<void> => {
  admin ??= new pg.Pool({
    connectionString: inject('postgres').url,
    max: 1,
    idleTimeoutMillis: 2_000,
    allowExitOnIdle: true,
  });
  await admin.query(statement);
};

/** Creates a database with the `ops` tables of all modules; with `isEmpty` without any table. */
export const freshDatabase = async ({ isEmpty = false } = {}): Promise<Database> => {
  const { url, template } = inject('postgres');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(`create database ${name} template ${isEmpty ? 'template1' : template} strategy file_copy`);
  return {
    url: Object.assign(new URL(url), { pathname: name }).href,
    drop: () => administer(`drop database ${name} with (force)`),
  };
};
