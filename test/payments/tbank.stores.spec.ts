/** T-Bank's adapter against the examples of its documentation, and against the sandbox. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProviderRefund } from '../../commands/payments/paymentProvider.ts';
import * as api from '../../commands/payments/tbank/api.ts';
import { type TbankOptions, tbank } from '../../commands/payments/tbank/provider.ts';
import { HOUR_MS, instantOf } from '../../domain/core/instants.ts';
import { newId } from '../../infra/ids.ts';
import { validator } from '../../infra/validation.ts';
import { until } from '../kit/until.ts';
import { errorOf, fulfilsContract, newPayment, payer, type Stage, TERMINAL } from './contract.ts';
import { type Recorder, startRecorder } from './recorder.ts';

interface Example {
  readonly request: Record<string, unknown>;
  readonly answer: Record<string, unknown>;
}
/** An example of the documentation, whose token was made with this password. */
interface SignedExample {
  readonly request: { readonly Token: string };
  readonly password: string;
}

/** `{source, request?, answer?}`, as the documentation shows them. */
const example = <E = Example>(name: string): E =>
  JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures', 'tbank', `${name}.json`), 'utf8'));

describe('the documented examples', () => {
  test.each([
    ['Init', api.Init, api.Initiated],
    ['GetState', api.OnPayment, api.State],
    ['Confirm', api.Confirm, api.Changed],
    ['Cancel', api.Cancel, api.Changed],
    ['CheckOrder', api.OnOrder, api.Order],
    ['Charge', api.Charge, api.State],
    ['GetQr', api.GetQr, api.Qr],
    ['AddCustomer', api.AddCustomer, api.Customer],
    ['AddCard', api.AddCard, api.CardAdding],
    ['GetAddCardState', api.GetAddCardState, api.CardState],
    ['GetCardList', api.GetCardList, api.CardList],
    ['RemoveCard', api.RemoveCard, api.RemovedCard],
  ])('%s: request and answer fit', (name, request, answer) => {
    const shown = example(name);
    for (const [schema, value] of [[request, shown.request] as const, [answer, shown.answer] as const]) {
      const fits = validator(schema);
      fits(value);
      expect(fits.errors).toEqual([]);
    }
  });

  test('the token of a request, nested objects apart', () => {
    const { request, password } = example<SignedExample>('token.request');
    expect(api.tokenOf(request, password)).toBe(request.Token);
  });

  test('the token of a notification, true written as text', () => {
    const { request, password } = example<SignedExample>('token.notification');
    expect(api.tokenOf(request, password)).toBe(request.Token);
    const provider = tbank({
      apiUrl: 'http://127.0.0.1:1',
      notificationUrl: 'http://127.0.0.1:1',
      terminalKey: '1321054611234DEMO',
      password,
    });
    const rawBody = Buffer.from(JSON.stringify(request));
    const eventKey = `8742591:AUTHORIZED:${request.Token}`;
    expect(provider.verifyNotification({ headers: {}, rawBody, ip: null })).toEqual({
      eventKey,
      providerPaymentId: '8742591',
    });
  });
});

test('a notification about a saved card names its request key', () => {
  const fields = { ...example('notification.card').request, TerminalKey: TERMINAL.terminalKey };
  const Token = api.tokenOf(fields, TERMINAL.password);
  const rawBody = Buffer.from(JSON.stringify({ ...fields, Token }));
  const provider = tbank({ apiUrl: 'http://127.0.0.1:1', notificationUrl: 'http://127.0.0.1:1', ...TERMINAL });
  const providerPaymentId = '13021e10-a3ed-4f14-bcd1-823b5ac37390';
  expect(provider.verifyNotification({ headers: {}, rawBody, ip: null })).toMatchObject({
    providerPaymentId,
    subject: 'method',
  });
});

describe('with an API whose answers a test sets', () => {
  let server: Recorder;
  beforeAll(async () => {
    server = await startRecorder('silence');
  });
  afterAll(() => server.stop());
  const provider = () => tbank({ apiUrl: server.url, notificationUrl: 'https://shop.example/hook', ...TERMINAL });
  const answers = (body: object, status = 200) => {
    server.answer = { status, body: JSON.stringify(body) };
  };
  const state = (Status: string, ErrorCode = '0') => ({ ...example('GetState').answer, Status, ErrorCode });

  test.each([
    ['NEW', 'requires_action'],
    ['FORM_SHOWED', 'requires_action'],
    ['3DS_CHECKING', 'requires_action'],
    ['AUTHORIZING', 'processing'],
    ['AUTHORIZED', 'authorized'],
    ['CONFIRMING', 'processing'],
    ['CONFIRMED', 'succeeded'],
    ['PARTIAL_REFUNDED', 'succeeded'],
    ['REFUNDED', 'succeeded'],
    ['REVERSED', 'cancelled'],
    ['CANCELED', 'cancelled'],
    ['REJECTED', 'failed'],
    ['AUTH_FAIL', 'failed'],
    ['DEADLINE_EXPIRED', 'expired'],
    ['A_STATUS_OF_TOMORROW', 'processing'],
  ])('%s reads as %s', async (status, expected) => {
    answers(state(status));
    const { status: read, paymentId, amountMinor } = await provider().get('13660');
    expect([read, paymentId, amountMinor]).toEqual([expected, '21050', 1230]);
    const { TerminalKey, PaymentId, Token } = JSON.parse(server.requests.at(-1)?.rawBody.toString() ?? '');
    expect(server.requests.at(-1)).toMatchObject({ method: 'POST', path: '/GetState' });
    const Signed = api.tokenOf({ TerminalKey, PaymentId }, TERMINAL.password);
    expect({ TerminalKey, PaymentId, Token }).toEqual({
      TerminalKey: TERMINAL.terminalKey,
      PaymentId: '13660',
      Token: Signed,
    });
  });

  test('why it failed, in words where there are some', async () => {
    answers({ ...state('REJECTED', '1051'), Success: false });
    expect(await provider().get('1')).toMatchObject({ status: 'failed', reason: 'insufficient_funds' });
    answers({ ...state('REJECTED', '1034'), Success: false });
    expect(await provider().get('1')).toMatchObject({ status: 'failed', reason: 'error_1034' });
  });

  test.each([
    ['a code of the request', { Success: false, ErrorCode: '330' }, 200, 'refused'],
    ['a wrong key', { Success: false, ErrorCode: '204' }, 200, 'away'],
    ['an error of theirs', { Success: false, ErrorCode: '9999' }, 200, 'away'],
    ['too many requests', { Success: false, ErrorCode: '330' }, 429, 'away'],
    ['a gateway in between', { maintenance: true }, 502, 'away'],
    ['another object', { Success: true }, 200, 'away'],
  ])('%s', async (_, body, status, kind) => {
    answers(body, status);
    const error = await errorOf(provider().get('1'));
    expect(error.kind).toBe(kind);
    expect(error.message).not.toContain(TERMINAL.password);
  });

  test('silence ends within the time limit', async () => {
    server.answer = 'silence';
    const hasty = tbank({ apiUrl: server.url, notificationUrl: server.url, ...TERMINAL, timeoutMs: 100 });
    expect(await errorOf(hasty.get('1'))).toMatchObject({ kind: 'away', message: 'tbank: GetState took too long' });
  });

  test('only rubles', async () => {
    const refusal = { kind: 'refused', reason: 'currency_not_supported' };
    expect(await errorOf(provider().create(newPayment({ currency: 'USD' })))).toMatchObject(refusal);
  });
});

const adapter = ({ sandbox, shop }: Stage, over: Partial<TbankOptions> = {}) =>
  tbank({ apiUrl: `${sandbox.address}/tbank/v2`, notificationUrl: shop.url, ...TERMINAL, ...over });

/** The statuses in the shop's notifications about a payment, in order of arrival. */
const statusesSent = ({ shop }: Stage, providerPaymentId: string): string[] =>
  shop.requests
    .map(({ rawBody }) => JSON.parse(rawBody.toString()) as { PaymentId?: number; Status: string })
    .filter(({ PaymentId }) => String(PaymentId) === providerPaymentId)
    .map(({ Status }) => Status);

const own = (stage: Stage): void => {
  const untilTold = (id: string, statuses: string[]) =>
    expect.poll(() => statusesSent(stage, id).sort()).toEqual(statuses.sort());
  /** Until no notification waits to be sent. */
  const untilAllSent = () =>
    until(async () => {
      const answer = await fetch(`${stage.sandbox.address}/sandbox/notifications`);
      return ((await answer.json()) as { waiting: number }).waiting === 0;
    });

  test('sends a notification of each status; an immediate payment is authorized and confirmed', async () => {
    const { providerPaymentId, redirectUrl } = await stage.provider.create(newPayment());
    await payer.pay(redirectUrl);
    await untilTold(providerPaymentId, ['AUTHORIZED', 'CONFIRMED']);
    const part = { providerPaymentId, amountMinor: 5_000, currency: 'RUB', reason: 'half' };
    await stage.provider.refund({ ...part, refundId: newId() });
    await stage.provider.refund({ ...part, refundId: newId() });
    await untilTold(providerPaymentId, ['AUTHORIZED', 'CONFIRMED', 'PARTIAL_REFUNDED', 'REFUNDED']);
    const keys = stage.shop.requests
      .filter(({ rawBody }) => rawBody.includes(providerPaymentId))
      .map((request) => stage.provider.verifyNotification({ ...request, ip: null }).eventKey);
    expect(new Set(keys).size).toBe(4);
  });

  describe('refunds of the fast payment system, which heeds no key', () => {
    const HOUR_AGO = instantOf(Date.now() - HOUR_MS);
    const bySbp = async () => {
      const { providerPaymentId, redirectUrl } = await stage.provider.create(newPayment({ method: 'sbp' }));
      await payer.pay(redirectUrl);
      const part = (amountMinor: number) => ({
        refundId: newId(),
        providerPaymentId,
        amountMinor,
        currency: 'RUB',
        reason: 'a part',
      });
      const leftAt = async () => {
        const { Status } = JSON.parse(
          stage.shop.requests
            .filter(({ rawBody }) => rawBody.includes(providerPaymentId))
            .at(-1)
            ?.rawBody.toString() ?? '{}',
        ) as { Status?: string };
        return Status;
      };
      return { part, leftAt };
    };
    test('arrive one after the other', async () => {
      const { part, leftAt } = await bySbp();
      const refund = (amountMinor: number, refundedMinor: number) =>
        stage.provider.refund({ ...part(amountMinor), refundedMinor });
      expect(await refund(4_000, 0)).toMatchObject({ status: 'succeeded' });
      expect(await refund(3_000, 4_000)).toMatchObject({ status: 'succeeded' });
      expect(await refund(3_000, 7_000)).toMatchObject({ status: 'succeeded' });
      await expect.poll(leftAt).toBe('REFUNDED');
    });
    test('are not repeated once they show in the payment', async () => {
      const { part } = await bySbp();
      const first = part(4_000);
      expect(await stage.provider.refund(first)).toMatchObject({ status: 'succeeded' });
      const repeated = { ...first, sentAt: HOUR_AGO };
      expect(await stage.provider.refund(repeated)).toMatchObject({ status: 'succeeded' });
      // 6,000 are left, so that a second 4,000 would have been possible.
      expect(await stage.provider.refund({ ...part(6_000), refundedMinor: 4_000 })).toMatchObject({
        status: 'succeeded',
      });
    });
    test('are repeated when they had no effect, but not at once', async () => {
      const { part } = await bySbp();
      const sent = part(4_000);
      const now = new Date().toISOString();
      expect(await errorOf(stage.provider.refund({ ...sent, sentAt: now }))).toMatchObject({ kind: 'away' });
      expect(await stage.provider.refund({ ...sent, sentAt: HOUR_AGO })).toMatchObject({ status: 'succeeded' });
    });
    test('are left to a person when nothing shows what became of them', async () => {
      const { part } = await bySbp();
      await stage.provider.refund(part(4_000));
      const lost = { ...part(1_000), refundedMinor: 4_000, sentAt: HOUR_AGO };
      expect(await stage.provider.refund(lost)).toMatchObject({ status: 'unknown', reason: 'refund_not_repeatable' });
      const elsewhere = { ...part(1_000), refundedMinor: 0 };
      expect(await stage.provider.refund(elsewhere)).toMatchObject({ status: 'unknown', reason: 'refunded_elsewhere' });
    });
  });

  describe('what is left after refunds, some of which were made in the office', () => {
    const partlyRefunded = async (method: 'card' | 'sbp') => {
      const { providerPaymentId, redirectUrl } = await stage.provider.create(newPayment({ method }));
      await payer.pay(redirectUrl);
      const part = { providerPaymentId, amountMinor: 4_000, currency: 'RUB', reason: 'a part' };
      const { providerRefundId } = (await stage.provider.refund({ ...part, refundId: newId() })) as ProviderRefund;
      const office = { payment_id: providerPaymentId, action: 'refund', amount: 10 };
      const answer = await fetch(`${stage.sandbox.address}/sandbox/office`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(office),
      });
      expect(answer.status).toBe(200);
      return stage.provider.leftAfter?.({ providerRefundId, amountMinor: 4_000 });
    };
    test('is told by a refund of ours, which is not made again', async () => {
      expect(await partlyRefunded('card')).toBe(5_000);
    });
    test('is not asked of the fast payment system, which would refund again', async () => {
      expect(await partlyRefunded('sbp')).toBeUndefined();
    });
  });

  test('repeats a notification until the answer is OK, without quotes', async () => {
    stage.shop.answer = { status: 200, body: '"OK"' };
    const { providerPaymentId, redirectUrl } = await stage.provider.create(newPayment());
    await payer.refuse(redirectUrl);
    await expect.poll(() => statusesSent(stage, providerPaymentId).length).toBeGreaterThanOrEqual(2);
    stage.shop.answer = { status: 200, body: 'OK' };
    await untilAllSent();
    expect(new Set(statusesSent(stage, providerPaymentId))).toEqual(new Set(['REJECTED']));
  });

  test('a payment expires at RedirectDueDate, without a notification', async () => {
    const created = await adapter(stage, { payWithinMs: 0 }).create(newPayment());
    await payer.pay(created.redirectUrl);
    const expired = { status: 'expired', reason: 'deadline_expired' };
    expect(await stage.provider.get(created.providerPaymentId)).toMatchObject(expired);
    await untilAllSent();
    expect(statusesSent(stage, created.providerPaymentId)).toEqual([]);
  });

  test('an address that got lost is not paid at: the order has another; one that was seen is kept', async () => {
    const input = newPayment();
    const lost = await stage.provider.create(input);
    const found = await adapter(stage).create(input);
    expect(found.providerPaymentId).not.toBe(lost.providerPaymentId);
    await payer.open(found.redirectUrl);
    const again = await adapter(stage).create(input);
    expect(again).toMatchObject({ providerPaymentId: found.providerPaymentId, status: 'requires_action' });
    expect(again.redirectUrl).toBeUndefined();
    await payer.pay(found.redirectUrl);
    expect(await adapter(stage).create(input)).toMatchObject({
      providerPaymentId: found.providerPaymentId,
      status: 'succeeded',
    });
  });

  test('the link of the fast payment system is found again', async () => {
    const input = newPayment({ method: 'sbp' });
    const created = await stage.provider.create(input);
    expect(await adapter(stage).create(input)).toEqual(created);
  });

  test('another terminal or password is ours to set right: away', async () => {
    for (const wrong of [{ terminalKey: 'Another' }, { password: 'another' }])
      expect(await errorOf(adapter(stage, wrong).create(newPayment()))).toMatchObject({ kind: 'away' });
  });

  test('a saved card pays without a page, until it is removed', async () => {
    const { tokenisation } = stage.provider;
    if (!tokenisation) throw new Error('cards can be saved');
    const customerId = newId();
    const about = { methodId: newId(), customerId, method: 'card', returnUrl: 'https://www.example.com/' } as const;
    const { providerMethodId, redirectUrl, status } = await tokenisation.tokenise(about);
    expect(status).toBe('requires_action');
    expect(await tokenisation.tokenise(about)).toMatchObject({ providerMethodId, redirectUrl });
    expect(await tokenisation.getMethod({ providerMethodId, customerId })).toMatchObject({ status });
    await payer.card(redirectUrl, '2202474301322987');
    const saved = await tokenisation.getMethod({ providerMethodId, customerId });
    expect(saved).toMatchObject({ status: 'active', last4: '2987', exp: '12/40', token: expect.any(String) });
    const { token = '' } = saved;

    const input = newPayment({ token, customerId });
    const paid = await stage.provider.create(input);
    expect(paid).toMatchObject({ status: 'succeeded', amountMinor: 10_000 });
    expect(await adapter(stage).create(input)).toEqual(paid);

    await tokenisation.removeMethod({ providerMethodId, customerId, token });
    await tokenisation.removeMethod({ providerMethodId, customerId, token });
    expect(await errorOf(stage.provider.create(newPayment({ token, customerId })))).toMatchObject({ kind: 'refused' });

    const other = await tokenisation.tokenise({ ...about, methodId: newId() });
    await payer.refuse(other.redirectUrl);
    const { providerMethodId: otherId } = other;
    expect(await tokenisation.getMethod({ providerMethodId: otherId, customerId })).toMatchObject({ status: 'failed' });
  });
};

fulfilsContract({
  name: 'tbank',
  make: ({ address, webhookUrl: notificationUrl, ...rest }) =>
    tbank({ apiUrl: `${address}/tbank/v2`, notificationUrl, ...TERMINAL, ...rest }),
  forge: (notification) => ({
    ...notification,
    rawBody: Buffer.from(notification.rawBody.toString().replace(/"Amount":\d+/, '"Amount":1')),
  }),
  unknownId: '1',
  more: own,
});
