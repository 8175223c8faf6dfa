/** Friends over HTTP: invited, accepted, seen on the slope, removed and blocked. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { caller, newTourist, signIn } from '../kit/http.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';
import { connect } from '../realtime/stage.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const sockets: { close(): void }[] = [];
let admin: string;
beforeAll(async () => {
  admin = await signIn(call, demo, 'admin');
});
afterAll(() => {
  for (const socket of sockets) socket.close();
});

const newPerson = async (first_name: string) => {
  const { id, email, token } = await newTourist(call, admin, first_name);
  const ask = async (request: string, more?: object) => {
    const reply = await call(request.replace(' ', ' /api/v1/friends'), { token, ...(more && { body: more }) });
    return { status: reply.status, body: reply.body };
  };
  return { token, id, email, ask };
};

it('two people become friends, see each other while both share, and part', async () => {
  const [anna, boris] = [await newPerson('Anna'), await newPerson('Boris')];
  const listening = connect(Number(new URL(runtime.api).port), boris.token);
  sockets.push(listening.socket);
  expect(await listening.ask({ type: 'subscribe', channel: `friends_${boris.id}` })).toMatchObject({
    type: 'subscribed',
  });
  expect(await listening.ask({ type: 'subscribe', channel: `friends_${anna.id}` })).toMatchObject({
    code: 'forbidden',
  });

  const invited = await anna.ask('POST /invite', { user_id: boris.id });
  expect(invited).toEqual({ status: 202, body: { status: 'invited' } });
  expect(await anna.ask('POST /invite', { user_id: randomUUID() })).toEqual(invited);
  const received = await boris.ask('GET /invitations');
  const named = { user_id: anna.id, first_name: 'Anna', last_name: 'Orlova', since: expect.any(String) };
  expect(received.body).toMatchObject({ total: 1, data: [{ ...named, relation: 'incoming' }] });
  expect((await anna.ask('GET /invitations/sent')).body.total).toBe(2);
  expect((await boris.ask(`POST /invitations/${anna.id}/accept`)).status).toBe(204);
  expect((await boris.ask('GET ')).body.data).toEqual([{ ...named, relation: 'friends' }]);
  await listening.first('friendship.created');

  const here = { lat: 43.6823, lon: 40.2021, battery_pct: 81 };
  expect((await anna.ask('POST /live', here)).status).toBe(409);
  expect((await anna.ask('PUT /live/sharing', { minutes: 30 })).status).toBe(422);
  expect((await anna.ask('PUT /live/sharing', { minutes: 15 })).status).toBe(200);
  expect((await boris.ask('PUT /live/sharing', { minutes: 60, with: [anna.id] })).status).toBe(200);
  expect((await anna.ask('POST /live', here)).status).toBe(204);
  expect(await listening.first('position.updated')).toMatchObject({ from: anna.id, data: { position: here } });
  const live = await boris.ask('GET /live');
  expect(live.body.data).toMatchObject([
    { user_id: anna.id, first_name: 'Anna', position: here, age_s: expect.any(Number) },
  ]);
  expect((await anna.ask('DELETE /live/sharing')).status).toBe(204);
  expect(await listening.first('sharing.ended')).toMatchObject({ from: anna.id });
  expect((await boris.ask('GET /live')).body.data).toEqual([]);

  await anna.ask('PUT /live/sharing', { minutes: 15 });
  expect((await boris.ask('GET /live')).body.total).toBe(1);
  expect((await boris.ask(`PUT /blocked/${anna.id.toUpperCase()}`)).status).toBe(204);
  expect((await boris.ask('GET /live')).body.total).toBe(0);
  expect((await anna.ask('GET ')).body.total).toBe(0);
  await listening.first('friendship.removed');
  expect((await boris.ask('GET /blocked')).body.data).toMatchObject([{ user_id: anna.id }]);
  expect(await anna.ask('POST /invite', { user_id: boris.id })).toEqual(invited);
  expect((await boris.ask('GET /invitations')).body.total).toBe(0);
  expect((await boris.ask(`DELETE /blocked/${anna.id}`)).status).toBe(204);
});

it('an invitation by address looks the same whether or not somebody has it', async () => {
  const [anna, boris] = [await newPerson('Anna'), await newPerson('Boris')];
  const known = await anna.ask('POST /invite', { email: boris.email });
  expect(await anna.ask('POST /invite', { email: `${randomUUID()}@example.test` })).toEqual(known);
  const received = await until(async () => (await boris.ask('GET /invitations')).body.data[0]);
  expect(received).toMatchObject({ user_id: anna.id });
  const { body } = await anna.ask('GET /invitations/sent');
  const shown = { user_id: null, address: expect.stringMatching(/^.…@example\.test$/), expires_at: expect.any(String) };
  expect(body.data).toMatchObject([shown, shown]);
  for (const { id } of body.data) expect((await anna.ask(`DELETE /invitations/sent/${id}`)).status).toBe(204);
  await until(async () => (await boris.ask('GET /invitations')).body.total === 0);
  expect((await anna.ask(`DELETE /invitations/sent/${body.data[0].id}`)).status).toBe(404);
});

it.each([
  ['nobody', {}],
  ['two at once', { phone: '+79990000000', email: 'a@example.test' }],
  ['what is no phone number', { phone: '12345' }],
  ['what is no e-mail address', { email: 'nobody' }],
])('an invitation of %s is refused', async (_, body) => {
  const { ask } = await newPerson('Anna');
  expect((await ask('POST /invite', body)).status).toBe(422);
});
