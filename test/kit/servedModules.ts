/** Modules of the API at a server of their own, with nothing behind them: for specs of what the server does itself. */
import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { App } from '../../api/http/app.ts';
import type { ApiModule } from '../../api/http/module.ts';
import { createServer } from '../../api/http/server.ts';
import { limitUnreadBodies } from '../../api/http/unreadBodies.ts';
import { createLogger } from '../../infra/log.ts';

export interface ServedModules {
  readonly server: Server;
  readonly port: number;
  /** Without a path. */
  readonly origin: string;
  stop(): void;
}

/** @param more parts of the app that the operations or the spec need */
export const serveModules = async (modules: readonly ApiModule[], more: object = {}): Promise<ServedModules> => {
  const stopping = new AbortController();
  const app = {
    pool: { query: async () => ({ rows: [] }) },
    vault: { fingerprint: (key: string) => key },
    log: createLogger({ level: 'silent' }),
    stopping: stopping.signal,
    authenticateUser: async () => null,
    observe: { request: () => undefined },
    settings: { publicUrl: 'https://api.test' },
    http: { version: '0', adminToken: '', corsOrigins: [], trustProxy: 0, rateLimits: 0, checkReplies: true },
    ...more,
  };
  const server = createHttpServer(createServer(app as unknown as App, modules).callback());
  limitUnreadBodies(server, { bytes: 1024 * 1024, withinMs: 1_500 });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    server,
    port,
    origin: `http://127.0.0.1:${port}`,
    stop: () => {
      stopping.abort();
      server.closeAllConnections();
      server.close();
    },
  };
};
