/** Ski passes as something to purchase. */
import { Rejected } from '../../domain/core/decider.ts';
import { quotePasses, skiPassTariff } from '../../domain/passes/tariff.ts';
import { FOR_QUOTE } from '../core/handle.ts';
import { offered, type QuotePurchase } from '../purchases/purchases.ts';

/** `validFrom` is `YYYY-MM-DD` in the resort's time zone. */
export interface PassRequest {
  readonly tariffId: string;
  readonly validFrom: string;
  readonly quantity: number;
}

export const quotedPasses =
  ({ tariffId: productId, validFrom, quantity }: PassRequest): QuotePurchase =>
  async ({ aggregates }, at) => {
    const { state } = await aggregates.load(skiPassTariff, productId, FOR_QUOTE);
    if (state.status === 'none') throw new Rejected('not_found', 'This ski pass tariff does not exist.');
    const offer = offered(quotePasses(state, { validFrom, quantity, at }));
    const { name: productName, currency } = state;
    return { serviceType: 'ski_pass', productId, productName, currency, quantity, persons: [], offer };
  };
