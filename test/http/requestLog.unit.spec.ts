/** What the log has of each request. */
import { Type } from '@sinclair/typebox';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { route } from '../../api/http/route.ts';
import { createLogger } from '../../infra/log.ts';
import { type ServedModules, serveModules } from '../kit/servedModules.ts';

const ANN = '01a21e51-f5a1-7433-b183-040462000000';
const lines: Record<string, unknown>[] = [];
let served: ServedModules;
beforeAll(async () => {
  const booking = route('POST /api/v1/bookings/:id', {
    id: 'book',
    access: 'user',
    summary: 'Book',
    params: Type.Object({ id: Type.String() }),
    query: Type.Object({ token: Type.Optional(Type.String()) }),
    body: Type.Object({ guest: Type.String() }),
    reply: Type.Object({ booked: Type.String() }),
    handle: ({ body }) => ({ booked: body.guest }),
  });
  served = await serveModules([{ service: 'platform', routes: [booking] }], {
    log: createLogger({ destination: { write: (line: string) => void lines.push(JSON.parse(line)) } }),
    health: async () => 'ok',
    authenticateUser: async () => ({ kind: 'user', id: ANN, role: 'tourist', provedAt: 0, sessionId: 's' }),
  });
});
afterAll(() => served.stop());

const ask = async (method: string, path: string, body?: object) => {
  lines.length = 0;
  const headers = { authorization: 'Bearer secret-token', 'content-type': 'application/json' };
  const response = await fetch(served.origin + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  await response.arrayBuffer();
  await expect.poll(() => lines.length).toBeGreaterThan(0);
  return { id: response.headers.get('x-request-id'), line: lines.find(({ msg }) => msg === 'request') };
};
const usual = { level: 'info', method: 'POST', network: '127.0.0.0/24', ms: expect.any(Number) };

it('is who asked for which operation, how it was answered, and the id that the client has', async () => {
  const { id, line } = await ask('POST', '/api/v1/bookings/7?token=secret', { guest: 'Ann Miller' });
  expect(line).toMatchObject({ ...usual, route: '/api/v1/bookings/:id', status: 200, actor: ANN, request_id: id });
  expect(line).not.toHaveProperty('problem');
  expect(JSON.stringify(lines)).not.toMatch(/secret|Miller/);
});

it('is why it was refused, also where no operation was found', async () => {
  const refused = await ask('POST', '/api/v1/bookings/7', { guest: 5 });
  expect(refused.line).toMatchObject({ ...usual, status: 422, problem: 'validation_failed', request_id: refused.id });
  const lost = await ask('POST', '/secret-path', {});
  expect(lost.line).toMatchObject({ ...usual, route: 'none', status: 404, problem: 'no_such_path' });
  expect(JSON.stringify(lines)).not.toMatch(/secret/);
});

it('is nothing of those who ask all the time whether the process is well', async () => {
  await fetch(`${served.origin}/health`);
  const { line } = await ask('GET', '/ready-or-not');
  expect(lines.filter(({ msg }) => msg === 'request')).toEqual([line]);
});
