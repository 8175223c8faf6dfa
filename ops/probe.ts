/** `/health` and `/metrics` of a process, on a port that only operators reach. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../infra/log.ts';
import { registry } from '../infra/metrics.ts';
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
}

const LIMITS = { requestTimeout: 10_000, headersTimeout: 5_000, maxHeaderSize: 8 * 1024 };
/** Few people and programs look at metrics. */
const MAX_CONNECTIONS = 50;

export const serveProbe = async ({ host, port, role, log, metrics }: ProbeOptions): Promise<Running> => {
  const text = metrics ?? (() => registry.metrics());
  const server = createServer(LIMITS, async (request, response) => {
    const send = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': type }).end(request.method === 'HEAD' ? undefined : body);
    if (request.url === '/health') send(200, 'application/json', JSON.stringify({ role, status: 'ok' }));
    else if (request.url === '/metrics') send(200, registry.contentType, await text());
    else send(404, 'text/plain', 'not found\n');
  });
  server.maxConnections = MAX_CONNECTIONS;
  const isTaken = !(await isFree(host, port));
  server.listen(isTaken ? await freePort(host) : port, host);
  await once(server, 'listening');
  const bound = (server.address() as AddressInfo).port;
  if (isTaken) log.warn({ port: bound }, `METRICS_PORT ${port} is taken: metrics are at another port`);
  return {
    address: `http://localhost:${bound}/metrics`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
