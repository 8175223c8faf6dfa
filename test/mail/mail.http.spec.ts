/** E-mail through the real processes: an address is proved, a booking becomes a calendar entry, marketing ends. */
import { expect, it } from 'vitest';
import { SANDBOX_WEBHOOK_SECRET } from '../../commands/mail/settings.ts';
import { unsubscribeToken } from '../../commands/mail/unsubscribe.ts';
import { createVault } from '../../eventstore/vault.ts';
import { newId } from '../../infra/ids.ts';
import { createLogger } from '../../infra/log.ts';
import { createPool } from '../../infra/postgres.ts';
import { signWebhook } from '../../infra/standardWebhooks.ts';
import { readConfig, vaultKeysOf } from '../../ops/config.ts';
import { caller, newTourist, once, signIn } from '../kit/http.ts';
import { day, newHotel, newRoom } from '../kit/stays.ts';
import { until } from '../kit/until.ts';
import { sharedWorld } from '../kit/world.ts';

const { demo, runtime } = sharedWorld();
const call = caller(runtime.api);

const mailsTo = async (to: string) => {
  const response = await fetch(`${runtime.sandbox}/mails?to=${encodeURIComponent(to)}`);
  return ((await response.json()) as { mails: { subject: string; text: string; code: string | null }[] }).mails;
};

it('an address that was entered is proved by the code that is sent to it', async () => {
  const { token, email } = await newTourist(call, await signIn(call, demo, 'admin'), 'Anna');
  expect((await call('GET /auth/me', { token })).body).toMatchObject({ email_verified: true });
  const other = `other-${email}`;
  await call('PUT /api/v1/users/me', { token, body: { email: other } });
  expect((await call('GET /auth/me', { token })).body).toMatchObject({ email: other, email_verified: false });
  const sent = await call('POST /auth/email/send-code', { token });
  expect(sent.body).toEqual({ email_verified: false, can_send_in_s: 60, code_active: true, attempts_left: 5 });
  await until(async () => (await mailsTo(other)).length === 1);
  const code = (await mailsTo(other))[0]?.code ?? '';
  const wrong = code === '000000' ? '000001' : '000000';
  expect((await call('POST /auth/email/verify-code', { token, body: { code: wrong } })).status).toBe(422);
  expect((await call('POST /auth/email/verify-code', { token, body: { code } })).body).toEqual({
    email_verified: true,
  });
  expect((await call('GET /auth/me', { token })).body).toMatchObject({ email_verified: true });
});

it('a booking is a calendar file for its guest, who gets e-mails about the money', async () => {
  const [admin, other] = await Promise.all([signIn(call, demo, 'admin'), signIn(call, demo, 'hotelier')]);
  const { token, email } = await newTourist(call, admin, 'Clara');
  const roomId = await newRoom(call, other, { hotelId: await newHotel(call, other) });
  const [checkIn, checkOut] = [day(30), day(32)];
  const { status, body: booked } = await call('POST /api/v1/bookings/create', {
    token,
    headers: once(),
    body: { type: 'hotel', item_id: roomId, check_in: checkIn, check_out: checkOut, guests: 2 },
  });
  expect(status, JSON.stringify(booked)).toBe(201);
  const path = `GET /api/v1/bookings/${booked.id}/calendar.ics`;
  const file = await call(path, { token });
  expect(file.status).toBe(200);
  expect(file.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
  expect(file.headers.get('content-disposition')).toBe(`attachment; filename="booking-${booked.reference}.ics"`);
  expect(file.body).toContain(`DTSTART;VALUE=DATE:${checkIn.replaceAll('-', '')}`);
  for (const stranger of [other, admin]) expect((await call(path, { token: stranger })).status).toBe(404);

  const begun = await call('POST /api/v1/payments/process', { token, body: { booking_id: booked.id, method: 'card' } });
  await fetch(begun.body.redirect_url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ action: 'approve' }),
  });
  const received = async (subject: string) => (await mailsTo(email)).find((mail) => mail.subject.startsWith(subject));
  const receipt = await until(() => received('Payment received'));
  expect(receipt?.text).toContain(`(${booked.reference})`);
  await until(() => received('Your booking is paid and confirmed'));
  // From now on in the language that they have chosen, also what is no notification.
  await call('PATCH /api/v1/push/preferences', { token, body: { language: 'ru' } });
  const cancelled = await call(`POST /api/v1/bookings/${booked.id}/cancel`, { token, headers: once(), body: {} });
  expect(cancelled.body, JSON.stringify(cancelled.body)).toMatchObject({ status: 'cancelled' });
  expect((await call(path, { token })).body).toContain('METHOD:CANCEL');
  await until(() => received('Возврат выполнен'));
  await until(async () => (await mailsTo(email)).length >= 4);
  expect((await mailsTo(email)).map(({ subject }) => subject.replaceAll(/\s/g, ' ')).toSorted()).toEqual([
    'Payment received: RUB 161',
    'Your booking is paid and confirmed',
    'Бронирование отменено',
    'Возврат выполнен: 161 ₽',
  ]);
});

it('a link in an e-mail ends marketing, but only when its button is pressed', async () => {
  const { id, token } = await newTourist(call, await signIn(call, demo, 'admin'), 'Boris');
  const marketing = async () => {
    const { body } = await call('GET /api/v1/me/consents', { token });
    return body.consents.find(({ purpose }: { purpose: string }) => purpose === 'marketing');
  };
  // Another spec publishes new versions.
  const { policy_version } = await marketing();
  const answer = { purpose: 'marketing', policy_version, granted: true };
  const answered = await call('POST /api/v1/me/consent', { token, body: answer });
  expect(answered.status, JSON.stringify(answered.body)).toBe(201);
  const pool = createPool(runtime.databaseUrl, {
    max: 1,
    applicationName: 'test',
    log: createLogger({ level: 'silent' }),
  });
  const link = unsubscribeToken({ vault: createVault(pool, vaultKeysOf(readConfig({ NODE_ENV: 'test' }))) }, id);
  await pool.end();
  const granted = async () => (await marketing()).granted;
  const path = `/api/v1/mail/unsubscribe?token=${link}`;
  const page = await call(`GET ${path}`);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.body).toContain('<form method="post">');
  expect(await granted()).toBe(true);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await call(`POST ${path}`, { body: 'List-Unsubscribe=One-Click', headers: form })).status).toBe(200);
  expect(await granted()).toBe(false);
  expect((await call(`GET ${path}x`)).status).toBe(404);
});

it('a report of the mail provider is taken with its signature only', async () => {
  const rawBody = JSON.stringify({ type: 'email.bounced', data: { message_id: `<${newId()}@resort.test>` } });
  const timestamp = Math.floor(Date.now() / 1_000);
  const signed = signWebhook(SANDBOX_WEBHOOK_SECRET, { id: 'report-1', timestamp, body: rawBody });
  const send = (headers: object) =>
    call('POST /api/v1/webhooks/email', {
      body: rawBody,
      headers: { 'content-type': 'application/json', ...headers },
    });
  expect((await send(signed)).status).toBe(204);
  expect((await send({ ...signed, 'webhook-signature': 'v1,AAAA' })).body).toMatchObject({
    status: 401,
    code: 'not_signed',
  });
  const { token } = await newTourist(call, await signIn(call, demo, 'admin'), 'Dina');
  expect((await call('GET /api/v1/push/preferences', { token })).body).toMatchObject({ email_stopped: null });
});

it('an e-mail that the mail server refuses is listed for admins, and sent again', async () => {
  const admin = await signIn(call, demo, 'admin');
  const { token, email, id } = await newTourist(call, admin, 'Boris');
  const failures = (plan: object) =>
    fetch(`${runtime.sandbox}/sandbox/mails`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(plan),
    });
  expect((await failures({ count: 100, kind: 'block', to: email })).ok).toBe(true);
  // The former address is told of a new one.
  await call('PUT /api/v1/users/me', { token, body: { email: `new-${email}` } });
  const kept = async () => {
    const { body } = await call('GET /api/v1/admin/mail/undeliverable?per_page=100', { token: admin });
    return body.data.find((each: { account_id: string }) => each.account_id === id);
  };
  expect(await until(kept)).toMatchObject({
    mail_id: expect.any(String),
    cause: 'blocked',
    code: 554,
    reply: '554 5.7.1 you are blocked (requested failure)',
  });
  await failures({ count: 0 });
  const again = { token: admin, body: { account_id: id } };
  const { status, body } = await call('POST /api/v1/admin/mail/undeliverable/send-again', again);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.mails).toBeGreaterThan(0);
  await until(async () => (await mailsTo(email)).length > 0);
  expect(await kept()).toBeUndefined();
});
