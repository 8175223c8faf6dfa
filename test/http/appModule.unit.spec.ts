/** Operations of a part of the product that is closed, merge patches, and conditional changes, at a server of its own. */
import { Type } from '@sinclair/typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appModule, canBeClosed } from '../../api/http/appModule.ts';
import { etagOf, revisionsIn } from '../../api/http/conditional.ts';
import { type ApiModule, openedBy } from '../../api/http/module.ts';
import { route } from '../../api/http/route.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { type ServedModules, serveModules } from '../kit/servedModules.ts';

const reply = Type.Object({ revision: Type.Integer() });
const patch = route('PATCH /api/v1/tours', {
  id: 'patchTours',
  access: 'public',
  summary: 'Patch',
  body: Type.Object({ revision: Type.Integer() }),
  bodyTypes: ['application/merge-patch+json'],
  reply,
  handle: ({ body }) => body,
});
const get = route('GET /api/v1/tours', {
  id: 'getTours',
  access: 'public',
  summary: 'Get',
  reply,
  cache: { maxAge: 5, shared: true, revisionOf: ({ revision }) => revision },
  handle: () => ({ revision: 7 }),
});
const hook = route('POST /api/v1/tours/hook', {
  id: 'hook',
  access: 'signed',
  summary: 'Receive',
  reply,
  handle: () => ({ revision: 1 }),
});
const modules: ApiModule[] = [
  {
    service: 'catalog',
    opens: appModule('tours'),
    routes: [patch, get, hook],
    guard: async (_, { key }, { ip }) => {
      if (closed) throw new Rejected('module_closed', `${key} is closed for ${ip === '' ? 'nobody' : 'you'}.`);
    },
  },
];

let closed = false;
let served: ServedModules;
let url: string;
beforeAll(async () => {
  served = await serveModules(modules);
  url = `${served.origin}/api/v1/tours`;
});
afterAll(() => served.stop());

it('a closed part of the product refuses people, and nobody else', async () => {
  expect((await fetch(url)).status).toBe(200);
  closed = true;
  const refused = await fetch(url);
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([403, 'module_closed']);
  expect(
    (await fetch(`${url}/hook`, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }))
      .status,
  ).toBe(200);
  closed = false;
});

it('says what can be closed', () => {
  expect(openedBy(modules).map(({ key, flag }) => [key, flag])).toEqual([['tours', 'module.tours']]);
  const accesses = new Set(['user'] as const);
  expect(canBeClosed({ ...appModule('tours'), accesses })).toBe(true);
  expect(canBeClosed({ ...appModule('rescue', { alwaysOpen: true }), accesses })).toBe(false);
  expect(canBeClosed({ ...appModule('audit'), accesses: new Set(['admin'] as const) })).toBe(false);
});

it('a body can have further media types', async () => {
  const send = async (type: string) =>
    (await fetch(url, { method: 'PATCH', body: '{"revision":1}', headers: { 'content-type': type } })).status;
  expect(await send('application/json')).toBe(200);
  expect(await send('application/merge-patch+json')).toBe(200);
  expect(await send('application/json-patch+json')).toBe(415);
});

describe('an ETag with a revision', () => {
  it('is answered, for everybody', async () => {
    const first = await fetch(url);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"7-.+"$/);
    expect(first.headers.get('cache-control')).toBe('public, max-age=5');
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304);
  });
  it('is read back from If-Match', () => {
    expect(revisionsIn(undefined)).toBeUndefined();
    expect(revisionsIn('*')).toBeUndefined();
    expect(revisionsIn(etagOf('abc', 12))).toEqual([12]);
    expect(revisionsIn('"3-x", "4"')).toEqual([3, 4]);
    expect(revisionsIn('"other"')).toEqual([]);
    expect(revisionsIn('W/"3-x"')).toEqual([]);
  });
});
