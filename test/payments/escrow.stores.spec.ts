/** An owner's part that waits on the provider's nominal account: kept there, paid from there, taken back for a refund. */

import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { owedBy } from '../../commands/ledger/ownerAccounts.ts';
import { syncPayment } from '../../commands/payments/askProvider.ts';
import { escrowHold } from '../../commands/payments/escrow.ts';
import {
  type EscrowGateway,
  type NewEscrow,
  ProviderError,
  type ProviderEscrow,
} from '../../commands/payments/paymentProvider.ts';
import { refundPayment } from '../../commands/payments/refunds.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import type { Posting } from '../../domain/ledger/ledger.ts';
import { paymentSettings } from '../../domain/payments/paymentSettings.ts';
import { createStage, type Stage } from '../bookings/stage.ts';
import { contextOf } from '../kit/context.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';

let stage: Stage;
let asked: NewEscrow[];
let refused: boolean;
let arrived: boolean;
beforeEach(async () => {
  stage = await createStage(await freshStores(), { cancellationPolicy: 'non_refundable' });
  asked = [];
  refused = false;
  arrived = true;
  Object.assign(stage.provider, { escrow: gateway() });
  const nominalAccount = { bik: '044030827', accountNumber: '40702810900000002851', holder: 'ООО «Лиственница»' };
  const settings = { type: 'ChangePaymentSettings', nominalAccount } as const;
  await stage.node.aggregates.handle(paymentSettings, stage.ownerId, settings, admin());
  stage.work();
});

const admin = () => contextOf(randomUUID(), 'admin');
const gateway = (): EscrowGateway => {
  const become = async (providerEscrowId: string, status: ProviderEscrow['status']) => ({ providerEscrowId, status });
  const now = (id: string) => become(id, arrived ? 'held' : 'pending');
  return {
    hold: (escrow) => {
      asked.push(escrow);
      return refused ? Promise.reject(new ProviderError('refused', 'no')) : now(`e-${escrow.escrowId}`);
    },
    getEscrow: (id) => now(id),
    release: (id) => become(id, 'released'),
    cancelEscrow: (id) => become(id, 'cancelled'),
  };
};
const paid = async () => {
  const guest = randomUUID();
  const { bookingId } = await stage.book(guest);
  const { paymentId } = await stage.pay(bookingId, guest);
  stage.provider.says(paymentId, 'succeeded');
  await syncPayment(stage.node, admin(), paymentId);
  await stage.untilBooking(bookingId, 'paid');
  const escrow = (status: string) =>
    until(async () => (await stage.payment(paymentId)).escrows[bookingId]?.status === status || undefined);
  return { guest, bookingId, paymentId, escrow };
};
const types = async (paymentId: string) => {
  const stored = await stage.node.store.read(`payment-${paymentId}`, { from: 0n, max: 100 });
  return stored.map(({ type }) => type).filter((type) => /^(Escrow|Share|RefundS)/.test(type));
};

it('is held from the payment on, and is paid straight to the owner in the end', async () => {
  const { guest, bookingId, paymentId, escrow } = await paid();
  await escrow('held');
  expect(asked).toMatchObject([{ amountMinor: 18_000, currency: 'RUB', recipient: { bik: '044030827' } }]);
  await stage.cancel(bookingId, guest);
  await escrow('released');
  await until(async () => (await stage.jobs()).length === 0);
  expect(await types(paymentId)).toEqual(['EscrowRequested', 'EscrowHeld', 'EscrowReleased']);
});

it('is cancelled before a refund, and the rest is released through our ledger', async () => {
  const { guest, bookingId, paymentId, escrow } = await paid();
  await escrow('held');
  await refundPayment(stage.node, stage.owner(), { paymentId, amount: 50 });
  await escrow('cancelled');
  await until(async () => (await types(paymentId)).includes('RefundSucceeded') || undefined);
  await stage.cancel(bookingId, guest);
  await until(async () => (await types(paymentId)).includes('ShareReleased') || undefined);
  expect((await stage.payment(paymentId)).parts[bookingId]).toEqual({
    heldMinor: 0,
    availableMinor: 13_000,
    platformMinor: 2_000,
  });
});

it('is created once, and does not delay a refund while the money has not arrived', async () => {
  arrived = false;
  const { bookingId, paymentId, escrow } = await paid();
  await until(async () => (await stage.payment(paymentId)).escrows[bookingId]?.providerEscrowId ?? undefined);
  const job = { id: bookingId, attempt: 1, data: { paymentId } };
  expect(await escrowHold.run(job, { deps: stage.node, context: admin() })).toMatchObject({
    againAt: expect.any(String),
  });
  expect(asked).toHaveLength(1);
  await refundPayment(stage.node, stage.owner(), { paymentId });
  await escrow('cancelled');
  await until(async () => (await types(paymentId)).includes('RefundSucceeded') || undefined);
});

it('stays in our ledger when the provider refuses', async () => {
  refused = true;
  const { bookingId, paymentId, escrow } = await paid();
  await escrow('cancelled');
  expect((await stage.payment(paymentId)).parts[bookingId]).toMatchObject({ heldMinor: 18_000 });
});

it('is set off against what the owner owes, instead of being paid out', async () => {
  const first = await paid();
  await first.escrow('held');
  await stage.cancel(first.bookingId, first.guest);
  await first.escrow('released');
  await refundPayment(stage.node, admin(), { paymentId: first.paymentId });
  await until(async () => (await types(first.paymentId)).includes('RefundSucceeded') || undefined);
  const account = { ownerId: stage.ownerId, currency: 'RUB' };
  await until(async () => (await owedBy(stage.node, account)) === 18_000 || undefined);

  const second = await paid();
  await second.escrow('held');
  await stage.cancel(second.bookingId, second.guest);
  await second.escrow('cancelled');
  await until(async () => (await types(second.paymentId)).includes('ShareReleased') || undefined);
  await until(async () => (await owedBy(stage.node, account)) === 0 || undefined);
  expect(await balances()).toEqual({
    'clearing:fake': 2_000,
    'nominal:fake': 0,
    commission: -2_000,
    [`held:${stage.ownerId}`]: 0,
    [`available:${stage.ownerId}`]: 0,
  });
});

const balances = async () => {
  const sums: Record<string, number> = {};
  const { events } = await stage.node.store.readAll({ max: 1_000 });
  for (const { data } of await stage.node.codec.decode<Recorded>(events))
    for (const { account, amountMinor } of (data as { postings?: readonly Posting[] }).postings ?? [])
      sums[account] = (sums[account] ?? 0) + amountMinor;
  return sums;
};
