/** Cancelling purchases: by who bought, or by admins. */

import { type Actor, existing, notFound } from '../../domain/core/decider.ts';
import type { Received } from '../../domain/payments/payment.ts';
import { type OpenPurchase, paymentsOf, purchase } from '../../domain/purchases/purchase.ts';
import type { CoreDeps } from '../core/deps.ts';
import { dryRun } from '../core/dryRun.ts';
import { onFreshFacts } from '../core/freshFacts.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { receivedFor, receivedMinor } from '../payments/giveBack.ts';
import type { AskingDeps } from '../payments/paymentLook.ts';
import { purchaseUses } from './promoUses.ts';
import type { PurchasePartsPort } from './purchaseParts.ts';
import { loadPurchase, type Purchased } from './purchases.ts';

/** The actor's role in a purchase. @throws Rejected `not_found` for those who have nothing to do with it */
const partyOf = ({ userId }: OpenPurchase, { kind, id, role }: Actor): 'guest' | 'admin' => {
  if (kind === 'user' && id === userId) return 'guest';
  if (role === 'admin') return 'admin';
  throw notFound('purchase');
};

interface Ended {
  readonly purchaseId: string;
  readonly purchase: OpenPurchase;
  readonly received: Received;
  readonly reason: string | null;
}

/** Ends a purchase, its parts first. @throws Rejected `not_found`, `invalid_transition` */
const end = async (
  deps: Pick<CoreDeps, 'aggregates'> & PurchasePartsPort,
  context: CommandContext,
  { purchaseId, purchase: found, received, reason }: Ended,
): Promise<OpenPurchase> => {
  const by = partyOf(found, context.actor);
  const parts = found.status === 'paid' ? deps.purchaseParts[found.serviceType] : undefined;
  const ended = await parts?.end(deps, followUp(context, 'parts'), { purchaseId, purchase: found, by, reason });
  const command = { type: 'Cancel', by, reason, received, ...ended, at: context.at } as const;
  return existing((await deps.aggregates.handle(purchase, purchaseId, command, context)).state, 'purchase');
};

/**
 * What would go back if the actor cancelled now, in minor units. Gates without a connection can tell passages later, which
 * lower it. @throws Rejected as `cancelPurchase`
 */
export const previewCancellation = async (
  deps: Parameters<typeof receivedMinor>[0] & PurchasePartsPort,
  context: CommandContext,
  purchaseId: string,
): Promise<{ readonly refundMinor: number; readonly currency: string }> => {
  const found = await loadPurchase(deps, purchaseId);
  partyOf(found, context.actor);
  const paymentIds = paymentsOf(found);
  const received = { paymentIds, minor: await receivedMinor(deps, context, purchaseId, paymentIds) };
  const cancelled = await end(dryRun(deps), context, { purchaseId, purchase: found, received, reason: null });
  return { refundMinor: cancelled.ending?.refundMinor ?? 0, currency: cancelled.currency };
};

/**
 * Cancels a purchase. Before its first day everything is refunded, later nothing, unless an admin cancels. Of a purchase
 * that was divided, the parts are ended first: each decides what goes back.
 * @throws Rejected `not_found`, `invalid_transition`
 */
export const cancelPurchase = (
  deps: Pick<CoreDeps, 'aggregates' | 'pool'> & AskingDeps & PurchasePartsPort,
  context: CommandContext,
  purchaseId: string,
  reason: string | null,
): Promise<Purchased> =>
  onFreshFacts(async (attempt) => {
    const found = await loadPurchase(deps, purchaseId);
    const by = partyOf(found, context.actor);
    const asking = followUp(context, `attempt ${attempt}`);
    const received = await receivedFor(deps, asking, purchaseId, paymentsOf(found));
    const cancelled = await end(deps, context, { purchaseId, purchase: found, received, reason });
    // The guest can use the promo code again once this returns.
    const use = { deps, context: followUp(context, 'promo use') };
    await purchaseUses.giveBack(use, purchaseId, cancelled, { evenTaken: by !== 'guest' });
    return { purchaseId, purchase: cancelled };
  });
