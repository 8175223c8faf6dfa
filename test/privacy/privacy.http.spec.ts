/** A person takes everything with them, and then leaves for good. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { explain, validator } from '../../infra/validation.ts';
import { caller, newTourist, once, signIn } from '../kit/http.ts';
import { day, newHotel, newRoom } from '../kit/stays.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);
const schemaFile = path.resolve(import.meta.dirname, '../../docs/export.schema.json');
const { $schema: _, ...exportSchema } = JSON.parse(readFileSync(schemaFile, 'utf8'));
const fitsSchema = validator(exportSchema);

const isType =
  (wanted: string) =>
  ({ type }: { readonly type: string }): boolean =>
    type === wanted;

const picture = (): Promise<Buffer> =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: '#3366cc' } })
    .png()
    .toBuffer();

it('a person exports what is held about them, settles what stands in the way, and is erased', async () => {
  const [admin, seller] = await Promise.all([signIn(call, demo, 'admin'), signIn(call, demo, 'hotelier')]);
  const [leaving, staying] = [await newTourist(call, admin, 'Zoya'), await newTourist(call, admin, 'Yuri')];
  const roomId = await newRoom(call, seller, { hotelId: await newHotel(call, seller) });
  const guest = { guest_name: 'Zoya K.', guest_phone: '+79170000001', arrival_time: '18:30' };
  const stay = { type: 'hotel', item_id: roomId, check_in: day(20), check_out: day(22), guests: 2, ...guest };
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
    const { messages_received: received, personal_events: inLog } = body.data;
    return received.length > 0 && inLog.some(isType('BookingCreated')) && body;
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
  const written = { name: guest.guest_name, phone: guest.guest_phone, arrivalTime: guest.arrival_time };
  expect(held.data.personal_events.find(isType('BookingCreated')).data).toMatchObject({ guest: written });
  expect(held.data.personal_events.find(isType('AccountOpened')).data).toMatchObject({
    firstName: 'Zoya',
    passwordHash: '[hidden]',
  });

  expect(fitsSchema(held) || explain(fitsSchema.errors)).toBe(true);

  const refused = await call('DELETE /api/v1/me', { token });
  expect(refused.status).toBe(409);
  expect(refused.body).toMatchObject({
    code: 'account_in_use',
    reasons: [{ reason: 'bookings_ahead', ids: [booked.body.id] }],
  });
  const gone = await call('DELETE /api/v1/me?settle=cancel', { token });
  const erased = { status: 'erased', due_at: null, certificate_id: expect.any(String) };
  expect(gone.body, JSON.stringify(gone.body)).toEqual(erased);

  expect((await call('GET /auth/me', { token })).status).toBe(401);
  await until(async () => {
    const { body } = await call(`GET /api/v1/bookings/${booked.body.id}`, { token: seller });
    return body.status === 'cancelled';
  });
  await until(async () => {
    const { body } = await call(`GET /api/v1/messages/${chat.body.id}`, { token: staying.token });
    return body.data.some((message: { deletion: string | null }) => message.deletion === 'erased');
  });
  const certificate = await until(async () => {
    const { status, body } = await call(`GET /api/v1/erasures/${gone.body.certificate_id}`);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.status === 'complete' && body;
  });
  expect(certificate.parts).toEqual(
    expect.arrayContaining([
      { holder: 'key of the personal data in the log', outcome: 'key_destroyed', count: 1 },
      { holder: 'ops.sessions', outcome: 'deleted', count: 1 },
      { holder: 'read.accounts', outcome: 'anonymised', count: 1 },
      { holder: 'read.messages', outcome: 'anonymised', count: 1 },
    ]),
  );
  expect(JSON.stringify(certificate)).not.toContain(leaving.id);
  const listed = await call('GET /api/v1/admin/erasures?per_page=100', { token: admin });
  expect(listed.body.data).toContainEqual(certificate);
});

it('says what others did to the data, in which role and not who', async () => {
  const admin = await signIn(call, demo, 'admin');
  const { id, token } = await newTourist(call, admin, 'Vera');
  const read = await call(`GET /api/v1/audit/streams/account-${id}`, { token: admin });
  expect(read.status, JSON.stringify(read.body)).toBe(200);
  const done = await until(async () => {
    const { body } = await call('GET /api/v1/me/export', { token });
    return body.data.done_by_others.length > 1 && body.data.done_by_others;
  });
  expect(done).toMatchObject([
    { type: 'AccountOpened', stream: `account-${id}`, actor_kind: 'user', actor_role: 'admin' },
    { type: 'AuditRead', stream: null, actor_role: 'admin' },
  ]);
  expect(JSON.stringify(done)).not.toContain(demo.accounts.admin.id);
});

it('makes an archive with the files beside the document, which is gone with the account', async () => {
  const admin = await signIn(call, demo, 'admin');
  const { token, email } = await newTourist(call, admin, 'Ulla');
  const form = new FormData();
  form.set('file', new Blob([await picture()]), 'me.png');
  const uploaded = await fetch(`${runtime.api}/api/v1/attachments/upload?folder=avatars`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  const file = (await uploaded.json()) as { id: string };
  expect(uploaded.status, JSON.stringify(file)).toBe(201);

  const asked = await call('POST /api/v1/me/export', { token });
  expect(asked.status, JSON.stringify(asked.body)).toBe(202);
  const ready = await until(async () => {
    const { body } = await call('GET /api/v1/me/export/archive', { token });
    return body.status === 'ready' && body;
  });
  expect(ready).toMatchObject({ id: asked.body.id, progress_pct: 100 });
  const link = new URL(ready.url);
  // The sandbox takes the e-mails. None of them has the link: it is behind a sign-in.
  const mailed = async (subject: RegExp) => {
    const { mails } = (await (await fetch(`${runtime.sandbox}/mails?to=${email}`)).json()) as {
      mails: { subject: string; text: string }[];
    };
    return mails.find((mail) => subject.test(mail.subject));
  };
  expect((await until(() => mailed(/archive of your data is ready/))).text).not.toContain(link.search);
  const got = await fetch(runtime.api + link.pathname + link.search);
  const bytes = Buffer.from(await got.arrayBuffer());
  expect([got.status, got.headers.get('content-type'), bytes.length]).toEqual([200, 'application/zip', ready.size]);
  // The directory at the end of a ZIP has the names as they are.
  expect(bytes.includes('my-data.json')).toBe(true);
  expect(bytes.includes(`files/${file.id}.`)).toBe(true);
  expect((await fetch(runtime.api + link.pathname)).status).toBe(404);

  const gone = await call('DELETE /api/v1/me', { token });
  expect(gone.body).toMatchObject({ status: 'erased' });
  expect((await call('DELETE /api/v1/me', { token })).body, 'also when the first reply was lost').toEqual(gone.body);
  expect((await call('GET /auth/me', { token })).status).toBe(401);
  expect((await until(() => mailed(/account is being deleted/))).text).toContain(gone.body.certificate_id);
  expect((await fetch(runtime.api + link.pathname + link.search)).status).toBe(404);
});

it('who has bought insurance or ski passes is warned first, and gets the money back', async () => {
  const admin = await signIn(call, demo, 'admin');
  const { token } = await newTourist(call, admin, 'Wanda');
  const buy = async (path: string, body: object): Promise<{ id: string; payment_id: string; redirect_url: string }> => {
    const reply = await call(`POST ${path}`, { token, headers: once(), body: { ...body, method: 'card' } });
    expect(reply.status, JSON.stringify(reply.body)).toBe(201);
    return reply.body;
  };
  const [product] = (await call('GET /api/v1/insurance/products')).body.data;
  const persons = [{ first_name: 'Wanda', last_name: 'Orlova', birth_date: '1990-05-17' }];
  const insured = { product_id: product.id, valid_from: day(3), valid_to: day(4), persons };
  const insurance = await buy('/api/v1/insurance/purchase', insured);
  const [tariff] = (await call('GET /api/v1/ski-pass/tariffs?age_group=adult')).body.data;
  const [valid_from] = [tariff.season.from, day(3)].toSorted().slice(-1);
  const passes = await buy('/api/v1/skipass/purchase', { tariff_id: tariff.id, valid_from });
  const approve = { method: 'POST', body: new URLSearchParams({ action: 'approve' }) };
  await fetch(insurance.redirect_url, { ...approve, redirect: 'manual' });
  const isNow = (id: string, status: string) =>
    until(async () => (await call(`GET /api/v1/purchases/${id}`, { token: admin })).body.status === status);
  await isNow(insurance.id, 'paid');

  const { body } = await call('DELETE /api/v1/me', { token });
  expect(body).toMatchObject({ code: 'account_in_use', reasons: [{ reason: 'purchases_ahead' }] });
  expect(body.reasons[0].ids.toSorted()).toEqual([insurance.id, passes.id].toSorted());
  const gone = await call('DELETE /api/v1/me?settle=cancel', { token });
  expect(gone.body, JSON.stringify(gone.body)).toMatchObject({ status: 'erased' });
  await isNow(insurance.id, 'refunded');
  await isNow(passes.id, 'cancelled');
  const payment = () => call(`GET /api/v1/payments/${passes.payment_id}`, { token: admin });
  await until(async () => (await payment()).body.status === 'cancelled');
});

/** A seller with a room that somebody has paid for. */
const soldRoom = async (admin: string, details: object = {}) => {
  const [identifier, password] = [`${randomUUID()}@example.test`, 'correct horse battery'];
  const opened = { role: 'hotelier', email: identifier, password };
  const { body: account } = await call('POST /api/v1/admin/accounts', { token: admin, body: opened });
  const token = (await call('POST /auth/login', { body: { identifier, password } })).body.access_token;
  const hotelId = await newHotel(call, token, details);
  const roomId = await newRoom(call, token, { hotelId });
  const guest = await newTourist(call, admin, 'Xenia');
  const stay = { type: 'hotel', item_id: roomId, check_in: day(20), check_out: day(22), guests: 2 };
  const booked = await call('POST /api/v1/bookings/create', { token: guest.token, headers: once(), body: stay });
  expect(booked.status, JSON.stringify(booked.body)).toBe(201);
  const { id: bookingId } = booked.body;
  const pay = { token: guest.token, headers: once(), body: { booking_id: bookingId, method: 'card' } };
  const { body: payment } = await call('POST /api/v1/payments/process', pay);
  const approved = { method: 'POST', body: new URLSearchParams({ action: 'approve' }), redirect: 'manual' } as const;
  await fetch(payment.redirect_url, approved);
  const booking = async () => (await call(`GET /api/v1/bookings/${bookingId}`, { token: guest.token })).body;
  await until(async () => (await booking()).status === 'paid');
  const paymentNow = async () => (await call(`GET /api/v1/payments/${payment.payment_id}`, { token: admin })).body;
  return { id: account.id as string, token, hotelId, guest, bookingId, booking, paymentNow };
};

it('a seller is kept while guests have booked with them, and leaves when these have their money back', async () => {
  const admin = await signIn(call, demo, 'admin');
  const { token, hotelId, booking, paymentNow } = await soldRoom(admin);

  // The booking may be shown as paid before the money of it is.
  const reasons = await until(async () => {
    const { status, body } = await call('DELETE /api/v1/me', { token });
    return status === 409 && body.reasons.length > 1 && body.reasons.map(({ reason }: { reason: string }) => reason);
  });
  expect(reasons.toSorted()).toEqual(['balance_left', 'sales_ahead']);
  expect((await call('DELETE /api/v1/me?settle=cancel', { token })).body).toMatchObject({ status: 'erased' });
  await until(async () => (await booking()).status === 'cancelled');
  await until(async () => {
    const { amount_minor, refunded_minor } = await paymentNow();
    return refunded_minor === amount_minor;
  });
  await until(async () => (await call(`GET /api/v1/hotels/${hotelId}`)).status === 404);
});

it('a seller leaves with what is due to them: it is paid out, and then everything is erased', async () => {
  const admin = await signIn(call, demo, 'admin');
  const { id, token, hotelId, guest, bookingId } = await soldRoom(admin, { cancellation_policy: 'non_refundable' });
  await call(`POST /api/v1/bookings/${bookingId}/cancel`, { token: guest.token, headers: once(), body: {} });
  await until(async () => {
    const { status, body } = await call('DELETE /api/v1/me', { token });
    return status === 409 && body.reasons.length === 1 && body.reasons[0].reason === 'balance_left';
  });
  const { body } = await call('DELETE /api/v1/me?settle=cancel', { token });
  expect(body).toMatchObject({ status: 'pending', due_at: expect.any(String) });
  expect(Date.parse(body.due_at) - Date.now()).toBeGreaterThan(29 * 86_400_000);
  expect((await call('DELETE /api/v1/me?settle=cancel', { token })).body, 'a repetition').toEqual(body);
  expect((await call('POST /api/v1/bookings/create', { token, headers: once(), body: {} })).status).toBe(401);
  await until(async () => (await call(`GET /api/v1/hotels/${hotelId}`)).status === 404);
  const payout = () =>
    call('POST /api/v1/admin/payouts', { token: admin, headers: once(), body: { owner_id: id, currency: 'RUB' } });
  expect(await until(async () => (await payout()).status === 201)).toBe(true);
});
