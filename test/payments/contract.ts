/**
 * The contract of every adapter of the provider port, run against the sandbox's API of each provider. Details of one
 * provider (shapes, signatures, codes) are in the spec of its adapter.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Receipt } from '../../commands/payments/fiscalReceipt.ts';
import { type Notification, type PaymentProvider, ProviderError } from '../../commands/payments/paymentProvider.ts';
import { newId } from '../../infra/ids.ts';
import { createLogger } from '../../infra/log.ts';
import { type Sandbox, startSandbox } from '../../ops/sandbox/server.ts';
import { type Recorder, startRecorder } from './recorder.ts';

export const WEBHOOK_SECRET = 'not-a-secret-of-the-tests';
export const SHOP = { shopId: '100500', secretKey: 'test_key_of_the_shop' };
export const TERMINAL = { terminalKey: 'TestTerminal', password: 'test_password' };
const CARD = { action: 'pay', expiry: '12/40', cvc: '123' };

export type NewPayment = Parameters<PaymentProvider['create']>[0];
export const newPayment = (over: Partial<NewPayment> = {}): NewPayment => {
  const paymentId = newId();
  return {
    paymentId,
    amountMinor: 10_000,
    currency: 'RUB',
    description: 'Order No. 1',
    returnUrl: 'https://www.example.com/return_url',
    method: 'card',
    customerId: newId(),
    capture: 'automatic',
    idempotencyKey: paymentId,
    ...over,
  };
};

export const errorOf = async (work: Promise<unknown>): Promise<ProviderError> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ProviderError);
  return error as ProviderError;
};

/** A payer who approves or declines on the payment page. */
export const payer = {
  open: (url: string | undefined) => fetch(url ?? ''),
  send: (url: string | undefined, form: Record<string, string>) =>
    fetch(url ?? '', { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' }),
  pay: (url: string | undefined) => payer.send(url, { action: 'approve' }),
  refuse: (url: string | undefined) => payer.send(url, { action: 'decline' }),
  card: (url: string | undefined, number: string) => payer.send(url, { ...CARD, card_number: number }),
};

export interface Stage {
  readonly shop: Recorder;
  readonly sandbox: Sandbox;
  readonly provider: PaymentProvider;
  failNext(plan: object): Promise<void>;
}

export interface Adapter {
  readonly name: string;
  /** The adapter, connected to the sandbox at `address`, with notifications to `webhookUrl`. */
  make(at: { address: string; webhookUrl: string; timeoutMs?: number }): PaymentProvider;
  /** Changes the content of a notification without its signature. */
  forge(notification: Notification): Notification;
  /** An id in the provider's format that does not exist. */
  readonly unknownId: string;
  /** Further tests of the provider, beyond the contract. */
  more?(stage: Stage): void;
}

/** Runs the contract and the adapter's own tests against a sandbox. */
export const fulfilsContract = ({ name, make, forge, unknownId, more }: Adapter): void => {
  const stage = {} as { -readonly [K in keyof Stage]: Stage[K] };
  let impatient: PaymentProvider;

  describe(`${name} fulfils the contract`, () => {
    beforeAll(async () => {
      const shop = await startRecorder({ status: 200, body: 'OK' });
      const webhookUrl = shop.url;
      const log = createLogger({ level: 'silent' });
      const secrets = { webhookSecret: WEBHOOK_SECRET, credentials: SHOP, tbank: TERMINAL };
      const sandbox = await startSandbox({ port: 0, webhookUrl, log, ...secrets });
      const { address } = sandbox;
      const failNext = async (plan: object) => {
        const headers = { 'content-type': 'application/json' };
        const body = JSON.stringify(plan);
        expect((await fetch(`${address}/sandbox/failures`, { method: 'POST', headers, body })).status).toBe(200);
      };
      Object.assign(stage, { shop, sandbox, provider: make({ address, webhookUrl }), failNext });
      impatient = make({ address, webhookUrl, timeoutMs: 700 });
    });
    beforeEach(() => stage.failNext({ count: 0 }));
    afterAll(async () => {
      await stage.sandbox.stop();
      await stage.shop.stop();
    });

    const paid = async (over: Partial<NewPayment> = {}) => {
      const created = await stage.provider.create(newPayment(over));
      await payer.pay(created.redirectUrl);
      return stage.provider.get(created.providerPaymentId);
    };

    test('completes a payment from creation to refunds', async () => {
      const { provider } = stage;
      const input = newPayment();
      const created = await provider.create(input);
      const { providerPaymentId } = created;
      expect(created).toEqual({
        providerPaymentId: expect.any(String),
        paymentId: input.paymentId,
        status: 'requires_action',
        amountMinor: 10_000,
        currency: 'RUB',
        redirectUrl: expect.stringMatching(/^http/),
      });
      const back = await payer.pay(created.redirectUrl);
      expect(back.headers.get('location')).toBe(input.returnUrl);
      const succeeded = { paymentId: input.paymentId, status: 'succeeded', amountMinor: 10_000, currency: 'RUB' };
      expect(await provider.get(providerPaymentId)).toMatchObject({ providerPaymentId, ...succeeded });

      const part = {
        refundId: newId(),
        providerPaymentId,
        amountMinor: 4_000,
        currency: 'RUB',
        reason: 'half the stay',
      };
      const refund = await provider.refund(part);
      expect(refund.status).toBe('succeeded');
      expect(await provider.refund(part)).toEqual(refund);
      const providerRefundId = 'providerRefundId' in refund ? refund.providerRefundId : '';
      expect(refund).toMatchObject(await provider.getRefund(providerRefundId));
      if (provider.refundsOf)
        expect(await provider.refundsOf(providerPaymentId)).toEqual([
          { providerRefundId, status: 'succeeded', amountMinor: 4_000, refundId: part.refundId },
        ]);
      const tooMuch = { ...part, refundId: newId(), amountMinor: 6_001 };
      expect(await errorOf(provider.refund(tooMuch))).toMatchObject({ kind: 'refused' });
      const rest = await provider.refund({ ...part, refundId: newId(), amountMinor: 6_000 });
      expect(rest.status).toBe('succeeded');
      expect(await errorOf(provider.refund({ ...tooMuch, amountMinor: 1 }))).toMatchObject({ kind: 'refused' });
      // `paid` stays true.
      const after = await provider.get(providerPaymentId);
      expect(after).toMatchObject({ providerPaymentId, ...succeeded, refundedMinor: 10_000 });
      expect(after.redirectUrl).toBeUndefined();
    });

    test('returns the same payment for a repeated request, concurrent or later', async () => {
      const { provider } = stage;
      const input = newPayment();
      const [first, second] = await Promise.all([provider.create(input), provider.create(input)]);
      expect(second).toEqual(first);
      expect(await provider.create(input)).toEqual(first);
      expect(await errorOf(provider.create({ ...input, amountMinor: 1 }))).toMatchObject({ kind: 'refused' });
      await payer.pay(first.redirectUrl);
      expect(await provider.get(first.providerPaymentId)).toMatchObject({ status: 'succeeded' });
      expect((await provider.create(input)).providerPaymentId).toBe(first.providerPaymentId);
    });

    test.each(['before', 'after', 'silence'] as const)(
      'creates one payment when an answer fails with %s and the request is repeated',
      async (kind) => {
        const input = newPayment({ description: `fails with ${kind}` });
        await stage.failNext({ count: 1, kind });
        expect(await errorOf(impatient.create(input))).toMatchObject({ kind: 'away' });
        const created = await stage.provider.create(input);
        await payer.pay(created.redirectUrl);
        expect(await stage.provider.create(input)).toMatchObject({ providerPaymentId: created.providerPaymentId });
        expect(await stage.provider.get(created.providerPaymentId)).toMatchObject({ status: 'succeeded' });
      },
    );

    describe('fiscal receipts', () => {
      const supplier = { inn: '7707083893', name: 'ООО «Лиственница»', phone: '+78005553535' };
      const receiptOf = (...amounts: number[]): Receipt => ({
        customer: { email: 'guest@example.com' },
        taxation: 'usn_income',
        companyEmail: 'shop@example.com',
        mode: 'full_prepayment',
        items: amounts.map((amountMinor, n) => ({ name: `Night ${n}`, amountMinor, vat: 'none' as const, supplier })),
      });
      const issued = async (providerPaymentId: string) => {
        const answer = await fetch(`${stage.sandbox.address}/sandbox/receipts?payment_id=${providerPaymentId}`);
        return ((await answer.json()) as { type: string }[]).map(({ type }) => type);
      };
      test('are issued with a payment, a refund and the settlement of a prepayment', async () => {
        const { provider } = stage;
        const { providerPaymentId } = await paid({ receipt: receiptOf(4_000, 6_000) });
        const about = { providerPaymentId, currency: 'RUB' };
        const part = { ...about, refundId: newId(), amountMinor: 1_000, reason: 'a part' };
        await provider.refund({ ...part, receipt: receiptOf(1_000) });
        const closing = { ...about, receiptId: newId(), amountMinor: 9_000, receipt: receiptOf(9_000) };
        await provider.closeReceipt?.({ ...closing, receipt: { ...closing.receipt, mode: 'full_payment' } });
        expect(await issued(providerPaymentId)).toEqual(['payment', 'refund', 'closing']);
      });
      test('are refused unless their items sum to the amount', async () => {
        const { provider } = stage;
        const wrong = provider.create(newPayment({ receipt: receiptOf(4_000, 5_999) }));
        expect(await errorOf(wrong)).toMatchObject({ kind: 'refused' });
        const { providerPaymentId } = await paid({ receipt: receiptOf(10_000) });
        const about = { providerPaymentId, amountMinor: 1_000, currency: 'RUB', receipt: receiptOf(999) };
        expect(await errorOf(provider.refund({ ...about, refundId: newId(), reason: 'a part' }))).toMatchObject({
          kind: 'refused',
        });
        expect(
          await errorOf(provider.closeReceipt?.({ ...about, receiptId: newId() }) ?? Promise.resolve()),
        ).toMatchObject({ kind: 'refused' });
        expect(await issued(providerPaymentId)).toEqual(['payment']);
      });
    });

    test('finds a payment by our id, and none where there is none', async () => {
      const { provider } = stage;
      const since = new Date().toISOString();
      const input = newPayment();
      expect(await provider.find(input.paymentId, since)).toBeUndefined();
      const { providerPaymentId, redirectUrl } = await provider.create(input);
      await provider.create(newPayment());
      await payer.pay(redirectUrl);
      const found = { providerPaymentId, paymentId: input.paymentId, status: 'succeeded', amountMinor: 10_000 };
      expect(await provider.find(input.paymentId, since)).toMatchObject(found);
    });

    test.each(['before', 'after', 'silence'] as const)('refunds once when an answer fails with %s', async (kind) => {
      const { providerPaymentId } = await paid();
      const part = {
        refundId: newId(),
        providerPaymentId,
        amountMinor: 6_000,
        currency: 'RUB',
        reason: 'half the stay',
      };
      // Any of its calls may fail.
      await stage.failNext({ count: 1, kind });
      expect(await errorOf(impatient.refund(part))).toMatchObject({ kind: 'away' });
      expect(await stage.provider.refund(part)).toMatchObject({ status: 'succeeded' });
      const rest = { ...part, refundId: newId(), amountMinor: 4_000 };
      expect(await stage.provider.refund(rest)).toMatchObject({ status: 'succeeded' });
    });

    test('reports a decline by the payer and by the bank', async () => {
      const { provider } = stage;
      const declined = await provider.create(newPayment());
      await payer.refuse(declined.redirectUrl);
      expect(await provider.get(declined.providerPaymentId)).toMatchObject({
        status: 'failed',
        reason: expect.any(String),
      });
      const poor = await provider.create(newPayment());
      await payer.card(poor.redirectUrl, '5555555555554600');
      expect(await provider.get(poor.providerPaymentId)).toMatchObject({
        status: 'failed',
        reason: 'insufficient_funds',
      });
    });

    test('waits for 3-D Secure, and reports its refusal', async () => {
      const { provider } = stage;
      const created = await provider.create(newPayment());
      await payer.open(created.redirectUrl);
      expect(await provider.get(created.providerPaymentId)).toMatchObject({ status: 'requires_action' });
      await payer.card(created.redirectUrl, '5555555555554477');
      expect(await provider.get(created.providerPaymentId)).toMatchObject({ status: 'requires_action' });
      await payer.refuse(created.redirectUrl);
      const failed = { status: 'failed', reason: '3d_secure_failed' };
      expect(await provider.get(created.providerPaymentId)).toMatchObject(failed);
    });

    test('pays by the fast payment system', async () => {
      const input = newPayment({ method: 'sbp' });
      const created = await stage.provider.create(input);
      expect(await stage.provider.create(input)).toEqual(created);
      expect(await (await payer.open(created.redirectUrl)).text()).toContain('Fast payment system');
      await payer.pay(created.redirectUrl);
      const { providerPaymentId } = created;
      expect(await stage.provider.get(providerPaymentId)).toMatchObject({ status: 'succeeded' });
      const whole = { refundId: newId(), providerPaymentId, amountMinor: 10_000, currency: 'RUB', reason: 'all of it' };
      expect(await stage.provider.refund(whole)).toMatchObject({ status: 'succeeded' });
    });

    test('reserves in two stages, then captures or cancels', async () => {
      const { provider } = stage;
      const reserved = await paid({ capture: 'manual' });
      expect(reserved).toMatchObject({ status: 'authorized' });
      const taken = await provider.capture(reserved.providerPaymentId);
      expect(taken).toMatchObject({ status: 'succeeded', amountMinor: 10_000 });
      expect(await provider.capture(reserved.providerPaymentId)).toEqual(taken);
      expect(await errorOf(provider.cancel(reserved.providerPaymentId))).toMatchObject({ kind: 'refused' });
      expect(await provider.get(reserved.providerPaymentId)).toMatchObject({ status: 'succeeded' });

      const other = await paid({ capture: 'manual' });
      const cancelled = await provider.cancel(other.providerPaymentId);
      expect(cancelled).toMatchObject({ status: 'cancelled' });
      expect(await provider.cancel(other.providerPaymentId)).toEqual(cancelled);
      expect(await errorOf(provider.capture(other.providerPaymentId))).toMatchObject({ kind: 'refused' });
    });

    test('cancels an unpaid payment or lets it expire, and never charges it', async () => {
      const { providerPaymentId } = await stage.provider.create(newPayment());
      const answer = await stage.provider.cancel(providerPaymentId).catch((error: unknown) => {
        expect(error).toMatchObject({ name: 'ProviderError', kind: 'refused' });
        return stage.provider.get(providerPaymentId);
      });
      expect(['cancelled', 'requires_action']).toContain(answer.status);
    });

    test('refuses unknown ids, and reports an unavailable provider', async () => {
      const { provider } = stage;
      expect(await errorOf(provider.get(unknownId))).toMatchObject({ kind: 'refused', reason: 'not_found' });
      expect(await errorOf(provider.getRefund(unknownId))).toMatchObject({ kind: 'refused', reason: 'not_found' });
      const gone = make({ address: 'http://127.0.0.1:1', webhookUrl: stage.shop.url });
      expect(await errorOf(gone.create(newPayment()))).toMatchObject({ kind: 'away' });
    });

    test('verifies notifications, which name the payment and keep their key when repeated', async () => {
      const { shop, provider } = stage;
      const { providerPaymentId } = await paid();
      const about = () => shop.requests.filter(({ rawBody }) => rawBody.includes(providerPaymentId));
      await expect.poll(() => about().length).toBeGreaterThan(0);
      const [request] = about();
      if (!request) throw new Error('not delivered');
      const notification: Notification = { headers: request.headers, rawBody: request.rawBody, ip: '127.0.0.1' };
      const answer = provider.verifyNotification(notification);
      expect(answer).toEqual({ eventKey: expect.any(String), providerPaymentId });
      expect(provider.verifyNotification(notification)).toEqual(answer);
      for (const forged of [forge(notification), { ...notification, rawBody: Buffer.from('{}') }])
        expect(() => provider.verifyNotification(forged)).toThrow(ProviderError);
    });

    more?.(stage);
  });
};
