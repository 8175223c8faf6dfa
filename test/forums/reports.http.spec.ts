/** What an author leaves to admins who deletes what is reported. */
import { beforeAll, describe, expect, it } from 'vitest';
import { photo } from '../files/samples.ts';
import { caller, type Newcomer, newTourist, once, signIn } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
let admin: string;
let category: string;
let [anna, boris] = [] as unknown as [Newcomer, Newcomer];
beforeAll(async () => {
  admin = await signIn(call, demo, 'admin');
  [anna, boris] = await Promise.all([newTourist(call, admin, 'Anna'), newTourist(call, admin, 'Boris')]);
  category = (await asAdmin('POST', 'admin/forums/categories', { title: 'Quarrels', position: 902 })).body.id;
});

const as = (token: () => string) => (method: string, path: string, body?: object) =>
  call(`${method} /api/v1/${path}`, { token: token(), headers: once(), ...(body && { body }) });
const asAdmin = as(() => admin);
const asAnna = as(() => anna.token);
const asBoris = as(() => boris.token);
const done = async (reply: ReturnType<typeof asAdmin>) => {
  const { status, body } = await reply;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body;
};

const upload = async (): Promise<{ id: string; url: string }> => {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(await photo(80, 60))], { type: 'image/jpeg' }), 'picture.jpg');
  const headers = { authorization: `Bearer ${anna.token}` };
  const reply = await fetch(`${runtime.api}/api/v1/attachments/upload?folder=forums`, {
    method: 'POST',
    headers,
    body,
  });
  return (await reply.json()) as { id: string; url: string };
};
/** Links lead to the public address; the system of the tests listens elsewhere. */
const statusOf = async (url: string): Promise<number> => {
  const reply = await fetch(runtime.api + url.slice(new URL(url).origin.length));
  await reply.arrayBuffer();
  return reply.status;
};

const REASON = { reason: 'This is rude' };
/** A topic with one post. */
const start = async () => {
  const topic = await done(asAnna('POST', 'forums/topics', { category_id: category, title: 'Liars', body: 'Rude' }));
  const first = await until(async () => (await asAnna('GET', `forums/topics/${topic.id}/posts`)).body.data?.[0]);
  return { topic: topic.id as string, post: first.id as string };
};
const write = async (topic: string): Promise<string> =>
  (await done(asAnna('POST', `forums/topics/${topic}/posts`, { body: 'Rude' }))).id;
const answer = (id: string, body: object) => done(asAdmin('POST', `admin/forums/reports/${id}/resolve`, body));
const edit = (post: string) => done(asAnna('PATCH', `forums/posts/${post}`, { body: 'Kind' }));
const remove = (what: string) => done(asAnna('DELETE', `forums/${what}`));
/** A report, as admins see it. */
const reportById = async (id: string) =>
  (await done(asAdmin('GET', 'admin/forums/reports?per_page=100'))).data.find((one: { id: string }) => one.id === id);
const report = async (post: string): Promise<string> => {
  const { id } = await done(asBoris('POST', `forums/posts/${post}/report`, REASON));
  await until(() => reportById(id));
  return id;
};
const history = (post: string) => `forums/posts/${post}/history`;
const textsFor = async (ask: typeof asAdmin, post: string): Promise<string[]> =>
  (await done(ask('GET', history(post)))).versions.map(({ body }: { body: string }) => body);

describe('an author who deletes a post', () => {
  it('does not destroy what admins judge by while a report is open', async () => {
    const { topic } = await start();
    const post = await write(topic);
    const filed = await report(post);
    await edit(post);
    const TOMBSTONE = { id: post, body: null, deletion: 'author' };
    expect(await remove(`posts/${post}`)).toMatchObject(TOMBSTONE);

    expect(await textsFor(asAdmin, post)).toEqual(['Rude', 'Kind']);
    expect(await textsFor(asAnna, post)).toEqual([]);
    expect((await asBoris('GET', history(post))).status).toBe(403);
    const { data } = await done(asBoris('GET', `forums/topics/${topic}/posts`));
    expect(data[1]).toMatchObject(TOMBSTONE);

    expect(await reportById(filed)).toMatchObject({ status: 'open', content: TOMBSTONE });
    await answer(filed, { action: 'remove', ...REASON });
    expect(await reportById(filed)).toMatchObject({ status: 'resolved', action: 'removed', content: TOMBSTONE });
    expect(await textsFor(asAdmin, post)).toEqual(['Rude', 'Kind']);
  });

  it('does not destroy its pictures either, which nobody else sees any more', async () => {
    const { topic } = await start();
    const picture = await upload();
    const body = { body: 'Look', picture_ids: [picture.id] };
    const { id: post, pictures } = await done(asAnna('POST', `forums/topics/${topic}/posts`, body));
    await report(post);
    await remove(`posts/${post}`);
    const [kept, ...more] = (await done(asAdmin('GET', history(post)))).pictures;
    expect([kept.id, more]).toEqual([picture.id, []]);
    expect(await statusOf(kept.url)).toBe(200);
    for (const { url } of [picture, ...pictures]) await until(async () => (await statusOf(url)) === 404);
    expect(await statusOf(kept.url)).toBe(200);
    expect((await done(asAnna('GET', history(post)))).pictures).toEqual([]);
  });

  it('leaves nothing of a post that nobody has reported, or that was judged', async () => {
    const { topic } = await start();
    const [unreported, judged] = [await write(topic), await write(topic)];
    await answer(await report(judged), { action: 'dismiss' });
    for (const post of [unreported, judged]) {
      await edit(post);
      await remove(`posts/${post}`);
      expect(await textsFor(asAdmin, post)).toEqual([]);
    }
  });
});

describe('an author who deletes a topic', () => {
  const seen = async (ask: typeof asAdmin, { topic, post }: { topic: string; post: string }) => {
    const paths = [`forums/topics/${topic}`, `forums/topics/${topic}/posts`, `forums/posts/${post}`, history(post)];
    return (await Promise.all(paths.map((path) => ask('GET', path)))).map(({ status }) => status);
  };

  it('does not destroy what admins judge by while a report of its first post is open', async () => {
    const started = await start();
    const { topic, post } = started;
    const filed = await report(post);
    await edit(post);
    await remove(`topics/${topic}`);
    expect(await seen(asAnna, started)).toEqual([404, 404, 404, 404]);
    expect(await seen(asBoris, started)).toEqual([404, 404, 404, 404]);
    expect(await textsFor(asAdmin, post)).toEqual(['Rude', 'Kind']);
    expect(await done(asAdmin('GET', `forums/topics/${topic}`))).toMatchObject({ status: 'deleted', title: 'Liars' });
    const TOMBSTONE = { id: post, body: null, deletion: 'author' };
    expect(await reportById(filed)).toMatchObject({ status: 'open', content: TOMBSTONE });
    await answer(filed, { action: 'remove', ...REASON });
    expect(await reportById(filed)).toMatchObject({ status: 'resolved', content: TOMBSTONE });
    expect(await textsFor(asAdmin, post)).toEqual(['Rude', 'Kind']);
    const removals = (await done(asAnna('GET', 'forums/removals/me'))).data;
    expect(removals).not.toContainEqual(expect.objectContaining({ id: post }));
  });

  it.each(['before', 'afterwards'])('does not destroy what was kept when the post is deleted %s, too', async (when) => {
    const { topic, post } = await start();
    await report(post);
    const both = [`posts/${post}`, `topics/${topic}`];
    for (const what of when === 'before' ? both : both.toReversed()) await remove(what);
    expect(await textsFor(asAdmin, post)).toEqual(['Rude']);
  });

  it('leaves nothing when nobody has reported it', async () => {
    const started = await start();
    await edit(started.post);
    await remove(`topics/${started.topic}`);
    expect(await seen(asAdmin, started)).toEqual([404, 404, 404, 404]);
  });
});
