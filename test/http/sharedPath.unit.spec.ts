/** Two services on one path, each with methods of its own. */
import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Type } from '@sinclair/typebox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { App } from '../../api/http/app.ts';
import { routesOf } from '../../api/http/module.ts';
import { openApi } from '../../api/http/openapi.ts';
import { route } from '../../api/http/route.ts';
import { createServer } from '../../api/http/server.ts';
import { createLogger } from '../../infra/log.ts';

const list = route('GET /api/v1/events', {
  id: 'list',
  access: 'public',
  summary: 'List what happens at the resort',
  reply: Type.Array(Type.String()),
  handle: () => ['concert'],
});
const record = route('POST /api/v1/events', {
  id: 'record',
  access: 'public',
  summary: 'Record what an app saw',
  reply: Type.Object({ accepted: Type.Integer() }),
  status: 202,
  handle: () => ({ accepted: 1 }),
});
const modules = [
  { service: 'platform', routes: [list] },
  { service: 'analytics', routes: [record] },
] as const;

let server: Server;
let url: string;
const stopping = new AbortController();
beforeAll(async () => {
  const app = {
    pool: { query: async () => ({ rows: [] }) },
    vault: { fingerprint: (key: string) => key },
    log: createLogger({ level: 'silent' }),
    stopping: stopping.signal,
    authenticateUser: async () => null,
    observe: { request: () => undefined },
    settings: { publicUrl: 'https://api.test' },
    http: { version: '0', adminToken: '', corsOrigins: [], trustProxy: 0, rateLimits: 0, checkReplies: true },
  };
  server = createHttpServer(createServer(app as unknown as App, modules).callback());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
});
afterAll(() => {
  stopping.abort();
  server.closeAllConnections();
  server.close();
});

it.each([
  ['GET', '/events', 200, 'platform', null],
  ['POST', '/events', 202, 'analytics', null],
  ['PUT', '/events', 405, 'platform', 'GET, HEAD, POST'],
  ['GET', '/platform/events', 200, 'platform', null],
  ['POST', '/analytics/events', 202, 'analytics', null],
  ['GET', '/analytics/events', 405, 'analytics', 'POST'],
  ['POST', '/platform/events', 405, 'platform', 'GET, HEAD'],
])('%s %s is answered with %i by %s', async (method, path, status, service, allowed) => {
  const reply = await fetch(url + path, { method });
  expect([reply.status, reply.headers.get('x-service')]).toEqual([status, service]);
  const allow = reply.headers.get('allow');
  expect(allow?.split(', ').sort().join(', ') ?? null).toBe(allowed);
});

it('each operation of the path has its service in openapi.json', () => {
  const { paths } = openApi(routesOf(modules), '0') as { paths: Record<string, object> };
  expect(paths['/api/v1/events']).toMatchObject({
    get: { operationId: 'list', tags: ['platform'] },
    post: { operationId: 'record', tags: ['analytics'] },
  });
});
