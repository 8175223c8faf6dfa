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
import { until } from '../kit/until.ts';

const spec = { body: Type.Object({}), reply: Type.Null(), summary: '' } as unknown as Route['spec'];
let server: Server;
beforeAll(async () => {
  const reads = {
    '/': inputReader({ spec, access: 'user' }, 50),
    '/sos': inputReader({ spec, access: 'emergency' }, 50),
  };
  const koa = new Koa();
  koa.use(async (ctx) => {
    try {
      const { ignored } = await reads[ctx.path as keyof typeof reads](Object.assign(ctx, { params: {} }) as never);
      ctx.body = { ignored };
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

/** Sends a part of a body. */
const begin = (path: string) => {
  const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
  client.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 20\r\n\r\n{"a":`);
  const got: string[] = [];
  client.on('data', (data) => got.push(String(data)));
  return { client, text: () => got.join('') };
};

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

it('are waited for no longer than seconds before an alarm goes out', () => {
  expect(bodyWithinMs({ spec, access: 'emergency' })).toBe(3_000);
  expect(bodyWithinMs({ spec, access: 'user' })).toBe(30_000);
  const positions = { ...spec, body: Type.Object({ positions: Type.Array(Type.Unknown()) }) };
  expect(bodyWithinMs({ spec: positions, access: 'emergency' })).toBe(30_000);
});
