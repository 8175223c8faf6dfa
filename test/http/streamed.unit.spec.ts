/** Long replies and long bodies, at a server with one module. */
import { Type } from '@sinclair/typebox';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { route, TextOf } from '../../api/http/route.ts';
import { Streamed, StreamOf } from '../../api/http/streamed.ts';
import { createLogger } from '../../infra/log.ts';
import { type ServedModules, serveModules } from '../kit/servedModules.ts';

const failed = new Error('the disk is gone');
async function* lines(count: number, fails: boolean) {
  for (let n = 0; n < count; n += 1) yield `line ${n}\n`;
  if (fails) throw failed;
}
const download = route('GET /api/v1/tours', {
  id: 'download',
  access: 'public',
  summary: 'Download lines',
  query: Type.Object({ lines: Type.Integer(), fails: Type.Boolean() }),
  reply: StreamOf('text/x-lines'),
  handle: ({ query }) => new Streamed('all lines.txt', lines(query.lines, query.fails)),
});
const text = route('GET /api/v1/feed', {
  id: 'feed',
  access: 'public',
  summary: 'Subscribe to a feed',
  reply: TextOf('text/x-feed'),
  cache: { maxAge: 60, shared: true },
  handle: () => 'BEGIN "é"',
});
const upload = route('POST /api/v1/tours', {
  id: 'upload',
  access: 'public',
  summary: 'Upload a list of texts',
  body: Type.Object({ texts: Type.Array(Type.String()) }),
  bodyLimit: 2 * 1024 * 1024,
  reply: Type.Object({ count: Type.Integer() }),
  handle: ({ body }) => ({ count: body.texts.length }),
});

const logged: unknown[] = [];
let served: ServedModules;
let url: string;
beforeEach(async () => {
  logged.length = 0;
  const log = {
    ...createLogger({ level: 'silent' }),
    debug: () => undefined,
    error: (fields: object) => logged.push(fields),
  };
  served = await serveModules([{ service: 'catalog', routes: [download, text, upload] }], { log });
  url = `${served.origin}/api/v1/tours`;
});
afterEach(() => served.stop());

it('a stream is sent as a file of its type, whatever its length', async () => {
  const reply = await fetch(`${url}?lines=20000&fails=false`);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toContain('text/x-lines');
  expect(reply.headers.get('content-disposition')).toBe('attachment; filename="all lines.txt"');
  expect((await reply.text()).split('\n')).toHaveLength(20_001);
});

it('a text is sent in its type, and not again to who has it', async () => {
  const feed = url.replace('tours', 'feed');
  const first = await fetch(feed);
  expect(first.headers.get('content-type')).toBe('text/x-feed; charset=utf-8');
  expect(first.headers.get('cache-control')).toBe('public, max-age=60');
  expect(await first.text()).toBe('BEGIN "é"');
  const again = await fetch(feed, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
  expect([again.status, await again.text()]).toEqual([304, '']);
});

it('a stream that fails cuts the connection, and is logged', async () => {
  const reply = await fetch(`${url}?lines=10&fails=true`);
  await expect(reply.text()).rejects.toThrow();
  expect(logged).toEqual([{ err: failed, operation: 'GET /api/v1/tours' }]);
});

it('a client that leaves is no failure', async () => {
  const leaving = new AbortController();
  const reply = await fetch(`${url}?lines=1000000&fails=false`, { signal: leaving.signal });
  await reply.body?.getReader().read();
  leaving.abort();
  const connections = () =>
    new Promise<number>((resolve) => served.server.getConnections((_, count) => resolve(count)));
  await expect.poll(connections).toBe(0);
  expect(logged).toEqual([]);
});

it('a body may be as long as its route says, and no longer', async () => {
  const post = (length: number) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ texts: Array.from({ length: length / 1_024 }, () => 'x'.repeat(1_021)) }),
    });
  const fits = await post(2 * 1024 * 1024 - 10_240);
  expect([fits.status, await fits.json()]).toEqual([200, { count: 2_038 }]);
  const refused = await post(2 * 1024 * 1024 + 1_024);
  expect(refused.status).toBe(413);
  expect(await refused.json()).toMatchObject({ detail: 'The body is larger than 2048 KiB.' });
});
