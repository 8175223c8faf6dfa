/** People who have left something everywhere, and will be erased. What they did went through the API, as far as it takes no days. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { CommandDeps } from '../../commands/modules.ts';
import { booking } from '../../domain/bookings/booking.ts';
import { addDays, instantIn, todayIn, WEEKDAYS } from '../../domain/core/dates.ts';
import { HOUR_MS, instantOf } from '../../domain/core/instants.ts';
import type { TokenSecrets } from '../../infra/tokens.ts';
import { contextOf } from '../kit/context.ts';
import { type CallApi, once } from '../kit/http.ts';
import { day, newHotel, newRoom } from '../kit/stays.ts';
import { until } from '../kit/until.ts';
import { skier } from '../tracking/synthetic.ts';
import { type Member, newMember } from './stormCast.ts';

/** In every text of theirs: nothing may show it afterwards. */
export const MARK = 'Vergessenova';
const TIMEZONE = 'Europe/Moscow';
const ROOMS = 20;
const TOPICS = 10;
/** Of so many people one has also reviewed a visit, and one has uploaded a picture. */
const REVIEW_EACH = 10;
const PICTURE_EACH = 10;

/** What they book, visit, mark, and write in. */
export interface Places {
  readonly hotelId: string;
  readonly rooms: readonly string[];
  readonly restaurantId: string;
  readonly topics: readonly string[];
  /** With whom they chat; these stay. */
  readonly partners: readonly Member[];
}

/** A request that must succeed. @returns the body of the reply */
const done = async (call: CallApi, request: string, token: string, body: object) => {
  const reply = await call(request, { token, headers: once(), body });
  expect(reply.status, `${request}: ${JSON.stringify(reply.body)}`).toBeLessThan(300);
  return reply.body;
};

/** @param tokens of a hotelier, a restaurant and an admin */
export const makePlaces = async (
  deps: CommandDeps,
  secrets: TokenSecrets,
  call: CallApi,
  tokens: { readonly hotelier: string; readonly restaurant: string; readonly admin: string },
): Promise<Places> => {
  const hotelId = await newHotel(call, tokens.hotelier);
  const rooms: string[] = [];
  for (let n = 0; n < ROOMS; n += 1) rooms.push(await newRoom(call, tokens.hotelier, { hotelId, units: 100 }));
  const restaurant = await done(call, 'POST /api/v1/restaurants', tokens.restaurant, {
    ...{ name: 'Farewell', city: 'Testville', address: 'Main street 2', timezone: TIMEZONE, currency: 'RUB' },
    ...{ location: { latitude: 43.6, longitude: 40.2 }, average_bill: 900, sitting_minutes: 120 },
    ...{ opening_hours: [{ weekdays: [...WEEKDAYS], from: '00:00', to: '24:00' }], deposit_per_guest: 0 },
    ...{ confirmation: 'instant', tables: [{ name: 'Hall', seats: 2, units: 500 }], status: 'published' },
  });
  const category = { title: 'Farewells', position: 950 };
  const { id: category_id } = await done(call, 'POST /api/v1/admin/forums/categories', tokens.admin, category);
  const partners = await Promise.all(Array.from({ length: TOPICS }, () => newMember(deps, secrets)));
  const topics: string[] = [];
  for (const { token } of partners) {
    const topic = { category_id, title: `Who leaves? ${randomUUID()}`, body: 'Say it here.' };
    topics.push((await done(call, 'POST /api/v1/forums/topics', token, topic)).id);
  }
  return { hotelId, rooms, restaurantId: restaurant.id, topics, partners };
};

const points = skier({ startMs: Math.floor(Date.now() / 1_000) * 1_000 - HOUR_MS })
  .run(120, 12)
  .fixes.map(({ at, ...fix }) => ({ ...fix, t: instantOf(at), speed: -1 }));

const track = async (call: CallApi, token: string): Promise<void> => {
  const started_at = points[0]?.t;
  const { id } = await done(call, 'POST /api/v1/tracking/sessions', token, { started_at });
  await done(call, `POST /api/v1/tracking/sessions/${id}/points`, token, { points });
  await done(call, `POST /api/v1/tracking/sessions/${id}/finish`, token, {});
};

/** A visit that has ended, which nobody can wait for here, and its review. */
const review = async (deps: CommandDeps, call: CallApi, token: string, target_id: string, text: string) => {
  const tomorrow = addDays(todayIn(TIMEZONE, new Date().toISOString()), 1);
  const visit = { slot_start: instantIn(TIMEZONE, tomorrow, '10:00'), guests: 2 };
  const { id: booking_id } = await done(call, `POST /api/v1/restaurants/${target_id}/table-bookings`, token, visit);
  await until(async () => (await call(`GET /api/v1/bookings/${booking_id}`, { token })).body.status === 'paid');
  await deps.aggregates.handle(booking, booking_id, { type: 'Complete', by: 'system' }, contextOf('system', 'system'));
  const body = { target_type: 'restaurant', target_id, rating: 4, text, booking_id };
  await done(call, 'POST /api/v1/reviews', token, body);
};

const upload = async (api: string, token: string, picture: Buffer): Promise<string> => {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(picture)]), `${MARK}.jpg`);
  const reply = await fetch(`${api}/api/v1/attachments/upload?folder=stories`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
    signal: AbortSignal.timeout(60_000),
  });
  expect(reply.status).toBe(201);
  return ((await reply.json()) as { id: string }).id;
};

/** Makes the `n`th of them. */
export const newLeaver = async (
  { deps, secrets, call, api }: { deps: CommandDeps; secrets: TokenSecrets; call: CallApi; api: string },
  places: Places,
  n: number,
  picture: Buffer,
): Promise<Member> => {
  const leaver = await newMember(deps, secrets, { firstName: `Zoya${n}`, lastName: `${MARK}${n}` });
  const { id, token } = leaver;
  const text = `${MARK}${n} was here`;
  const of = <T>(all: readonly T[]): T => all[n % all.length] as T;
  const post = (request: string, body: object) => done(call, `POST /api/v1/${request}`, token, body);
  const stay = { type: 'hotel', item_id: of(places.rooms), check_in: day(20), check_out: day(22), guests: 2 };
  await post('bookings/create', { ...stay, notes: text });
  const chat = await post('p2p-chats', { user_id: of(places.partners).id });
  for (let more = 0; more < 3; more += 1) await post('messages', { thread_id: chat.id, kind: 'text', body: text });
  await post(`forums/topics/${of(places.topics)}/posts`, { body: text });
  await post('support/tickets', { subject: text, message: text });
  await post(`favorites/hotel/${places.hotelId}`, {});
  await post('push/register', { platform: 'android', token: `${MARK}-${randomUUID()}` });
  await post('me/consent', { purpose: 'analytics', policy_version: '1', granted: true });
  const seen = { event_id: randomUUID(), kind: 'screen_view', name: 'home', session_id: randomUUID() };
  await post('events/batch', {
    events: [{ ...seen, occurred_at: new Date().toISOString(), properties: { text } }],
  });
  await done(call, 'PUT /api/v1/users/me', token, { last_name: `${MARK}-${n}` });
  await track(call, token);
  if (n % REVIEW_EACH === 0) await review(deps, call, token, places.restaurantId, text);
  if (n % PICTURE_EACH === 1) await post('stories', { media_id: await upload(api, token, picture), text });
  return { id, token };
};
