/** The HTTP API. Any number of them run side by side. */
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { authenticateUser } from '../../api/accounts/credentials.ts';
import { deletionBlockers } from '../../api/deletionBlockers.ts';
import type { App } from '../../api/http/app.ts';
import { ANSWERS_WITHOUT_HOST, answerBrokenRequests } from '../../api/http/brokenRequests.ts';
import { loadBodyReader } from '../../api/http/input.ts';
import { openedBy } from '../../api/http/module.ts';
import { createServer } from '../../api/http/server.ts';
import { limitUnreadBodies } from '../../api/http/unreadBodies.ts';
import { modules } from '../../api/modules.ts';
import { authenticatePartner } from '../../api/partners/credentials.ts';
import { limitConnections } from '../../infra/connections.ts';
import { watchDatabase } from '../../infra/databaseWatch.ts';
import { fewDescriptorsLeft } from '../../infra/descriptors.ts';
import type { Logger } from '../../infra/log.ts';
import { metrics } from '../../infra/metrics.ts';
import { OF_REQUESTS } from '../../infra/postgres.ts';
import { withTimeout } from '../../infra/retry.ts';
import { watchPositions } from '../../projections/engine/positions.ts';
import { readDb } from '../../projections/engine/readDb.ts';
import { ensureTables } from '../../projections/engine/tableVersions.ts';
import { groups, models } from '../../projections/modules.ts';
import { watchParts } from '../checks/watch.ts';
import { clientLimits } from '../clientLimits.ts';
import type { Config } from '../config.ts';
import { forEmergencies } from '../emergencies.ts';
import { forgetErased } from '../erasure.ts';
import { lacksAdmins } from '../firstAdmins.ts';
import { said } from '../healthLine.ts';
import { VERSION } from '../version.ts';
import { wire } from '../wiring.ts';
import type { Running } from './role.ts';
import { answerPlainRequest, isWebSocketUpgrade, passWebSockets } from './webSocketPass.ts';

const DRAIN_MS = 10_000;
const HEALTH_MS = 1_500;
/** Without WebSockets, which the hub counts by address. High, because all guests of a hotel may share one. */
const MAX_PER_ADDRESS = 1_000;
/** New connections that wait until this process takes them; with more, the system lets clients try again after seconds. */
const WAITING_CONNECTIONS = 4_096;
/** Longer than the longest delay of an answer. */
const IDLE_MS = 60_000;
const SERVER_OPTIONS = {
  ...ANSWERS_WITHOUT_HOST,
  maxHeaderSize: 16 * 1024,
  // Long enough for an upload over a slow network. Other bodies have a shorter limit: see `api/http/input.ts`.
  requestTimeout: 600_000,
  headersTimeout: 10_000,
  // Other upgrades that clients offer (h2c) are ignored, as HTTP allows. Node before 22.21 does not know the option.
  shouldUpgradeCallback: isWebSocketUpgrade,
};

/** Labels by operation and status; there are few, and each request needs one. */
const labels = new Map<string, { readonly method: string; readonly route: string; readonly status: string }>();
const labelsOf = (operation: string, status: number) => {
  const key = `${status} ${operation}`;
  const found = labels.get(key);
  if (found) return found;
  const [method = '', route = ''] = operation.split(' ');
  const made = { method, route, status: String(status) };
  labels.set(key, made);
  return made;
};

export const start = async (config: Config, log: Logger): Promise<Running> => {
  const wiring = wire(config, 'api', log, { limits: OF_REQUESTS });
  // Queries name columns of this release, which its worker may not have added yet.
  await ensureTables(wiring.patientPool, groups);
  const database = watchDatabase(wiring.pool, log);
  database.guard(wiring.pool);
  const emergencies = forEmergencies(wiring, database);
  const parts = watchParts(config, 'api', log);
  const positions = await watchPositions(wiring.patientPool, wiring.databaseUrl, log, models);
  const caches = await forgetErased({
    ...wiring,
    forgetErased: (person) => {
      wiring.forgetErased(person);
      emergencies.aggregates.forget();
    },
  });
  const stopping = new AbortController();
  const following = wiring.followForRequests(stopping.signal);

  const db = readDb(wiring.pool);
  const usual: App = {
    ...wiring,
    db,
    positions,
    stopping: stopping.signal,
    authenticateUser: (token) => authenticateUser(wiring, token),
    authenticatePartner: (key, from) => authenticatePartner(wiring, key, from),
    health: async () => {
      if (stopping.signal.aborted || fewDescriptorsLeft()) return 'unavailable';
      const answers = Promise.all([database.check(), wiring.store.head()]);
      return withTimeout(answers, HEALTH_MS, 'a store does not answer').then(
        () => 'ok',
        () => 'unavailable',
      );
    },
    remarks: () => [...database.remarks(), ...parts.brief()],
    appModules: openedBy(modules),
    deletionBlockers,
    observe: {
      request: (operation, status, ms) => metrics.httpSeconds.observe(labelsOf(operation, status), ms / 1_000),
    },
    http: {
      version: VERSION,
      adminToken: config.ADMIN_TOKEN,
      ...(config.NODE_ENV === 'production' && { mayUseAdminToken: () => lacksAdmins(wiring.pool, db, new Date()) }),
      corsOrigins: config.CORS_ORIGINS,
      trustProxy: config.TRUST_PROXY,
      rateLimits: config.RATE_LIMITS,
      checkReplies: config.NODE_ENV === 'test',
    },
  };

  const { pool, vault, codec, aggregates } = emergencies;
  const app: App = {
    ...usual,
    forEmergencies: {
      ...usual,
      ...{ pool, vault, codec, aggregates, db: readDb(pool) },
      authenticateUser: (token) => authenticateUser({ ...wiring, pool }, token, true),
    },
  };

  const started = await Promise.all(
    modules.map(({ start: begin }) => begin?.({ ...app, pool: app.patientPool, databaseUrl: wiring.databaseUrl })),
  );

  await loadBodyReader();
  const server = createHttpServer(SERVER_OPTIONS);
  server.keepAliveTimeout = 65_000; // longer than the usual proxy's, so that the proxy closes first
  const { connections: total, tunnels } = clientLimits(config).api;
  const connections = limitConnections(server, {
    total,
    perAddress: config.TRUST_PROXY === 0 ? MAX_PER_ADDRESS : undefined,
    idleMs: IDLE_MS,
  });
  limitUnreadBodies(server);
  answerBrokenRequests(server);
  const handle = createServer(app, modules).callback();
  server.on('request', (req, res) => answerPlainRequest(req, res) || void handle(req, res));
  const webSockets = passWebSockets(server, {
    hubUrl: config.REALTIME_URL,
    secrets: { jwtSecret: config.JWT_SECRET, jwtSecretPrevious: config.JWT_SECRET_PREVIOUS },
    trustProxy: config.TRUST_PROXY,
    log,
    release: connections.release,
    limits: { tunnels },
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: config.PORT, host: config.HOST, backlog: WAITING_CONNECTIONS }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://localhost:${port}`,
    faults: () => said('StoreAway', 'PostgreSQL', database.faults()),
    remarks: () => [
      ...said('ClockWrong', 'clock', database.remarks()),
      ...said('CheckFails', 'checks', parts.remarks()),
    ],
    stop: async () => {
      stopping.abort();
      const [cut] = await Promise.all([connections.drain(DRAIN_MS), webSockets.stop()]);
      if (cut > 0) log.warn({ connections: cut }, 'connections were still open');
      await Promise.all([following, ...[positions, caches, ...started].map((each) => each?.stop())]);
      await Promise.all([parts.stop(), database.stop()]);
      await emergencies.stop();
      await wiring.close();
    },
  };
};
