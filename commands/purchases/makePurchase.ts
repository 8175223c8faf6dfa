/** Makes a purchase at its current price, with the discount of a promo code. */
import { existing } from '../../domain/core/decider.ts';
import { addMs } from '../../domain/core/instants.ts';
import { purchase } from '../../domain/purchases/purchase.ts';
import { derivedId } from '../../infra/ids.ts';
import { assertExpectedTotal } from '../core/expectedTotal.ts';
import { type CommandContext, madeBefore } from '../core/handle.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import { purchaseUses, withPromo } from './promoUses.ts';
import type { Purchased, QuotedPurchase, QuotePurchase } from './purchases.ts';

type Deps = Pick<PaymentDeps, 'aggregates' | 'settings' | 'pool' | 'log' | 'jobs'>;

export interface PriceAsked {
  /** A promo code, as it was typed. */
  readonly promo?: string;
  /** The price that the customer was shown, in major units. */
  readonly expectedTotal?: number;
}

/**
 * What a purchase by the actor would cost now. No use of the promo code is reserved.
 * @throws Rejected as `QuotePurchase`, and `promo_refused`, also where the actor cannot use the code any more
 */
export const quoteNewPurchase = async (
  deps: Pick<Deps, 'aggregates' | 'pool'>,
  context: CommandContext,
  quote: QuotePurchase,
  promo?: string,
): Promise<QuotedPurchase> => {
  const quoted = await withPromo(deps, await quote(deps, context.at), promo);
  if (quoted.promotion) await purchaseUses.assertFree(deps, context, useOf(context, quoted, context.at));
  return quoted;
};

const useOf = (
  { commandId, actor }: CommandContext,
  { promotion }: Pick<QuotedPurchase, 'promotion'>,
  until: string,
) => ({
  ...{ itemId: derivedId(commandId, 'purchase'), userId: actor.id, until },
  ...(promotion && { promotion }),
});

/**
 * Makes a purchase for the actor, to be paid before it expires. Repeated with the same `context.commandId` it is the
 * same purchase.
 * @throws Rejected `not_found`, `invalid`, `not_bookable`, `price_changed`, `promo_refused`
 */
export const makePurchase = async (
  deps: Deps,
  context: CommandContext,
  quote: QuotePurchase,
  { expectedTotal, promo }: PriceAsked,
): Promise<Purchased> => {
  const purchaseId = derivedId(context.commandId, 'purchase');
  const before = await madeBefore(deps, purchase, purchaseId, context);
  if (before.status !== 'none') return { purchaseId, purchase: before };

  const { offer, persons, ...quoted } = await quoteNewPurchase(deps, context, quote, promo);
  assertExpectedTotal(expectedTotal, { ...offer, currency: quoted.currency });
  const { depositMinor: _, ...terms } = offer;
  const userId = context.actor.id;
  const expiresAt = addMs(context.at, deps.settings.holdTtlMs);
  const made = { madeAt: context.at, expiresAt };
  const data = { userId, ...quoted, ...terms, persons: [...persons], lines: [...offer.lines], ...made };
  return purchaseUses.reserving(deps, context, useOf(context, quoted, expiresAt), async () => {
    const { state } = await deps.aggregates.handle(purchase, purchaseId, { type: 'MakePurchase', ...data }, context);
    return { purchaseId, purchase: existing(state, 'purchase') };
  });
};
