/** What follows for purchases: paid, or paid back, or out of time. */

import type { Recorded } from '../../domain/core/decider.ts';
import type { EventOf } from '../../domain/modules.ts';
import type { PaymentItem } from '../../domain/payments/payment.ts';
import { partsLeft } from '../../domain/payments/paymentState.ts';
import { purchase } from '../../domain/purchases/purchase.ts';
import { isBeingPaid } from '../bookings/policy.ts';
import { followUp } from '../core/handle.ts';
import { defineJob, type PolicyContext } from '../core/jobs.ts';
import { policy } from '../core/policy.ts';
import { loadPayment } from '../payments/atProvider.ts';
import { eachItem, giveBack, paymentCancel } from '../payments/policy.ts';
import { loadPurchase, unfitPayment } from './purchases.ts';

const command = ({ deps, context }: PolicyContext, id: string, wanted: Parameters<typeof purchase.decide>[0]) =>
  deps.aggregates.handle(purchase, id, wanted, followUp(context, wanted.type));

/** Ends what was not paid in time; waits while a provider is at work on its money. The id is the purchase's. */
export const purchaseExpiry = defineJob('purchase_expiry', async ({ id }, ctx) => {
  const { deps, context } = ctx;
  const state = await loadPurchase(deps, id);
  if (state.status !== 'pending_payment') return undefined;
  const now = Date.parse(context.at);
  if (now < Date.parse(state.expiresAt)) return { againAt: state.expiresAt };
  if (await isBeingPaid(ctx, state)) return { againAt: new Date(now + deps.settings.holdTtlMs).toISOString() };
  await command(ctx, id, { type: 'Expire', at: context.at });
  return undefined;
});

const expireLater = (
  { streamId: id, meta, data }: Recorded<EventOf<'PurchaseMade' | 'PurchasePaymentStarted'>>,
  { deps }: PolicyContext,
): Promise<void> => purchaseExpiry.schedule(deps.pool, meta, { id, dueAt: data.expiresAt, data: {} });

/** Money has come. One that moves on between the two is refused, and decided anew on what it is then. */
const settle = async (ctx: PolicyContext, paymentId: string, { id, amountMinor }: PaymentItem): Promise<void> => {
  const state = await loadPurchase(ctx.deps, id);
  if (state.paymentId === paymentId) return;
  const cause = unfitPayment(state, amountMinor);
  if (cause) await giveBack(ctx, paymentId, { itemId: id, most: amountMinor, cause });
  else await command(ctx, id, { type: 'MarkPaid', paymentId, amountMinor });
};

const ended = (
  { streamId: paymentId }: Recorded<EventOf<'PaymentFailed' | 'PaymentCancelled' | 'PaymentExpired'>>,
  ctx: PolicyContext,
): Promise<void> =>
  eachItem(ctx, paymentId, 'purchase', (own, { id }) => command(own, id, { type: 'EndPayment', paymentId }));

/** Money has gone back. Once it is all of what paid for a purchase, that is good for nothing any more. */
const returned = (
  { streamId: paymentId, data }: Recorded<EventOf<'RefundSucceeded'>>,
  ctx: PolicyContext,
): Promise<void> =>
  eachItem(ctx, paymentId, 'purchase', async (own, { id }) => {
    if (id !== data.itemId || (await loadPurchase(own.deps, id)).paymentId !== paymentId) return;
    const { heldMinor, availableMinor, platformMinor } = partsLeft(await loadPayment(own.deps, paymentId), id);
    if (heldMinor + availableMinor + platformMinor === 0) await command(own, id, { type: 'MarkRefunded' });
  });

/** What is under way for one that has ended is stopped. */
const stopPaying = async ({ streamId, meta }: Recorded, { deps }: PolicyContext): Promise<void> => {
  const { openPayment } = await loadPurchase(deps, streamId);
  if (openPayment !== null)
    await paymentCancel.schedule(deps.pool, meta, { id: openPayment, dueAt: deps.now(), data: {} });
};

export const purchasePolicy = policy('purchases', {
  PurchaseMade: expireLater,
  PurchasePaymentStarted: expireLater,
  PurchasePaid: ({ streamId }, { deps }) => purchaseExpiry.cancel(deps.pool, streamId),
  PurchaseExpired: stopPaying,
  PurchaseCancelled: async (event, ctx) => {
    const { paymentId } = await loadPurchase(ctx.deps, event.streamId);
    const part = { itemId: event.streamId, most: event.data.refundMinor, cause: 'cancelled' } as const;
    if (paymentId !== null) await giveBack(ctx, paymentId, part);
    await purchaseExpiry.cancel(ctx.deps.pool, event.streamId);
    await stopPaying(event, ctx);
  },
  PaymentSucceeded: (event, ctx) =>
    eachItem(ctx, event.streamId, 'purchase', (own, item) => settle(own, event.streamId, item)),
  PaymentFailed: ended,
  PaymentCancelled: ended,
  PaymentExpired: ended,
  RefundSucceeded: returned,
});
