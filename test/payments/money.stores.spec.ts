/** Payments for several things, in two stages, by other providers and saved methods; what waits for a person. */

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { isBeingPaid } from '../../commands/payments/askProvider.ts';
import { notificationsInReview, retryNotification } from '../../commands/payments/inbox.ts';
import { setDefaultProvider } from '../../commands/payments/paymentSettings.ts';
import { cancelOwnPayment, processPayment } from '../../commands/payments/payments.ts';
import { refundPayment, reviewRefund } from '../../commands/payments/refunds.ts';
import { addMs, HOUR_MS } from '../../domain/core/instants.ts';
import { payment, refundableMinor } from '../../domain/payments/payment.ts';
import { savedMethods } from '../../domain/payments/savedMethods.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { createStage, dyingBefore, interruptedBefore, type Settings, type Stage } from '../bookings/stage.ts';
import { contextOf } from '../kit/context.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { TOKEN } from './fakeProvider.ts';

let stage: Stage;
const begin = async (settings: Settings = {}) => {
  stage = await createStage(await freshStores(), settings);
  stage.work();
};

const admin = () => contextOf(randomUUID(), 'admin');
const bookings = (ids: readonly string[]) => ids.map((id) => ({ kind: 'booking' as const, id }));
const payFor = (guest: string, ids: readonly string[], more: object = {}) =>
  processPayment(stage.node, contextOf(guest), { things: bookings(ids), method: 'card', ...more });
const refundsOf = async (paymentId: string) =>
  Object.values((await stage.payment(paymentId)).refunds).map(({ itemId, amountMinor, status }) => ({
    itemId,
    amountMinor,
    status,
  }));
const untilRefund = (paymentId: string, status: string) =>
  until(async () => (await refundsOf(paymentId)).some((refund) => refund.status === status) || undefined);
const started = async () => {
  const guest = randomUUID();
  const { bookingId } = await stage.book(guest);
  return { guest, bookingId, ...(await payFor(guest, [bookingId])) };
};
const paid = async () => {
  const begun = await started();
  stage.provider.says(begun.paymentId, 'succeeded');
  await stage.notify(begun.paymentId);
  await stage.untilBooking(begun.bookingId, 'paid');
  return begun;
};
/** Two bookings of one guest. */
const pair = async () => {
  const guest = randomUUID();
  const [one, two] = [await stage.book(guest), await stage.book(guest)];
  return { guest, one: one.bookingId, two: two.bookingId };
};

describe('a payment for several things', () => {
  it('pays for each, and refunds each separately', async () => {
    await begin();
    const { guest, one, two } = await pair();
    const { paymentId, payment: begun } = await payFor(guest, [one, two], { amount: 400 });
    expect(begun).toMatchObject({ amountMinor: 40_000, items: [{ id: one }, { id: two }] });
    stage.provider.says(paymentId, 'succeeded');
    await stage.notify(paymentId);
    await Promise.all([one, two].map((id) => stage.untilBooking(id, 'paid')));

    await stage.cancel(one, guest);
    await untilRefund(paymentId, 'succeeded');
    expect(await refundsOf(paymentId)).toEqual([{ itemId: one, amountMinor: 20_000, status: 'succeeded' }]);
    expect((await stage.booking(two)).status).toBe('paid');
    await expect(refundPayment(stage.node, stage.owner(), { paymentId })).rejects.toMatchObject({ code: 'invalid' });
    await expect(refundPayment(stage.node, stage.owner(), { paymentId, itemId: one })).rejects.toMatchObject({
      code: 'refund_too_large', // nothing is left of it
    });
    await refundPayment(stage.node, stage.owner(), { paymentId, itemId: two, amount: 10 });
    expect(refundableMinor(await stage.payment(paymentId), two)).toBe(19_000);
  });

  it('pays for what is still available, and refunds the rest', async () => {
    await begin();
    const { guest, one, two } = await pair();
    const { paymentId } = await payFor(guest, [one, two]);
    stage.provider.says(paymentId, 'succeeded'); // nobody has told us yet
    await stage.cancel(one, guest);
    await stage.untilBooking(two, 'paid');
    await untilRefund(paymentId, 'succeeded');
    expect(await refundsOf(paymentId)).toEqual([{ itemId: one, amountMinor: 20_000, status: 'succeeded' }]);
  });

  it('that broke off before it was made is the payment of those only that were paid for afterwards', async () => {
    await begin();
    const { guest, one, two } = await pair();
    const dying = dyingBefore(stage.node, 'CreatePayment');
    const both = processPayment(dying, contextOf(guest), { things: bookings([one, two]), method: 'card' });
    await expect(both).rejects.toThrow(StoreUnavailable);
    const first = await payFor(guest, [one]);
    expect(first.payment.items).toMatchObject([{ id: one }]);
    expect((await stage.booking(two)).openPayment).toBe(first.paymentId); // by the attempt that broke off
    stage.provider.says(first.paymentId, 'processing');
    await stage.notify(first.paymentId);
    await until(async () => (await stage.payment(first.paymentId)).status === 'processing');

    const context = contextOf('system');
    expect(await isBeingPaid(stage.node, context, one, { openPayment: first.paymentId })).toBe(true);
    expect(await isBeingPaid(stage.node, context, two, { openPayment: first.paymentId })).toBe(false);
    const second = await payFor(guest, [two]);
    expect(second.payment.items).toMatchObject([{ id: two }]);
    expect((await stage.booking(two)).openPayment).toBe(second.paymentId);
    expect((await stage.booking(one)).openPayment).toBe(first.paymentId);
  });

  it('is not cancelled with a booking that only names it', async () => {
    await begin();
    const { guest, one, two } = await pair();
    const dying = dyingBefore(stage.node, 'CreatePayment');
    const both = processPayment(dying, contextOf(guest), { things: bookings([one, two]), method: 'card' });
    await expect(both).rejects.toThrow(StoreUnavailable);
    const { paymentId } = await payFor(guest, [one]);
    await stage.cancel(two, guest);
    await until(async () => (await stage.stock()).holds.size === 1);
    stage.provider.says(paymentId, 'succeeded');
    await stage.notify(paymentId);
    await stage.untilBooking(one, 'paid');
  });

  it('is refused when another attempt has made it for other items', async () => {
    await begin();
    const { guest, one, two } = await pair();
    const slow = interruptedBefore(stage.node, 'CreatePayment', () => payFor(guest, [one]));
    const both = processPayment(slow, contextOf(guest), { things: bookings([one, two]), method: 'card' });
    await expect(both).rejects.toMatchObject({ code: 'payment_open' });
    expect((await stage.booking(two)).openPayment).toBeNull();
    expect((await payFor(guest, [two])).payment.items).toMatchObject([{ id: two }]);
  });

  it('replaces a payment for some of them, and frees all of them when it ends', async () => {
    await begin();
    const { guest, one, two } = await pair();
    const alone = await payFor(guest, [one]);
    const both = await payFor(guest, [one, two]);
    expect((await stage.payment(alone.paymentId)).status).toBe('cancelled');
    expect((await stage.booking(one)).openPayment).toBe(both.paymentId);
    stage.provider.says(both.paymentId, 'processing');
    await stage.notify(both.paymentId);
    await until(async () => (await stage.payment(both.paymentId)).status === 'processing');
    await expect(payFor(guest, [two])).rejects.toMatchObject({ code: 'payment_open' });
    stage.provider.says(both.paymentId, 'failed');
    await stage.notify(both.paymentId, 'later');
    for (const id of [one, two]) await until(async () => (await stage.booking(id)).openPayment === null);
  });
});

describe('in two stages', () => {
  it('the places are held, then the money is captured', async () => {
    await begin({ paymentCapture: 'manual' });
    const { bookingId, paymentId } = await started();
    stage.provider.says(paymentId, 'authorized');
    await stage.notify(paymentId);
    await stage.untilBooking(bookingId, 'paid');
    expect(stage.provider.calls).toContain('capture');
  });

  it('no money is captured for what is no longer available', async () => {
    stage = await createStage(await freshStores(), {
      paymentCapture: 'manual',
      units: 1,
      paymentTtlMs: 2 * HOUR_MS,
    });
    const guest = randomUUID();
    // Its hold is over when the worker begins.
    const then = contextOf(guest, 'tourist', addMs(new Date().toISOString(), -HOUR_MS));
    const { bookingId } = await stage.book(guest, stage.node, then);
    const { paymentId } = await stage.pay(bookingId, guest);
    stage.provider.away = true; // so that its payment is still open when the booking has expired
    stage.work();
    await stage.untilBooking(bookingId, 'expired');
    stage.provider.away = false;
    await stage.book();
    stage.provider.says(paymentId, 'authorized');
    await stage.notify(paymentId);
    await until(async () => (await stage.payment(paymentId)).status === 'cancelled');
    expect(stage.provider.calls).not.toContain('capture');
    expect(await refundsOf(paymentId)).toEqual([]);
  });
});

it('the payer can cancel a payment until it has succeeded', async () => {
  await begin();
  const { guest, bookingId, paymentId } = await started();
  await expect(cancelOwnPayment(stage.node, contextOf(randomUUID()), paymentId)).rejects.toMatchObject({
    code: 'not_found',
  });
  for (const _ of [1, 2])
    expect((await cancelOwnPayment(stage.node, contextOf(guest), paymentId)).payment.status).toBe('cancelled');
  const next = await payFor(guest, [bookingId]);
  expect(next.paymentId).not.toBe(paymentId);
  stage.provider.says(next.paymentId, 'succeeded');
  await expect(cancelOwnPayment(stage.node, contextOf(guest), next.paymentId)).rejects.toMatchObject({
    code: 'invalid_transition',
  });
  await stage.untilBooking(bookingId, 'paid');
});

it('money for a payment that was given up still counts, and ends the payment that replaced it', async () => {
  await begin();
  const { guest, bookingId, paymentId } = await started();
  const next = await payFor(guest, [bookingId], { method: 'sbp' });
  stage.provider.says(paymentId, 'succeeded');
  await stage.notify(paymentId);
  await stage.untilBooking(bookingId, 'paid');
  expect((await stage.booking(bookingId)).paymentIds).toEqual([paymentId]);
  await until(async () => (await stage.payment(next.paymentId)).status === 'cancelled');
});

it('of two payments with money for one booking, the second is refunded', async () => {
  await begin();
  const { guest, bookingId, paymentId } = await started();
  const next = await payFor(guest, [bookingId], { method: 'sbp' });
  for (const id of [paymentId, next.paymentId]) {
    stage.provider.says(id, 'succeeded');
    await stage.notify(id);
  }
  const refunds = async () => [...(await refundsOf(paymentId)), ...(await refundsOf(next.paymentId))];
  await until(async () => (await refunds())[0]?.status === 'succeeded');
  expect(await refunds()).toEqual([{ itemId: bookingId, amountMinor: 20_000, status: 'succeeded' }]);
  expect((await stage.booking(bookingId)).status).toBe('paid');
});

it('one request, sent twice at once, is one payment', async () => {
  await begin();
  const guest = randomUUID();
  const { bookingId } = await stage.book(guest);
  const context = contextOf(guest);
  const input = { things: bookings([bookingId]), method: 'card' } as const;
  const twice = await Promise.all([1, 2].map(() => processPayment(stage.newNode(), context, input)));
  expect(new Set(twice.map(({ paymentId }) => paymentId)).size).toBe(1);
});

it('settings choose the provider of new payments; existing ones keep theirs', async () => {
  await begin();
  await setDefaultProvider(stage.node, admin(), 'tbank');
  const { guest, bookingId, paymentId } = await started();
  expect(await stage.payment(paymentId)).toMatchObject({ provider: 'tbank', reason: 'global' });
  await setDefaultProvider(stage.node, admin(), null);
  stage.other.says(paymentId, 'succeeded');
  await expect(cancelOwnPayment(stage.node, contextOf(guest), paymentId)).rejects.toMatchObject({
    code: 'invalid_transition', // so it has found out
  });
  await stage.untilBooking(bookingId, 'paid');
  await refundPayment(stage.node, stage.owner(), { paymentId });
  await untilRefund(paymentId, 'succeeded');
  expect([stage.other.refunded.length, stage.provider.calls]).toEqual([1, []]);
  expect(await stage.payment((await started()).paymentId)).toMatchObject({ provider: 'fake', reason: 'default' });
});

it('a saved method is charged by its own provider, without a page', async () => {
  await begin();
  await setDefaultProvider(stage.node, admin(), 'tbank');
  const guest = randomUUID();
  const methodId = randomUUID();
  const apply = (command: Parameters<typeof savedMethods.decide>[0]) =>
    stage.node.aggregates.handle(savedMethods, guest, command, contextOf(guest));
  await apply({ type: 'RequestMethod', methodId, method: 'card', provider: 'fake', referenceSecret: 'r' });
  const { bookingId } = await stage.book(guest);
  const pay = (more: object) =>
    processPayment(stage.node, contextOf(guest), { things: bookings([bookingId]), paymentMethodId: methodId, ...more });
  await expect(pay({})).rejects.toMatchObject({ code: 'conflict' });
  const card = { brand: 'visa', last4: '4242', exp: '12/30' };
  await apply({ type: 'ActivateMethod', methodId, tokenSecret: TOKEN, ...card });
  await expect(pay({ method: 'sbp' })).rejects.toMatchObject({ code: 'invalid' });
  const { payment: done } = await pay({});
  expect(done).toMatchObject({ status: 'succeeded', provider: 'fake', reason: 'method', method: 'card' });
  await stage.untilBooking(bookingId, 'paid');
  const stranger = { things: bookings([bookingId]), paymentMethodId: methodId };
  await expect(processPayment(stage.node, contextOf(randomUUID()), stranger)).rejects.toMatchObject({
    code: 'not_found',
  });
});

it('a refund after the release comes out of the owner’s available money', async () => {
  await begin();
  const { bookingId, paymentId } = await paid();
  await stage.node.aggregates.handle(payment, paymentId, { type: 'ReleaseShare', itemId: bookingId }, admin());
  await refundPayment(stage.node, admin(), { paymentId, amount: 50 });
  await untilRefund(paymentId, 'succeeded');
  expect((await stage.payment(paymentId)).parts[bookingId]).toEqual({
    heldMinor: 0,
    availableMinor: 13_000,
    platformMinor: 2_000,
  });
});

it('money in escrow comes back before any of it is refunded', async () => {
  await begin();
  const { bookingId: itemId, paymentId } = await paid();
  // What follows on the payment must not find the escrow: it would ask for it as well.
  await until(() => stage.handledAll());
  const asked: string[] = [];
  const answer = (call: string, status: 'held' | 'cancelled') => async () => {
    asked.push(call);
    return { providerEscrowId: 'e1', status };
  };
  const cancelEscrow = answer('cancel', 'cancelled');
  const [hold, getEscrow, release] = [answer('hold', 'held'), answer('get', 'held'), answer('release', 'held')];
  Object.assign(stage.provider, { escrow: { hold, getEscrow, release, cancelEscrow } });
  const about = { itemId, escrowId: randomUUID() };
  const apply = (command: Parameters<typeof payment.decide>[0]) =>
    stage.node.aggregates.handle(payment, paymentId, command, admin());
  await apply({ type: 'RequestEscrow', ...about });
  await apply({ type: 'ApplyEscrowState', ...about, status: 'held', providerEscrowId: 'e1' });
  await refundPayment(stage.node, stage.owner(), { paymentId, amount: 10 });
  await untilRefund(paymentId, 'succeeded');
  expect(asked).toEqual(['cancel']);
  expect(await stage.payment(paymentId)).toMatchObject({
    escrows: { [itemId]: { status: 'cancelled' } },
    parts: { [itemId]: { heldMinor: 17_000, availableMinor: 0 } },
  });
});

describe('left to an operator', () => {
  it('a refund without an answer for hours; retried, it is carried out once', async () => {
    await begin();
    const { paymentId } = await paid();
    stage.provider.away = true;
    const { refundId } = await refundPayment(stage.node, stage.owner(), { paymentId });
    await stage.runNow('refund', 19);
    await untilRefund(paymentId, 'manual_review');
    stage.provider.away = false;
    await reviewRefund(stage.node, admin(), { paymentId, refundId, outcome: 'retry' });
    await untilRefund(paymentId, 'succeeded');
    expect(stage.provider.refunded).toHaveLength(1);
  });

  it('a notification whose payment could not be asked for, until it is retried', async () => {
    await begin();
    const { bookingId, paymentId } = await started();
    stage.provider.says(paymentId, 'succeeded');
    stage.provider.away = true;
    await stage.notify(paymentId);
    await stage.runNow('notification', 19);
    await until(async () => (await notificationsInReview(stage.node.pool)).length === 1);
    const [stuck] = await notificationsInReview(stage.node.pool);
    expect(stuck).toMatchObject({ provider: 'fake', provider_id: `fake-${paymentId}`, reason: 'provider_away' });
    stage.provider.away = false;
    await retryNotification(stage.node, admin(), stuck?.id ?? '');
    await stage.untilBooking(bookingId, 'paid');
    await until(async () => (await stage.inbox())[0]?.status === 'done');
    for (const id of [stuck?.id ?? '', randomUUID()])
      await expect(retryNotification(stage.node, admin(), id)).rejects.toMatchObject({ code: 'not_found' });
  });
});
