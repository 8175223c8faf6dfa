/** Saving ways to pay: the adapter against recorded examples of the provider's documentation, and against the sandbox. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PaymentProvider, ProviderError, type Tokenisation } from '../../commands/payments/paymentProvider.ts';
import { NOTIFICATION_SENDERS, yookassa } from '../../commands/payments/yookassa/provider.ts';
import { newId } from '../../infra/ids.ts';
import { createLogger } from '../../infra/log.ts';
import { type Sandbox, startSandbox } from '../../ops/sandbox/server.ts';
import { type Recorder, startRecorder } from './recorder.ts';

const log = createLogger({ level: 'silent' });
const SECRET = 'not-a-secret-of-the-tests';
const KEYS = { shopId: '100500', secretKey: 'test_key_of_the_shop' };
const RETURN_URL = 'https://www.example.com/return_url';
const ID = '2d1b1dd5-000f-5000-9000-1b1f0d0c1b1e';

const example = (name: string): string => readFileSync(join(import.meta.dirname, 'fixtures', `${name}.json`), 'utf8');
const newMethod = (method: 'card' | 'sbp' | 'wallet' = 'card') =>
  ({ methodId: newId(), customerId: newId(), method, returnUrl: RETURN_URL }) as const;
const savingOf = ({ tokenisation }: PaymentProvider): Tokenisation => {
  if (!tokenisation) throw new Error('nothing can be saved with it');
  return tokenisation;
};
const about = (providerMethodId: string) => ({ providerMethodId, customerId: newId() });

describe('with the documented examples', () => {
  let api: Recorder;
  let provider: PaymentProvider;
  beforeAll(async () => {
    api = await startRecorder({ status: 200, body: example('payment_method.pending') });
    provider = yookassa({ apiUrl: `${api.url}/v3`, ...KEYS, senders: NOTIFICATION_SENDERS });
  });
  afterAll(() => api.stop());
  const sent = () => {
    const { rawBody, ...request } = api.requests.at(-1) ?? { rawBody: Buffer.from('') };
    return { ...request, body: rawBody.length > 0 ? (JSON.parse(rawBody.toString()) as unknown) : undefined };
  };
  const answers = (change: object) => {
    api.answer = { status: 200, body: JSON.stringify({ ...JSON.parse(example('payment_method.pending')), ...change }) };
  };

  test('asks to save a card, with our id as the key', async () => {
    answers({});
    const request = newMethod();
    expect(await savingOf(provider).tokenise(request)).toEqual({
      providerMethodId: ID,
      status: 'requires_action',
      redirectUrl: `https://yoomoney.ru/checkout/payment-methods/v2/contract?id=${ID}`,
    });
    expect(sent()).toMatchObject({
      method: 'POST',
      path: '/v3/payment_methods',
      headers: { 'idempotence-key': request.methodId },
      body: { type: 'bank_card', confirmation: { type: 'redirect', return_url: RETURN_URL } },
    });
  });

  test.each([
    [
      { status: 'inactive', confirmation: undefined },
      { status: 'failed', reason: 'not_confirmed' },
    ],
    [{ confirmation: undefined }, { status: 'pending' }],
    [
      { type: 'sbp', status: 'active', saved: true, payer_bank_details: { bank_id: '100000000111' } },
      { status: 'active', token: ID },
    ],
  ])('reads %j', async (change, expected) => {
    answers(change);
    expect(await savingOf(provider).getMethod(about(ID))).toEqual({ providerMethodId: ID, ...expected });
    expect(sent()).toMatchObject({ method: 'GET', path: `/v3/payment_methods/${ID}` });
  });

  test('reads the masked card of the notification, and whose it is', async () => {
    const rawBody = Buffer.from(example('notification.payment_method.active'));
    expect(provider.verifyNotification({ headers: {}, rawBody, ip: '185.71.76.1' })).toEqual({
      eventKey: `payment_method.active:${ID}`,
      providerPaymentId: ID,
      subject: 'method',
    });
    api.answer = { status: 200, body: JSON.stringify(JSON.parse(rawBody.toString()).object) };
    expect(await savingOf(provider).getMethod(about(ID))).toEqual({
      providerMethodId: ID,
      status: 'active',
      token: ID,
      brand: 'MasterCard',
      last4: '4477',
      exp: '01/30',
    });
  });

  test('a wallet is not saved at the provider: no request is sent', async () => {
    const before = api.requests.length;
    await expect(savingOf(provider).tokenise(newMethod('wallet'))).rejects.toMatchObject({
      kind: 'refused',
      reason: 'unsupported_method',
    });
    expect(api.requests).toHaveLength(before);
  });

  test('an error never says what charges the method', async () => {
    api.answer = { status: 404, body: example('error.invalid_request') };
    const error = await savingOf(provider)
      .getMethod(about(ID))
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ProviderError);
    expect(String(error)).toContain('GET /payment_methods/… answered 404');
    expect(String(error)).not.toContain(ID);
  });

  test('a payment names the saved method, and no page', async () => {
    api.answer = { status: 200, body: example('payment.succeeded') };
    await provider.create({
      paymentId: newId(),
      amountMinor: 100,
      currency: 'RUB',
      description: 'Order No. 1',
      returnUrl: RETURN_URL,
      method: 'card',
      customerId: newId(),
      capture: 'automatic',
      idempotencyKey: newId(),
      token: ID,
    });
    const { body } = sent();
    expect(body).toMatchObject({ payment_method_id: ID, capture: true });
    expect(body).not.toHaveProperty('confirmation');
    expect(body).not.toHaveProperty('payment_method_data');
  });
});

describe('against the sandbox', () => {
  let shop: Recorder;
  let sandbox: Sandbox;
  let provider: PaymentProvider;
  beforeAll(async () => {
    shop = await startRecorder({ status: 200 });
    sandbox = await startSandbox({ port: 0, webhookUrl: shop.url, webhookSecret: SECRET, log, credentials: KEYS });
    provider = yookassa({ apiUrl: `${sandbox.address}/yookassa/v3`, ...KEYS, webhookSecret: SECRET });
  });
  afterAll(async () => {
    await sandbox.stop();
    await shop.stop();
  });

  const fill = (url: string | undefined, form: Record<string, string>) =>
    fetch(url ?? '', { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  const enter = (url: string | undefined, card_number: string) =>
    fill(url, { action: 'pay', card_number, expiry: '12/40', cvc: '123' });
  const charge = (token: string) =>
    provider.create({
      paymentId: newId(),
      amountMinor: 100,
      currency: 'RUB',
      description: 'by saved card',
      returnUrl: RETURN_URL,
      method: 'card',
      customerId: newId(),
      capture: 'automatic',
      idempotencyKey: newId(),
      token,
    });

  test('a card with 3-D Secure is saved after the bank has asked, and charged without a page', async () => {
    const request = newMethod();
    const saving = await savingOf(provider).tokenise(request);
    expect(await savingOf(provider).tokenise(request)).toEqual(saving);
    const { providerMethodId, redirectUrl = '' } = saving;
    expect(await (await fetch(redirectUrl)).text()).toContain('Save the card');
    expect((await enter(redirectUrl, '4242 4242 4242 4242')).status).toBe(422);

    expect((await enter(redirectUrl, '2200 0000 0000 0004')).headers.get('location')).toBe(`/link/${providerMethodId}`);
    expect(await (await fetch(redirectUrl)).text()).toContain('is it you?');
    await expect(charge(providerMethodId)).rejects.toMatchObject({ kind: 'refused' });
    expect((await fill(redirectUrl, { action: 'approve' })).headers.get('location')).toBe(RETURN_URL);

    const saved = await savingOf(provider).getMethod(about(providerMethodId));
    expect(saved).toMatchObject({ status: 'active', brand: 'Mir', last4: '0004', exp: '12/40' });
    expect(await charge(saved.token ?? '')).toMatchObject({ status: 'succeeded' });

    const notified = () => shop.requests.find(({ rawBody }) => rawBody.includes(providerMethodId));
    await expect.poll(notified).toBeDefined();
    expect(provider.verifyNotification({ ...(notified() as Recorder['requests'][number]), ip: null })).toMatchObject({
      providerPaymentId: providerMethodId,
      subject: 'method',
    });
  });

  test.each([
    ['refused by the bank', '5555555555554592', true],
    ['unknown to its network', '5555555555554618', false],
  ])('a card that is %s is not saved', async (_, number, asks) => {
    const { providerMethodId, redirectUrl } = await savingOf(provider).tokenise(newMethod());
    await enter(redirectUrl, number);
    if (asks) await fill(redirectUrl, { action: 'approve' });
    expect(await savingOf(provider).getMethod(about(providerMethodId))).toMatchObject({ status: 'failed' });
    await expect(charge(providerMethodId)).rejects.toMatchObject({ kind: 'refused' });
  });

  test('a card without money is saved, and found out when it has to pay', async () => {
    const { providerMethodId, redirectUrl } = await savingOf(provider).tokenise(newMethod());
    await enter(redirectUrl, '5555555555554600');
    const { token = '' } = await savingOf(provider).getMethod(about(providerMethodId));
    expect(await charge(token)).toMatchObject({ status: 'failed', reason: 'insufficient_funds' });
  });

  test('an account of the fast payment system is bound', async () => {
    const { providerMethodId, redirectUrl = '' } = await savingOf(provider).tokenise(newMethod('sbp'));
    expect(await (await fetch(redirectUrl)).text()).not.toContain('card_number');
    await fill(redirectUrl, { action: 'approve' });
    const saved = await savingOf(provider).getMethod(about(providerMethodId));
    expect(saved).toEqual({ providerMethodId, status: 'active', token: providerMethodId });
    expect(await charge(providerMethodId)).toMatchObject({ status: 'succeeded' });
  });

  test('a declined payment is final; the page of an unknown payment is a 404', async () => {
    const { providerMethodId, redirectUrl } = await savingOf(provider).tokenise(newMethod());
    await fill(redirectUrl, { action: 'decline' });
    await fill(redirectUrl, { action: 'approve' });
    expect(await savingOf(provider).getMethod(about(providerMethodId))).toMatchObject({ status: 'failed' });
    expect((await fetch(`${sandbox.address}/link/${newId()}`)).status).toBe(404);
  });
});
