/** The forums over HTTP: written by people, read by everybody, moderated by admins. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HOUR_MS, instantOf } from '../../domain/core/instants.ts';
import { photo } from '../files/samples.ts';
import { caller, type Newcomer, newTourist, once, signIn } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';
import { connect } from '../realtime/stage.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const sockets: { close(): void }[] = [];
let admin = '';
let [anna, boris] = [{} as Newcomer, {} as Newcomer];
let category = '';
beforeAll(async () => {
  admin = await signIn(call, demo, 'admin');
  [anna, boris] = await Promise.all([newTourist(call, admin, 'Anna'), newTourist(call, admin, 'Boris')]);
  const body = { title: 'Off-piste', position: 900 };
  const made = await call('POST /api/v1/admin/forums/categories', { token: admin, body });
  expect(made, JSON.stringify(made.body)).toMatchObject({
    status: 201,
    body: { admins_start: false, topics_count: 0 },
  });
  category = made.body.id;
});
afterAll(() => {
  for (const socket of sockets) socket.close();
});

/** A word that no other post has. */
const newWord = () => `w${randomUUID().slice(0, 8)}`;
const start = async (word: string, more: object = {}) => {
  const body = { category_id: category, title: `Snow ${word}`, body: `Where is ${word} powder?`, ...more };
  const made = await call('POST /api/v1/forums/topics', { token: anna.token, headers: once(), body });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const posts = await until(async () => {
    const { body: page } = await call(`GET /api/v1/forums/topics/${made.body.id}/posts`);
    return page.data?.length > 0 && page.data;
  });
  return { topic: made.body, first: posts[0] };
};
const write = (topicId: string, { token }: Newcomer, body: object) =>
  call(`POST /api/v1/forums/topics/${topicId}/posts`, { token, body });
const asAdmin = (request: string, body?: object) => call(request, { token: admin, ...(body && { body }) });

it('people start topics and answer, everybody reads, and who listens is told', async () => {
  const word = newWord();
  const { topic, first } = await start(word);
  expect(topic).toMatchObject({ author: 'Anna O.', last_seq: 1, unread_count: 0, pinned: false, status: 'open' });
  expect(first).toMatchObject({ seq: 1, body: `Where is ${word} powder?`, image_url: null, own_reaction: null });

  const listening = connect(Number(new URL(runtime.api).port), anna.token);
  sockets.push(listening.socket);
  const channel = `topic_${topic.id}`;
  expect(await listening.ask({ type: 'subscribe', channel })).toMatchObject({ type: 'subscribed' });

  const answer = { body: 'On the north side.', quotes: [first.id], reply_to_id: first.id, client_post_id: 'mine' };
  const written = await write(topic.id, boris, { ...answer, mentions: [anna.id] });
  expect(written).toMatchObject({ status: 201, body: { seq: 2, reply_to_seq: 1, quotes: [{ id: first.id, seq: 1 }] } });
  expect(await write(topic.id, boris, answer)).toMatchObject({ status: 200, body: { id: written.body.id } });
  const told = await until(() =>
    listening.frames.find(
      (frame) => frame.type === 'forum_post.created' && JSON.stringify(frame).includes(written.body.id),
    ),
  );
  expect(told).toMatchObject({ data: { id: written.body.id, author: 'Boris O.' } });
  const notices = () => call('GET /api/v1/notifications', { token: anna.token });
  await until(async () => (await notices()).body.data.some(({ type }: { type: string }) => type === 'forum_reply'));

  const list = `GET /api/v1/forums/categories/${category}/topics`;
  expect((await call(list)).body.data.find(({ id }: { id: string }) => id === topic.id)).toMatchObject({
    ...{ last_seq: 2, last_read_seq: null, unread_count: null },
  });
  const get = () => call(`GET /api/v1/forums/topics/${topic.id}`, { token: anna.token });
  expect((await get()).body).toMatchObject({ last_read_seq: 1, unread_count: 1 });
  const read = await call(`PUT /api/v1/forums/topics/${topic.id}/read`, { token: anna.token, body: { seq: 1_000 } });
  expect(read.body.last_read_seq).toBe(2);
  expect((await get()).body.unread_count).toBe(0);

  const react = (kind: string) =>
    call(`PUT /api/v1/forums/posts/${written.body.id}/reaction`, { token: anna.token, body: { kind } });
  for (const kind of ['like', 'helpful']) expect((await react(kind)).status).toBe(204);
  const shown = await call(`GET /api/v1/forums/posts/${written.body.id}`, { token: anna.token });
  expect(shown.body).toMatchObject({ reactions: [{ kind: 'helpful', count: 1 }], own_reaction: 'helpful' });

  const found = async (q: string) => (await call(`GET /api/v1/forums/search?q=${q}`)).body;
  expect(await found(word.slice(0, 8))).toMatchObject({
    total: 1,
    data: [{ id: first.id, topic_title: `Snow ${word}` }],
  });
  const pages = `GET /api/v1/forums/topics/${topic.id}/posts?limit=1`;
  expect((await call(`${pages}&after=0`)).body).toMatchObject({
    data: [{ seq: 1 }],
    next_cursor: 1,
    prev_cursor: null,
  });
  expect((await call(`${pages}&after=0&before=2`)).status).toBe(422);
});

it('posts are edited and deleted by their authors', async () => {
  const { topic, first } = await start(newWord());
  const edit = (who: Newcomer) =>
    call(`PATCH /api/v1/forums/posts/${first.id}`, { token: who.token, body: { body: 'Powder, please' } });
  expect(await edit(anna)).toMatchObject({ status: 200, body: { body: 'Powder, please' } });
  expect((await edit(boris)).status).toBe(403);
  const history = (who: Newcomer) => call(`GET /api/v1/forums/posts/${first.id}/history`, { token: who.token });
  expect((await history(anna)).body.versions.map(({ body }: { body: string }) => body)).toEqual([
    first.body,
    'Powder, please',
  ]);
  expect((await history(boris)).status).toBe(403);
  const answer = await write(topic.id, boris, { body: 'Here' });
  expect((await call(`DELETE /api/v1/forums/topics/${topic.id}`, { token: anna.token })).status).toBe(409);
  const gone = await call(`DELETE /api/v1/forums/posts/${answer.body.id}`, { token: boris.token });
  expect(gone.body).toMatchObject({ body: null, deletion: 'author' });

  const other = await start(newWord());
  expect((await call(`DELETE /api/v1/forums/topics/${other.topic.id}`, { token: anna.token })).status).toBe(204);
  expect((await call(`GET /api/v1/forums/topics/${other.topic.id}`)).status).toBe(404);
});

it('pictures are shown by links, and to nobody once a moderator has removed the post', async () => {
  const form = new FormData();
  form.append('file', new Blob([await photo(40, 30)]), 'powder.jpg');
  const uploaded = await fetch(`${runtime.api}/api/v1/attachments/upload?folder=forums`, {
    method: 'POST',
    headers: { authorization: `Bearer ${anna.token}` },
    body: form,
  });
  const { id } = (await uploaded.json()) as { id: string };
  const { first } = await start(newWord(), { picture_ids: [id] });
  expect(first.image_url).toBe(first.pictures[0].url);
  expect((await fetch(first.image_url)).status).toBe(200);
  const remove = await asAdmin(`POST /api/v1/admin/forums/posts/${first.id}/remove`, { reason: 'Not of this place' });
  expect(remove.status).toBe(204);
  const shown = await call(`GET /api/v1/forums/posts/${first.id}`);
  expect(shown.body).toMatchObject({ body: null, image_url: null, pictures: [], deletion: 'moderator' });
});

it('posts are reported and removed, and their authors appeal', async () => {
  const { first } = await start(newWord());
  const report = await call(`POST /api/v1/forums/posts/${first.id}/report`, {
    token: boris.token,
    body: { reason: 'Rude' },
  });
  expect(report.status).toBe(201);
  const resolve = `POST /api/v1/admin/forums/reports/${report.body.id}/resolve`;
  expect((await asAdmin(resolve, { action: 'remove' })).status).toBe(422);
  expect((await asAdmin(resolve, { action: 'remove', reason: 'It is rude.' })).status).toBe(204);
  expect((await call(`GET /api/v1/forums/posts/${first.id}`)).body).toMatchObject({ deletion: 'moderator' });
  const seen = await asAdmin(`GET /api/v1/forums/posts/${first.id}`);
  expect(seen.body).toMatchObject({ body: null, removed_body: first.body });
  const removals = await call('GET /api/v1/forums/removals/me', { token: anna.token });
  expect(removals.body.data).toContainEqual(expect.objectContaining({ id: first.id, reason: 'It is rude.' }));

  const { first: second } = await start(newWord());
  const body = { reason: 'Rude' };
  const open = await call(`POST /api/v1/forums/posts/${second.id}/report`, { token: boris.token, body });
  expect((await asAdmin(`POST /api/v1/admin/forums/posts/${second.id}/remove`, body)).status).toBe(204);
  const resolved = (await asAdmin('GET /api/v1/admin/forums/reports?status=resolved&per_page=100')).body.data;
  expect(resolved).toContainEqual(expect.objectContaining({ id: open.body.id, action: 'removed' }));

  const appeal = (token: string) =>
    call('POST /api/v1/forums/appeals', {
      token,
      body: { kind: 'post', subject_id: first.id, text: 'It was a quotation.' },
    });
  expect((await appeal(boris.token)).status).toBe(404);
  const filed = await appeal(anna.token);
  expect([filed.status, (await appeal(anna.token)).status]).toEqual([201, 200]);
  const answer = { action: 'accept', answer: 'You are right.' };
  expect((await asAdmin(`POST /api/v1/admin/forums/appeals/${filed.body.id}/answer`, answer)).status).toBe(204);
  expect((await call(`GET /api/v1/forums/posts/${first.id}`)).body).toMatchObject({ body: first.body, deletion: null });
  const own = await call('GET /api/v1/forums/appeals/me', { token: anna.token });
  expect(own.body.data).toMatchObject([{ id: filed.body.id, status: 'accepted', answer: 'You are right.' }]);
});

it('admins lock, move and remove topics, mute and ban', async () => {
  const { topic } = await start(newWord());
  const path = `/api/v1/forums/topics/${topic.id}`;
  expect((await call(`PATCH ${path}`, { token: anna.token, body: { locked: true } })).status).toBe(403);
  const locked = await asAdmin(`PATCH ${path}`, { locked: true, pinned: true });
  expect(locked.body).toMatchObject({ locked: true, pinned: true });
  expect(await write(topic.id, boris, { body: 'Too late' })).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('only admins') },
  });
  await asAdmin(`PATCH ${path}`, { locked: false });

  const end = instantOf(Date.now() + HOUR_MS);
  const vera = await newTourist(call, admin, 'Vera');
  const sanction = (more: object) =>
    asAdmin('POST /api/v1/admin/forums/sanctions', { account_id: vera.id, until: end, reason: 'Spam', ...more });
  const mute = await sanction({ topic_id: topic.id });
  expect(mute.status).toBe(201);
  const refused = await write(topic.id, vera, { body: 'Buy now' });
  expect(refused).toMatchObject({
    status: 403,
    body: { sanction_id: mute.body.id, detail: expect.stringContaining('muted in this topic') },
  });
  const other = await start(newWord());
  expect((await write(other.topic.id, vera, { body: 'Hello' })).status).toBe(201);
  const ban = await sanction({});
  expect((await write(other.topic.id, vera, { body: 'Buy now' })).status).toBe(403);
  const own = await call('GET /api/v1/forums/sanctions/me', { token: vera.token });
  expect(own.body).toMatchObject({ total: 2, data: [{ id: ban.body.id, topic_id: null, reason: 'Spam' }, {}] });
  expect((await asAdmin(`POST /api/v1/admin/forums/sanctions/${ban.body.id}/lift`)).status).toBe(204);
  expect((await write(other.topic.id, vera, { body: 'Sorry' })).status).toBe(201);

  const remove = `POST /api/v1/admin/forums/topics/${topic.id}`;
  expect((await asAdmin(`${remove}/remove`, { reason: 'Off topic' })).status).toBe(204);
  expect((await call(`GET ${path}/posts`)).status).toBe(404);
  expect((await call(`GET ${path}`, { token: anna.token })).body.status).toBe('removed');
  expect((await asAdmin(`${remove}/restore`)).status).toBe(204);
  expect((await call(`GET ${path}/posts`)).status).toBe(200);
  expect((await asAdmin(`DELETE /api/v1/admin/forums/categories/${category}`)).status).toBe(409);
});
