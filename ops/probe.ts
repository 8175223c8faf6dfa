/** `/health` and `/metrics` of a role that has no HTTP server of its own. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { metricsText, registry } from '../infra/metrics.ts';
import type { Running } from './roles/role.ts';

export const serveProbe = async (host: string, port: number, role: string): Promise<Running> => {
  const server = createServer(async (request, response) => {
    const send = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': type }).end(request.method === 'HEAD' ? undefined : body);
    if (request.url === '/health') send(200, 'application/json', JSON.stringify({ role, status: 'ok' }));
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
