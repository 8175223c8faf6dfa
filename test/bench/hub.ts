/** The realtime hub in a process of its own, without limits on how many sockets a client opens. */
import { createLogger } from '../../infra/log.ts';
import { createPool } from '../../infra/postgres.ts';
import { startHub } from '../../realtime/hub/hub.ts';
import { channels } from '../../realtime/modules.ts';
import { serveProgram } from './program.ts';
import { collectGarbage } from './sockets/garbage.ts';

export interface HubProgramOptions {
  readonly databaseUrl: string;
  readonly jwtSecret: string;
}

const MANY = 1_000_000;

serveProgram(async ({ databaseUrl, jwtSecret }: HubProgramOptions) => {
  const log = createLogger({ level: 'error', role: 'bench', destination: process.stderr });
  const { port } = await startHub({
    port: 0,
    host: '127.0.0.1',
    pool: createPool(databaseUrl, { max: 10, applicationName: 'bench hub', log }),
    databaseUrl,
    secrets: { jwtSecret, jwtSecretPrevious: undefined },
    version: 'bench',
    channels,
    payloads: [],
    trustProxy: 0,
    transport: 'auto',
    log,
    limits: { socketsPerAccount: MANY, socketsPerAddress: MANY, sockets: MANY },
  });
  return async ({ collect }: { collect?: boolean }) => {
    if (collect) collectGarbage();
    return port;
  };
});
