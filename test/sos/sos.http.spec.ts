/** SOS requests through the running system: old tokens, the board, and what the person sees. */
import { createSecretKey, randomUUID } from 'node:crypto';
import { decodeJwt, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Envelope } from '../../realtime/hub/protocol.ts';
import { caller, type Newcomer, newTourist, signIn } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';
import { connect, type Listening } from '../realtime/stage.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const port = Number(new URL(runtime.realtime).port);
const SECRET = createSecretKey(Buffer.from('dev-only-jwt-secret-not-for-production'));
const HOUR = 3_600;

const sockets: Listening[] = [];
const listen = async (token: string, channel: string): Promise<Listening> => {
  const socket = connect(port, token);
  sockets.push(socket);
  expect(await socket.ask({ type: 'subscribe', channel })).toMatchObject({ type: 'subscribed' });
  return socket;
};
let anna: Newcomer;
let token: string;
let other: string;
let admin: string;
beforeAll(async () => {
  admin = await signIn(call, demo, 'admin');
  anna = await newTourist(call, admin, 'Anna');
  token = anna.token;
  other = await signIn(call, demo, 'tourist2');
});
afterAll(() => {
  for (const { socket } of sockets) socket.terminate();
});

/** The token of the same session as it would be so long after its end. */
const expired = (of: string, hoursAgo: number): Promise<string> =>
  new SignJWT({ ...decodeJwt(of), exp: Math.floor(Date.now() / 1_000) - hoursAgo * HOUR })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(SECRET);
const ask = (by: string | undefined, body: unknown = {}) =>
  call('POST /api/v1/sos/request', { ...(by && { token: by }), body });
const changesOf = ({ frames }: Listening, id: string) =>
  frames.filter((frame): frame is Envelope => 'offset' in frame && 'data' in frame && frame.data.id === id);

it('an alarm reaches the board and its person live, takes positions, and is seen through', async () => {
  const board = await listen(admin, 'sos_board');
  const own = await listen(token, `realtime:user_${anna.id}`);
  const stranger = connect(port, other);
  sockets.push(stranger);
  expect(await stranger.ask({ type: 'subscribe', channel: 'sos_board' })).toMatchObject({ code: 'forbidden' });

  const alarm = await ask(await expired(token, 23), { message: 'broken leg', lat: 99, hurry: true });
  expect(alarm).toMatchObject({ status: 201, body: { status: 'new', rescue_phone: '112' } });
  const { id } = alarm.body;
  const again = await ask(token, { lat: 43.6781, lon: 40.2594, accuracy: 9, battery: 41 });
  expect(again).toMatchObject({ status: 200, body: { id } });
  const at = '2026-01-01T10:00:00+03:00';
  const more = await call(`POST /api/v1/sos/${id}/positions`, {
    token: await expired(token, 1),
    body: { positions: [{ lat: 43.679, lon: 40.26 }, { lat: 43.67, lon: 40.25, at }, { lat: 1_000 }] },
  });
  expect(more.status, JSON.stringify(more.body)).toBe(200);
  await until(() => [board, own].every((socket) => changesOf(socket, id).at(-1)?.data.battery === 41));
  await until(() =>
    [board, own].every((socket) => (changesOf(socket, id).at(-1)?.data.track as unknown[])?.length === 3),
  );
  const [ofBoard, ofPerson] = [board, own].map((socket) => changesOf(socket, id).at(-1)?.data);
  expect(ofBoard).toMatchObject({
    account_id: anna.id,
    messages: ['broken leg'],
    position: { lat: 43.679, lon: 40.26, accuracy: null },
    track: [{ at: '2026-01-01T07:00:00.000Z' }, { lat: 43.6781 }, { lat: 43.679 }],
    person: { first_name: expect.any(String), last_name: expect.any(String) },
  });
  expect(ofPerson).not.toHaveProperty('person');
  expect(ofPerson).not.toHaveProperty('notified');

  expect((await call(`GET /api/v1/sos/${id}`, { token: other })).status).toBe(404);
  expect((await call(`POST /api/v1/sos/${id}/false-alarm`, { token: other })).status).toBe(404);
  const listed = await call('GET /api/v1/sos?active=true', { token: admin });
  expect(listed.body.data).toContainEqual(expect.objectContaining({ id, status: 'new' }));
  for (const [step, status] of [
    ['acknowledge', 'acknowledged'],
    ['dispatch', 'dispatched'],
    ['resolve', 'resolved'],
  ]) {
    const reply = await call(`POST /api/v1/sos/${id}/${step}`, { token: admin });
    expect(reply, step).toMatchObject({ status: 200, body: { id, status, handled_by: demo.accounts.admin.id } });
  }
  await until(() => changesOf(own, id).at(-1)?.data.status === 'resolved');
  const late = await call(`POST /api/v1/sos/${id}/positions`, { token, body: { positions: [{ lat: 1, lon: 1 }] } });
  expect(late).toMatchObject({ status: 409, body: { code: 'invalid_transition', rescue_phone: '112' } });
  expect((await call('GET /api/v1/sos/me', { token })).body.data[0]).toMatchObject({ id, status: 'resolved' });
});

it('a false alarm is ended by the person, and the next request is another incident', async () => {
  const { body } = await ask(token);
  const ended = await call(`POST /api/v1/sos/${body.id}/false-alarm`, { token });
  expect(ended).toMatchObject({ status: 200, body: { status: 'false_alarm', acknowledged_at: null } });
  const next = await ask(token, { message: null, lat: null });
  expect(next.body.id).not.toBe(body.id);
  await call(`POST /api/v1/sos/${next.body.id}/false-alarm`, { token });
});

it('an older token and an ended session are refused, always with the rescue phone', async () => {
  const ending = await signIn(call, demo, 'tourist');
  expect((await call('POST /auth/logout?scope=session', { token: ending })).status).toBeLessThan(300);
  for (const refused of [
    await ask(await expired(token, 25)),
    await ask(ending),
    await ask(await expired(ending, 1)),
    await ask('forged'),
    await ask(undefined),
  ])
    expect(refused).toMatchObject({ status: 401, body: { rescue_phone: '112' } });
  expect((await call('GET /auth/me', { token: await expired(token, 1) })).status).toBe(401);
  expect(await call(`POST /api/v1/sos/${randomUUID()}/positions`, { token, body: { positions: [{}] } })).toMatchObject({
    status: 404,
  });
});

it('an alarm is raised whatever its body is, and says what it does not have', async () => {
  const alarm = await ask(token, '{"message":');
  expect(alarm).toMatchObject({ status: 201, body: { status: 'new', rescue_phone: '112', ignored: ['/body'] } });
  const { id } = alarm.body;
  for (const sent of ['"help"', '[]', { message: 'x'.repeat(17_000) }])
    expect(await ask(token, sent)).toMatchObject({ status: 200, body: { id, ignored: ['/body'] } });
  const headers = { 'content-type': 'text/plain' };
  const asText = await call('POST /api/v1/sos/request', { token, headers, body: 'help' });
  expect(asText).toMatchObject({ status: 200, body: { id, ignored: ['/body'] } });
  const partly = await ask(token, { lat: '43.6', lon: 400, battery: 41, hurry: true });
  expect(partly).toMatchObject({ status: 200, body: { id, ignored: ['/body/lat', '/body/lon', '/body/hurry'] } });
  const halves = await ask(token, { lat: 43.6, accuracy: 9, message: 'x'.repeat(1_001) });
  expect(halves).toMatchObject({
    status: 200,
    body: { id, ignored: ['/body/lat', '/body/accuracy', '/body/message'] },
  });
  const track = (sent: unknown) => call(`POST /api/v1/sos/${id}/positions`, { token, body: sent });
  expect(await track({ positions: [7, { lon: 40 }, { lat: 43.6, lon: 40.2 }, { lat: 91, lon: 40.2 }] })).toMatchObject({
    status: 200,
    body: {
      id,
      ignored: ['/body/positions/0', '/body/positions/3/lat', '/body/positions/1/lon', '/body/positions/3/lon'],
    },
  });
  for (const sent of ['"here"', '{"positions":', {}])
    expect(await track(sent)).toMatchObject({ status: 200, body: { id } });
  const { body } = await call(`POST /api/v1/sos/${id}/false-alarm`, { token });
  expect(body).toMatchObject({ battery: 41, position: { lat: 43.6, lon: 40.2 } });
});

it('the list of who is on duty is set by admins, of admins', async () => {
  const { admin: rescuer } = demo.accounts;
  const set = (shifts: object[]) => call('PUT /api/v1/sos/duty', { token: admin, body: { shifts } });
  const shifts = [
    { account_id: rescuer.id, from: null, until: '2020-01-01T03:00:00+03:00' },
    { account_id: rescuer.id },
  ];
  expect(await set(shifts)).toMatchObject({ status: 200, body: { on_duty: [rescuer.id] } });
  const { body } = await call('GET /api/v1/sos/duty', { token: admin });
  expect(body.shifts).toEqual([
    { ...shifts[0], until: '2020-01-01T00:00:00.000Z' },
    { account_id: rescuer.id, from: null, until: null },
  ]);
  expect(await set([{ account_id: anna.id }])).toMatchObject({ status: 422, body: { account_id: anna.id } });
  expect((await call('GET /api/v1/sos/duty', { token })).status).toBe(403);
  expect((await set([])).body).toEqual({ shifts: [], on_duty: [] });
});
