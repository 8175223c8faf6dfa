/** Money that moves while an answer or a notification of the provider is lost, and what is asked again. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { syncPayment } from '../../commands/payments/askProvider.ts';
import { reviewDuplicate } from '../../commands/payments/duplicates.ts';
import { ProviderError } from '../../commands/payments/paymentProvider.ts';
import { cancelOwnPayment, processPayment } from '../../commands/payments/payments.ts';
import { refund } from '../../commands/payments/policy.ts';
import { reconcileNow } from '../../commands/payments/reconciliation.ts';
import { submitRefund } from '../../commands/payments/refundAtProvider.ts';
import { refundPayment, reviewRefund } from '../../commands/payments/refunds.ts';
import { paymentSubmit } from '../../commands/payments/submitPayment.ts';
import { DAY_MS, HOUR_MS, instantOf } from '../../domain/core/instants.ts';
import { savedMethods } from '../../domain/payments/savedMethods.ts';
import { createStage, type Stage } from '../bookings/stage.ts';
import { contextOf } from '../kit/context.ts';
import { changed } from '../kit/deps.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { TOKEN } from './fakeProvider.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await createStage(await freshStores());
  stage.work();
});

const admin = () => contextOf(randomUUID(), 'admin');
const ctx = () => ({ deps: stage.node, context: admin() });

/** A payment with a saved card, whose answer is lost after the provider has charged it. */
const chargedWithoutAnswer = async () => {
  const guest = randomUUID();
  const methodId = randomUUID();
  const apply = (command: Parameters<typeof savedMethods.decide>[0]) =>
    stage.node.aggregates.handle(savedMethods, guest, command, contextOf(guest));
  await apply({ type: 'RequestMethod', methodId, method: 'card', provider: 'fake', referenceSecret: 'r' });
  await apply({ type: 'ActivateMethod', methodId, tokenSecret: TOKEN, brand: 'visa', last4: '4242', exp: '12/30' });
  const { bookingId } = await stage.book(guest);
  stage.provider.losesAnswers = true;
  const things = [{ kind: 'booking', id: bookingId }];
  const request = processPayment(stage.node, contextOf(guest), { things, paymentMethodId: methodId });
  await expect(request).rejects.toMatchObject({ kind: 'away' });
  stage.provider.losesAnswers = false;
  const [paymentId = ''] = stage.provider.known();
  return { guest, bookingId, methodId, paymentId };
};

describe('a saved card that was charged without an answer', () => {
  it('is asked about by a job, and charged once', async () => {
    const { bookingId, paymentId } = await chargedWithoutAnswer();
    await until(async () => (await stage.jobs()).includes('payment_submit') || undefined);
    await paymentSubmit.run({ id: paymentId, data: {}, attempt: 1 }, ctx());
    await stage.untilBooking(bookingId, 'paid');
    expect(stage.provider.known()).toEqual([paymentId]);
    await until(async () => !(await stage.jobs()).includes('payment_submit'));
  });
  it('is asked about before the payment is given up', async () => {
    const { guest, bookingId, paymentId } = await chargedWithoutAnswer();
    await expect(cancelOwnPayment(stage.node, contextOf(guest), paymentId)).rejects.toMatchObject({
      code: 'invalid_transition',
    });
    await stage.untilBooking(bookingId, 'paid');
  });
  it('is asked about when the card was removed meanwhile', async () => {
    const { guest, methodId, bookingId, paymentId } = await chargedWithoutAnswer();
    await stage.node.aggregates.handle(savedMethods, guest, { type: 'RemoveMethod', methodId }, contextOf(guest));
    await paymentSubmit.run({ id: paymentId, data: {}, attempt: 1 }, ctx());
    await stage.untilBooking(bookingId, 'paid');
  });
  it('is found by the reconciliation', async () => {
    const { bookingId, paymentId } = await chargedWithoutAnswer();
    const watched = () => stage.node.pool.query('select 1 from ops.watched_payments');
    await until(async () => (await watched()).rowCount === 1 || undefined);
    await reconcileNow(stage.node, admin());
    await stage.untilBooking(bookingId, 'paid');
    expect(await stage.payment(paymentId)).toMatchObject({ status: 'succeeded' });
  });
});

const paid = async () => {
  const guest = randomUUID();
  const { bookingId } = await stage.book(guest);
  const { paymentId } = await stage.pay(bookingId, guest);
  stage.provider.says(paymentId, 'succeeded');
  await syncPayment(stage.node, admin(), paymentId);
  await stage.untilBooking(bookingId, 'paid');
  return { guest, bookingId, paymentId };
};
const untilRefund = (paymentId: string, refundId: string, status: string) =>
  until(async () => (await stage.payment(paymentId)).refunds[refundId]?.status === status || undefined);

describe('a refund', () => {
  it('that the provider cancelled is made anew when an operator retries it', async () => {
    const { paymentId } = await paid();
    stage.provider.refunds = 'failed';
    const { refundId } = await refundPayment(stage.node, stage.owner(), { paymentId, amount: 50 });
    await untilRefund(paymentId, refundId, 'manual_review');
    stage.provider.refunds = 'succeeded';
    await reviewRefund(stage.node, admin(), { paymentId, refundId, outcome: 'retry' });
    await untilRefund(paymentId, refundId, 'succeeded');
    const [first, second, third] = stage.provider.refunded;
    expect([first?.refundId, third]).toEqual([refundId, undefined]);
    expect(second?.refundId).not.toBe(refundId);
  });
  it('that the provider does not know any more keeps its key: it may have been made', async () => {
    const { paymentId } = await paid();
    stage.provider.refunds = 'pending';
    const { refundId } = await refundPayment(stage.node, stage.owner(), { paymentId, amount: 50 });
    await until(async () => (await stage.payment(paymentId)).refunds[refundId]?.providerRefundId ?? undefined);
    const getRefund = () => Promise.reject(new ProviderError('refused', 'fake: not found', 'not_found'));
    const forgetful = { ...stage.provider, getRefund };
    const paymentProviders = { default: forgetful, byName: new Map([['fake', forgetful]]) };
    await submitRefund(changed(stage.node, { paymentProviders }), admin(), paymentId, refundId);
    await untilRefund(paymentId, refundId, 'manual_review');
    await reviewRefund(stage.node, admin(), { paymentId, refundId, outcome: 'retry' });
    expect((await stage.payment(paymentId)).refunds[refundId]).toMatchObject({ status: 'pending', attempt: 1 });
    expect(stage.provider.refunded).toHaveLength(1);
  });
  it('is left to an operator when the provider leaves it pending for weeks', async () => {
    const { paymentId } = await paid();
    stage.provider.refunds = 'pending';
    const { refundId } = await refundPayment(stage.node, stage.owner(), { paymentId, amount: 50 });
    await until(async () => (await stage.payment(paymentId)).refunds[refundId]?.providerRefundId ?? undefined);
    const ago = (days: number) => instantOf(Date.now() - days * DAY_MS);
    const run = (since: string) => refund.run({ id: refundId, data: { paymentId, since }, attempt: 1 }, ctx());
    const { againAt } = (await run(ago(1))) ?? { againAt: '' };
    expect(Date.parse(againAt)).toBeGreaterThan(Date.now() + 11 * HOUR_MS);
    expect(await run(ago(15))).toBeUndefined();
    await untilRefund(paymentId, refundId, 'manual_review');
    stage.provider.refunds = 'succeeded';
    await submitRefund(stage.node, admin(), paymentId, refundId); // as a notification does
    await untilRefund(paymentId, refundId, 'succeeded');
  });
  it('waits for another one where only one may be under way', async () => {
    Object.assign(stage.provider, { oneRefundAtATime: true });
    const { paymentId } = await paid();
    stage.provider.refunds = 'pending';
    const ask = (amount: number) => refundPayment(stage.node, stage.owner(), { paymentId, amount });
    const first = await ask(10);
    await until(async () => (await stage.payment(paymentId)).refunds[first.refundId]?.providerRefundId ?? undefined);
    const second = await ask(20);
    await submitRefund(stage.node, admin(), paymentId, second.refundId);
    expect(stage.provider.refunded).toEqual([{ refundId: first.refundId, amountMinor: 1_000 }]);
    stage.provider.refunds = 'succeeded';
    await submitRefund(stage.node, admin(), paymentId, first.refundId);
    await untilRefund(paymentId, second.refundId, 'succeeded'); // its job was made due
    expect(stage.provider.refunded).toHaveLength(2);
  });
});

describe('a second charge of one payment', () => {
  const chargedTwice = async () => {
    const { paymentId } = await paid();
    const again = stage.provider.chargesAgain(paymentId);
    await stage.notify(paymentId, 'again', again);
    const untilDuplicate = (status: string) =>
      until(async () => (await stage.payment(paymentId)).duplicates[again]?.status === status || undefined);
    return { paymentId, again, untilDuplicate };
  };
  it('goes back to the payer in full', async () => {
    const { paymentId, untilDuplicate } = await chargedTwice();
    await untilDuplicate('returned');
    expect(stage.provider.refunded).toMatchObject([{ amountMinor: 20_000 }]);
    expect(await stage.payment(paymentId)).toMatchObject({ status: 'succeeded', refunds: {} });
  });
  it('is left to an operator when the provider refuses', async () => {
    stage.provider.refunds = 'refused';
    const { paymentId, again: providerPaymentId, untilDuplicate } = await chargedTwice();
    await untilDuplicate('manual_review');
    stage.provider.refunds = 'succeeded';
    await reviewDuplicate(stage.node, admin(), { paymentId, providerPaymentId, outcome: 'retry' });
    await untilDuplicate('returned');
  });
});
