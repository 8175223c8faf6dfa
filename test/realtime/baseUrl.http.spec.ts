/** The WebSocket under the base URL of the REST API, through the real processes. */
import { afterAll, describe, expect, test } from 'vitest';
import { caller, once, signIn } from '../kit/http.ts';
import { freeRoom } from '../kit/stays.ts';
import { sharedWorld } from '../kit/world.ts';
import { connect, refusedWith } from './stage.ts';

const { demo, runtime } = sharedWorld();
const port = Number(new URL(runtime.api).port);
const call = caller(runtime.api);
const sockets: { close(): void }[] = [];
afterAll(() => {
  for (const socket of sockets) socket.close();
});

describe('/ws at the port of the API', () => {
  test('sends the changes of an account', async () => {
    const token = await signIn(call, demo, 'tourist2');
    const listening = connect(port, token);
    sockets.push(listening.socket);
    const channel = `realtime:user_${demo.accounts.tourist2.id}`;
    await listening.ask({ type: 'subscribe', channel });
    const free = await freeRoom(call, demo, 3, 2);
    const body = { type: 'hotel', item_id: free.roomId, check_in: free.checkIn, check_out: free.checkOut, guests: 2 };
    const booked = await call('POST /api/v1/bookings/create', { token, body, headers: once() });
    expect(booked.status, JSON.stringify(booked.body)).toBe(201);
    expect(await listening.first('booking.created')).toMatchObject({ data: { id: booked.body.id } });
    await call(`POST /api/v1/bookings/${booked.body.id}/cancel`, { token, body: {} });
  });

  test('is also below /ws/', async () => {
    const listening = connect(port, await signIn(call, demo, 'tourist2'), '/ws/realtime');
    sockets.push(listening.socket);
    expect(await listening.first('ready')).toMatchObject({ user_id: demo.accounts.tourist2.id });
  });

  test('returns the refusals of the hub', async () => {
    expect(await refusedWith(port, { authorization: 'Basic x' })).toBe(401);
    expect(await refusedWith(port, {}, '/ws?token=x')).toBe(400);
  });

  test('answers 426 to a request without an upgrade', async () => {
    const answer = await fetch(`${runtime.api}/ws`);
    expect(answer.status).toBe(426);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.headers.get('x-service')).toBe('realtime');
    expect(await answer.json()).toMatchObject({ status: 426, code: 'upgrade_required' });
  });
});
