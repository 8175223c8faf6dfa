/**
 * Who may use the node: whoever has its connection string. On loopback every local user can connect, so the string
 * contains a key, made at the first start and kept in a file that only the owner of the folder can read.
 *
 * The key travels as the name of the connection, which clients send with every call. User names and passwords would need
 * TLS, because clients leave them out without it; on loopback only root can listen, who can read the file as well.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Metadata, ServerInterceptingCall, type ServerInterceptor, status } from '@grpc/grpc-js';

/** In the folder of the log: the connection string of the node, on one line. */
export const CONNECTION_FILE = 'connection.txt';
const KEY = /[?&]connectionName=([\w-]{32,})/;

/** Makes the folder private, also one that an earlier release made. */
export const makePrivate = (directory: string): void => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
};

/** The key of the folder's node: that of the last start, so that its clients stay connected over a restart. */
export const keyOf = (directory: string): string => {
  const file = join(directory, CONNECTION_FILE);
  const [, key] = existsSync(file) ? (KEY.exec(readFileSync(file, 'utf8')) ?? []) : [];
  return key ?? randomBytes(32).toString('base64url');
};

/** @param key undefined: the node is open to every local user */
export const connectionStringOf = (port: number, key: string | undefined): string =>
  `esdb://127.0.0.1:${port}?tls=false${key === undefined ? '' : `&connectionName=${key}`}`;

export const writeConnection = (directory: string, connectionString: string): void => {
  const file = join(directory, CONNECTION_FILE);
  writeFileSync(`${file}.next`, `${connectionString}\n`, { mode: 0o600 });
  renameSync(`${file}.next`, file);
};

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Refuses calls of the `Streams` service without the key, before their messages are read. A call is checked once: a
 * batch append and a subscription stay open, so that this costs nothing per event. What tells a client which server it
 * has reached is open, because clients ask without a name.
 */
export const requireKey = (key: string): ServerInterceptor => {
  const expected = digest(key);
  return (method, call) =>
    new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata: Metadata, proceed: (metadata: Metadata) => void) => {
            const given = String(metadata.get('connection-name')[0] ?? '');
            if (!method.path.includes('.Streams/') || timingSafeEqual(digest(given), expected))
              return proceed(metadata);
            call.sendStatus({
              code: status.UNAUTHENTICATED,
              details: `this event node has a key: use the connection string in ${CONNECTION_FILE} of its folder`,
              metadata: new Metadata(),
            });
          },
        }),
    });
};
