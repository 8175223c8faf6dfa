/** What the addresses of the stores say, read as the clients read them. */
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { parsedConnectionString } from '../../eventstore/client/settings.ts';
import { ESCAPED } from '../../infra/settings.ts';

const toDo = (setting: string): string => `${setting} cannot be read: ${ESCAPED}`;

/** A rest of a password that was taken for the path: everything behind the host. */
const AT_BEHIND_HOST = /^[a-z]+:\/\/[^/?#]*[/?#].*@/;

const postgres = (url: string): pg.Client => new pg.Client({ connectionString: url });

/** @returns what is wrong with the address of PostgreSQL, and what to do; undefined: it can be read */
export const unreadableDatabase = (url: string): string | undefined => {
  if (AT_BEHIND_HOST.test(url)) return toDo('DATABASE_URL');
  try {
    postgres(url);
    return undefined;
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException;
    return code === undefined || code === 'ERR_INVALID_URL'
      ? toDo('DATABASE_URL')
      : `DATABASE_URL names a file that cannot be read: ${path} (${code})`;
  }
};

export const unreadableEventStore = (address: string): string | undefined => {
  try {
    const { hosts, tlsCAFile, userKeyFile, userCertFile } = parsedConnectionString(address);
    const missing = [tlsCAFile, userKeyFile, userCertFile].find((file) => file !== undefined && !canRead(file));
    if (missing !== undefined) return `ESDB_CONNECTION_STRING names a file that cannot be read: ${missing}`;
    return hosts.some((host) => host.address.includes('@')) ? toDo('ESDB_CONNECTION_STRING') : undefined;
  } catch {
    return toDo('ESDB_CONNECTION_STRING');
  }
};

const canRead = (file: string): boolean => {
  try {
    accessSync(path.resolve(file), constants.R_OK);
    return true;
  } catch {
    return false;
  }
};

/** The password of an address; undefined: it has none, or cannot be read. */
export const passwordIn = (setting: string, address: string): string | undefined => {
  try {
    if (setting === 'DATABASE_URL') return postgres(address).password || undefined;
    if (setting === 'ESDB_CONNECTION_STRING') return parsedConnectionString(address).defaultCredentials?.password;
    return decodeURIComponent(new URL(address).password) || undefined;
  } catch {
    return undefined;
  }
};

/** Hosts that the address has us talk to without TLS, or without knowing whom. A socket of this machine needs none. */
export const hostsWithoutTls = (setting: 'DATABASE_URL' | 'ESDB_CONNECTION_STRING', address: string): string[] => {
  try {
    if (setting === 'ESDB_CONNECTION_STRING') {
      const { tls, hosts } = parsedConnectionString(address);
      return tls !== false ? [] : hosts.map((host) => host.address);
    }
    // The type is that of the package's client, which keeps what the address says as it is.
    const { host, ssl } = postgres(address) as pg.Client & { readonly ssl: unknown };
    const isVerified = ssl === true || (typeof ssl === 'object' && ssl !== null && !isUnverified(ssl));
    return isVerified || host.startsWith('/') ? [] : [host];
  } catch {
    return [];
  }
};

const isUnverified = (ssl: object): boolean => (ssl as { rejectUnauthorized?: boolean }).rejectUnauthorized === false;
