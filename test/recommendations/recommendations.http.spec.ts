/** Recommendations over HTTP, as somebody new and as somebody who has booked. */
import { beforeAll, expect, it } from 'vitest';
import { caller, type Newcomer, newTourist, once, signIn } from '../kit/http.ts';
import { day, newHotel, newRoom } from '../kit/stays.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
let [hotelier, admin] = ['', ''];
let guest: Newcomer;
beforeAll(async () => {
  [hotelier, admin] = await Promise.all([signIn(call, demo, 'hotelier'), signIn(call, demo, 'admin')]);
  guest = await newTourist(call, admin, 'Guest');
});

interface Shown {
  readonly id: string;
  readonly kind: string;
  readonly reasons: readonly { readonly code: string; readonly text: string }[];
}
const ask = async (query = '', headers: Record<string, string> = {}) =>
  call(`GET /api/v1/ai/recommendations?${query}`, { token: guest.token, headers });
const shownFor = async (query: string): Promise<readonly Shown[]> => (await ask(query)).body.data;
const answer = (granted: boolean) =>
  call('POST /api/v1/me/consent', {
    token: guest.token,
    body: { purpose: 'recommendations', policy_version: '1', granted },
  });

it('somebody new gets listings and slopes with reasons in their language', async () => {
  const { status, body } = await ask('limit=30', { 'accept-language': 'ru' });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.personal).toBe(false);
  expect(new Set(body.data.map(({ kind }: Shown) => kind)).size).toBeGreaterThan(3);
  const texts = body.data.flatMap(({ reasons }: Shown) => reasons.map(({ text }) => text));
  expect(texts.every((text: string) => /\p{Script=Cyrillic}/u.test(text))).toBe(true);
  expect((await shownFor('kinds=slope,tour&limit=4')).every(({ kind }) => ['slope', 'tour'].includes(kind))).toBe(true);
  const english = (await shownFor('lang=en&limit=5')).flatMap(({ reasons }) => reasons.map(({ text }) => text));
  expect(english.some((text) => /\p{Script=Cyrillic}/u.test(text))).toBe(false);
});

it('refuses half of the dates and kinds that do not exist', async () => {
  const refused = await Promise.all(
    ['kinds=hotel,yacht', `check_in=${day(3)}`, `check_in=${day(3)}&check_out=${day(2)}`, 'limit=51'].map((q) =>
      ask(q),
    ),
  );
  expect(refused.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
  expect(refused[0]?.body.errors[0]).toMatchObject({
    pointer: '/query/kinds',
    detail: expect.stringContaining('hotel'),
  });
});

it('what is booked or closed is left out, and a withdrawn consent counts at once', async () => {
  const hotelId = await newHotel(call, hotelier, { city: 'Recommendville' });
  const room = await newRoom(call, hotelier, { hotelId });
  const otherId = await newHotel(call, hotelier, { city: 'Recommendville' });
  await newRoom(call, hotelier, { hotelId: otherId });
  const dates = `check_in=${day(20)}&check_out=${day(22)}`;
  const asked = `kinds=hotel&guests=2&limit=50&${dates}`;
  const find = async (id: string) => (await shownFor(asked)).find((each) => each.id === id);
  for (const id of [hotelId, otherId]) expect(await until(() => find(id))).toMatchObject({ price: { per: 'night' } });

  expect((await answer(true)).status).toBe(201);
  const body = { type: 'hotel', item_id: room, check_in: day(20), check_out: day(22), guests: 2 };
  const booked = await call('POST /api/v1/bookings/create', { token: guest.token, headers: once(), body });
  expect(booked.status, JSON.stringify(booked.body)).toBe(201);
  const started = await call('POST /api/v1/payments/process', {
    token: guest.token,
    body: { booking_id: booked.body.id, method: 'card' },
  });
  const approval = { method: 'POST', body: new URLSearchParams({ action: 'approve' }), redirect: 'manual' } as const;
  await fetch(started.body.redirect_url, approval);
  await until(async () => (await find(otherId))?.reasons.some(({ code }) => code === 'similar'));
  expect(await find(hotelId)).toBeUndefined();
  expect((await ask()).body.personal).toBe(true);

  expect((await answer(false)).status).toBe(201);
  const after = await ask(asked);
  expect(after.body.personal).toBe(false);
  const codes = after.body.data.flatMap(({ reasons }: Shown) => reasons.map(({ code }) => code));
  expect(codes.filter((code: string) => ['similar', 'booked_together'].includes(code))).toEqual([]);

  const closed = await call(`PATCH /api/v1/hotels/${otherId}`, { token: hotelier, body: { status: 'closed' } });
  expect(closed.status, JSON.stringify(closed.body)).toBe(200);
  expect(await find(otherId)).toBeUndefined();
});
