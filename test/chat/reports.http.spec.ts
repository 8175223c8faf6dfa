/** Who may report what in a chat, and what admins see of it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { caller, newTourist, once, signIn } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
let admin: string;

const newPerson = async (first_name: string) => {
  const { id, token } = await newTourist(call, admin, first_name);
  const ask = (request: string, body?: object, headers = {}) =>
    call(request.replace(' ', ' /api/v1'), { token, headers, ...(body && { body }) });
  return { id, ask };
};
type Person = Awaited<ReturnType<typeof newPerson>>;

let [anna, boris, vera] = [] as unknown as [Person, Person, Person];
beforeAll(async () => {
  admin = await signIn(call, demo, 'admin');
  [anna, boris, vera] = (await Promise.all(['Anna', 'Boris', 'Vera'].map(newPerson))) as [Person, Person, Person];
});

const newGroup = async (by: Person, ...members: Person[]): Promise<string> => {
  const sent = { title: 'Ski', member_ids: members.map(({ id }) => id) };
  const started = await by.ask('POST /chats', sent, once());
  expect(started.status, JSON.stringify(started.body)).toBe(201);
  return started.body.id;
};
const write = async (by: Person, thread_id: string, body: string): Promise<{ id: string; seq: number }> => {
  const sent = await by.ask('POST /messages', { thread_id, body });
  expect(sent.status, JSON.stringify(sent.body)).toBe(201);
  return sent.body;
};
const reason = 'This is rude';
/** An open report, as admins see it. */
const reportById = async (id: string) => {
  const { body } = await call('GET /api/v1/admin/chat-reports?status=open&per_page=100', { token: admin });
  return body.data.find((report: { id: string }) => report.id === id);
};

describe('who has left a group, or was removed from it', () => {
  it.each(['left', 'removed'])('reports the group, and the messages that they had read: %s', async (how) => {
    const thread = await newGroup(anna, boris);
    const before = await write(anna, thread, 'Rude');
    expect((await boris.ask(`POST /messages/${before.id}/read`)).status).toBe(200);
    const unread = await write(anna, thread, 'Not read');
    const end =
      how === 'left' ? boris.ask(`DELETE /chats/${thread}`) : anna.ask(`DELETE /chats/${thread}/members/${boris.id}`);
    expect((await end).status).toBeLessThan(300);
    await until(async () => (await boris.ask(`GET /chats/${thread}`)).status === 404);
    const after = await write(anna, thread, 'Behind your back');

    const report = (what: string) => boris.ask(`POST /${what}/report`, { reason });
    expect((await report(`messages/${before.id}`)).status).toBe(201);
    expect((await report(`messages/${before.id}`)).status).toBe(200);
    expect((await report(`chats/${thread}`)).status).toBe(201);
    for (const { id } of [unread, after]) expect((await report(`messages/${id}`)).status).toBe(404);

    // Nothing else is open to them.
    for (const request of [
      `GET /chats/${thread}`,
      `GET /messages/${thread}`,
      `GET /messages/${before.id}/history`,
      `POST /messages/${before.id}/read`,
      `DELETE /messages/${before.id}`,
    ])
      expect((await boris.ask(request)).status, request).toBe(404);
    for (const what of [`messages/${before.id}`, `chats/${thread}`])
      expect((await vera.ask(`POST /${what}/report`, { reason })).status, what).toBe(404);
  });
});

it('an admin sees of a reported chat who is in it or was, and none of its texts', async () => {
  const thread = await newGroup(anna, boris, vera);
  await write(vera, thread, 'Rude');
  expect((await vera.ask(`DELETE /chats/${thread}`)).status).toBe(204);
  const { body: filed } = await boris.ask(`POST /chats/${thread}/report`, { reason });
  const { content, ...report } = await reportById(filed.id);
  expect(report).toMatchObject({ subject_kind: 'chat', subject_id: thread, reporter_id: boris.id });
  expect(content).toMatchObject({ id: thread, type: 'group', title: 'Ski', created_by: anna.id, people_count: 3 });
  expect(content.people.at(-1)).toEqual({ account_id: vera.id, name: 'Vera Orlova', is_member: false });
  const members = content.people.slice(0, -1).map(({ name }: { name: string }) => name);
  expect(members.toSorted()).toEqual(['Anna Orlova', 'Boris Orlova']);
  expect(JSON.stringify(content)).not.toContain('Rude');
  expect((await call(`GET /api/v1/messages/${thread}`, { token: admin })).status).toBe(404);
});

describe('a sender who deletes a message', () => {
  /** What admins read of a message that was sent as `Rude`, edited and deleted. */
  const readAfter = async (what: 'reported' | 'not reported' | 'dismissed') => {
    const thread = await newGroup(anna, boris);
    const { id } = await write(anna, thread, 'Rude');
    if (what !== 'not reported') {
      const { body: filed } = await boris.ask(`POST /messages/${id}/report`, { reason });
      await reportById(filed.id);
      const answer = { token: admin, body: { action: 'dismiss' } };
      const path = `POST /api/v1/admin/chat-reports/${filed.id}/resolve`;
      if (what === 'dismissed') expect((await call(path, answer)).status).toBe(204);
    }
    expect((await anna.ask(`PATCH /messages/${id}`, { body: 'Kind' })).status).toBe(200);
    const deleted = await anna.ask(`DELETE /messages/${id}`);
    expect(deleted.body).toMatchObject({ body: null, deletion: 'author' });
    // A report of what is gone brings nothing back.
    if (what === 'not reported') await boris.ask(`POST /messages/${id}/report`, { reason });

    const history = `/messages/${id}/history`;
    expect((await anna.ask(`GET ${history}`)).body.versions).toEqual([]);
    expect((await boris.ask(`GET ${history}`)).status).toBe(403);
    const { data } = (await boris.ask(`GET /messages/${thread}`)).body;
    expect(data).toMatchObject([{ id, body: null, deletion: 'author' }]);
    const { versions } = (await call(`GET /api/v1${history}`, { token: admin })).body;
    return versions.map(({ body }: { body: string }) => body);
  };

  it('does not destroy what admins judge by while a report is open', async () => {
    expect(await readAfter('reported')).toEqual(['Rude', 'Kind']);
  });

  it('leaves nothing of a message that nobody has reported, or that was judged', async () => {
    expect(await readAfter('not reported')).toEqual([]);
    expect(await readAfter('dismissed')).toEqual([]);
  });
});

describe('a message that a moderator removes', () => {
  it('needs a reason, which its sender learns, and comes back with an accepted appeal', async () => {
    const thread = await newGroup(anna, boris);
    const { id } = await write(boris, thread, 'Rude');
    const remove = (body?: object) => anna.ask(`DELETE /messages/${id}`, body);
    expect((await remove()).body).toMatchObject({ status: 422, detail: expect.stringContaining('reason') });
    expect((await remove({ reason: 'Be kind.' })).body).toMatchObject({ body: null, deletion: 'moderator' });
    expect((await remove({ reason: 'Other words' })).status).toBe(409);
    const history = () => boris.ask(`GET /messages/${id}/history`);
    expect((await history()).body).toMatchObject({ removal_reason: 'Be kind.', versions: [{ body: 'Rude' }] });
    expect((await anna.ask(`GET /messages/${id}/history`)).status).toBe(403);
    const asAdmin = (request: string, body?: object) =>
      call(request.replace(' ', ' /api/v1'), { token: admin, ...(body && { body }) });
    expect((await asAdmin(`GET /messages/${id}/history`)).status, 'private until somebody asks').not.toBe(200);
    const types = async (): Promise<string[]> =>
      (await boris.ask('GET /notifications?kind=system')).body.data.map(({ type }: { type: string }) => type);
    await until(async () => (await types()).includes('message_removed'));

    const appeal = { kind: 'message', subject_id: id, text: 'It was a quotation.' };
    expect((await anna.ask('POST /appeals', appeal)).status).toBe(404);
    const { body: filed, status } = await boris.ask('POST /appeals', appeal);
    expect(status, JSON.stringify(filed)).toBe(201);
    await until(async () => (await asAdmin(`GET /messages/${id}/history`)).status === 200);
    expect((await asAdmin(`GET /messages/${id}/history`)).body).toMatchObject({
      ...{ removal_reason: 'Be kind.', versions: [{ body: 'Rude' }] },
    });
    const answer = { action: 'accept', answer: 'So it was.' };
    expect((await asAdmin(`POST /admin/appeals/${filed.id}/answer`, answer)).status).toBe(204);
    await until(async () => {
      const { data } = (await anna.ask(`GET /messages/${thread}`)).body;
      return data[0].body === 'Rude' && data[0].deletion === null;
    });
    await until(async () => {
      const told = await types();
      return told.includes('appeal_answered') && !told.includes('message_removed');
    });
  });

  it('is kept as it was reported, also when a member removes it before an admin has looked', async () => {
    const thread = await newGroup(anna, boris, vera);
    const { id } = await write(boris, thread, 'Rude');
    const { body: filed } = await vera.ask(`POST /messages/${id}/report`, { reason });
    await boris.ask(`PATCH /messages/${id}`, { body: 'Kind' });
    expect((await anna.ask(`DELETE /messages/${id}`, { reason: 'Enough.' })).status).toBe(200);
    const report = await reportById(filed.id);
    expect(report.reported_texts).toMatchObject([{ text: 'Rude' }]);
    const path = `POST /api/v1/admin/chat-reports/${filed.id}/resolve`;
    const remove = { action: 'remove' };
    expect((await call(path, { token: admin, body: remove })).status).toBe(422);
    expect((await call(path, { token: admin, body: { ...remove, reason: 'Rude' } })).status).toBe(204);
  });
});
