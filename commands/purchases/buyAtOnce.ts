/** Buys in one step: makes the purchase and starts its payment. */

import { type CommandContext, followUp } from '../core/handle.ts';
import { checkReturnUrl } from '../core/returnUrl.ts';
import { loadPayment } from '../payments/atProvider.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import { howToPay, type NewPayment, type Paid, processPayment } from '../payments/payments.ts';
import { makePurchase, type PriceAsked } from './makePurchase.ts';
import { loadPurchase, type Purchased, type QuotePurchase } from './purchases.ts';

type Deps = Pick<
  PaymentDeps,
  'aggregates' | 'settings' | 'pool' | 'now' | 'log' | 'jobs' | 'paymentProviders' | 'payables'
>;

/** At what price, and how it is paid. */
export type Means = PriceAsked & Omit<NewPayment, 'things' | 'tripId' | 'amount'>;

/**
 * Repeated with the same `context.commandId` it is the same purchase and payment. What a crash or a provider that does
 * not reply left undone is completed then, or the purchase expires.
 * @throws Rejected as `makePurchase` and `processPayment` · ProviderError `away`: ask again
 */
export const buy = async (
  deps: Deps,
  context: CommandContext,
  quote: QuotePurchase,
  { expectedTotal, promo, ...means }: Means,
): Promise<Purchased & Paid> => {
  checkReturnUrl(deps.settings, means.returnUrl);
  await howToPay(deps, context, means);
  const { purchaseId, purchase } = await makePurchase(deps, context, quote, {
    ...(expectedTotal !== undefined && { expectedTotal }),
    ...(promo !== undefined && { promo }),
  });
  const { paymentId } = purchase;
  if (paymentId !== null) return { purchaseId, purchase, paymentId, payment: await loadPayment(deps, paymentId) };
  const things = [{ kind: 'purchase', id: purchaseId }] as const;
  const paid = await processPayment(deps, followUp(context, 'pay'), { ...means, things });
  return { purchaseId, purchase: await loadPurchase(deps, purchaseId), ...paid };
};
