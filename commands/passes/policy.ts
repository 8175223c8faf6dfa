/**
 * What follows for passes: they are made when their purchase is paid, blocked when its money is taken back, and refunded
 * once their refund is fixed.
 */
import type { CoreDeps } from '../core/deps.ts';
import { policy } from '../core/policy.ts';
import { loadPurchase } from '../purchases/purchases.ts';
import { blockUncovered, unblockWon } from './chargebacks.ts';
import { rememberPurchase, tellOfClosure } from './closureTelling.ts';
import { divide } from './dividePurchase.ts';
import { endRefunded, passRefund, refundPart } from './refunds.ts';

export const passPolicy = policy<CoreDeps>('passes', {
  PurchasePaid: async ({ streamId, at }, { deps, context }) => {
    const purchase = await loadPurchase(deps, streamId);
    const made = await divide(deps, { ...context, at }, streamId, purchase);
    if (made.length > 0) await rememberPurchase(deps.pool, streamId, purchase);
  },
  PassDaysGivenBack: tellOfClosure,
  ChargedBack: blockUncovered,
  ChargebackWon: unblockWon,
  PurchaseRefunded: ({ streamId }, ctx) => endRefunded(ctx, streamId),
  PassGivenBack: ({ streamId: id, meta, data }, { deps }) =>
    passRefund.schedule(deps.jobs, meta, { id, dueAt: data.settlesAt, data: {} }),
  PassRefundSettled: ({ streamId, data }, ctx) => refundPart(ctx, streamId, data.refundMinor),
  PassCardReturned: ({ streamId, data }, ctx) => refundPart(ctx, streamId, data.refundMinor),
});
