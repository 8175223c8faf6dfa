/** News, promotions and events over HTTP: written by admins, read by everybody in their language, and told of live. */
import { randomUUID } from 'node:crypto';
import ICAL from 'ical.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HOUR_MS, instantOf } from '../../domain/core/instants.ts';
import { caller, newTourist, once, signIn } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';
import { connect } from '../realtime/stage.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const sockets: { close(): void }[] = [];
let [admin, tourist] = ['', ''];
beforeAll(async () => {
  [admin, tourist] = await Promise.all([signIn(call, demo, 'admin'), signIn(call, demo, 'tourist')]);
});
afterAll(() => {
  for (const socket of sockets) socket.close();
});

const inHours = (hours: number) => instantOf(Date.now() + hours * HOUR_MS);
/** A word that no other post has. */
const newWord = () => `w${randomUUID().slice(0, 8)}`;
const write = async (kind: string, word: string, more: object = {}) => {
  const texts = { ru: { title: `Новость ${word}` }, en: { title: `News ${word}`, body: 'All of it.' } };
  const body = { kind, texts, publish_at: inHours(-1), ...more };
  return call('POST /api/v1/admin/posts', { token: admin, headers: once(), body });
};
const found = async (path: string, word: string, headers: Record<string, string> = {}) =>
  (await call(`GET /api/v1/${path}?q=${word}`, { headers })).body.data;
const changePost = (id: string, body: object) => call(`PATCH /api/v1/admin/posts/${id}`, { token: admin, body });
const happening = (from: number, to: number) => ({
  ...{ place: 'South slope', location: { latitude: 43.68, longitude: 40.2 } },
  ...{ starts_at: inHours(from), ends_at: inHours(to), timezone: 'Europe/Moscow' },
});

it('news are drafted, scheduled, published and taken back, and who listens is told', async () => {
  const listening = connect(Number(new URL(runtime.api).port), tourist);
  sockets.push(listening.socket);
  expect(await listening.ask({ type: 'subscribe', channel: 'content' })).toMatchObject({ type: 'subscribed' });
  const toldOf = (type: string, id: string) =>
    until(() => listening.frames.find((frame) => frame.type === type && JSON.stringify(frame).includes(id)));

  const word = newWord();
  const draft = await write('news', word, { publish_at: null });
  expect(draft).toMatchObject({ status: 201, body: { state: 'draft', kind: 'news', images: [] } });
  const { id } = draft.body;
  expect(await found('news', word)).toEqual([]);
  expect((await call(`GET /api/v1/news/${id}`)).status).toBe(404);

  expect((await changePost(id, { publish_at: inHours(5) })).body.state).toBe('scheduled');
  expect(await found('news', word)).toEqual([]);
  expect((await changePost(id, { publish_at: inHours(-1) })).body.state).toBe('published');
  expect(await toldOf('post.created', id)).toMatchObject({ data: { texts: { en: { title: `News ${word}` } } } });
  expect(await found('news', word)).toMatchObject([{ id, lang: 'ru', title: `Новость ${word}` }]);
  expect(await found('news', word, { 'accept-language': 'en-GB' })).toMatchObject([{ lang: 'en', body: 'All of it.' }]);
  expect((await call(`GET /api/v1/news/${id}?lang=en`)).body.title).toBe(`News ${word}`);

  // Expired by the clock alone, in half a second.
  await changePost(id, { expires_at: instantOf(Date.now() + 500) });
  await until(async () => (await found('news', word)).length === 0);
  await toldOf('post.removed', id);
  const all = await call(`GET /api/v1/admin/posts?state=expired&q=${word}`, { token: admin });
  expect(all.body.data).toMatchObject([{ id, state: 'expired' }]);
  expect((await call(`DELETE /api/v1/admin/posts/${id}`, { token: admin })).status).toBe(204);
  expect((await call(`GET /api/v1/admin/posts/${id}`, { token: admin })).status).toBe(404);
});

it('lists are cached by their ETag, for each language', async () => {
  const word = newWord();
  await write('promotion', word);
  const list = `GET /api/v1/promotions?q=${word}`;
  const first = await call(list);
  expect(first.headers.get('vary')).toContain('Accept-Language');
  const etag = first.headers.get('etag') ?? '';
  expect((await call(list, { headers: { 'if-none-match': etag } })).status).toBe(304);
  expect((await call(list, { headers: { 'if-none-match': etag, 'accept-language': 'en' } })).status).toBe(200);
});

it('a promotion tells of a promo code that exists', async () => {
  const code = newWord().toUpperCase();
  const refused = await write('promotion', newWord(), { promo_code: code });
  expect(refused).toMatchObject({ status: 422, body: { detail: expect.stringContaining(code) } });
  const made = await call('POST /api/v1/admin/promo-codes', { token: admin, body: { code, discount_percent: 10 } });
  expect(made.status).toBe(201);
  const written = await write('promotion', newWord(), { promo_code: code.toLowerCase() });
  expect(written).toMatchObject({ status: 201, body: { promo_code: code } });
});

it('events and the events of apps are two services on one path', async () => {
  const [list, refused] = [await call('GET /api/v1/events'), await call('PUT /api/v1/events')];
  expect([list.status, list.headers.get('x-service')]).toEqual([200, 'platform']);
  expect([refused.status, refused.headers.get('allow')?.split(', ').toSorted()]).toEqual([
    405,
    ['GET', 'HEAD', 'POST'],
  ]);
  const recorded = await call('POST /api/v1/events', { body: {} });
  expect([recorded.status, recorded.headers.get('x-service')]).toEqual([401, 'analytics']);
});

it('people come to events, and calendars follow them', async () => {
  const word = newWord();
  const { body: later } = await write('event', word, { happening: happening(48, 50) });
  const { body: over } = await write('event', word, { happening: happening(-5, -3) });
  expect((await found('events', word)).map(({ id }: { id: string }) => id)).toEqual([later.id]);

  const [anna, boris] = await Promise.all([newTourist(call, admin, 'Anna'), newTourist(call, admin, 'Boris')]);
  const come = (id: string, token: string, method = 'PUT') =>
    call(`${method} /api/v1/events/${id}/attendance`, { token });
  for (const { token } of [anna, boris, anna]) expect((await come(later.id, token)).status).toBe(204);
  expect(await come(over.id, anna.token)).toMatchObject({ status: 409, body: { detail: 'This event is over.' } });
  expect((await come(randomUUID(), anna.token)).status).toBe(404);
  expect((await call(`GET /api/v1/events/${later.id}`)).body).toMatchObject({ attendees: 2, place: 'South slope' });
  const who = await call(`GET /api/v1/admin/events/${later.id}/attendees`, { token: admin });
  expect(who.body.data.map(({ user_id }: { user_id: string }) => user_id)).toEqual([anna.id, boris.id]);
  expect((await come(later.id, boris.token, 'DELETE')).status).toBe(204);
  expect((await call('GET /api/v1/me/events', { token: boris.token })).body.total).toBe(0);
  expect((await call('GET /api/v1/me/events', { token: anna.token })).body.data).toMatchObject([
    { id: later.id, attendees: 1 },
  ]);

  const single = await call(`GET /api/v1/events/${later.id}/event.ics?lang=en`);
  expect(single.headers.get('content-type')).toContain('text/calendar');
  const feed = await call('GET /api/v1/events.ics?lang=en');
  const headers = { 'if-none-match': feed.headers.get('etag') ?? '' };
  expect((await call('GET /api/v1/events.ics?lang=en', { headers })).status).toBe(304);
  for (const text of [single.body, feed.body]) {
    const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent');
    const titles = events.map((event) => event.getFirstPropertyValue('summary'));
    expect(titles).toContain(`News ${word}`);
  }
});
