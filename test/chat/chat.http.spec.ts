/** Two people and a group chat over HTTP and the WebSocket; the support answers. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Envelope } from '../../realtime/hub/protocol.ts';
import { photo } from '../files/samples.ts';
import { caller, newTourist, once, signIn } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';
import { connect, type Listening } from '../realtime/stage.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const sockets: Listening[] = [];
let admin: string;

const newPerson = async (first_name: string) => {
  const { id, token } = await newTourist(call, admin, first_name);
  const ask = (request: string, sent?: object, headers = {}) =>
    call(request.replace(' ', ' /api/v1'), { token, headers, ...(sent && { body: sent }) });
  return { token, id, ask };
};
type Person = Awaited<ReturnType<typeof newPerson>>;

const listen = async (person: Person, ...channels: string[]): Promise<Listening> => {
  const socket = connect(Number(new URL(runtime.realtime).port), person.token);
  sockets.push(socket);
  for (const channel of channels)
    expect(await socket.ask({ type: 'subscribe', channel })).toMatchObject({ type: 'subscribed' });
  return socket;
};
/** The rows that a channel has reported, by message type. */
const told = ({ frames }: Listening, channel: string): [string, Record<string, unknown>][] =>
  frames
    .filter((frame): frame is Envelope => 'offset' in frame && 'data' in frame && frame.channel === channel)
    .map(({ type, data }) => [type, data as Record<string, unknown>]);
const untilTold = (socket: Listening, channel: string, type: string, fields: object = {}) =>
  until(() =>
    told(socket, channel).find(
      ([each, row]) => each === type && Object.entries(fields).every(([name, value]) => row[name] === value),
    ),
  );

let anna: Person;
let boris: Person;
beforeAll(async () => {
  admin = await signIn(call, demo, 'admin');
  [anna, boris] = await Promise.all([newPerson('Anna'), newPerson('Boris')]);
});
afterAll(() => {
  for (const { socket } of sockets) socket.terminate();
});

describe('a chat of two people', () => {
  let thread: string;

  it('is started once, and told to the other', async () => {
    const own = `realtime:user_${boris.id}`;
    const socket = await listen(boris, own);
    const started = await anna.ask('POST /chats/start', { user_id: boris.id });
    expect(started.status, JSON.stringify(started.body)).toBe(201);
    thread = started.body.id;
    expect(started.body).toMatchObject({ type: 'p2p', last_message: null, unread_count: 0, participants_count: 2 });
    const names = ({ body }: typeof started) => body.participants.map(({ name }: { name: string }) => name).sort();
    expect(names(started), 'who has not written yet').toEqual(['Anna O.', 'Boris O.']);
    expect(names(await anna.ask(`GET /chats/${thread}`))).toEqual(['Anna O.', 'Boris O.']);
    const again = await boris.ask('POST /p2p-chats', { user_id: anna.id });
    expect([again.status, again.body.id]).toEqual([200, thread]);
    expect((await anna.ask('POST /chats', { user_id: boris.id })).status).toBe(200);
    await untilTold(socket, own, 'participant.created', { thread_id: thread, account_id: boris.id });
    expect((await anna.ask('POST /chats/start', { user_id: anna.id })).status).toBe(422);
    expect((await anna.ask('POST /chats/start', { user_id: randomUUID() })).status).toBe(404);
  });

  it('carries messages that are read, edited, answered and deleted, live', async () => {
    const channel = `chat_${thread}`;
    const socket = await listen(boris, channel, `realtime:user_${boris.id}`);
    const hello = { thread_id: thread, body: 'Hello', client_message_id: randomUUID() };
    const sent = await anna.ask('POST /messages', hello);
    expect(sent.status, JSON.stringify(sent.body)).toBe(201);
    expect(sent.body).toMatchObject({ seq: 1, sender_id: anna.id, body: 'Hello', read_by: [], deletion: null });
    const repeated = await anna.ask('POST /messages', hello);
    expect([repeated.status, repeated.body]).toEqual([200, sent.body]);
    const [, live] = await untilTold(socket, channel, 'message.created', { id: sent.body.id });
    expect(live).toEqual(sent.body);
    await untilTold(socket, `realtime:user_${boris.id}`, 'message.created', { id: sent.body.id });

    const list = await boris.ask('GET /chats/me');
    expect(list.body.data[0]).toMatchObject({ id: thread, unread_count: 1, last_message: { body: 'Hello' } });
    const read = await boris.ask(`POST /messages/${sent.body.id}/read`);
    expect(read.body).toEqual({ thread_id: thread, last_read_seq: 1 });
    expect((await boris.ask('GET /p2p-chats')).body.data[0].unread_count).toBe(0);
    const page = await anna.ask(`GET /messages/${thread}`);
    expect(page.body).toMatchObject({ data: [{ read_by: [boris.id], read_count: 1 }], prev_cursor: null });

    const edited = await anna.ask(`PATCH /messages/${sent.body.id}`, { body: 'Hello!' });
    expect(edited.body).toMatchObject({ body: 'Hello!', edited_at: expect.any(String) });
    expect((await boris.ask(`PATCH /messages/${sent.body.id}`, { body: 'No' })).status).toBe(403);
    await untilTold(socket, channel, 'message.updated', { body: 'Hello!' });
    const same = await anna.ask(`PATCH /messages/${sent.body.id}`, { body: 'Hello!' });
    expect(same.body).toEqual(edited.body);
    expect((await anna.ask(`GET /messages/${sent.body.id}/history`)).body.versions).toEqual([
      { body: 'Hello', written_at: sent.body.sent_at },
      { body: 'Hello!', written_at: edited.body.edited_at },
    ]);
    expect((await boris.ask(`GET /messages/${sent.body.id}/history`)).status).toBe(403);
    const asAdmin = () => call(`GET /api/v1/messages/${sent.body.id}/history`, { token: admin });
    expect((await asAdmin()).status).toBe(404);
    await boris.ask(`POST /messages/${sent.body.id}/report`, { reason: 'It was edited' });
    expect((await asAdmin()).body.versions).toHaveLength(2);

    const answer = await boris.ask('POST /messages', {
      thread_id: thread,
      body: 'Hi',
      reply_to_id: sent.body.id,
    });
    expect(answer.body).toMatchObject({ seq: 2, reply_to_id: sent.body.id, reply_to_seq: 1 });
    const deleted = await anna.ask(`DELETE /messages/${sent.body.id}`);
    expect(deleted.body).toMatchObject({ body: null, deletion: 'author' });
    expect((await anna.ask(`GET /messages/${sent.body.id}/history`)).body.versions).toEqual([]);
    await untilTold(socket, channel, 'message.updated', { deletion: 'author' });
    expect((await anna.ask('GET /chats/me')).body.data[0]).toMatchObject({ unread_count: 1, last_seq: 2 });
  });

  it('carries pictures, which are deleted with their message', async () => {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(await photo(40, 30))], { type: 'image/jpeg' }), 'view.jpg');
    const uploaded = await fetch(`${runtime.api}/api/v1/attachments/upload?folder=chat`, {
      method: 'POST',
      headers: { authorization: `Bearer ${anna.token}` },
      body: form,
    });
    const file = (await uploaded.json()) as { id: string };
    expect(uploaded.status, JSON.stringify(file)).toBe(201);
    const sending = { thread_id: thread, kind: 'image', attachments: [file.id], client_message_id: randomUUID() };
    expect((await boris.ask('POST /messages', sending)).status).toBe(404);
    expect((await anna.ask('POST /messages', { ...sending, kind: 'voice' })).status).toBe(422);
    const sent = await anna.ask('POST /messages', sending);
    expect(sent.status, JSON.stringify(sent.body)).toBe(201);
    expect(sent.body.attachments).toMatchObject([{ id: file.id, mime: 'image/jpeg', width: 40, height: 30 }]);
    expect((await anna.ask('POST /messages', sending)).status).toBe(200);
    expect((await anna.ask('POST /messages', { ...sending, client_message_id: randomUUID() })).status).toBe(409);
    const { data } = (await boris.ask(`GET /messages/${thread}?after=${sent.body.seq - 1}`)).body;
    const { pathname, search } = new URL(data[0].attachments[0].url);
    const read = async () => (await fetch(runtime.api + pathname + search)).status;
    expect(await read()).toBe(200);
    expect((await anna.ask(`DELETE /messages/${sent.body.id}`)).body).toMatchObject({ attachments: [] });
    await until(async () => (await read()) === 404);
  });

  it('carries typing to the other', async () => {
    const channel = `chat_${thread}`;
    const [one, other] = [await listen(anna, channel), await listen(boris, channel)];
    one.send({ type: 'publish', channel, event: 'typing.started', data: {} });
    await until(() => other.frames.find((frame) => frame.type === 'typing.started'));
  });

  it('is set for oneself, left, and listed again with the next message', async () => {
    expect((await boris.ask(`PATCH /chats/${thread}`, { pinned: true, muted: true })).body).toMatchObject({
      pinned: true,
      muted: true,
    });
    expect((await anna.ask(`GET /chats/${thread}`)).body).toMatchObject({ pinned: false });
    expect((await boris.ask(`DELETE /chats/${thread}`)).status).toBe(204);
    expect((await boris.ask('GET /chats')).body.total).toBe(0);
    await anna.ask('POST /messages', { thread_id: thread, body: 'Still there?' });
    expect((await boris.ask('GET /chats')).body.data).toMatchObject([{ id: thread, unread_count: 1 }]);
  });

  it('does not exist for others', async () => {
    const stranger = await newPerson('Vera');
    const [{ id: message }] = (await anna.ask(`GET /messages/${thread}`)).body.data;
    for (const request of [`GET /chats/${thread}`, `GET /messages/${thread}`, `POST /messages/${message}/read`])
      expect((await stranger.ask(request)).status, request).toBe(404);
    expect((await stranger.ask('POST /messages', { thread_id: thread, body: 'Hi' })).status).toBe(404);
    expect((await stranger.ask(`DELETE /messages/${message}`)).status).toBe(404);
    expect((await stranger.ask(`PATCH /messages/${message}`, { body: 'Hi' })).status).toBe(404);
    const socket = connect(Number(new URL(runtime.realtime).port), stranger.token);
    sockets.push(socket);
    expect(await socket.ask({ type: 'subscribe', channel: `chat_${thread}` })).toMatchObject({ code: 'forbidden' });
  });

  it('takes no messages while one has blocked the other', async () => {
    const channel = `chat_${thread}`;
    const sockets = [await listen(anna, channel), await listen(boris, channel)];
    const before = { thread_id: thread, body: 'Before', client_message_id: randomUUID() };
    expect((await anna.ask('POST /messages', before)).status).toBe(201);
    expect((await boris.ask(`POST /chats/${thread}/block`)).status).toBe(204);
    // Neither sees any more whether the other is there, types or reads.
    for (const { frames } of sockets)
      await until(() => frames.find((frame) => frame.type === 'unsubscribed' && frame.channel === channel));
    for (const person of [anna, boris])
      expect((await person.ask('POST /messages', { thread_id: thread, body: 'Hi' })).status).toBe(403);
    expect((await anna.ask('POST /messages', before)).status, 'sent before').toBe(200);
    expect((await anna.ask('POST /chats/start', { user_id: boris.id })).status).toBe(403);
    expect((await anna.ask(`GET /messages/${thread}`)).status).toBe(200);
    expect((await boris.ask(`DELETE /chats/${thread}/block`)).status).toBe(204);
    expect((await anna.ask('POST /messages', { thread_id: thread, body: 'Hi' })).status).toBe(201);
  });

  it('is reported, and an admin removes the message', async () => {
    const { body: bad } = await anna.ask('POST /messages', { thread_id: thread, body: 'Buy this' });
    const filed = await boris.ask(`POST /messages/${bad.id}/report`, { reason: 'Spam' });
    expect(filed.status).toBe(201);
    expect((await boris.ask(`POST /messages/${bad.id}/report`, { reason: 'Spam' })).status).toBe(200);
    const queue = await call('GET /api/v1/admin/chat-reports?status=open&per_page=100', { token: admin });
    const report = queue.body.data.find(({ id }: { id: string }) => id === filed.body.id);
    expect(report).toMatchObject({ reason: 'Spam', subject_kind: 'message', content: { body: 'Buy this' } });
    const path = `POST /api/v1/admin/chat-reports/${filed.body.id}/resolve`;
    expect((await call(path, { token: admin, body: { action: 'remove' } })).status).toBe(422);
    const removal = { action: 'remove', reason: 'Advertises something' };
    expect((await call(path, { token: admin, body: removal })).status).toBe(204);
    expect((await call(path, { token: admin, body: { action: 'dismiss' } })).status).toBe(409);
    const { data } = (await boris.ask(`GET /messages/${thread}?around=${bad.seq}&limit=2`)).body;
    expect(data.at(-1)).toMatchObject({ id: bad.id, body: null, deletion: 'moderator' });
  });
});

describe('a group', () => {
  it('mentions a member, who is removed and sees no more, comes back, and is not added again once they have left', async () => {
    const group = await anna.ask('POST /chats', { title: 'Ski', member_ids: [boris.id] }, once());
    expect(group.status, JSON.stringify(group.body)).toBe(201);
    const { id: thread } = group.body;
    const [channel, own] = [`chat_${thread}`, `realtime:user_${boris.id}`];
    const socket = await listen(boris, channel, own);
    const text = { thread_id: thread, body: 'Come!', mentions: [boris.id] };
    const { body: message } = await anna.ask('POST /messages', text);
    await untilTold(socket, own, 'message.created', { id: message.id });
    expect((await boris.ask(`GET /chats/${thread}`)).body).toMatchObject({ unread_count: 1, mention_count: 1 });
    await anna.ask(`PATCH /messages/${message.id}`, { body: 'Come, all!', mentions: [] });
    await untilTold(socket, own, 'message.removed', { id: message.id });
    expect((await boris.ask(`GET /chats/${thread}`)).body.mention_count).toBe(0);

    expect((await boris.ask(`PUT /chats/${thread}/title`, { title: 'Mine' })).status).toBe(403);
    expect((await anna.ask(`PUT /chats/${thread}/title`, { title: 'Snow' })).body.title).toBe('Snow');
    await untilTold(socket, channel, 'chat.updated', { title: 'Snow' });
    expect((await anna.ask(`DELETE /chats/${thread}/members/${boris.id}`)).status).toBe(204);
    await socket.first('unsubscribed');
    await anna.ask('POST /messages', { thread_id: thread, body: 'Gone?' });
    expect((await boris.ask(`GET /messages/${thread}`)).status).toBe(404);
    expect((await boris.ask('POST /messages', { thread_id: thread, body: 'Hi' })).status).toBe(404);
    const back = await anna.ask(`POST /chats/${thread}/members`, { account_id: boris.id });
    expect(back.body.participants_count).toBe(2);
    expect((await boris.ask(`GET /chats/${thread}`)).body).toMatchObject({ unread_count: 0, title: 'Snow' });
    const { data } = (await boris.ask(`GET /messages/${thread}`)).body;
    expect(data).toMatchObject([{ read_by: [] }, { body: 'Gone?', read_by: [] }]);
    expect(told(socket, channel).filter(([, row]) => row.body === 'Gone?')).toEqual([]);
    // What was sent before he joined again counts as read.
    const read = await boris.ask(`POST /messages/${message.id}/read`);
    expect(read.body).toEqual({ thread_id: thread, last_read_seq: 2 });
    expect((await boris.ask(`DELETE /chats/${thread}`)).status).toBe(204);
    const refused = await anna.ask(`POST /chats/${thread}/members`, { account_id: boris.id });
    expect([refused.status, refused.body]).toMatchObject([403, { until: expect.any(String) }]);
    const left = (await anna.ask(`GET /messages/${thread}`)).body.data;
    expect(left.map(({ sender_name }: { sender_name: string }) => sender_name)).toEqual(['Anna Orlova', 'Anna Orlova']);
  });
});

it('a question to the support is taken, answered, resolved, and asked again', async () => {
  const asked = { subject: 'Lost glove', message: 'Has anybody found it?' };
  const opened = await boris.ask('POST /support/tickets', asked, once());
  expect(opened.status, JSON.stringify(opened.body)).toBe(201);
  const { id, thread_id: thread } = opened.body;
  const again = await boris.ask('POST /support/tickets', { ...asked, message: 'A blue one.' });
  expect([again.status, again.body.id]).toEqual([200, id]);
  const status = async () => {
    const mine = await call(`GET /api/v1/admin/support/tickets?user_id=${boris.id}`, { token: admin });
    return mine.body.data[0];
  };
  expect(await status()).toMatchObject({ id, status: 'waiting', subject: 'Lost glove' });
  const agent = (request: string, body: object = {}) =>
    call(request.replace(' ', ' /api/v1'), { token: admin, ...(!request.startsWith('GET') && { body }) });
  const taken = await agent(`POST /admin/support/tickets/${id}/take`);
  expect(taken.body).toMatchObject({ status: 'assigned', answer_by: expect.any(String) });
  const texts = (await agent(`GET /messages/${thread}`)).body.data.map(({ body }: { body: string }) => body);
  expect(texts).toEqual(['Has anybody found it?', 'A blue one.']);
  expect((await agent('POST /messages', { thread_id: thread, body: 'It is here.' })).status).toBe(201);
  await until(async () => (await status()).status === 'answered');
  expect((await boris.ask(`GET /chats/${thread}`)).body).toMatchObject({ type: 'support', unread_count: 1 });
  expect((await boris.ask(`POST /support/tickets/${id}/resolve`)).body).toMatchObject({ status: 'resolved' });
  await boris.ask('POST /messages', { thread_id: thread, body: 'Where is here?' });
  await until(async () => (await status()).status === 'waiting');
  expect((await anna.ask(`POST /support/tickets/${id}/resolve`)).status).toBe(404);
});
