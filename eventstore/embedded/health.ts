/** `GET /health/live`, as EventStoreDB answers it: 204 as long as the process can answer. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Loopback only. Port 0 takes a free one. Rejects when the port is taken. */
export const serveHealth = async (port: number): Promise<{ port: number; stop: () => void }> => {
  const server = createServer((request, response) => {
    const isKnown = request.url === '/health/live' && (request.method === 'GET' || request.method === 'HEAD');
    response.writeHead(isKnown ? 204 : 404).end();
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
