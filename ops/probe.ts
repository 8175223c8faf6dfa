/** `/health` and `/metrics` of a role that has no HTTP server of its own. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { metricsText, registry } from '../infra/metrics.ts';
import type { Running } from './roles/role.ts';

const healthOf = (role: string, faults: readonly string[]): object =>
  faults.length === 0 ? { role, status: 'ok' } : { role, status: 'degraded', faults };

/**
 * @param faults what is wrong. The status is then `degraded`, still with 200: a restart would not repair it, so that a
 * liveness probe must not cause one.
 */
export const serveProbe = async (
  host: string,
  port: number,
  role: string,
  faults: () => readonly string[],
): Promise<Running> => {
  const server = createServer(async (request, response) => {
    const send = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': type }).end(request.method === 'HEAD' ? undefined : body);
    if (request.url === '/health') send(200, 'application/json', JSON.stringify(healthOf(role, faults())));
    else if (request.url === '/metrics') send(200, registry.contentType, await metricsText());
    else send(404, 'text/plain', 'not found\n');
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
