/** What follows for purchases: they expire unpaid, one that is cancelled is refunded, one that was used is receipted. */
import type { Recorded } from '../../domain/core/decider.ts';
import { addMs, isBefore } from '../../domain/core/instants.ts';
import type { EventOf } from '../../domain/modules.ts';
import { providedAt, purchase, purchaseIsRefundable } from '../../domain/purchases/purchase.ts';
import { followUp } from '../core/handle.ts';
import { defineJob, type PolicyContext } from '../core/jobs.ts';
import { policy } from '../core/policy.ts';
import { isBeingPaid } from '../payments/askProvider.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import { giveBack } from '../payments/giveBack.ts';
import { endPaymentOf } from '../payments/policy.ts';
import { closingReceipt } from '../payments/receipts.ts';
import type { PurchasePartsPort } from './purchaseParts.ts';
import { loadPurchase } from './purchases.ts';

type Deps = PaymentDeps & PurchasePartsPort;
type Ctx = PolicyContext<Deps>;

/** Expires a purchase that was not paid in time. Waits while a provider processes its payment. The id is the purchase's. */
export const purchaseExpiry = defineJob<object, PaymentDeps>('purchase_expiry', async ({ id }, { deps, context }) => {
  const state = await loadPurchase(deps, id);
  if (state.status !== 'pending_payment') return undefined;
  if (isBefore(context.at, state.expiresAt)) return { againAt: state.expiresAt };
  if (await isBeingPaid(deps, context, id, state)) return { againAt: addMs(context.at, deps.settings.holdTtlMs) };
  const expire = { type: 'Expire', at: context.at } as const;
  await deps.aggregates.handle(purchase, id, expire, followUp(context, expire.type));
  return undefined;
});

const scheduleExpiry = (
  { streamId: id, meta, data }: Recorded<EventOf<'PurchaseMade' | 'PurchasePaymentStarted'>>,
  { deps }: Ctx,
): Promise<void> => purchaseExpiry.schedule(deps.jobs, meta, { id, dueAt: data.expiresAt, data: {} });

const endOpenPayment = async ({ streamId, meta }: Recorded, { deps }: Ctx): Promise<void> =>
  endPaymentOf(deps, meta, streamId, await loadPurchase(deps, streamId));

export const purchasePolicy = policy<Deps>('purchases', {
  PurchaseMade: scheduleExpiry,
  PurchasePaymentStarted: scheduleExpiry,
  PurchasePaid: async ({ streamId: id, meta, data }, { deps }) => {
    await purchaseExpiry.cancel(deps.jobs, id);
    if (!deps.settings.receipts) return;
    const dueAt = providedAt(await loadPurchase(deps, id));
    await closingReceipt.schedule(deps.jobs, meta, { id, dueAt, data: { paymentId: data.paymentId } });
  },
  PurchaseExpired: endOpenPayment,
  PurchaseCancelled: async (event, ctx) => {
    const itemId = event.streamId;
    const { paymentId, startsAt, serviceType } = await loadPurchase(ctx.deps, itemId);
    // The parts of a divided purchase are refunded by their module.
    const isWhole = ctx.deps.purchaseParts[serviceType] === undefined;
    const isRefundable = isWhole && purchaseIsRefundable({ startsAt }, event.at, event.data.by);
    if (paymentId !== null && isRefundable) await giveBack(ctx, [paymentId], { itemId, cause: 'cancelled' });
    await purchaseExpiry.cancel(ctx.deps.jobs, event.streamId);
    await endOpenPayment(event, ctx);
  },
});
