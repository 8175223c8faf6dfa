/** Stories over HTTP: posted with a picture, seen, liked, reported, and gone with their files. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { HOUR_MS, instantOf } from '../../domain/core/instants.ts';
import { photo } from '../files/samples.ts';
import { caller, type Newcomer, newTourist, once, signIn } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
let admin = '';
let [anna, boris] = [undefined as unknown as Newcomer, undefined as unknown as Newcomer];
beforeAll(async () => {
  admin = await signIn(call, demo, 'admin');
  [anna, boris] = await Promise.all([newTourist(call, admin, 'Anna'), newTourist(call, admin, 'Boris')]);
});

/** @returns its id */
const upload = async (token: string): Promise<string> => {
  const form = new FormData();
  form.append('file', new Blob([await photo(40, 30)]), 'view.jpg');
  const reply = await fetch(`${runtime.api}/api/v1/attachments/upload?folder=stories`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  expect(reply.status).toBe(201);
  return ((await reply.json()) as { id: string }).id;
};
const post = async ({ token }: Newcomer, text: string, headers = once()) => {
  const body = { media_id: await upload(token), text };
  const send = () => call('POST /api/v1/stories', { token, headers, body });
  const first = await send();
  expect(first.status, JSON.stringify(first.body)).toBe(201);
  expect((await send()).body).toEqual(first.body);
  return first.body;
};
/** The stories of an author, as somebody sees them; other people may post at the same time. */
const seen = async (token: string, author: string | null) => {
  for (let page = 1; ; page += 1) {
    const { body } = await call(`GET /api/v1/stories?per_page=100&page=${page}`, { token });
    const group = body.data.find((each: { author: { id: string } | null }) => (each.author?.id ?? null) === author);
    if (group || body.data.length === 0) return group;
  }
};

it('a story is seen and liked by others, and deleted with its picture', async () => {
  const story = await post(anna, 'Fresh snow');
  expect(story).toMatchObject({ text: 'Fresh snow', status: 'shown', views: 0, media: { mime: 'image/jpeg' } });
  expect((await fetch(story.media.url)).status).toBe(200);
  const group = () => seen(boris.token, anna.id);
  expect(await group()).toMatchObject({
    ...{ author: { id: anna.id, name: 'Anna O.' }, is_own: false, is_seen: false },
    stories: [{ id: story.id, is_seen: false, is_liked: false, likes: 0 }],
  });

  const on = (request: string, token = boris.token) =>
    call(request.replace(' ', ` /api/v1/stories/${story.id}/`), { token });
  for (const token of [boris.token, boris.token, anna.token]) expect((await on('POST view', token)).status).toBe(204);
  expect(await group()).toMatchObject({ is_seen: true, stories: [{ is_seen: true, is_liked: false }] });
  for (const token of [boris.token, boris.token, anna.token]) expect((await on('POST like', token)).status).toBe(204);
  expect((await group()).stories).toMatchObject([{ is_liked: true, likes: 1 }]);
  const mine = async () => (await call('GET /api/v1/stories/mine', { token: anna.token })).body.data;
  expect(await mine()).toMatchObject([{ id: story.id, views: 1, likes: 1 }]);
  expect((await on('DELETE like')).status).toBe(204);
  expect(await mine()).toMatchObject([{ views: 1, likes: 0 }]);

  // People who have blocked each other do not see each other, whoever did it.
  await call(`PUT /api/v1/friends/blocked/${boris.id}`, { token: anna.token });
  expect(await group()).toBeUndefined();
  expect((await on('POST view')).status).toBe(404);
  expect((await on('POST report')).status).toBe(422);
  await call(`DELETE /api/v1/friends/blocked/${boris.id}`, { token: anna.token });
  expect(await group()).toBeDefined();

  const remove = (token: string) => call(`DELETE /api/v1/stories/${story.id}`, { token });
  expect((await remove(boris.token)).status).toBe(404);
  expect([(await remove(anna.token)).status, (await remove(anna.token)).status]).toEqual([204, 204]);
  expect(await group()).toBeUndefined();
  await until(async () => (await fetch(story.media.url)).status === 404);
});

it('a reported story is removed by an admin: its author sees why', async () => {
  const { id } = await post(anna, 'Not so nice');
  const reportBy = (token: string) => call(`POST /api/v1/stories/${id}/report`, { token, body: { reason: 'Rude' } });
  expect((await reportBy(anna.token)).body).toMatchObject({ status: 422, detail: expect.stringContaining('your own') });
  const report = await reportBy(boris.token);
  const another = await reportBy(admin);
  expect(report).toMatchObject({ status: 201, body: { subject_kind: 'story', subject_id: id } });
  const { body } = await call('GET /api/v1/admin/story-reports?status=open&per_page=100', { token: admin });
  expect(body.data).toContainEqual(
    expect.objectContaining({ subject_id: id, content: expect.objectContaining({ text: 'Not so nice' }) }),
  );
  const resolve = (sent: object) =>
    call(`POST /api/v1/admin/story-reports/${report.body.id}/resolve`, { token: admin, body: sent });
  expect((await resolve({ action: 'remove' })).status).toBe(422);
  expect((await resolve({ action: 'remove', reason: 'Be kind.' })).status).toBe(204);
  expect(await seen(boris.token, anna.id)).toBeUndefined();
  const resolved = await call('GET /api/v1/admin/story-reports?status=resolved&per_page=100', { token: admin });
  expect(resolved.body.data).toContainEqual(expect.objectContaining({ id: another.body.id, action: 'removed' }));
  expect((await call('GET /api/v1/stories/mine', { token: anna.token })).body.data).toMatchObject([
    { id, status: 'removed', reason: 'Be kind.' },
  ]);
  await until(async () => {
    const { body: told } = await call('GET /api/v1/notifications?kind=system', { token: anna.token });
    return told.data.some(({ type }: { type: string }) => type === 'story_removed');
  });

  const appeal = (token: string) =>
    call('POST /api/v1/appeals', { token, body: { kind: 'story', subject_id: id, text: 'It was a quotation.' } });
  expect((await appeal(boris.token)).status).toBe(404);
  const filed = await appeal(anna.token);
  expect([filed.status, (await appeal(anna.token)).status]).toEqual([201, 200]);
  const answer = `admin/forums/appeals/${filed.body.id}/answer`;
  const sent = { token: admin, body: { action: 'accept', answer: 'You are right.' } };
  expect((await call(`POST /api/v1/${answer}`, sent)).status, 'a story is none of the forums').toBe(404);
  expect((await call(`POST /api/v1/${answer.replace('forums/', '')}`, sent)).status).toBe(204);
  await until(async () => (await seen(boris.token, anna.id))?.stories[0]?.id === id);
  const own = await call('GET /api/v1/appeals/me', { token: anna.token });
  expect(own.body.data).toMatchObject([
    { kind: 'story', status: 'accepted', answer: 'You are right.', is_undone: true },
  ]);
  expect((await call('GET /api/v1/forums/appeals/me', { token: anna.token })).body.data).toEqual([]);
  await until(async () => {
    const { body: told } = await call('GET /api/v1/notifications?kind=system', { token: anna.token });
    const types = told.data.map(({ type }: { type: string }) => type);
    return types.includes('appeal_answered') && !types.includes('story_removed');
  });
});

it('a story that its author deletes while a report waits stays for admins, and for nobody else', async () => {
  const { id } = await post(anna, 'Not so nice either');
  const body = { reason: 'Rude' };
  const report = await call(`POST /api/v1/stories/${id}/report`, { token: boris.token, body });
  expect((await call(`DELETE /api/v1/stories/${id}`, { token: anna.token })).status).toBe(204);
  const queue = await call('GET /api/v1/admin/story-reports?status=open&per_page=100', { token: admin });
  const { content } = queue.body.data.find((one: { id: string }) => one.id === report.body.id);
  expect(content).toMatchObject({ text: 'Not so nice either', status: 'deleted' });
  expect((await fetch(content.media.url)).status).toBe(200);
  const own = await call('GET /api/v1/stories/mine?per_page=100', { token: anna.token });
  expect(own.body.data.map((one: { id: string }) => one.id)).not.toContain(id);
  for (const token of [anna.token, boris.token]) {
    expect((await call(`POST /api/v1/stories/${id}/view`, { token })).status).toBe(404);
  }
  expect((await call(`DELETE /api/v1/stories/${id}`, { token: anna.token })).status).toBe(204);
  const resolve = `POST /api/v1/admin/story-reports/${report.body.id}/resolve`;
  expect((await call(resolve, { token: admin, body: { action: 'remove', reason: 'Be kind.' } })).status).toBe(204);
});

it('a story of the resort is scheduled, shown to its roles, replaced and deleted', async () => {
  const title = `Night ${randomUUID()}`;
  const inHours = (hours: number) => instantOf(Date.now() + hours * HOUR_MS);
  const write = (request: string, body?: object) =>
    call(request.replace('admin', 'api/v1/stories/admin'), { token: admin, ...(body && { body }) });
  const content = { title, media_id: await upload(admin), link: 'https://resort.test/night', roles: ['tourist'] };
  const wrong = await write('POST /admin', { ...content, expires_at: inHours(-1) });
  expect(wrong.status, JSON.stringify(wrong.body)).toBe(422);
  const { body: story } = await write('POST /admin', { ...content, publish_at: inHours(2) });
  expect(story).toMatchObject({ title, link: content.link, roles: ['tourist'], views: 0 });
  const shown = async () => {
    const group = await seen(boris.token, null);
    return (group?.stories ?? []).filter((each: { id: string }) => each.id === story.id);
  };
  expect(await shown()).toEqual([]);

  expect((await write(`PUT /admin/${story.id}`, content)).body).toMatchObject({ created_at: story.created_at });
  expect(await shown()).toMatchObject([{ title, is_seen: false }]);
  expect((await call(`POST /api/v1/stories/${story.id}/view`, { token: boris.token })).status).toBe(204);
  expect((await write(`GET /admin/${story.id}`)).body).toMatchObject({ views: 1, roles: ['tourist'] });

  const next = { ...content, media_id: await upload(admin), roles: ['hotelier'] };
  expect((await write(`PUT /admin/${story.id}`, next)).body.media.id).toBe(next.media_id);
  expect(await shown()).toEqual([]);
  expect((await call(`POST /api/v1/stories/${story.id}/view`, { token: boris.token })).status).toBe(404);
  await until(async () => (await fetch(story.media.url)).status === 404);
  expect((await write(`DELETE /admin/${story.id}`)).status).toBe(204);
  expect((await write(`GET /admin/${story.id}`)).status).toBe(404);
  expect((await call('GET /api/v1/stories/admin', { token: boris.token })).status).toBe(403);
});
