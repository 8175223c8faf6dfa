/** Money kept on T-Bank's nominal account, against the sandbox. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EscrowGateway, NewEscrow, PaymentProvider } from '../../commands/payments/paymentProvider.ts';
import { tbankNominal } from '../../commands/payments/tbank/nominal.ts';
import { tbank } from '../../commands/payments/tbank/provider.ts';
import { newId } from '../../infra/ids.ts';
import { createLogger } from '../../infra/log.ts';
import { type Sandbox, startSandbox } from '../../ops/sandbox/server.ts';
import { errorOf, newPayment, payer, TERMINAL, WEBHOOK_SECRET } from './contract.ts';
import { type Recorder, startRecorder } from './recorder.ts';

const accountNumber = '40702810900000000001';
const recipient = { bik: '044525974', number: '40802810100000000017', holder: 'IP Petrov' };

let shop: Recorder;
let sandbox: Sandbox;
let provider: PaymentProvider;
let gateway: EscrowGateway;
const make = (timeoutMs?: number): EscrowGateway =>
  tbankNominal({
    apiUrl: `${sandbox.address}/tbank/nominal`,
    token: 'not-a-secret-of-the-tests',
    accountNumber,
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
const failNext = (plan: object) =>
  fetch(`${sandbox.address}/sandbox/failures`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(plan),
  });

beforeAll(async () => {
  shop = await startRecorder({ status: 200, body: 'OK' });
  const log = createLogger({ level: 'silent' });
  const secrets = { webhookSecret: WEBHOOK_SECRET, tbank: TERMINAL };
  sandbox = await startSandbox({ port: 0, webhookUrl: shop.url, log, ...secrets });
  provider = tbank({ apiUrl: `${sandbox.address}/tbank/v2`, notificationUrl: shop.url, ...TERMINAL });
  gateway = make();
});
beforeEach(async () => {
  await failNext({ count: 0 });
});
afterAll(async () => {
  await sandbox.stop();
  await shop.stop();
});

/** An escrow of `amountMinor` out of a payment of as much. */
const escrowOf = async (amountMinor: number, over: Partial<NewEscrow> = {}): Promise<NewEscrow> => {
  const { providerPaymentId, redirectUrl } = await provider.create(newPayment({ amountMinor }));
  await payer.pay(redirectUrl);
  return { escrowId: newId(), providerPaymentId, amountMinor, currency: 'RUB', recipient, ...over };
};

describe('escrow on the nominal account', () => {
  test('is held, and released to the owner; each as often as asked', async () => {
    const escrow = await escrowOf(12_345);
    const held = await gateway.hold(escrow);
    expect(held).toEqual({ providerEscrowId: expect.any(String), status: 'held' });
    expect(await gateway.hold(escrow)).toEqual(held);
    expect(await make().hold(escrow)).toEqual(held);
    const { providerEscrowId } = held;
    expect(await gateway.getEscrow(providerEscrowId)).toEqual(held);
    const released = { providerEscrowId, status: 'released' };
    expect(await gateway.release(providerEscrowId)).toEqual(released);
    expect(await gateway.release(providerEscrowId)).toEqual(released);
    expect(await gateway.hold(escrow)).toEqual(released);
    const tooLate = { kind: 'refused', reason: 'escrow_released' };
    expect(await errorOf(gateway.cancelEscrow(providerEscrowId))).toMatchObject(tooLate);
  });

  test('is cancelled and cannot be released; its money is free for another escrow', async () => {
    const escrow = await escrowOf(5_000);
    const { providerEscrowId } = await gateway.hold(escrow);
    const cancelled = { providerEscrowId, status: 'cancelled' };
    expect(await gateway.cancelEscrow(providerEscrowId)).toEqual(cancelled);
    expect(await gateway.cancelEscrow(providerEscrowId)).toEqual(cancelled);
    expect(await errorOf(gateway.release(providerEscrowId))).toMatchObject({ reason: 'escrow_cancelled' });
    expect(await gateway.hold({ ...escrow, escrowId: newId() })).toMatchObject({ status: 'held' });
  });

  test('waits for its money, and is held once it is there', async () => {
    const unpaid = { escrowId: newId(), providerPaymentId: '1', amountMinor: 70_000, currency: 'RUB', recipient };
    const pending = await gateway.hold(unpaid);
    expect(pending.status).toBe('pending');
    expect(await errorOf(gateway.release(pending.providerEscrowId))).toMatchObject({ reason: 'escrow_pending' });
    expect(await gateway.getEscrow(pending.providerEscrowId)).toEqual(pending);
    await escrowOf(70_000);
    expect(await gateway.getEscrow(pending.providerEscrowId)).toMatchObject({ status: 'held' });
  });

  test.each(['before', 'after', 'silence'] as const)(
    'calls that fail with %s: asked again it goes on',
    async (kind) => {
      const escrow = await escrowOf(1_000);
      // What is answered is waited for: a request that is given up too early does not take its failure with it.
      const patience = kind === 'silence' ? 300 : undefined;
      await failNext({ count: 1, kind });
      expect(await errorOf(make(patience).hold(escrow))).toMatchObject({ kind: 'away' });
      await failNext({ count: 0 });
      const { providerEscrowId, status } = await gateway.hold(escrow);
      expect(status).toBe('held');
      await failNext({ count: 1, kind });
      expect(await errorOf(make(patience).release(providerEscrowId))).toMatchObject({ kind: 'away' });
      await failNext({ count: 0 });
      expect(await gateway.release(providerEscrowId)).toMatchObject({ status: 'released' });
    },
  );

  test('refuses what the bank rejects, and is away while the bank does not accept our credentials', async () => {
    const escrow = await escrowOf(1_000);
    const badAccount = { ...escrow, recipient: { ...recipient, bik: '1' } };
    expect(await errorOf(gateway.hold(badAccount))).toMatchObject({ kind: 'refused', reason: 'BAD_REQUEST' });
    expect(await errorOf(gateway.hold({ ...escrow, currency: 'EUR' }))).toMatchObject({ kind: 'refused' });
    const unknown = `${newId()}:${newId()}`;
    expect(await errorOf(gateway.getEscrow(unknown))).toMatchObject({ kind: 'refused', reason: 'NOT_FOUND' });
    const stranger = tbankNominal({ apiUrl: `${sandbox.address}/tbank/nominal`, token: '', accountNumber });
    const error = await errorOf(stranger.getEscrow(unknown));
    expect(error).toMatchObject({ kind: 'away', reason: 'UNAUTHORIZED' });
    expect(error.message).not.toContain(unknown.slice(0, 36));
  });
});
