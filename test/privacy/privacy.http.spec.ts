/** A person takes everything with them, and then leaves for good. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { caller, newTourist, once, signIn } from '../kit/http.ts';
import { day, newHotel, newRoom } from '../kit/stays.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);

it('a person exports what is held about them, settles what stands in the way, and is erased', async () => {
  const [admin, seller] = await Promise.all([signIn(call, demo, 'admin'), signIn(call, demo, 'hotelier')]);
  const [leaving, staying] = [await newTourist(call, admin, 'Zoya'), await newTourist(call, admin, 'Yuri')];
  const roomId = await newRoom(call, seller, { hotelId: await newHotel(call, seller) });
  const stay = { type: 'hotel', item_id: roomId, check_in: day(20), check_out: day(22), guests: 2 };
  const { token } = leaving;
  const booked = await call('POST /api/v1/bookings/create', { token, headers: once(), body: stay });
  expect(booked.status, JSON.stringify(booked.body)).toBe(201);
  const chat = await call('POST /api/v1/p2p-chats', { token, body: { user_id: staying.id } });
  const say = (from: string, body: string) =>
    call('POST /api/v1/messages', {
      token: from,
      headers: once(),
      body: { thread_id: chat.body.id, kind: 'text', body },
    });
  expect((await say(token, 'zoya asks')).status).toBe(201);
  expect((await say(staying.token, 'yuri answers')).status).toBe(201);

  const held = await until(async () => {
    const { status, body, headers } = await call('GET /api/v1/me/export', { token });
    expect(status, JSON.stringify(body)).toBe(200);
    expect(headers.get('content-disposition')).toBe('attachment; filename="my-data.json"');
    return body.data.messages_received.length > 0 && body;
  });
  expect(held).toMatchObject({ schema_version: 1, account_id: leaving.id });
  expect(held.data).toMatchObject({
    accounts: [{ id: leaving.id, first_name: 'Zoya' }],
    bookings: [{ id: booked.body.id }],
    messages: [{ body: 'zoya asks' }],
    messages_received: [{ body: 'yuri answers' }],
    tours: [],
  });
  expect(held.data['ops.sessions'].length).toBeGreaterThan(0);
  expect(held.data.bookings[0]).not.toHaveProperty('commission');

  const refused = await call('DELETE /api/v1/me', { token });
  expect(refused.status).toBe(409);
  expect(refused.body).toMatchObject({
    code: 'account_in_use',
    reasons: [{ reason: 'bookings_ahead', ids: [booked.body.id] }],
  });
  const gone = await call('DELETE /api/v1/me?settle=cancel', { token });
  expect(gone.body, JSON.stringify(gone.body)).toEqual({ status: 'erased' });

  expect((await call('GET /auth/me', { token })).status).toBe(401);
  expect((await call(`GET /api/v1/bookings/${booked.body.id}`, { token: seller })).body.status).toBe('cancelled');
  await until(async () => {
    const { body } = await call(`GET /api/v1/messages/${chat.body.id}`, { token: staying.token });
    return body.data.some((message: { deletion: string | null }) => message.deletion === 'erased');
  });
});

it('a seller is kept while guests have booked with them, and sells nothing afterwards', async () => {
  const admin = await signIn(call, demo, 'admin');
  const [identifier, password] = [`${randomUUID()}@example.test`, 'correct horse battery'];
  const opened = { role: 'hotelier', email: identifier, password };
  expect((await call('POST /api/v1/admin/accounts', { token: admin, body: opened })).status).toBe(201);
  const token = (await call('POST /auth/login', { body: { identifier, password } })).body.access_token;
  const hotelId = await newHotel(call, token);
  const roomId = await newRoom(call, token, { hotelId });
  const guest = await newTourist(call, admin, 'Xenia');
  const stay = { type: 'hotel', item_id: roomId, check_in: day(20), check_out: day(22), guests: 2 };
  const booked = await call('POST /api/v1/bookings/create', { token: guest.token, headers: once(), body: stay });
  expect(booked.status, JSON.stringify(booked.body)).toBe(201);

  const refused = await call('DELETE /api/v1/me', { token });
  expect(refused.body, JSON.stringify(refused.body)).toMatchObject({ reasons: [{ reason: 'sales_ahead' }] });
  expect((await call('DELETE /api/v1/me?settle=cancel', { token })).body).toEqual({ status: 'erased' });
  const left = await call(`GET /api/v1/bookings/${booked.body.id}`, { token: guest.token });
  expect(left.body).toMatchObject({ status: 'cancelled' });
  await until(async () => (await call(`GET /api/v1/hotels/${hotelId}`)).status === 404);
});
