/** How the operations are called by which a guest writes something, with what each needs before. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { routes } from '../../api/modules.ts';
import { addMs, instantOf, MINUTE_MS } from '../../domain/core/instants.ts';
import { completeBooking } from '../kit/completed.ts';
import { once } from '../kit/http.ts';
import { day, newHotel, newRoom } from '../kit/stays.ts';
import { until } from '../kit/until.ts';
import { freeFields } from './filledBody.ts';
import { type Cast, markedDocument, markedPicture, upload } from './people.ts';
import type { Writer } from './writer.ts';

/** Pays at the sandbox. */
const approve = (address: string) =>
  fetch(address, { method: 'POST', body: new URLSearchParams({ action: 'approve' }), redirect: 'manual' });

export const fillAccount = async (writer: Writer, cast: Cast): Promise<void> => {
  const { write, refused } = writer;
  const { token } = cast.guest;
  await write('PUT /api/v1/users/me', token, { phone: null });
  await refused('POST /auth/login', undefined);
  await refused('POST /auth/refresh', undefined);
  await refused('POST /auth/confirm', token);
  await refused('POST /api/v1/users/password', token);
  await write('POST /auth/sms/send-code', undefined);
  await refused('POST /auth/sms/verify-code', undefined, { code: '000000' });
  const request = await write('POST /api/v1/role-requests', token, { role: 'instructor' });
  await write('POST /api/v1/admin/role-requests/:id/reject', cast.admin, {}, request.id);
  const { body } = await writer.call('GET /api/v1/me/consents', { token });
  for (const { purpose, policy_version } of body.consents)
    await write('POST /api/v1/me/consent', token, { purpose, policy_version, granted: true });
  for (const folder of ['documents', 'avatars']) await upload(writer, cast, token, folder, await markedPicture(writer));
  await upload(writer, cast, token, 'documents', markedDocument(writer));
};

/** Whoever stays has a device first: what others do then is pushed to it, with their names. */
export const fillDevices = async (writer: Writer, { guest: { token }, staying, world }: Cast): Promise<void> => {
  const { write, marks, call } = writer;
  const device = { platform: 'android', token: `phone-of-somebody-who-stays-${staying.id}` };
  expect((await call('POST /api/v1/push/register', { token: staying.token, body: device })).status).toBeLessThan(300);
  const fcm = () => marks.word('a push token').padEnd(40, '-');
  await write('POST /api/v1/push/register', token, { platform: 'android', token: fcm() });
  await write('DELETE /api/v1/push/register', token, { token: fcm() });
  const name = marks.word('name of a push subscription');
  const made = await fetch(`${world.runtime.sandbox}/sandbox/push/subscription?name=${name}`);
  await write('POST /api/v1/push/subscribe', token, (await made.json()) as object);
  await write('POST /api/v1/push/test', token);
};

export const fillFriends = async ({ write }: Writer, { guest, staying }: Cast): Promise<void> => {
  await write('POST /api/v1/friends/invite', guest.token, { email: null });
  await write('POST /api/v1/friends/invite', guest.token, { phone: null });
  await write('POST /api/v1/friends/invite', guest.token, { user_id: staying.id, email: null, phone: null });
  await write('POST /api/v1/friends/invitations/:user_id/accept', staying.token, {}, guest.id);
  await write('PUT /api/v1/friends/live/sharing', guest.token, { minutes: 60 });
  await write('POST /api/v1/friends/live', guest.token);
};

export const fillStays = async ({ write, call, know }: Writer, { guest, hotelier, world }: Cast): Promise<void> => {
  const hotelId = await newHotel(call, hotelier);
  know('hotels', hotelId);
  const item_id = await newRoom(call, hotelier, { hotelId, units: 20 });
  const stay = { type: 'hotel', item_id, check_in: day(20), check_out: day(22) };
  const { token } = guest;
  await write('POST /api/v1/bookings/quote', token, stay);
  const booked = await write('POST /api/v1/bookings/create', token, stay);
  await write('PATCH /api/v1/bookings/:id', token, {}, booked.id);
  const cancelled = await write('POST /api/v1/bookings/create', token, stay);
  await write('POST /api/v1/bookings/:id/cancel', token, {}, cancelled.id);
  await write('POST /api/v1/trip-booking/aggregate', token, { items: [{ ...stay, check_out: day(23) }] });
  const paid = await write('POST /api/v1/bookings/create', token, { ...stay, check_out: day(24) });
  const payment = await write('POST /api/v1/payments/process', token, { booking_id: paid.id, method: 'card' });
  know('payments', payment.payment_id);
  await approve(payment.redirect_url);
  await until(async () => (await call(`GET /api/v1/bookings/${paid.id}`, { token })).body.status === 'paid');
  await completeBooking(world.runtime, paid.id);
};

/** What leaves no trace: notifications that nobody has signed, and whatever one searches for. */
export const fillRequests = async ({ call, marks }: Writer, { guest: { token } }: Cast): Promise<void> => {
  const body = { OrderId: marks.word('a forged webhook'), room: { name: marks.word('a forged webhook') } };
  for (const path of ['payments/webhooks/tbank', 'payments/webhooks/yookassa', 'forums/voice/webhook'])
    expect((await call(`POST /api/v1/${path}`, { body })).status, path).toBeLessThan(500);
  for (const { method, path, spec } of routes) {
    const texts = method === 'GET' && !path.includes(':') && spec.query ? freeFields(spec.query) : [];
    for (const name of texts) {
      const { status } = await call(`GET ${path}?${name}=${marks.word('a search')}`, { token });
      expect(status, `${path} ${name}`).toBeLessThan(500);
    }
  }
};

export const fillPurchases = async ({ write, call }: Writer, { guest: { token }, admin }: Cast) => {
  const products = await call('GET /api/v1/insurance/products');
  const insurance = { product_id: products.body.data[0].id, valid_from: day(2), valid_to: day(4) };
  const persons = [{ birth_date: '1987-06-05' }];
  await write('POST /api/v1/insurance/quote', token, { ...insurance, persons });
  const insured = await write('POST /api/v1/insurance/purchase', token, { ...insurance, method: 'card', persons });
  await write('POST /api/v1/purchases/:id/cancel', token, {}, insured.id);

  const season = { from: day(-30), to: day(100) };
  const kind = { name: 'A day', age_group: 'adult', duration: { unit: 'day', count: 1 } };
  const { body: tariff } = await call('POST /api/v1/admin/ski-pass/tariffs', {
    token: admin,
    body: { ...kind, season, within_days: 1, price: 20, refunds_unused: true, timezone: 'UTC', currency: 'RUB' },
  });
  expect(tariff.id, JSON.stringify(tariff)).toBeDefined();
  const order = { tariff_id: tariff.id, valid_from: day(3), quantity: 4, method: 'card' };
  const { body: bought } = await call('POST /api/v1/pass/purchase', { token, headers: once(), body: order });
  await approve(bought.redirect_url);
  await until(async () => (await call(`GET /api/v1/purchases/${bought.id}`, { token })).body.status === 'paid');
  // It is kept; the others are given back.
  await write('POST /api/v1/pass/me/issue', token, { purchase_id: bought.id, number: 4 });
  for (const [n, alias] of ['ski-pass', 'pass', 'skipass'].entries()) {
    const which = { purchase_id: bought.id, number: n + 1 };
    const { pass } = await write(`POST /api/v1/${alias}/me/issue`, token, which);
    await write('POST /api/v1/admin/pass/:id/block', admin, {}, pass.id);
    await write('POST /api/v1/admin/pass/:id/unblock', admin, {}, pass.id);
    await write(`POST /api/v1/${alias}/me/:id/give-back`, token, {}, pass.id);
  }
};

export const fillMountain = async ({ write }: Writer, { guest, seller, staying, admin, pool }: Cast) => {
  const { token } = guest;
  const at = instantOf(Date.now() - MINUTE_MS);
  const session = await write('POST /api/v1/tracking/sessions', token, { started_at: at });
  const points = Array.from({ length: 5 }, (_, seq) => ({
    seq,
    t: addMs(at, seq * 1_000),
  }));
  const fix = { alt: 1_500, acc: 5, speed: null };
  await write(
    'POST /api/v1/tracking/sessions/:id/points',
    token,
    { points: points.map((point) => ({ ...point, ...fix })) },
    session.id,
  );
  await write('POST /api/v1/tracking/sessions/:id/share', token, { account_id: staying.id }, session.id);
  await write('POST /api/v1/tracking/sessions/:id/finish', token, {}, session.id);
  await write('POST /api/v1/admin/tracking/sessions/:id/disqualify', admin, {}, session.id);
  await write('PUT /api/v1/leaderboard/me', token);
  const { rows } = await pool.query('select name_id from read.leaderboard_people where account_id = $1', [guest.id]);
  const report = await write('POST /api/v1/leaderboard/names/:name_id/report', seller.token, {}, rows[0].name_id);
  await write('POST /api/v1/admin/leaderboard-name-reports/:id/resolve', admin, { action: 'remove' }, report.id);

  const alarm = await write('POST /api/v1/sos/request', token, { battery: 40 });
  await write('POST /api/v1/sos/:id/positions', token, { battery: 39, positions: [{ accuracy: 4 }] }, alarm.id);
  await write('POST /api/v1/sos/:id/acknowledge', admin, {}, alarm.id);

  const event = { kind: 'click', occurred_at: at, session_id: randomUUID() };
  await write('POST /api/v1/events', token, { ...event, event_id: randomUUID() });
  await write('POST /api/v1/events/batch', token, { events: [{ ...event, event_id: randomUUID() }] });
};
