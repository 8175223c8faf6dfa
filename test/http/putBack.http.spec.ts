/** Whoever reads something, changes a field and sends it back need not sort out which of its fields are only shown. */
import { beforeAll, expect, it } from 'vitest';
import { routes } from '../../api/modules.ts';
import { photo } from '../files/samples.ts';
import { caller, signIn } from '../kit/http.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);

const readable = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
const both = routes.filter((route) => route.method === 'PUT' && readable.has(route.path)).map(({ path }) => path);

let tokens: Record<'admin' | 'hotelier' | 'tourist', string>;
beforeAll(async () => {
  const [admin, hotelier, tourist] = await Promise.all([
    signIn(call, demo, 'admin'),
    signIn(call, demo, 'hotelier'),
    signIn(call, demo, 'tourist'),
  ]);
  tokens = { admin, hotelier, tourist };
});

const create = async (key: string, body: object, id = 'id'): Promise<string> => {
  const reply = await call(key, { token: tokens.admin, body });
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300);
  return reply.body[id];
};
/** @returns the id of a picture for stories */
const picture = async (): Promise<string> => {
  const form = new FormData();
  form.append('file', new Blob([await photo(40, 30)]), 'night.jpg');
  const reply = await fetch(`${runtime.api}/api/v1/attachments/upload?folder=stories`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokens.admin}` },
    body: form,
  });
  return ((await reply.json()) as { id: string }).id;
};
const BADGE = {
  name: { ru: 'Пятьсот метров', en: 'Five hundred metres' },
  description: { ru: 'За одну неделю.', en: 'In one week.' },
  metric: 'vertical',
  threshold: 500,
  window: 'week',
};
/** A seller with a rate of their own, whose bookings no other test looks at. */
const sellerWithRate = async (): Promise<string> => {
  const email = `sent.back@${crypto.randomUUID()}.test`;
  const id = await create('POST /api/v1/admin/accounts', { role: 'hotelier', email, password: crypto.randomUUID() });
  const body = { rate_bps: 900 };
  const set = await call(`PUT /api/v1/admin/commissions/owners/${id}`, { token: tokens.admin, body });
  expect(set.status, JSON.stringify(set.body)).toBe(200);
  return id;
};

/** Who reads and changes it, and the address of one. */
const places: Readonly<Record<string, { by?: 'hotelier' | 'tourist'; at?: () => Promise<string> }>> = {
  '/api/v1/admin/flags/:key': {
    at: () => create('POST /api/v1/admin/flags', { key: 'sent.back', enabled: true, description: 'Sent back' }, 'key'),
  },
  '/api/v1/admin/payment-settings': {},
  '/api/v1/admin/payment-settings/owners/:owner_id': { at: async () => demo.accounts.hotelier.id },
  '/api/v1/provider/payment-settings': { by: 'hotelier' },
  '/api/v1/admin/commissions/roles': {},
  '/api/v1/admin/commissions/owners/:owner_id': { at: sellerWithRate },
  '/api/v1/badges/admin/:id': { at: () => create('POST /api/v1/badges/admin', BADGE) },
  '/api/v1/sos/duty': {},
  '/api/v1/stories/admin/:id': {
    at: async () => create('POST /api/v1/stories/admin', { title: 'Night skiing', media_id: await picture() }),
  },
};
/** The rate of the whole installation is one that other tests read; a camera needs a host in `WEBCAM_HOSTS`. */
const untried = ['/api/v1/admin/commissions/global', '/api/v1/webcams/admin/:id'];
/** Their PUT says what shall happen, their GET what is. */
const different = ['/api/v1/friends/live/sharing', '/api/v1/leaderboard/me'];

it('all of them are here', () => {
  expect(both.toSorted()).toEqual([...Object.keys(places), ...untried, ...different].toSorted());
});

it.each(Object.entries(places))(
  'PUT %s takes what its GET returns, and changes nothing',
  async (path, { by = 'admin', at }) => {
    const token = tokens[by as keyof typeof tokens];
    const address = path.replace(/:\w+/, at ? await at() : '');
    const { status, body: shown } = await call(`GET ${address}`, { token });
    expect(status, JSON.stringify(shown)).toBe(200);
    const sent = await call(`PUT ${address}`, { token, body: shown });
    expect(sent.status, JSON.stringify(sent.body)).toBe(200);
    const { updated_at: _, ...before } = shown;
    expect((await call(`GET ${address}`, { token })).body).toMatchObject(before);
  },
);
