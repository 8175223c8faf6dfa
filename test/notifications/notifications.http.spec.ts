/** Notifications over HTTP: an invitation arrives in the list, live and as a push message; it is read and deleted. */
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

const newPerson = async (name: string) => {
  const person = await newTourist(call, admin, name);
  const ask = (request: string, body?: object) =>
    call(request.replace(' ', ' /api/v1'), { token: person.token, ...(body && { body }) });
  return { ...person, ask, unread: async () => (await ask('GET /notifications/unread-count')).body.count as number };
};

it('an invitation arrives, is read on all devices, and is deleted', async () => {
  const [anna, boris] = [await newPerson('Anna'), await newPerson('Boris')];
  const listening = connect(Number(new URL(runtime.api).port), boris.token);
  sockets.push(listening.socket);
  await listening.ask({ type: 'subscribe', channel: `realtime:user_${boris.id}` });
  expect(await boris.unread()).toBe(0);
  await anna.ask('POST /friends/invite', { user_id: boris.id });
  await until(async () => (await boris.unread()) === 1);
  const shown = await call('GET /api/v1/notifications', {
    token: boris.token,
    headers: { prefer: 'channel-offset' },
  });
  const [told] = shown.body.data;
  expect(told).toMatchObject({ kind: 'friend', type: 'friend_invited', read_at: null, link: '/friends/invitations' });
  expect(`${told.title} ${told.body}`).toContain('Anna O.');
  expect(shown.body.next_cursor).toBeNull();
  expect(shown.headers.get('x-channel-offset')).toContain(`realtime:user_${boris.id}`);
  expect(await listening.first('notification.created')).toMatchObject({ data: told });

  expect((await anna.ask(`POST /notifications/${told.id}/read`)).status).toBe(404);
  expect((await boris.ask(`POST /notifications/${told.id}/read`)).body).toMatchObject({ id: told.id });
  expect(await listening.first('notification.updated')).toMatchObject({ data: { id: told.id } });
  expect(await boris.unread()).toBe(0);
  expect((await boris.ask('GET /notifications?unread=true')).body.data).toEqual([]);
  expect((await boris.ask('GET /notifications?kind=friend&limit=1')).body.data).toHaveLength(1);
  expect((await boris.ask('POST /notifications/mark-all-read')).body).toMatchObject({ unread: 0, last_seq: told.seq });
  expect((await boris.ask(`DELETE /notifications/${told.id}`)).status).toBe(204);
  expect((await boris.ask(`DELETE /notifications/${told.id}`)).status).toBe(404);
  expect((await boris.ask('GET /notifications')).body.data).toEqual([]);
});

it('preferences change field by field, and say what is wrong', async () => {
  const person = await newPerson('Vera');
  const { body: before } = await person.ask('GET /push/preferences');
  expect(before).toEqual({
    ...Object.fromEntries(
      ['booking', 'queue', 'friend', 'chat', 'review', 'badge', 'favorite', 'statement'].map((kind) => [kind, true]),
    ),
    marketing: false,
    quiet_hours: null,
    language: null,
    marketing_consent: false,
    email_stopped: null,
  });
  const quiet_hours = { from: '22:00', to: '07:30', timezone: 'Europe/Moscow' };
  await person.ask('PATCH /push/preferences', { queue: false });
  expect((await person.ask('PATCH /push/preferences', { quiet_hours, language: 'en' })).body).toEqual({
    ...before,
    queue: false,
    quiet_hours,
    language: 'en',
  });
  for (const wrong of [{ from: '25:00' }, { timezone: 'Mars/Olympus' }, { from: '07:30' }])
    expect((await person.ask('PATCH /push/preferences', { quiet_hours: { ...quiet_hours, ...wrong } })).status).toBe(
      422,
    );
  expect((await person.ask('PATCH /push/preferences', { system: false })).status).toBe(422);
  expect((await person.ask(`POST /notifications/${randomUUID()}/read`)).status).toBe(404);
});
