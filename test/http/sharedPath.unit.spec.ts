/** Two services on one path, each with methods of its own. */
import { Type } from '@sinclair/typebox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { routesOf } from '../../api/http/module.ts';
import { openApi } from '../../api/http/openapi.ts';
import { route } from '../../api/http/route.ts';
import { type ServedModules, serveModules } from '../kit/servedModules.ts';

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

let served: ServedModules;
let url: string;
beforeAll(async () => {
  served = await serveModules(modules);
  url = `${served.origin}/api/v1`;
});
afterAll(() => served.stop());

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
