/** Connections that cost more than they should, at a server with small limits. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { type ConnectionLimits, type Connections, limitConnections } from '../../infra/connections.ts';
import { until } from '../kit/until.ts';

let server: Server;
let connections: Connections;
const clients: Socket[] = [];
let [connected, requested] = [0, 0];
/** @param body of every answer; null: none is given */
const start = async (limits: ConnectionLimits, body: string | null): Promise<void> => {
  [connected, requested] = [0, 0];
  server = createServer((_, res) => {
    requested += 1;
    if (body !== null) res.end(body);
  });
  server.on('connection', () => {
    connected += 1;
  });
  connections = limitConnections(server, limits);
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
it('beyond the limit of an address close the one that was quiet longest, not a new one or one in use', async () => {
  await start({ total: 100, perAddress: 3, idleMs: 60_000 }, null);
  const inUse = open('127.0.0.1');
  inUse.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  const [, response] = await once(server, 'request');
  const [quiet, next] = [open('127.0.0.1'), open('127.0.0.1')];
  const other = open('127.0.0.2');
  await until(() => connected === 4);
  const newest = open('127.0.0.1');
  await once(quiet, 'close');
  response.end('ok');
  await once(inUse, 'data');
  // It was the last to become quiet.
  open('127.0.0.1');
  await once(next, 'close');
  expect([inUse, other, newest].map(({ destroyed }) => destroyed)).toEqual([false, false, false]);
});

it('beyond the limit of all close in the same way; a new one is closed only when all others are in use', async () => {
  await start({ total: 2, perAddress: undefined, idleMs: 60_000 }, null);
  const quiet = open('127.0.0.1');
  await until(() => connected === 1);
  const inUse = [open('127.0.0.2'), open('127.0.0.3')];
  await once(quiet, 'close');
  for (const client of inUse) client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await until(() => requested === 2);
  await once(open('127.0.0.4'), 'close');
  expect(inUse.map(({ destroyed }) => destroyed)).toEqual([false, false]);
});

it('do not count for their address once upgraded, and close beyond the limit of all only when they are released', async () => {
  await start({ total: 4, perAddress: 1, idleMs: 60_000 }, null);
  const upgraded: Socket[] = [];
  server.on('upgrade', (_, socket) => void upgraded.push(socket as Socket));
  const tunnel = () =>
    open('127.0.0.1').write('GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
  for (const count of [1, 2, 3]) {
    tunnel();
    await until(() => upgraded.length === count);
  }
  const plain = open('127.0.0.1');
  plain.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await until(() => requested === 1);
  await once(open('127.0.0.2'), 'close');
  connections.release(upgraded[1] as Socket);
  open('127.0.0.2').write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await until(() => requested === 2);
  expect(upgraded.map(({ destroyed }) => destroyed)).toEqual([false, true, false]);
  expect(plain.destroyed).toBe(false);
});

it('count for their address again when they are given back without an upgrade', async () => {
  await start({ total: 100, perAddress: 1, idleMs: 60_000 }, 'ok');
  server.once('upgrade', (_, socket) => {
    socket.unshift('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    server.emit('connection', socket);
  });
  const offering = open('127.0.0.1');
  offering.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n');
  await once(offering, 'data');
  open('127.0.0.1');
  await once(offering, 'close');
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

it('end without a cut request: those that are kept open have a second for the next one, whose answer says so', async () => {
  const limits = { total: 100, perAddress: undefined, idleMs: 60_000 };
  await start(limits, null);
  const responses: ServerResponse[] = [];
  server.on('request', (_, response) => void responses.push(response));
  const ask = (client: Socket) => client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  const answerOf = async (client: Socket) => String(await buffer(client));
  const [slow, next, quiet] = [open('127.0.0.1'), open('127.0.0.1'), open('127.0.0.1')];
  await until(() => connected === 3);
  ask(slow);
  await until(() => requested === 1);
  const answers = [slow, next, quiet].map(answerOf);
  const drained = connections.drain(60_000);
  ask(next); // at once: a busy machine could let the second pass
  await until(() => requested === 2);
  expect(server.listening).toBe(false);
  responses[1]?.end('ok');
  expect(await answers[1]).toMatch(/connection: close.*ok$/is);
  expect(await answers[2]).toBe('');
  responses[0]?.end('at last');
  expect(await answers[0]).toMatch(/connection: close.*at last$/is);
  expect(await drained).toBe(0);
});

it('that do not end in time are cut', async () => {
  await start({ total: 100, perAddress: undefined, idleMs: 60_000 }, null);
  const client = open('127.0.0.1');
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await once(server, 'request');
  expect(await connections.drain(10, 0)).toBe(1);
});
