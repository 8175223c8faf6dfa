/** Connections that cost more than they should, at a server with small limits. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { type ConnectionLimits, limitConnections } from '../../api/http/connections.ts';
import { until } from '../kit/until.ts';

let server: Server;
const clients: Socket[] = [];
const start = async (limits: ConnectionLimits, body = 'ok'): Promise<void> => {
  server = createServer((_, res) => res.end(body));
  limitConnections(server, limits);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
};
const open = (localAddress: string): Socket => {
  const { port } = server.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', localAddress });
  client.on('error', () => undefined);
  clients.push(client);
  return client;
};
afterEach(() => {
  for (const client of clients) client.destroy();
  server.closeAllConnections();
  server.close();
});
/** False when the connection is closed instead. */
const answers = async (client: Socket): Promise<boolean> => {
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  const first = await Promise.race([once(client, 'data'), once(client, 'close')]);
  return String(first[0]).startsWith('HTTP/1.1 200');
};

it('are closed above the limit of an address; others and later ones are not', async () => {
  await start({ total: 100, perAddress: 2, idleMs: 60_000 });
  const [first, second] = [open('127.0.0.1'), open('127.0.0.1')];
  expect(await answers(first)).toBe(true);
  expect(await answers(second)).toBe(true);
  expect(await answers(open('127.0.0.1'))).toBe(false);
  expect(await answers(open('127.0.0.2'))).toBe(true);
  first.destroy();
  await until(() => answers(open('127.0.0.1')));
});

it('are closed when the client does not read its answer', async () => {
  await start({ total: 100, perAddress: undefined, idleMs: 200 }, 'x'.repeat(50_000_000));
  const client = open('127.0.0.1');
  client.pause();
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await once(server, 'request');
  let left = 1;
  await until(async () => {
    left = await new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)));
    return left === 0;
  });
  expect(left).toBe(0);
});
