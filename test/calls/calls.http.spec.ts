/** A call between two people through the running system, over REST and WebSocket. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Envelope } from '../../realtime/hub/protocol.ts';
import { caller, type Newcomer, newTourist, signIn } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';
import { connect, type Listening } from '../realtime/stage.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const port = Number(new URL(runtime.realtime).port);

let anna: Newcomer;
let boris: Newcomer;
let tokens: { anna: string; boris: string; tablet: string; stranger: string };
const sockets: Listening[] = [];
const open = (token: string): Listening => {
  const socket = connect(port, token);
  sockets.push(socket);
  return socket;
};
beforeAll(async () => {
  const admin = await signIn(call, demo, 'admin');
  anna = await newTourist(call, admin, 'Anna');
  boris = await newTourist(call, admin, 'Boris');
  const tablet = await call('POST /auth/login', { body: { identifier: boris.email, password: boris.password } });
  tokens = { anna: anna.token, boris: boris.token, tablet: tablet.body.access_token, stranger: admin };
});
afterAll(() => {
  for (const { socket } of sockets) socket.terminate();
});

const changesOf = ({ frames }: Listening, type: string, id: string) =>
  frames.filter((frame): frame is Envelope => frame.type === type && 'data' in frame && frame.data.id === id);
const signalsOf = ({ frames }: Listening) => frames.filter(({ type }) => type.startsWith('signal.'));

it('rings at all devices, is answered by one, and passes signals between the two only, until it ends', async () => {
  const [phone, tablet] = [open(tokens.boris), open(tokens.tablet)];
  for (const socket of [phone, tablet])
    expect(await socket.ask({ type: 'subscribe', channel: `realtime:user_${boris.id}` })).toMatchObject({
      type: 'subscribed',
    });
  const placed = await call('POST /api/v1/calls', {
    token: tokens.anna,
    body: { callee_id: boris.id, kind: 'video' },
  });
  expect(placed.status, JSON.stringify(placed.body)).toBe(201);
  const { id } = placed.body;
  expect(placed.body).toMatchObject({ caller_id: anna.id, callee_id: boris.id, status: 'ringing', accepted_at: null });
  await until(() => [phone, tablet].every((socket) => changesOf(socket, 'call.created', id).length === 1));

  const answer = await call(`POST /api/v1/calls/${id}/accept`, { token: tokens.boris });
  expect(answer).toMatchObject({ status: 200, body: { id, status: 'accepted', accepted_at: expect.any(String) } });
  await until(() => changesOf(tablet, 'call.updated', id)[0]?.data.status === 'accepted');
  const late = await call(`POST /api/v1/calls/${id}/accept`, { token: tokens.tablet });
  expect(late).toMatchObject({ status: 409, body: { code: 'answered_elsewhere' } });

  const channel = `call_${id}`;
  const [ofAnna, stranger] = [open(tokens.anna), open(tokens.stranger)];
  expect(await ofAnna.ask({ type: 'subscribe', channel })).toMatchObject({ type: 'subscribed' });
  expect(await phone.ask({ type: 'subscribe', channel })).toMatchObject({ type: 'subscribed' });
  expect(await stranger.ask({ type: 'subscribe', channel })).toMatchObject({ type: 'error', code: 'forbidden' });
  const offer = { type: 'publish', channel, event: 'signal.offer', data: { sdp: 'v=0\r\n'.repeat(10_000) } };
  expect(await stranger.ask(offer)).toMatchObject({ type: 'error', code: 'not_subscribed' });
  ofAnna.send(offer);
  phone.send({ type: 'publish', channel, event: 'signal.ice', data: { candidate: 'candidate:1', sdp_mid: '0' } });
  await until(() => [ofAnna, phone].every((socket) => signalsOf(socket).length === 2));
  expect(signalsOf(phone)).toContainEqual(
    expect.objectContaining({ type: 'signal.offer', from: anna.id, data: offer.data }),
  );
  expect(await phone.ask({ ...offer, data: { sdp: 1 } })).toMatchObject({ code: 'bad_frame' });

  expect((await call(`POST /api/v1/calls/${id}/heartbeat`, { token: tokens.anna })).status).toBe(204);
  expect((await call(`GET /api/v1/calls/${id}`, { token: tokens.stranger })).status).toBe(404);
  const ended = await call(`POST /api/v1/calls/${id}/end`, { token: tokens.anna, body: {} });
  expect(ended.body).toMatchObject({ status: 'ended', end_reason: 'hung_up', duration_s: expect.any(Number) });
  for (const socket of [ofAnna, phone])
    expect(await socket.first('unsubscribed')).toMatchObject({ channel, reason: 'forbidden' });
  expect(await phone.ask({ type: 'subscribe', channel })).toMatchObject({ code: 'forbidden' });
  expect(signalsOf(stranger)).toEqual([]);

  for (const token of [tokens.anna, tokens.boris]) {
    const { body } = await call('GET /api/v1/calls?status=ended', { token });
    expect(body.data[0]).toMatchObject({ id, status: 'ended' });
  }
});

it('refuses unknown people and oneself, and answers with the service of calls', async () => {
  const place = (callee_id: string) =>
    call('POST /api/v1/calls', { token: tokens.anna, body: { callee_id, kind: 'audio' } });
  expect((await place(randomUUID())).status).toBe(404);
  const self = await place(anna.id);
  expect(self).toMatchObject({ status: 422, body: { detail: 'You cannot call yourself.' } });
  expect(self.headers.get('x-service')).toBe('calls');
});

it('gives credentials for the TURN server', async () => {
  const { status, body } = await call('GET /api/v1/calls/turn-credentials', { token: tokens.anna });
  expect(status).toBe(200);
  expect(body).toEqual({
    username: expect.stringMatching(new RegExp(`^\\d+:${anna.id}$`)),
    credential: expect.stringMatching(/^[\w+/]{27}=$/),
    ttl: 3_600,
    urls: expect.arrayContaining([expect.stringMatching(/^turn:/)]),
  });
  expect((await call('GET /api/v1/calls/turn-credentials')).status).toBe(401);
});
