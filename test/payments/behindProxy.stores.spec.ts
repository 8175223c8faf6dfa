/** Money while a proxy answers in place of the provider: nothing is given up, and what was asked for happens once. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tbankNominal } from '../../commands/payments/tbank/nominal.ts';
import { tbank } from '../../commands/payments/tbank/provider.ts';
import { yookassa } from '../../commands/payments/yookassa/provider.ts';
import { newId } from '../../infra/ids.ts';
import { createLogger } from '../../infra/log.ts';
import { type Sandbox, startSandbox } from '../../ops/sandbox/server.ts';
import { answerInPlace, type Foreign, foreignAnswers } from '../kit/foreign.ts';
import { newPayment, payer, SHOP, TERMINAL, WEBHOOK_SECRET } from './contract.ts';
import { type Recorder, startRecorder } from './recorder.ts';

/** The proxy answers by itself, or passes the request on and answers in place of the provider then. */
type Fault = { readonly foreign: Foreign; readonly isAfter: boolean };
/** What becomes of the next requests: of the first, the second and so on. */
let plan: readonly (Fault | undefined)[] = [];
let target = '';

const pass = (
  incoming: IncomingMessage,
  body: Buffer,
  done: (status: number, headers: object, body: Buffer) => void,
) => {
  const { method, headers } = incoming;
  const out = request(`${target}${incoming.url}`, { method, headers }, async (response) => {
    done(response.statusCode ?? 0, response.headers, Buffer.concat(await response.toArray()));
  });
  out.end(body);
};
const proxy = createServer(async (incoming: IncomingMessage, response: ServerResponse) => {
  const body = Buffer.concat(await incoming.toArray());
  const [fault, ...later] = plan;
  plan = later;
  if (fault && !fault.isAfter) return answerInPlace(incoming, response, fault.foreign);
  pass(incoming, body, (status, headers, answer) => {
    if (fault) answerInPlace(incoming, response, fault.foreign);
    else response.writeHead(status, headers as Record<string, string>).end(answer);
  });
});

let shop: Recorder;
let sandbox: Sandbox;
let url = '';
beforeAll(async () => {
  shop = await startRecorder({ status: 200, body: 'OK' });
  const log = createLogger({ level: 'silent' });
  const secrets = { webhookSecret: WEBHOOK_SECRET, tbank: TERMINAL };
  sandbox = await startSandbox({ port: 0, webhookUrl: shop.url, log, ...secrets });
  target = sandbox.address;
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await sandbox.stop();
  await shop.stop();
});

/** All that are over quickly. */
const quick = foreignAnswers.filter(({ goesOn }) => goesOn === undefined);
const everyFault = quick.flatMap((foreign) => [false, true].map((isAfter) => ({ foreign, isAfter })));

/** Does the work, and again if a fault at its n-th request makes it fail. @throws a refusal */
const despite = async <T>(fault: Fault, nth: number, work: () => Promise<T>): Promise<T> => {
  plan = [...Array.from({ length: nth }, () => undefined), fault];
  try {
    return await work();
  } catch (error) {
    expect(error, fault.foreign.name).toMatchObject({ kind: 'away' });
    return work();
  } finally {
    plan = [];
  }
};
const nominal = () =>
  tbankNominal({
    apiUrl: `${url}/tbank/nominal`,
    token: 'not-a-secret-of-the-tests',
    accountNumber: '40702810900000000001',
  });
const recipient = { bik: '044525974', number: '40802810100000000017', holder: 'IP Petrov' };
const bank = () => tbank({ apiUrl: `${url}/tbank/v2`, notificationUrl: shop.url, ...TERMINAL });
const kassa = () => yookassa({ apiUrl: `${url}/yookassa/v3`, ...SHOP, webhookSecret: WEBHOOK_SECRET });

it('payouts from the nominal account are made once, whichever request a fault hits', async () => {
  for (const [n, fault] of everyFault.entries()) {
    const amountMinor = 1_000 + n;
    const { providerPaymentId, redirectUrl } = await bank().create(newPayment({ amountMinor }));
    await payer.pay(redirectUrl);
    const escrow = { escrowId: newId(), providerPaymentId, amountMinor, currency: 'RUB', recipient };
    const held = await despite(fault, n % 12, () => nominal().hold(escrow));
    expect(held.status, fault.foreign.name).toBe('held');
    // Five requests: two look, one pays, two look.
    const released = await despite(fault, n % 5, () => nominal().release(held.providerEscrowId));
    expect(released, fault.foreign.name).toEqual({ ...held, status: 'released' });
  }
  // Each kopeck that was paid has been held and paid out exactly once: there is none for another escrow.
  const more = { escrowId: newId(), providerPaymentId: 'none', amountMinor: 1, currency: 'RUB', recipient };
  expect((await nominal().hold(more)).status).toBe('pending');
});

it.each([
  ['yookassa', kassa],
  ['tbank', bank],
] as const)('%s: a payment is begun once and refunded once, whichever request a fault hits', async (_, make) => {
  const provider = make();
  for (const [n, fault] of everyFault.entries()) {
    const asked = newPayment();
    const begun = await despite(fault, n % 3, () => provider.create(asked));
    expect(begun.status, fault.foreign.name).toBe('requires_action');
    const { providerPaymentId } = begun;
    expect((await provider.create(asked)).providerPaymentId).toBe(providerPaymentId);
    await payer.pay(begun.redirectUrl);
    const paid = await despite(fault, 0, () => provider.get(providerPaymentId));
    expect(paid.status, fault.foreign.name).toBe('succeeded');
    const refund = { refundId: newId(), providerPaymentId, amountMinor: 4_000, currency: 'RUB', reason: 'x' };
    const made = await despite(fault, n % 2, () => provider.refund(refund));
    expect(made.status, fault.foreign.name).toBe('succeeded');
    const { refundedMinor, isPartlyRefunded } = await provider.get(providerPaymentId);
    const { providerRefundId = '' } = made as { providerRefundId?: string };
    const left = isPartlyRefunded && (await provider.leftAfter?.({ providerRefundId, amountMinor: 4_000 }));
    expect(refundedMinor ?? 10_000 - Number(left), fault.foreign.name).toBe(4_000);
  }
});
