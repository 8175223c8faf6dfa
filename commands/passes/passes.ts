/** Ski passes as something to purchase. */
import { notFound, Rejected } from '../../domain/core/decider.ts';
import { passTerms, quotePasses, skiPassTariff } from '../../domain/passes/tariff.ts';
import { FOR_QUOTE } from '../core/handle.ts';
import { offered, type QuotePurchase } from '../purchases/purchases.ts';

/** `validFrom` is `YYYY-MM-DD` in the resort's time zone. */
export interface PassRequest {
  readonly tariffId: string;
  readonly validFrom: string;
  /** How many times the price: a family is one. */
  readonly quantity: number;
  /** Whether deposits for cards are paid, too. */
  readonly withCards: boolean;
}

const MOST_PASSES = 40;

export const quotedPasses =
  ({ tariffId: productId, validFrom, quantity: prices, withCards }: PassRequest): QuotePurchase =>
  async ({ aggregates }, at) => {
    const { state } = await aggregates.load(skiPassTariff, productId, FOR_QUOTE);
    if (state.status === 'none') throw notFound('ski pass tariff');
    const offer = offered(quotePasses(state, { validFrom, quantity: prices, withCards, at }));
    const terms = passTerms(state, { quantity: prices, withCards });
    const quantity = terms.holders.length;
    if (quantity > MOST_PASSES)
      throw new Rejected('invalid', `A purchase has at most ${MOST_PASSES} passes. Buy them in parts.`);
    const { name: productName, currency } = state;
    const what = { serviceType: 'ski_pass', productId, productName, currency, quantity } as const;
    return { ...what, persons: [], offer, passTerms: terms };
  };
