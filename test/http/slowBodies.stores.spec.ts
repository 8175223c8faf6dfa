/** Bodies that arrive slowly. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Type } from '@sinclair/typebox';
import Koa from 'koa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HttpError, statusOf } from '../../api/http/errors.ts';
import { bodyWithinMs, inputReader } from '../../api/http/input.ts';
import type { Route } from '../../api/http/route.ts';
import { limitUnreadBodies } from '../../api/http/unreadBodies.ts';
import { routes } from '../../api/modules.ts';
import { until, WAIT_MS } from '../kit/until.ts';

const spec = { body: Type.Object({}), reply: Type.Null(), summary: '' } as unknown as Route['spec'];
let server: Server;
beforeAll(async () => {
  const reads = {
    '/': inputReader({ method: 'POST', spec, access: 'user' }, 50),
    '/sos': inputReader({ method: 'POST', spec, access: 'emergency' }, 50),
    // For bodies that only a busy machine slows down.
    '/patient': inputReader({ method: 'POST', spec, access: 'user' }, WAIT_MS),
    '/patient/sos': inputReader({ method: 'POST', spec, access: 'emergency' }, WAIT_MS),
  };
  const koa = new Koa();
  koa.use(async (ctx) => {
    try {
      const { ignored } = await reads[ctx.path as keyof typeof reads](ctx, {});
      ctx.body = { ignored };
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      ctx.status = statusOf(error.code);
      ctx.set(error.headers);
    }
  });
  server = createServer(koa.callback()).listen(0, '127.0.0.1');
  limitUnreadBodies(server);
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const head = (path: string, header: string): string =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${header}\r\n\r\n`;
const send = (text: string) => {
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  client.write(text);
  const got: string[] = [];
  client.on('data', (data) => got.push(String(data)));
  return { client, text: () => got.join('') };
};
/** Sends a part of a body. */
const begin = (path: string) => send(`${head(path, 'content-length: 20')}{"a":`);

it('are refused, and their connection is closed', async () => {
  const { client, text } = begin('/');
  await once(client, 'close');
  expect(text()).toMatch(/^HTTP\/1.1 408 .*connection: close/is);
});

it('are left out of a request for help', async () => {
  const { client, text } = begin('/sos');
  await until(() => text().endsWith('{"ignored":["/body"]}'));
  client.destroy();
});

it.each([
  ['/patient', 2 * 1024 * 1024, 413],
  ['/patient/sos', 200 * 1024, 200],
])('that are too large for %s do not keep the connection from the next request', async (path, size, status) => {
  const chunked = `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n0\r\n\r\n`;
  const next = `${head('/patient/sos', 'content-length: 2')}{}`;
  const { client, text } = send(`${head(path, 'transfer-encoding: chunked')}${chunked}${next}`);
  await until(() => text().endsWith('{"ignored":[]}'));
  expect(text()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  client.destroy();
});

it('are waited for no longer than seconds before an alarm goes out', () => {
  const withinMs = (key: string) => bodyWithinMs(routes.find((one) => one.key === key) as Route);
  expect(withinMs('POST /api/v1/sos/request')).toBe(3_000);
  expect(withinMs('POST /api/v1/sos/:id/positions')).toBe(30_000);
});
