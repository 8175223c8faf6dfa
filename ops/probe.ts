/** `/health`, `/ready` and `/metrics` of a process, on a port that only operators reach. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limitConnections } from '../infra/connections.ts';
import type { Logger } from '../infra/log.ts';
import { registry } from '../infra/metrics.ts';
import { sectionOf } from './alerts/alerts.ts';
import type { HealthLine } from './healthLine.ts';
import { freePort, isFree } from './ports.ts';
import type { Running } from './roles/role.ts';

export interface ProbeOptions {
  readonly host: string;
  /** Another free port is taken instead when this one is in use: a second process on a machine must start all the same. */
  readonly port: number;
  readonly role: string;
  readonly log: Logger;
  /** The metrics as text; by default those of this process. */
  readonly metrics?: () => Promise<string>;
  readonly condition?: () => Condition | Promise<Condition>;
}

/**
 * What is wrong, one line each. The status is then `degraded`. `/health` still answers 200: a restart would not repair it, so
 * that a liveness probe must not cause one. `/ready` answers 503 when there are faults, and 200 when there are only remarks.
 */
export interface Condition {
  readonly faults: readonly HealthLine[];
  readonly remarks: readonly HealthLine[];
}

const WELL: Condition = { faults: [], remarks: [] };

/** Of all roles of a process: what two of them say is said once. */
export const conditionOf = (roles: readonly Running[]): Condition => ({
  faults: withoutRepetition(roles.flatMap((role) => role.faults?.() ?? [])),
  remarks: withoutRepetition(roles.flatMap((role) => role.remarks?.() ?? [])),
});

const withoutRepetition = (lines: readonly HealthLine[]): HealthLine[] => [
  ...new Map(lines.map((line) => [line.text, line])).values(),
];

const LIMITS = { requestTimeout: 10_000, headersTimeout: 5_000, maxHeaderSize: 8 * 1024 };
/** Few people and programs look at metrics. */
const LIMITS_OF_CONNECTIONS = { total: 50, perAddress: undefined, idleMs: 60_000 };
const STOP_MS = 2_000;

const healthOf = (role: string, { faults, remarks }: Condition): object => {
  const all = [...faults, ...remarks];
  if (all.length === 0) return { role, status: 'ok' };
  const runbook = [...new Set(all.map(({ alert }) => sectionOf(alert)))];
  return { role, status: 'degraded', faults: all.map(({ text }) => text), runbook };
};

export const serveProbe = async (options: ProbeOptions): Promise<Running> => {
  const { host, port, role, log, metrics = () => registry.metrics(), condition = () => WELL } = options;
  const server = createServer(LIMITS, async (request, response) => {
    const send = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': type }).end(request.method === 'HEAD' ? undefined : body);
    if (request.url === '/health' || request.url === '/ready') {
      const found = await condition();
      const status = request.url === '/ready' && found.faults.length > 0 ? 503 : 200;
      send(status, 'application/json', JSON.stringify(healthOf(role, found)));
    } else if (request.url === '/metrics') send(200, registry.contentType, await metrics());
    else send(404, 'text/plain', 'not found\n');
  });
  const connections = limitConnections(server, LIMITS_OF_CONNECTIONS);
  const isTaken = !(await isFree(host, port));
  server.listen(isTaken ? await freePort(host) : port, host);
  await once(server, 'listening');
  const bound = (server.address() as AddressInfo).port;
  if (isTaken) log.warn({ port: bound }, `METRICS_PORT ${port} is taken: metrics are at another port`);
  return {
    address: `http://localhost:${bound}/metrics`,
    stop: async () => {
      await connections.drain(STOP_MS, 0);
    },
  };
};
