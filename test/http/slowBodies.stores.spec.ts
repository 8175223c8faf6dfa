/** Bodies that arrive slowly. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Type } from '@sinclair/typebox';
import Koa from 'koa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HttpError, statusOf } from '../../api/http/errors.ts';
import { inputReader } from '../../api/http/input.ts';
import type { Route } from '../../api/http/route.ts';

let server: Server;
const closed: string[] = [];
beforeAll(async () => {
  const spec = { body: Type.Object({}), reply: Type.Null(), summary: '' } as unknown as Route['spec'];
  const read = inputReader({ spec, access: 'user' }, 50);
  const koa = new Koa();
  koa.use(async (ctx) => {
    try {
      await read(Object.assign(ctx, { params: {} }) as never);
      ctx.status = 204;
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      ctx.status = statusOf(error.code);
      ctx.set(error.headers);
    }
  });
  server = createServer(koa.callback()).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it('are refused, and their connection is closed', async () => {
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  client.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 20\r\n\r\n{"a":');
  client.on('data', (data) => closed.push(String(data)));
  await once(client, 'close');
  expect(closed.join('')).toMatch(/^HTTP\/1.1 408 .*connection: close/is);
});
