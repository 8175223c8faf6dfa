/** Ski passes as something to purchase. */
import { Rejected, requireExisting } from '../../domain/core/decider.ts';
import { passTerms, pricesTogether, quotePasses, skiPassTariff } from '../../domain/passes/tariff.ts';
import { FOR_QUOTE } from '../core/handle.ts';
import { offered, type QuotePurchase } from '../purchases/purchases.ts';
import { closedDates } from './closures.ts';

/** `validFrom` is `YYYY-MM-DD` in the resort's time zone. */
export interface PassRequest {
  readonly tariffId: string;
  readonly validFrom: string;
  /** How many times the price: a family is one. */
  readonly quantity: number;
  /** Whether deposits for cards are paid, too. */
  readonly withCards: boolean;
  /** Tariffs for one person, among which the price of each pass of a family alone is looked for. */
  readonly singleTariffIds?: readonly string[];
}

const MOST_PASSES = 40;

export const quotedPasses =
  ({ tariffId: productId, validFrom, quantity: prices, withCards, singleTariffIds = [] }: PassRequest): QuotePurchase =>
  async ({ aggregates }, at) => {
    const { state } = await aggregates.load(skiPassTariff, productId, FOR_QUOTE);
    requireExisting(state, 'ski pass tariff');
    const closed = (await closedDates({ aggregates })).map(({ date }) => date);
    const offer = offered(quotePasses(state, { validFrom, quantity: prices, withCards, at, closed }));
    const singles = await Promise.all(singleTariffIds.map((id) => aggregates.load(skiPassTariff, id, FOR_QUOTE)));
    const others = singles.flatMap(({ state: single }) => (single.status === 'none' ? [] : single));
    const together = pricesTogether(state, [...others, state], validFrom);
    const terms = { ...passTerms(state, { quantity: prices, withCards }), together };
    const quantity = terms.holders.length;
    if (quantity > MOST_PASSES)
      throw new Rejected('invalid', `A purchase has at most ${MOST_PASSES} passes. Buy them in parts.`, {
        fields: ['quantity'],
      });
    const { name: productName, currency } = state;
    const what = { serviceType: 'ski_pass', productId, productName, currency, quantity } as const;
    return { ...what, persons: [], offer, passTerms: terms };
  };
