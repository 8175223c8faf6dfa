/** The adapter against recorded examples of the provider's documentation, and against the sandbox. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Notification, PaymentProvider, ProviderError } from '../../commands/payments/paymentProvider.ts';
import { NOTIFICATION_SENDERS, yookassa } from '../../commands/payments/yookassa/provider.ts';
import { newId } from '../../infra/ids.ts';
import { signWebhook } from '../../infra/standardWebhooks.ts';
import {
  newPayment as anyPayment,
  errorOf,
  fulfilsContract,
  type NewPayment,
  WEBHOOK_SECRET as SECRET,
  SHOP,
} from './contract.ts';
import { type Recorder, startRecorder } from './recorder.ts';

const BASIC = `Basic ${Buffer.from('100500:test_key_of_the_shop').toString('base64')}`;
const PAYMENT_ID = '01975b1e-7c3f-7000-8000-000000000001';

const example = (name: string): string => readFileSync(join(import.meta.dirname, 'fixtures', `${name}.json`), 'utf8');

const newPayment = (over: Partial<NewPayment> = {}) =>
  anyPayment({ paymentId: PAYMENT_ID, idempotencyKey: newId(), ...over });

describe('with the documented examples', () => {
  let api: Recorder;
  let provider: PaymentProvider;
  const answers = (name: string, status = 200) => {
    api.answer = { status, body: example(name) };
  };
  const sent = () => {
    const request = api.requests.at(-1);
    if (!request) throw new Error('nothing was sent');
    const text = request.rawBody.toString();
    return { ...request, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
  };

  beforeAll(async () => {
    api = await startRecorder('silence');
    provider = yookassa({ apiUrl: `${api.url}/v3`, ...SHOP, webhookSecret: SECRET });
  });
  afterAll(() => api.stop());

  test('creates: what is sent, and where the payer is sent to', async () => {
    answers('payment.pending');
    const payment = await provider.create(newPayment({ idempotencyKey: 'key-1' }));
    expect(sent()).toMatchObject({
      method: 'POST',
      path: '/v3/payments',
      headers: { authorization: BASIC, 'idempotence-key': 'key-1', 'content-type': 'application/json' },
      body: {
        amount: { value: '100.00', currency: 'RUB' },
        capture: true,
        confirmation: { type: 'redirect', return_url: 'https://www.example.com/return_url' },
        payment_method_data: { type: 'bank_card' },
        metadata: { payment_id: PAYMENT_ID },
        description: 'Order No. 1',
      },
    });
    expect(payment).toEqual({
      providerPaymentId: '23d93cac-000f-5000-8000-126628f15141',
      paymentId: PAYMENT_ID,
      status: 'requires_action',
      amountMinor: 10_000,
      currency: 'RUB',
      redirectUrl: 'https://yoomoney.ru/api-pages/v2/payment-confirm/epl?orderId=23d93cac-000f-5000-8000-126628f15141',
    });
  });

  test.each([
    ['card', 'bank_card'],
    ['sbp', 'sbp'],
    ['wallet', 'yoo_money'],
  ] as const)('%s is %s there', async (method, type) => {
    answers('payment.pending');
    await provider.create(newPayment({ method }));
    expect(sent().body).toMatchObject({ payment_method_data: { type } });
  });

  test.each([
    [1, 'RUB', '0.01'],
    [123_456_789_01, 'RUB', '123456789.01'],
    [29, 'USD', '0.29'],
    [500, 'JPY', '500'],
    [12_345, 'KWD', '12.345'],
  ])('%i minor units of %s are written %s', async (amountMinor, currency, value) => {
    answers('payment.pending');
    await provider.create(newPayment({ amountMinor, currency }));
    expect(sent().body).toMatchObject({ amount: { value, currency } });
  });

  test('cuts a description to what the provider takes', async () => {
    answers('payment.pending');
    await provider.create(newPayment({ description: 'x'.repeat(300) }));
    expect(sent().body).toMatchObject({ description: 'x'.repeat(128) });
  });

  test.each([
    ['payment.pending', 'requires_action', undefined],
    ['payment.waiting_for_capture', 'authorized', undefined],
    ['payment.succeeded', 'succeeded', undefined],
    ['payment.canceled', 'failed', 'insufficient_funds'],
  ])('%s reads as %s', async (name, status, reason) => {
    answers(name);
    const payment = await provider.get('22d6d597-000f-5000-9000-145f6df21d6f');
    expect(sent()).toMatchObject({ method: 'GET', path: '/v3/payments/22d6d597-000f-5000-9000-145f6df21d6f' });
    expect(sent().headers).not.toHaveProperty('idempotence-key');
    expect(payment).toMatchObject({ status, paymentId: PAYMENT_ID });
    expect(payment.reason).toBe(reason);
  });

  test.each([
    ['expired_on_confirmation', 'expired'],
    ['expired_on_capture', 'expired'],
    ['canceled_by_merchant', 'cancelled'],
    ['3d_secure_failed', 'failed'],
    ['a_reason_of_tomorrow', 'failed'],
  ])('canceled for %s reads as %s', async (reason, status) => {
    const body = { ...JSON.parse(example('payment.canceled')), cancellation_details: { party: 'yoo_money', reason } };
    api.answer = { status: 200, body: JSON.stringify(body) };
    expect(await provider.get('x')).toMatchObject({ status, reason });
  });

  test('pending with nothing for the payer to do is being processed', async () => {
    const { confirmation: _, ...body } = JSON.parse(example('payment.pending')) as Record<string, unknown>;
    api.answer = { status: 200, body: JSON.stringify(body) };
    expect(await provider.get('x')).toMatchObject({ status: 'processing' });
  });

  test('captures and cancels with the same key however often', async () => {
    answers('payment.succeeded');
    expect(await provider.capture('p1')).toMatchObject({ status: 'succeeded' });
    expect(sent()).toMatchObject({ path: '/v3/payments/p1/capture', headers: { 'idempotence-key': 'capture:p1' } });
    answers('payment.canceled');
    await provider.cancel('p1');
    expect(sent()).toMatchObject({ path: '/v3/payments/p1/cancel', headers: { 'idempotence-key': 'cancel:p1' } });
  });

  test('refunds', async () => {
    const made = JSON.parse(example('refund.succeeded')) as object;
    const knows = (...items: object[]) => {
      api.answer = { status: 200, body: JSON.stringify({ ...made, type: 'list', items }) };
    };
    knows();
    const providerPaymentId = '22d6d597-000f-5000-9000-145f6df21d6f';
    const input = {
      refundId: 'r1',
      providerPaymentId,
      amountMinor: 200,
      currency: 'RUB',
      reason: 'cancelled by the guest',
    };
    expect(await provider.refund(input)).toEqual({
      providerRefundId: '216749f7-0016-50be-b000-078d43a63ae4',
      status: 'succeeded',
    });
    expect(sent()).toMatchObject({
      method: 'POST',
      path: '/v3/refunds',
      headers: { 'idempotence-key': 'r1' },
      body: { payment_id: providerPaymentId, amount: { value: '2.00', currency: 'RUB' } },
    });
    // Once more when the key has long been forgotten.
    const before = api.requests.length;
    knows({ ...made, id: 'another', description: 'r2: other' }, { ...made, description: 'r1: cancelled by the guest' });
    expect(await provider.refund(input)).toMatchObject({ providerRefundId: '216749f7-0016-50be-b000-078d43a63ae4' });
    expect(api.requests).toHaveLength(before + 1);
    expect(sent()).toMatchObject({ method: 'GET', path: `/v3/refunds?payment_id=${providerPaymentId}&limit=100` });
    answers('refund.canceled');
    expect(await provider.getRefund('r1')).toMatchObject({ status: 'failed', reason: 'insufficient_funds' });
    expect(sent()).toMatchObject({ method: 'GET', path: '/v3/refunds/r1' });
  });

  test('an id cannot lead to another path', async () => {
    answers('payment.succeeded');
    await provider.get('../refunds/1?x=1#');
    expect(sent().path).toBe('/v3/payments/..%2Frefunds%2F1%3Fx%3D1%23');
  });

  test.each([
    [400, '<html><body>400 Bad Request</body></html>'],
    [404, '{"error":"no such route"}'],
    [413, ''],
    [451, 'not here'],
  ])('%i that the provider did not write says nothing', async (status, body) => {
    api.answer = { status, body };
    expect(await errorOf(provider.create(newPayment()))).toMatchObject({ kind: 'away' });
    expect(await errorOf(provider.get('x'))).toMatchObject({ kind: 'away' });
  });

  test('a payment that is not ours is refused', async () => {
    const body = { ...JSON.parse(example('payment.succeeded')), metadata: {} };
    api.answer = { status: 200, body: JSON.stringify(body) };
    expect(await errorOf(provider.get('x'))).toMatchObject({ kind: 'refused', reason: 'foreign_payment' });
  });

  test.each([
    [400, 'error.invalid_request', 'refused', 'invalid_request'],
    [404, 'error.invalid_request', 'refused', 'invalid_request'],
    [401, 'error.invalid_credentials', 'away', 'invalid_credentials'],
    [403, 'error.invalid_credentials', 'away', 'invalid_credentials'],
    [429, 'error.invalid_request', 'away', 'invalid_request'],
    [500, 'error.invalid_request', 'away', 'invalid_request'],
  ])('%i with %s is %s', async (status, name, kind, reason) => {
    answers(name, status);
    const error = await errorOf(provider.create(newPayment()));
    expect(error).toMatchObject({ kind, reason });
    expect(error.message).toContain(`answered ${status}`);
    expect(error.message).not.toContain(SHOP.secretKey);
  });

  test.each([
    ['a page instead of JSON', { status: 200, body: '<html>maintenance</html>' }],
    ['another object', { status: 200, body: '{"id":1}' }],
    ['an empty answer', { status: 200, body: '' }],
    ['a gateway in between', { status: 502, body: '<html>bad gateway</html>' }],
    ['not done yet', { status: 202, body: '{"type":"processing"}' }],
    ['a redirect', { status: 302, headers: { location: 'https://example.com/' } }],
  ])('%s: the result is not known, ask again', async (_, answer) => {
    api.answer = answer;
    expect(await errorOf(provider.create(newPayment()))).toMatchObject({ kind: 'away' });
  });

  test('silence ends within the time limit', async () => {
    api.answer = 'silence';
    const started = performance.now();
    const impatient = yookassa({ apiUrl: `${api.url}/v3`, ...SHOP, webhookSecret: SECRET, timeoutMs: 200 });
    const error = await errorOf(impatient.create(newPayment()));
    expect(error).toMatchObject({ kind: 'away', message: 'yookassa: POST /payments took too long' });
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  test('a server that does not answer', async () => {
    const gone = yookassa({ apiUrl: 'http://127.0.0.1:1/v3', ...SHOP, webhookSecret: SECRET });
    expect(await errorOf(gone.get('x'))).toMatchObject({ kind: 'away' });
  });
});

describe('notifications', () => {
  const body = Buffer.from(example('notification.payment.waiting_for_capture'));
  const now = () => Math.floor(Date.now() / 1_000);
  const signed = (over: { secret?: string; timestamp?: number; rawBody?: Buffer } = {}): Notification => ({
    headers: signWebhook(over.secret ?? SECRET, { id: 'msg_1', timestamp: over.timestamp ?? now(), body }),
    rawBody: over.rawBody ?? body,
    ip: '127.0.0.1',
  });
  const local = yookassa({ apiUrl: 'http://127.0.0.1:1', ...SHOP, webhookSecret: SECRET });
  const real = yookassa({ apiUrl: 'http://127.0.0.1:1', ...SHOP, senders: NOTIFICATION_SENDERS });
  const refusal = (provider: PaymentProvider, notification: Notification): string | undefined => {
    try {
      provider.verifyNotification(notification);
      return undefined;
    } catch (error) {
      expect(error).toMatchObject({ name: 'ProviderError', kind: 'refused' });
      return (error as ProviderError).reason;
    }
  };

  test('name their payment, and are distinguished by event and object', () => {
    expect(local.verifyNotification(signed())).toEqual({
      eventKey: 'payment.waiting_for_capture:22d6d597-000f-5000-9000-145f6df21d6f',
      providerPaymentId: '22d6d597-000f-5000-9000-145f6df21d6f',
    });
  });

  test('about a refund name its payment', () => {
    const rawBody = Buffer.from(example('notification.refund.succeeded'));
    expect(real.verifyNotification({ headers: {}, rawBody, ip: '185.71.76.1' })).toEqual({
      eventKey: 'refund.succeeded:216749f7-0016-50be-b000-078d43a63ae4',
      providerPaymentId: '22d6d597-000f-5000-9000-145f6df21d6f',
    });
  });

  test('the signature is the one of Standard Webhooks', () => {
    // Example of the specification's reference libraries.
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1_614_265_330, body: '{"test": 2432232314}' };
    expect(signWebhook(secret, message)['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  const withHeaders = (changes: Notification['headers']): Notification => {
    const notification = signed();
    return { ...notification, headers: { ...notification.headers, ...changes } };
  };
  // Signed by the test itself: minutes may have passed since the file was read.
  test.each<[string, () => Notification, string]>([
    ['another secret', () => signed({ secret: 'another-secret' }), 'signature_wrong'],
    [
      'a changed body',
      () => signed({ rawBody: Buffer.from(body.toString().replace('2.00', '9.00')) }),
      'signature_wrong',
    ],
    ['older than five minutes', () => signed({ timestamp: now() - 301 }), 'signature_stale'],
    ['from the future', () => signed({ timestamp: now() + 360 }), 'signature_stale'],
    ['no signature', () => ({ ...signed(), headers: {} }), 'signature_missing'],
    ['half of one', () => withHeaders({ 'webhook-id': undefined }), 'signature_missing'],
    ['no time', () => withHeaders({ 'webhook-timestamp': 'NaN' }), 'signature_missing'],
    ['another id', () => withHeaders({ 'webhook-id': 'msg_2' }), 'signature_wrong'],
    ['nonsense', () => withHeaders({ 'webhook-signature': 'v1,' }), 'signature_wrong'],
  ])('%s is refused', (_, notification, reason) => {
    expect(refusal(local, notification())).toBe(reason);
  });

  test('one good signature of several is enough, while a secret is being changed', () => {
    const headers = { ...signed().headers };
    headers['webhook-signature'] = `v1,AAAA v2,BBBB ${headers['webhook-signature']}`;
    expect(refusal(local, { ...signed(), headers })).toBeUndefined();
  });

  test.each([
    ['185.71.76.31', true],
    ['185.71.76.32', false],
    ['77.75.153.127', true],
    ['77.75.156.11', true],
    ['77.75.156.12', false],
    ['77.75.154.128', true],
    ['::ffff:185.71.77.5', true],
    ['2a02:5180:0:1::7', true],
    ['2a02:5181::1', false],
    ['127.0.0.1', false],
    ['not an address', false],
    [null, false],
  ])('from %s: %s', (ip, taken) => {
    expect(refusal(real, { headers: {}, rawBody: body, ip })).toBe(taken ? undefined : 'unknown_sender');
  });

  test.each(['', 'null', '[]', '{"type":"notification","event":"payout.succeeded","object":{"id":"x"}}', '{"a":'])(
    'what is not a notification of ours is refused: %s',
    (text) => {
      const reason = refusal(real, { headers: {}, rawBody: Buffer.from(text), ip: '185.71.76.1' });
      expect(reason).toBe('unknown_notification');
    },
  );

  test('something has to prove them', () => {
    expect(() => yookassa({ apiUrl: 'http://127.0.0.1:1', ...SHOP })).toThrow(/ranges, a secret/);
  });
});

fulfilsContract({
  name: 'yookassa',
  make: ({ address, webhookUrl: _, ...rest }) =>
    yookassa({ apiUrl: `${address}/yookassa/v3`, ...SHOP, webhookSecret: SECRET, ...rest }),
  forge: (notification) => ({
    ...notification,
    rawBody: Buffer.from(notification.rawBody.toString().replace('"100.00"', '"1.00"')),
  }),
  unknownId: newId(),
  more: (stage) => {
    test('another key is ours to set right: away', async () => {
      const apiUrl = `${stage.sandbox.address}/yookassa/v3`;
      const stranger = yookassa({ apiUrl, shopId: '100500', secretKey: 'wrong', webhookSecret: SECRET });
      expect(await errorOf(stranger.get(newId()))).toMatchObject({ kind: 'away', reason: 'invalid_credentials' });
    });

    test('a payment that nobody has paid cannot be cancelled', async () => {
      const { providerPaymentId } = await stage.provider.create(newPayment());
      const error = await errorOf(stage.provider.cancel(providerPaymentId));
      expect(error).toMatchObject({ kind: 'refused', reason: 'invalid_request' });
    });
  },
});
