/** What a connection string says, as far as this client uses it. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Credentials, EndPoint } from '@eventstore/db-client';
import { parseConnectionString } from '@eventstore/db-client/dist/Client/parseConnectionString.js';
import { type ChannelCredentials, credentials } from '@grpc/grpc-js';

export interface ConnectionSettings {
  readonly hosts: readonly EndPoint[];
  /** Ask the hosts where the leader is (`esdb+discover`, or several hosts), instead of calling the one host. */
  readonly discovers: boolean;
  readonly isSecure: boolean;
  readonly channelCredentials: ChannelCredentials;
  readonly user: Credentials | undefined;
  readonly connectionName: string | undefined;
  readonly keepAliveMs: number;
  readonly keepAliveTimeoutMs: number;
}

const KEEP_ALIVE = { everyMs: 10_000, timeoutMs: 5_000 };
/** As the connection string writes "never". */
const NEVER = 2 ** 31 - 1;
const orNever = (ms: number): number => (ms < 0 ? NEVER : ms);

/** The client rejects the newer scheme name of the same database. */
const asEsdb = (connectionString: string): string => connectionString.replace(/^kurrent(db)?(?=[+:])/, 'esdb');

/** Without its files: only what the text says. @throws Error for a connection string that is none */
export const parsedConnectionString = (connectionString: string) => parseConnectionString(asEsdb(connectionString));

const fileAt = (path: string | undefined): Buffer | null => (path === undefined ? null : readFileSync(resolve(path)));

/** @throws Error for a connection string that is none, or that names a file that cannot be read */
export const readConnectionString = (connectionString: string): ConnectionSettings => {
  const options = parsedConnectionString(connectionString);
  const { tlsCAFile, userKeyFile, userCertFile } = options;
  const isSecure = options.tls !== false;
  return {
    hosts: options.hosts,
    discovers: options.dnsDiscover || options.hosts.length > 1,
    isSecure,
    channelCredentials: isSecure
      ? credentials.createSsl(fileAt(tlsCAFile), fileAt(userKeyFile), fileAt(userCertFile))
      : credentials.createInsecure(),
    user: options.defaultCredentials,
    connectionName: options.connectionName,
    keepAliveMs: orNever(options.keepAliveInterval ?? KEEP_ALIVE.everyMs),
    keepAliveTimeoutMs: orNever(options.keepAliveTimeout ?? KEEP_ALIVE.timeoutMs),
  };
};
