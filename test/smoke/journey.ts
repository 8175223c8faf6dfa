/** A short journey through a running system: sign in, find a room, book it, pay, and see the change on the WebSocket. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { WebSocket } from 'ws';

const TIMEOUT_MS = 30_000;
const dataDir = process.env.DATA_DIR ?? '.data';
// biome-ignore lint/suspicious/noExplicitAny: replies are read field by field; a missing one ends the journey
type Json = any;
const readJson = async (file: string): Promise<Json> => JSON.parse(await readFile(`${dataDir}/${file}`, 'utf8'));
const { api }: { api: string } = await readJson('runtime.json');
const demo = await readJson('demo.json');

interface Call {
  readonly token?: string;
  readonly body?: object;
  readonly headers?: Record<string, string>;
}

const call = async (method: string, path: string, { token, body, headers }: Call): Promise<Json> => {
  const answer = await fetch(api + path, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} → ${answer.status} ${text}`);
  return JSON.parse(text);
};

const day = (offset: number) => new Date(Date.now() + offset * 864e5).toISOString().slice(0, 10);
const stay = { check_in: day(14), check_out: day(17), guests: '2' };

const signIn = async (): Promise<string> => {
  const body = { identifier: demo.accounts.tourist.email, password: demo.password };
  return (await call('POST', '/auth/login', { body })).access_token;
};

const findRoom = async (): Promise<string> => {
  const query = new URLSearchParams(stay);
  const { data } = await call('GET', `/api/v1/hotels?${query}`, {});
  const found = await call('GET', `/ota/v1/hotels/${data[0].id}/availability?${query}`, {
    headers: { 'x-api-key': demo.partner_key },
  });
  return found.rooms.find((room: Json) => room.available).room_id;
};

/** Subscribes at the base URL. `sees` resolves when a frame fits. */
const listen = async (token: string) => {
  const socket = new WebSocket(`${api.replace(/^http/, 'ws')}/ws`, { headers: { authorization: `Bearer ${token}` } });
  const frames: Json[] = [];
  const waiting = new Set<() => void>();
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data));
    frames.push(frame);
    for (const check of waiting) check();
  });
  const sees = (fits: (frame: Json) => boolean) =>
    new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`not seen: ${fits}\n${JSON.stringify(frames)}`)), TIMEOUT_MS);
      const check = () => {
        if (!frames.some(fits)) return;
        clearTimeout(timer);
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  await sees((frame) => frame.type === 'ready');
  socket.send(JSON.stringify({ type: 'subscribe', channel: `realtime:user_${demo.accounts.tourist.id}` }));
  await sees((frame) => frame.type === 'subscribed');
  return { sees, close: () => socket.close() };
};

const token = await signIn();
const live = await listen(token);
const booking = await call('POST', '/api/v1/bookings/create', {
  token,
  body: { type: 'hotel', item_id: await findRoom(), ...stay, guests: 2 },
  headers: { 'idempotency-key': randomUUID() },
});
const payment = await call('POST', '/api/v1/payments/process', {
  token,
  body: { booking_id: booking.id, method: 'card' },
});
await fetch(payment.redirect_url, {
  method: 'POST',
  body: new URLSearchParams({ action: 'approve' }),
  redirect: 'manual',
});
await live.sees(({ type, data }) => type.startsWith('booking.') && data.id === booking.id && data.status === 'paid');
live.close();
