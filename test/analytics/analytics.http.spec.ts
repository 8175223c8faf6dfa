/** Events of apps and metrics over HTTP. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { caller, signIn } from '../kit/http.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
let tourist: string;
let hotelier: string;
let admin: string;
beforeAll(async () => {
  tourist = await signIn(call, demo, 'tourist2');
  hotelier = await signIn(call, demo, 'hotelier');
  admin = await signIn(call, demo, 'admin');
});

const anEvent = (changes: object = {}) => ({
  event_id: randomUUID(),
  kind: 'screen_view',
  name: 'home',
  occurred_at: new Date().toISOString(),
  session_id: randomUUID(),
  ...changes,
});
const batch = (events: readonly unknown[], more: object = {}) =>
  call('POST /api/v1/events/batch', { token: tourist, body: { events, ...more } });

it('answers 202 with what was wrong of each event of a batch', async () => {
  const deep = JSON.parse(`${'['.repeat(25)}${']'.repeat(25)}`);
  const { status, headers, body } = await batch([
    anEvent(),
    anEvent({ event_id: 'mine' }),
    'nonsense',
    anEvent({ properties: { deep } }),
    anEvent({ properties: { text: '\u0000' } }),
    anEvent({ colour: 'red' }),
  ]);
  expect(status).toBe(202);
  expect(headers.get('x-service')).toBe('analytics');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(body).toMatchObject({ accepted: 0, duplicates: 0 });
  const details = body.rejected.map(({ index, detail }: { index: number; detail: string }) => `${index} ${detail}`);
  expect(details).toEqual([
    '0 The account has not consented to analytics.',
    '1 /events/1/event_id must match format "uuid"',
    '2 /events/2 must be object',
    `3 /events/3/properties/deep${'/0'.repeat(18)} is nested deeper than 20 levels`,
    '4 /events/4/properties/text contains characters that cannot be stored',
    '5 /events/5/colour is not a known field',
  ]);
});

it('refuses only the event that has a field which no object can have', async () => {
  const { occurred_at: _, ...undated } = anEvent();
  const body = `{"events":[{"properties":{"__proto__":{"admin":true}}},${JSON.stringify(undated)}]}`;
  const sent = await call('POST /api/v1/events/batch', { token: tourist, body });
  expect(sent).toMatchObject({ status: 202, body: { accepted: 0, duplicates: 0 } });
  expect(
    sent.body.rejected.map(({ index, detail }: { index: number; detail: string }) => `${index} ${detail}`),
  ).toEqual([
    '0 /events/0/properties contains a field with the name __proto__, which is reserved',
    expect.stringContaining('1 /events/1/occurred_at'),
  ]);
});

it('refuses a batch that is none', async () => {
  expect((await batch([])).status).toBe(422);
  expect((await batch(Array.from({ length: 501 }, () => 0))).status).toBe(422);
  expect((await batch([anEvent()], { sent_at: 'now' })).body.detail).toContain('/body/sent_at');
  expect((await batch([anEvent({ properties: { text: 'x'.repeat(2 * 1024 * 1024) } })])).status).toBe(413);
  const large = Array.from({ length: 400 }, () => anEvent({ properties: { text: 'x'.repeat(4_000) } }));
  expect((await batch(large)).status).toBe(202);
});

it('takes a single event, and refuses one that is none', async () => {
  const sent = await call('POST /api/v1/events', {
    token: tourist,
    body: anEvent({ sent_at: new Date().toISOString() }),
  });
  expect(sent).toMatchObject({ status: 202, body: { accepted: 0, duplicates: 0, rejected: [{ index: 0 }] } });
  const wrong = await call('POST /api/v1/events', { token: tourist, body: anEvent({ kind: 'wink' }) });
  expect(wrong).toMatchObject({ status: 422, body: { errors: [{ pointer: '/body/kind' }] } });
  expect((await call('POST /api/v1/events', { body: anEvent() })).status).toBe(401);
});

it('takes events from when the account consents until it withdraws', async () => {
  const { consents } = (await call('GET /api/v1/me/consents', { token: tourist })).body;
  const { policy_version } = consents.find(({ purpose }: { purpose: string }) => purpose === 'analytics');
  const answer = async (granted: boolean) => {
    const body = { purpose: 'analytics', policy_version, granted };
    expect((await call('POST /api/v1/me/consent', { token: tourist, body })).status).toBe(201);
  };
  const visits = async () => (await call('GET /api/v1/metrics/me', { token: tourist })).body.visits;
  const events = [anEvent(), anEvent({ name: 'card', properties: { type: 'hotel' } })];
  await answer(true);
  expect(await batch([...events, 7])).toMatchObject({ body: { accepted: 2, duplicates: 0, rejected: [{ index: 2 }] } });
  expect(await batch(events)).toMatchObject({ body: { accepted: 0, duplicates: 2, rejected: [] } });
  expect(await visits()).toBe(2);
  const asked = 'GET /api/v1/metrics/funnel?steps=home,card&group_by=kind';
  expect((await call(asked, { token: admin })).body.groups).toMatchObject([{ group: 'screen_view' }]);
  const { days, cohorts } = (await call('GET /api/v1/metrics/global', { token: admin })).body;
  expect([days, cohorts].map((list) => list.length)).toEqual([1, 1]);

  await answer(false);
  expect(await batch(events)).toMatchObject({ body: { accepted: 0, rejected: { length: 2 } } });
  expect(await visits()).toBe(null);
});

it('shows everybody their own numbers, sellers theirs, and admins all', async () => {
  const own = await call('GET /api/v1/metrics/me', { token: tourist });
  expect(own).toMatchObject({ status: 200, body: { visits: null, spent: expect.any(Array), ski_days: 0 } });

  const theirs = await call('GET /api/v1/metrics/provider', { token: hotelier });
  const global = await call('GET /api/v1/metrics/global', { token: admin });
  expect([theirs.status, global.status]).toEqual([200, 200]);
  expect((await call('GET /api/v1/metrics/provider', { token: tourist })).status).toBe(403);
  expect((await call('GET /api/v1/metrics/global', { token: hotelier })).status).toBe(403);

  const steps = 'hotel_list,booked,paid';
  const asked = `GET /api/v1/metrics/funnel?steps=${steps}&mode=any&group_by=properties.type&window=3600`;
  expect((await call(asked, { token: admin })).status).toBe(200);
});

it.each([
  ['steps=booked', '/query/steps'],
  ['steps=booked,booked', '/query/steps'],
  ['steps=booked,paid&group_by=name', '/query/group_by'],
  ['steps=booked,paid&window=0', '/query/window'],
  ['steps=booked,paid&from=2026-02-02&to=2026-02-01', '/query/to'],
  ['steps=booked,paid&from=2024-01-01&to=2026-02-01', '/query/from'],
])('refuses the funnel %s', async (query, pointer) => {
  const reply = await call(`GET /api/v1/metrics/funnel?${query}`, { token: admin });
  expect(reply).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
});
