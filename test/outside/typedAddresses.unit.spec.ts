/** Addresses that people typed lead into nobody's own network, whatever a name or a redirect says. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sandboxVapid } from '../../commands/push/sandboxKeys.ts';
import { createWebPush } from '../../commands/push/webPush.ts';
import { instantOf } from '../../domain/core/instants.ts';
import { newId } from '../../infra/ids.ts';
import { guardedExchange, isAllowedHost, isPublicAddress } from '../../infra/outside/typedAddresses.ts';
import { subscriptionOf } from '../../ops/sandbox/push/webPush.ts';

it.each([
  ['8.8.8.8', true],
  ['2001:4860:4860::8888', true],
  ['10.0.0.1', false],
  ['127.0.0.1', false],
  ['169.254.169.254', false],
  ['100.64.0.1', false],
  ['0.0.0.0', false],
  ['::1', false],
  ['fc00::1', false],
  ['::ffff:10.0.0.1', false],
  ['64:ff9b::a00:1', false],
  ['nothing', false],
])('%s is a public address: %s', (address, expected) => {
  expect(isPublicAddress(address)).toBe(expected);
});

it.each([
  ['push.example', true],
  ['other.example', false],
  ['a.push.test', true],
  ['b.a.push.test', true],
  ['push.test', false],
  ['evilpush.test', false],
])('%s is an allowed host: %s', (host, expected) => {
  expect(isAllowedHost(['push.example', '*.push.test'], host)).toBe(expected);
});

let asked = 0;
let sockets = 0;
const server = createServer((_, response) => {
  asked += 1;
  response.writeHead(201).end();
}).on('connection', () => {
  sockets += 1;
});
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
const request = { timeoutMs: 5_000 };

it.each(['localhost', '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f000001'])(
  'does not connect to %s',
  async (host) => {
    await expect(guardedExchange()(`http://${host}:${port}/`, request)).rejects.toThrow(/not (a )?public/);
    expect(asked).toBe(0);
  },
);

it('sends no push message to an address in our own network', async () => {
  const { endpoint, keys } = subscriptionOf(`http://localhost:${port}`, 'anna');
  const device = { platform: 'web', environment: 'production', token: endpoint, keys } as const;
  const message = { id: newId(), kind: 'booking', title: 'Confirmed', body: '', link: '/', urgency: 'high' } as const;
  const until = { collapseKey: 'booking 1', expiresAt: instantOf(Date.now() + 60_000) };
  const outcome = await createWebPush({ keys: sandboxVapid }).send(device, { ...message, ...until });
  expect(outcome).toMatchObject({ kind: 'later' });
  expect(asked).toBe(0);
});

it('asks the sandbox, which is in our own network', async () => {
  const answer = await guardedExchange({ sandbox: `http://127.0.0.1:${port}` })(`http://127.0.0.1:${port}/a`, request);
  expect(answer.status).toBe(201);
});

it('keeps the connection to an address that was checked', async () => {
  const ask = guardedExchange({ mayConnect: () => true });
  sockets = 0;
  for (const path of ['a', 'b', 'c']) await ask(`http://localhost:${port}/${path}`, request);
  expect(sockets).toBe(1);
});
