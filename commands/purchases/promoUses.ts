/** The discounts of purchases by promo codes, and the uses of these codes. */

import { withDiscount } from '../../domain/promotions/appliedPromotion.ts';
import { purchase } from '../../domain/purchases/purchase.ts';
import { policy } from '../core/policy.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import { promoCodeFor } from '../promotions/promoCodes.ts';
import { promoUsesBy } from '../promotions/promoUses.ts';
import { loadPurchase, type QuotedPurchase } from './purchases.ts';

/**
 * The quote with the discount of a code that the guest has typed. The resort sells it itself, so that the code of another
 * seller is refused; deposits are not discounted.
 * @throws Rejected `promo_refused`
 */
export const withPromo = async (
  deps: Pick<PaymentDeps, 'aggregates'>,
  quote: QuotedPurchase,
  typed: string | undefined,
): Promise<QuotedPurchase> => {
  if (typed === undefined) return quote;
  const { promoCodeId, promo } = await promoCodeFor(deps, typed);
  const { serviceType: type, productId: listingId, currency, offer } = quote;
  const offered = { ...offer, item: { type, listingId }, startsOn: offer.validFrom, currency };
  const { lines, totalMinor, promotion } = withDiscount(offered, null, { promoCodeId, ...promo });
  return { ...quote, offer: { ...offer, lines, totalMinor }, promotion };
};

export const purchaseUses = promoUsesBy('purchase', 'purchase_promo_use', async ({ aggregates }, purchaseId) => {
  const { state } = await aggregates.load(purchase, purchaseId);
  if (state.status === 'none') return { is: 'nothing' };
  if (state.status === 'pending_payment') return { is: 'payable', until: state.expiresAt };
  if (state.status === 'paid') return { is: 'paid', item: state };
  return { is: state.paymentId === null ? 'nothing' : 'ended' };
});

export const purchasePromoPolicy = policy<PaymentDeps>('purchase_promo_uses', {
  PromoUseTaken: purchaseUses.lookLater,
  PurchasePaid: async ({ streamId }, ctx) => purchaseUses.paid(ctx, streamId, await loadPurchase(ctx.deps, streamId)),
  PurchaseExpired: async ({ streamId }, ctx) =>
    purchaseUses.giveBack(ctx, streamId, await loadPurchase(ctx.deps, streamId)),
  PurchaseCancelled: async ({ streamId, data }, ctx) =>
    purchaseUses.giveBack(ctx, streamId, await loadPurchase(ctx.deps, streamId), { evenTaken: data.by !== 'guest' }),
});
