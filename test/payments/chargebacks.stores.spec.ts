/** Chargebacks of bookings on the real stores: what they end, what they keep, what a won one returns, and who is told. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { decideAdjustment } from '../../commands/ledger/adjustments.ts';
import { syncPayment } from '../../commands/payments/askProvider.ts';
import {
  type ChargebackRequest,
  requestChargeback,
  requestWonChargeback,
} from '../../commands/payments/chargebacks.ts';
import { refundPayment } from '../../commands/payments/refunds.ts';
import { account } from '../../domain/accounts/account.ts';
import { adjustment } from '../../domain/ledger/adjustment.ts';
import { refundableMinor } from '../../domain/payments/payment.ts';
import { createStage, dyingBefore, type Stage } from '../bookings/stage.ts';
import { contextOf } from '../kit/context.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await createStage(await freshStores(), { holdTtlMs: 600_000, units: 10 });
  const profile = { email: 'seller@example.com', phone: null, firstName: '', lastName: '' } as const;
  const open = {
    type: 'OpenAccount',
    asOf: 0,
    role: 'hotelier',
    ...profile,
    language: 'en',
    passwordHash: 'x',
  } as const;
  await stage.node.aggregates.handle(account, stage.ownerId, open, contextOf('system'));
  stage.work();
});

const admin = () => contextOf(randomUUID(), 'admin');
const reason = 'stolen card';

/** A booking of 200.00 RUB a month ahead, paid. */
const paidBooking = async () => {
  const { node } = stage;
  const details = { role: 'tourist', email: `${randomUUID()}@example.com`, password: 'correct horse' } as const;
  const { accountId: guest } = await openAccount(node, contextOf(randomUUID()), details);
  const { bookingId } = await stage.book(guest);
  const { paymentId } = await stage.pay(bookingId, guest);
  stage.provider.says(paymentId, 'succeeded');
  await syncPayment(node, admin(), paymentId);
  await stage.untilBooking(bookingId, 'paid');
  await until(() => stage.handledAll());
  return { guest, bookingId, paymentId };
};
const post = async (request: Omit<ChargebackRequest, 'reason'>) => {
  const { adjustmentId } = await requestChargeback(stage.node, admin(), { reason, ...request });
  await decideAdjustment(stage.node, admin(), adjustmentId, 'approved');
  await until(async () => (await stage.payment(request.paymentId)).disputes[adjustmentId]?.taken);
  await until(() => stage.handledAll());
  return adjustmentId;
};
const told = async (person: string, item: string): Promise<{ name: string; won: boolean }[]> =>
  (
    await stage.node.pool.query(
      `select name, (params->>'won')::boolean as won from ops.notifications
        where person_id = $1 and params->>'item_id' = $2 order by seq`,
      [person, item],
    )
  ).rows;
/** The nights of the room that are sold, each with how often. */
const isHolding = async (bookingId: string): Promise<boolean> =>
  [...(await stage.stock()).holds].some(([, hold]) => hold.bookingId === bookingId);

it('of all the money of a booking ahead cancels it, frees its places, and tells both sides', async () => {
  const { guest, bookingId, paymentId } = await paidBooking();
  await post({ paymentId });
  expect(await stage.booking(bookingId)).toMatchObject({
    status: 'cancelled',
    ending: { by: 'system', refundMinor: 0 },
  });
  expect(await isHolding(bookingId)).toBe(false);
  expect((await stage.payment(paymentId)).refunds).toEqual({});
  await until(
    async () => (await told(guest, bookingId)).length > 0 && (await told(stage.ownerId, bookingId)).length > 0,
  );
  expect(await told(guest, bookingId)).toEqual([{ name: 'payment_charged_back', won: false }]);
  expect(await told(stage.ownerId, bookingId)).toEqual([{ name: 'seller_charged_back', won: false }]);
});

it('of a part keeps the booking, and so does one of everything if the admins say so', async () => {
  const part = await paidBooking();
  await post({ paymentId: part.paymentId, amount: 150 });
  expect((await stage.booking(part.bookingId)).status).toBe('paid');
  await post({ paymentId: part.paymentId, amount: 50 });
  expect((await stage.booking(part.bookingId)).status).toBe('cancelled');

  const kept = await paidBooking();
  await post({ paymentId: kept.paymentId, keepsBooking: true });
  expect((await stage.booking(kept.bookingId)).status).toBe('paid');
  expect(await isHolding(kept.bookingId)).toBe(true);
});

it('that was won puts the money back, once, tells both sides, and the seller gets it at the end', async () => {
  const { guest, bookingId, paymentId } = await paidBooking();
  const chargebackId = await post({ paymentId });
  const { node, ownerId } = stage;
  const win = async () => {
    const { adjustmentId } = await requestWonChargeback(node, admin(), chargebackId, 'the bank decided for us');
    await decideAdjustment(node, admin(), adjustmentId, 'approved');
  };
  await Promise.all([win(), win()]);
  await until(async () => (await stage.payment(paymentId)).released.includes(bookingId));
  await until(() => stage.handledAll());
  const state = await stage.payment(paymentId);
  expect(state.parts[bookingId]).toMatchObject({ heldMinor: 0, availableMinor: 18_000, platformMinor: 2_000 });
  expect((await stage.booking(bookingId)).status).toBe('cancelled');
  for (const person of [ownerId, guest]) await until(async () => (await told(person, bookingId)).length === 2);
  expect(await told(guest, bookingId)).toEqual([
    { name: 'payment_charged_back', won: false },
    { name: 'payment_charged_back', won: true },
  ]);
  await expect(win()).rejects.toMatchObject({ code: 'conflict' });
  await refundPayment(node, admin(), { paymentId, amount: 200 });
  expect(refundableMinor(await stage.payment(paymentId), bookingId)).toBe(0);
});

it('that is not posted cannot be won', async () => {
  const { paymentId } = await paidBooking();
  const { adjustmentId } = await requestChargeback(stage.node, admin(), { paymentId, reason });
  await expect(requestWonChargeback(stage.node, admin(), adjustmentId, 'we won')).rejects.toMatchObject({
    code: 'invalid_transition',
  });
  await expect(requestWonChargeback(stage.node, admin(), randomUUID(), 'we won')).rejects.toMatchObject({
    code: 'not_found',
  });
});

it('whose process died after its money was reserved is requested all the same', async () => {
  const { paymentId } = await paidBooking();
  const dying = dyingBefore(stage.node, 'RequestChargeback');
  const context = admin();
  await expect(requestChargeback(dying, context, { paymentId, reason, keepsBooking: true })).rejects.toThrow('dead');
  const [chargebackId = ''] = Object.keys((await stage.payment(paymentId)).disputes);
  const state = await until(async () => {
    const { state: of } = await stage.node.aggregates.load(adjustment, chargebackId);
    return of.status === 'none' ? undefined : of;
  });
  expect(state).toMatchObject({ status: 'requested', requestedBy: context.actor.id, reason, keepsBooking: true });
});
