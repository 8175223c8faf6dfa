/** A picture that its sender deletes while it is reported, through the real processes: admins judge by it, nobody else sees it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keptFiles } from '../../commands/files/keptFiles.ts';
import { createLogger } from '../../infra/log.ts';
import { createPool } from '../../infra/postgres.ts';
import { photo } from '../files/samples.ts';
import { caller, newTourist, once, signIn } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const pool = createPool(runtime.databaseUrl, {
  max: 1,
  applicationName: 'spec',
  log: createLogger({ level: 'silent' }),
});
afterAll(() => pool.end());
let admin: string;
let picture: Buffer;
beforeAll(async () => {
  [admin, picture] = [await signIn(call, demo, 'admin'), await photo(80, 60)];
});

const newPerson = async (first_name: string) => {
  const { id, token } = await newTourist(call, admin, first_name);
  const ask = (request: string, body?: object, headers = {}) =>
    call(request.replace(' ', ' /api/v1'), { token, headers, ...(body && { body }) });
  const upload = async () => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }), 'picture.jpg');
    const headers = { authorization: `Bearer ${token}` };
    const sent = { method: 'POST', headers, body: form };
    const reply = await fetch(`${runtime.api}/api/v1/attachments/upload?folder=chat`, sent);
    return (await reply.json()) as { id: string; url: string };
  };
  return { id, ask, upload };
};
/** Links lead to the public address; the system of the tests listens elsewhere. */
const statusOf = async (url: string): Promise<number> => {
  const reply = await fetch(runtime.api + url.slice(new URL(url).origin.length));
  await reply.arrayBuffer();
  return reply.status;
};
const isGone = (url: string) => until(async () => (await statusOf(url)) === 404);

/** Anna has sent Boris a picture, and has deleted it. */
const deletedPicture = async (isReported: boolean) => {
  const [anna, boris] = [await newPerson('Anna'), await newPerson('Boris')];
  const file = await anna.upload();
  const { body: thread } = await anna.ask('POST /chats', { title: 'Ski', member_ids: [boris.id] }, once());
  const message = { thread_id: thread.id, kind: 'image', attachments: [file.id] };
  const { status, body: sent } = await anna.ask('POST /messages', message);
  expect(status, JSON.stringify(sent)).toBe(201);
  const [shown] = (await boris.ask(`GET /messages/${thread.id}`)).body.data[0].attachments;
  if (isReported) {
    const filed = await boris.ask(`POST /messages/${sent.id}/report`, { reason: 'This is rude' });
    expect(filed.status).toBe(201);
  }
  expect((await anna.ask(`DELETE /messages/${sent.id}`)).body).toMatchObject({ deletion: 'author', attachments: [] });
  const history = `/messages/${sent.id}/history`;
  const judged = async () => (await call(`GET /api/v1${history}`, { token: admin })).body.attachments;
  return { anna, boris, thread, id: sent.id, file, links: [file.url, shown.url, shown.thumbnail_url], history, judged };
};

it('admins read it in the history, and nobody else does any more', async () => {
  const { anna, boris, thread, file, links, history, judged } = await deletedPicture(true);
  const [kept, ...more] = await judged();
  expect([kept.id, more]).toEqual([file.id, []]);
  for (const url of [kept.url, kept.thumbnail_url]) expect(await statusOf(url)).toBe(200);

  for (const url of links) await isGone(url);
  for (const { ask } of [anna, boris]) {
    const { data } = (await ask(`GET /messages/${thread.id}`)).body;
    expect(data).toMatchObject([{ body: null, attachments: [], deletion: 'author' }]);
  }
  expect((await anna.ask(`GET ${history}`)).body).toMatchObject({ versions: [], attachments: [] });
  expect((await boris.ask(`GET ${history}`)).status).toBe(403);
  for (const { ask } of [anna, boris]) expect((await ask(`GET /attachments/${file.id}`)).status).toBe(404);
  expect((await anna.ask('GET /attachments')).body.data).toEqual([]);
  expect((await anna.ask(`DELETE /attachments/${file.id}`)).status).toBe(204);
  const again = { thread_id: thread.id, kind: 'image', attachments: [file.id] };
  expect((await anna.ask('POST /messages', again)).status).toBe(404);
  for (const url of [kept.url, kept.thumbnail_url]) expect(await statusOf(url)).toBe(200);
});

it('is in the archive of its sender, as the text is in the export', async () => {
  const { anna, file } = await deletedPicture(true);
  await isGone(file.url);
  expect((await anna.ask('POST /me/export')).status).toBe(202);
  const { url } = await until(async () => {
    const { body } = await anna.ask('GET /me/export/archive');
    return body.status === 'ready' && body;
  });
  const { pathname, search } = new URL(url);
  const bytes = Buffer.from(await (await fetch(runtime.api + pathname + search)).arrayBuffer());
  // The directory at the end of a ZIP has the names as they are.
  expect(bytes.includes(`files/${file.id}.`)).toBe(true);
});

it('leaves nothing when nobody has reported it', async () => {
  const { links, boris, id, judged } = await deletedPicture(false);
  for (const url of links) await isGone(url);
  // A report of what is gone brings nothing back.
  expect((await boris.ask(`POST /messages/${id}/report`, { reason: 'This is rude' })).status).toBe(201);
  expect(await judged()).toEqual([]);
});

it('is deleted when its time has come', async () => {
  const { id, links, judged } = await deletedPicture(true);
  const [kept] = await judged();
  for (const url of links) await isGone(url);
  // The policy writes its jobs when it has handled the event: the files may be withheld before.
  await until(async () => {
    await keptFiles.runNow(pool, id);
    return (await statusOf(kept.url)) === 404;
  });
});

it('is deleted with the account of its sender', async () => {
  const { anna, judged } = await deletedPicture(true);
  const [kept] = await judged();
  const gone = await anna.ask('DELETE /me?settle=cancel');
  expect(gone.body, JSON.stringify(gone.body)).toMatchObject({ status: 'erased' });
  await isGone(kept.url);
  await until(async () => (await judged()).length === 0);
});
