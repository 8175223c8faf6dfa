/** Ski passes and insurance on the real stores: bought, paid, given back, out of time. */

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../api/http/app.ts';
import { purchaseBlockers } from '../../api/purchases/deletionBlockers.ts';
import { addListing, changeListing } from '../../commands/catalog/listings.ts';
import { giveDaysBack } from '../../commands/passes/closures.ts';
import { loadPass, passesOf, passIdOf } from '../../commands/passes/dividePurchase.ts';
import { quotedPasses } from '../../commands/passes/passes.ts';
import { giveBackPass } from '../../commands/passes/refunds.ts';
import { syncPayment } from '../../commands/payments/askProvider.ts';
import { processPayment } from '../../commands/payments/payments.ts';
import { refundPayment } from '../../commands/payments/refunds.ts';
import { buy } from '../../commands/purchases/buyAtOnce.ts';
import { cancelPurchase } from '../../commands/purchases/cancelPurchase.ts';
import { quotedInsurance } from '../../commands/purchases/insurance.ts';
import { loadPurchase, type QuotePurchase } from '../../commands/purchases/purchases.ts';
import { tariffKind } from '../../domain/passes/tariff.ts';
import { payment } from '../../domain/payments/payment.ts';
import { insuranceKind } from '../../domain/purchases/insurance.ts';
import { purchase } from '../../domain/purchases/purchase.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { readDb } from '../../projections/engine/readDb.ts';
import { groups } from '../../projections/modules.ts';
import { purchasesAhead } from '../../projections/purchases/upcomingPurchases.ts';
import {
  createStage,
  dyingBefore,
  interruptedBefore,
  type Node,
  type Settings,
  type Stage,
} from '../bookings/stage.ts';
import { contextOf } from '../kit/context.ts';
import { patiently } from '../kit/patiently.ts';
import { type Projector, startProjector } from '../kit/projector.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { insuranceDetails, tariffDetails } from './productFixtures.ts';

let stage: Stage;
let tariffId: string;
let insuranceId: string;
const admin = randomUUID();

/** A stage of one describe, with the resort's tariff and insurance. */
const begin = async (settings: Settings = {}) => {
  stage = await createStage(await freshStores(), settings);
  const place = { ownerId: admin, timezone: 'Europe/Moscow', currency: 'RUB' };
  const season = { from: stage.day(-30), to: stage.day(90) };
  const tariff = { ...place, details: { ...tariffDetails, season } };
  tariffId = (await addListing(stage.node, asAdmin(), tariffKind, tariff)).id;
  const product = { ...place, details: insuranceDetails };
  insuranceId = (await addListing(stage.node, asAdmin(), insuranceKind, product)).id;
};

const asAdmin = () => contextOf(admin, 'admin');
const passes = (more: object = {}): QuotePurchase =>
  quotedPasses({ tariffId, validFrom: stage.day(10), quantity: 2, withCards: false, ...more });
const anna = { firstName: 'Anna', lastName: 'Orlova', birthDate: '1990-05-17' };
const insurance = (more: object = {}): QuotePurchase =>
  quotedInsurance({
    productId: insuranceId,
    validFrom: stage.day(10),
    validTo: stage.day(12),
    persons: [anna],
    ...more,
  });
const bought = (quote = passes(), context = contextOf(randomUUID()), node: Node = stage.node) =>
  buy(node, context, quote, { method: 'card' });
const statusOf = async (id: string) => (await loadPurchase(stage.node, id)).status;
const untilStatus = (id: string, status: string) => until(async () => (await statusOf(id)) === status);
const says = async (paymentId: string, status: 'authorized' | 'succeeded' | 'failed') => {
  stage.provider.says(paymentId, status);
  await syncPayment(stage.node, contextOf('system'), paymentId);
};
const paidFor = async (request = passes(), guest = randomUUID()) => {
  const { purchaseId, paymentId } = await bought(request, contextOf(guest));
  await says(paymentId, 'succeeded');
  await untilStatus(purchaseId, 'paid');
  return { guest, purchaseId, paymentId };
};
/** Two ski passes that are paid for and made: a moment after their purchase is paid. */
const passesPaidFor = async () => {
  const paid = await paidFor();
  await until(async () => (await passesOf(stage.node, paid.purchaseId, { quantity: 2 })).length === 2);
  return paid;
};
/** What has gone back of a payment, in minor units. */
const refunded = async (paymentId: string) =>
  Object.values((await stage.payment(paymentId)).refunds)
    .filter(({ status }) => status === 'succeeded')
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0);
const untilRefunded = (paymentId: string, amountMinor: number) =>
  until(async () => (await refunded(paymentId)) === amountMinor);

describe('what stands in the way of the end of an account', () => {
  let projector: Projector;
  beforeAll(async () => {
    await begin();
    projector = await startProjector({ ...stage.node, groups });
    stage.work();
  });

  const appOf = () =>
    ({ ...stage.node, db: readDb(stage.node.pool), stopping: new AbortController().signal }) as unknown as App;

  it('are passes that closed days have made longer, until their new end, and they can be settled until then', async () => {
    const [guest, app] = [randomUUID(), appOf()];
    const { purchaseId } = await paidFor(passes({ validFrom: stage.day(0) }), guest);
    await until(async () => (await passesOf(stage.node, purchaseId, { quantity: 2 })).length === 2);
    const found = async (day: number) => {
      const [reason] = await purchaseBlockers.find(app, guest, `${stage.day(day)}T12:00:00Z`);
      return reason?.ids ?? [];
    };
    await until(async () => (await found(4)).length === 1);
    expect(await found(5)).toEqual([]);
    const closed = { from: stage.day(1), to: stage.day(2), reason: 'storm' };
    await giveDaysBack(stage.node, asAdmin(), closed);
    await until(async () => (await found(6)).length === 1);
    expect(await found(7)).toEqual([]);
    await purchaseBlockers.resolve?.(app, contextOf(guest, 'tourist', `${stage.day(6)}T12:00:00Z`), guest, Infinity);
    expect(await statusOf(purchaseId)).toBe('cancelled');
  });

  it('is settled at once, however many purchases there are, and although the read model does not say so yet', async () => {
    const [guest, app] = [randomUUID(), appOf()];
    const { purchaseId: first } = await bought(insurance(), contextOf(guest));
    const { status: _, openPayment, keptFrom, paymentId, ending, ...made } = await loadPurchase(stage.node, first);
    const others = Array.from({ length: 100 }, () => randomUUID());
    const make = { type: 'MakePurchase', ...made } as const;
    const context = contextOf(guest);
    await Promise.all(others.map((id) => patiently(() => stage.node.aggregates.handle(purchase, id, make, context))));
    const ids = [first, ...others];
    const at = new Date().toISOString();
    const rows = async () => {
      let count = 0;
      for await (const page of purchasesAhead(app.db, guest, { at, added: 0 })) count += page.length;
      return count;
    };
    await until(async () => (await rows()) === ids.length);
    await projector.stop();
    const settling = contextOf(guest, 'tourist', at);
    await patiently(async () => purchaseBlockers.resolve?.(app, settling, guest, Infinity));
    expect(await rows()).toBe(ids.length);
    const statuses = await Promise.all(ids.map((id) => patiently(() => statusOf(id))));
    expect(new Set(statuses)).toEqual(new Set(['cancelled']));
    expect(await purchaseBlockers.find(app, guest, at)).toEqual([]);
  });
});

describe('buying', () => {
  beforeAll(async () => {
    await begin();
    stage.work();
  });

  it('is paid for as a service, and all of the money is the resort’s', async () => {
    const { purchaseId, paymentId } = await paidFor();
    const { status, items, serviceType } = await stage.payment(paymentId);
    expect({ status, serviceType }).toEqual({ status: 'succeeded', serviceType: 'ski_pass' });
    const amountMinor = 2 * tariffDetails.priceMinor;
    expect(items).toEqual([{ kind: 'purchase', id: purchaseId, ownerId: null, amountMinor, commissionMinor: 0 }]);
    expect(await loadPurchase(stage.node, purchaseId)).toMatchObject({ totalMinor: amountMinor, paymentId });
    await until(async () => (await stage.jobs()).length === 0);
  });

  it('continues wherever a process died', async () => {
    const steps = ['MakePurchase', 'StartPayment', 'CreatePayment', 'ApplyProviderState'];
    await Promise.all(
      steps.map(async (step) => {
        const context = contextOf(randomUUID());
        await expect(bought(insurance(), context, dyingBefore(stage.node, step))).rejects.toThrow(StoreUnavailable);
        const done = await bought(insurance(), context, stage.newNode());
        expect(done).toMatchObject({ purchase: { status: 'pending_payment' }, payment: { status: 'requires_action' } });
        expect(await bought(insurance(), context, stage.newNode())).toEqual(done);
        expect(done.purchase.openPayment).toBe(done.paymentId);
      }),
    );
  });

  it('is refused for yesterday, out of season, for what is unknown or closed, of no length, for the unborn', async () => {
    const { node, day } = stage;
    await expect(bought(passes({ validFrom: day(-1) }))).rejects.toMatchObject({ code: 'invalid' });
    await expect(bought(passes({ validFrom: day(89) }))).rejects.toMatchObject({ code: 'not_bookable' });
    await expect(bought(passes({ tariffId: insuranceId }))).rejects.toMatchObject({ code: 'not_found' });
    await expect(bought(insurance({ validTo: day(9) }))).rejects.toMatchObject({ code: 'invalid' });
    const unborn = [{ ...anna, birthDate: day(1) }];
    await expect(bought(insurance({ persons: unborn }))).rejects.toMatchObject({ code: 'invalid' });
    await changeListing(node, asAdmin(), tariffKind, tariffId, { status: 'closed' });
    await expect(bought()).rejects.toMatchObject({ code: 'not_bookable', facts: { reasons: ['closed'] } });
    const evil = buy(node, contextOf(randomUUID()), insurance(), { method: 'card', returnUrl: 'https://evil.test' });
    await expect(evil).rejects.toMatchObject({ code: 'invalid' });
  });
});

describe('time and money', () => {
  it('a payment that fails can be followed by another', async () => {
    await begin();
    stage.work();
    const guest = randomUUID();
    const { purchaseId, paymentId } = await bought(passes(), contextOf(guest));
    await says(paymentId, 'failed');
    await until(async () => (await loadPurchase(stage.node, purchaseId)).openPayment === null);
    const again = { things: [{ kind: 'purchase', id: purchaseId }], method: 'sbp' } as const;
    await expect(processPayment(stage.node, contextOf(randomUUID()), again)).rejects.toMatchObject({
      code: 'not_found',
    });
    const second = await processPayment(stage.node, contextOf(guest), again);
    await says(second.paymentId, 'succeeded');
    await untilStatus(purchaseId, 'paid');
  });

  it('an unpaid purchase expires with its payment; late money is refunded in full', async () => {
    await begin({ holdTtlMs: 100 });
    const { purchaseId, paymentId } = await bought();
    stage.work();
    await untilStatus(purchaseId, 'expired');
    await until(async () => (await stage.payment(paymentId)).status === 'cancelled');
    await says(paymentId, 'succeeded');
    await untilRefunded(paymentId, 2 * tariffDetails.priceMinor);
    expect(await statusOf(purchaseId)).toBe('expired');
  });

  it('money that was reserved for a cancelled purchase is never captured', async () => {
    await begin();
    const guest = randomUUID();
    const { purchaseId, paymentId } = await bought(passes(), contextOf(guest));
    await says(paymentId, 'authorized');
    await cancelPurchase(stage.node, contextOf(guest), purchaseId, null);
    stage.work();
    await until(async () => (await stage.payment(paymentId)).status === 'cancelled');
    expect(stage.provider.calls).not.toContain('capture');
  });

  it('waits for a provider that is at work', async () => {
    await begin({ holdTtlMs: 100 });
    const { purchaseId, paymentId } = await bought();
    stage.provider.says(paymentId, 'processing');
    const asked = () => stage.provider.calls.filter((call) => call === 'get').length;
    stage.work();
    await until(() => asked() > 2); // long after it was due
    expect(await statusOf(purchaseId)).toBe('pending_payment');
    await says(paymentId, 'succeeded');
    await untilStatus(purchaseId, 'paid');
  });
});

describe('giving up', () => {
  beforeAll(async () => {
    await begin();
    stage.work();
  });

  it('before its first day gives everything back', async () => {
    const { guest, purchaseId, paymentId } = await paidFor(insurance());
    await expect(cancelPurchase(stage.node, contextOf(randomUUID()), purchaseId, null)).rejects.toMatchObject({
      code: 'not_found',
    });
    const { purchase } = await cancelPurchase(stage.node, contextOf(guest), purchaseId, 'ill');
    expect(purchase).toMatchObject({ status: 'cancelled', ending: { by: 'guest', refundMinor: 45_000 } });
    await untilRefunded(paymentId, 45_000);
    await untilStatus(purchaseId, 'refunded');
  });

  it('on its first day gives nothing back, unless an admin does it; before it is paid stops the payment', async () => {
    const today = { validFrom: stage.day(0) };
    const [mine, theirs] = [await paidFor(passes(today)), await paidFor(passes(today))];
    const { purchase } = await cancelPurchase(stage.node, contextOf(mine.guest), mine.purchaseId, null);
    expect(purchase.ending).toMatchObject({ by: 'guest', refundMinor: 0 });
    await cancelPurchase(stage.node, asAdmin(), theirs.purchaseId, 'no snow');
    await untilStatus(theirs.purchaseId, 'refunded');
    await until(() => stage.handledAll());
    expect(await statusOf(mine.purchaseId)).toBe('cancelled');
    expect(await refunded(mine.paymentId)).toBe(0);

    const unpaid = await bought(passes(), contextOf(mine.guest));
    await cancelPurchase(stage.node, contextOf(mine.guest), unpaid.purchaseId, null);
    await until(async () => (await stage.payment(unpaid.paymentId)).status === 'cancelled');
  });

  it('refunds money that comes meanwhile', async () => {
    const guest = randomUUID();
    const { purchaseId, paymentId } = await bought(passes(), contextOf(guest));
    const pay = async () => {
      await says(paymentId, 'succeeded');
      await untilStatus(purchaseId, 'paid');
    };
    const node = interruptedBefore(stage.node, 'Cancel', pay);
    const { purchase } = await cancelPurchase(node, contextOf(guest), purchaseId, null);
    expect(purchase.ending).toMatchObject({ refundMinor: 2 * tariffDetails.priceMinor });
    await untilStatus(purchaseId, 'refunded');
  });

  it('an admin’s refund of all of it ends it; of some of it does not', async () => {
    const { purchaseId, paymentId } = await paidFor(insurance());
    await refundPayment(stage.node, asAdmin(), { paymentId, amount: 100 });
    await untilRefunded(paymentId, 10_000);
    await until(() => stage.handledAll());
    expect(await statusOf(purchaseId)).toBe('paid');
    await refundPayment(stage.node, asAdmin(), { paymentId });
    await untilStatus(purchaseId, 'refunded');
  });

  it('an admin refunds of ski passes only what these have fixed: the rest could be ridden', async () => {
    const { purchaseId, paymentId } = await passesPaidFor();
    const refund = (amount?: number) =>
      refundPayment(stage.node, asAdmin(), { paymentId, ...(amount !== undefined && { amount }) });
    const refusal = { code: 'refund_too_large', facts: { refundable_minor: 0 } };
    await expect(refund()).rejects.toMatchObject({ ...refusal, message: expect.stringContaining('give-back') });
    await expect(refund(1)).rejects.toMatchObject(refusal);
    await giveBackPass(stage.node, asAdmin(), passIdOf(purchaseId, 1), null);
    await untilRefunded(paymentId, tariffDetails.priceMinor);
    await until(() => stage.handledAll());
    await expect(refund(1)).rejects.toMatchObject(refusal);
    expect(await statusOf(purchaseId)).toBe('paid');
  });

  it('passes end when the payer’s bank took the money back', async () => {
    const { purchaseId, paymentId } = await passesPaidFor();
    const amountMinor = 2 * tariffDetails.priceMinor;
    const command = { type: 'RecordChargeback', chargebackId: randomUUID(), itemId: purchaseId, amountMinor } as const;
    await stage.node.aggregates.handle(payment, paymentId, command, asAdmin());
    await untilStatus(purchaseId, 'refunded');
    await until(async () => (await loadPass(stage.node, passIdOf(purchaseId, 2))).pass.ended?.by === 'system');
  });
});
