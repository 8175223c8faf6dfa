/** Insurance as something to purchase. */
import { todayIn } from '../../domain/core/dates.ts';
import { Rejected, requireExisting } from '../../domain/core/decider.ts';
import { insuranceProduct, quoteInsurance } from '../../domain/purchases/insurance.ts';
import type { InsuredPerson } from '../../domain/purchases/purchase.ts';
import { FOR_QUOTE } from '../core/handle.ts';
import { offered, type QuotePurchase } from './purchases.ts';

/** Dates are `YYYY-MM-DD` in the resort's time zone, the last one included. */
export interface InsuranceRequest {
  readonly productId: string;
  readonly validFrom: string;
  readonly validTo: string;
  readonly persons: readonly InsuredPerson[];
}

export const quotedInsurance =
  ({ productId, validFrom, validTo, persons }: InsuranceRequest): QuotePurchase =>
  async ({ aggregates }, at) => {
    if (validTo < validFrom)
      throw new Rejected('invalid', 'valid_to must not be earlier than valid_from.', { fields: ['valid_to'] });
    const { state } = await aggregates.load(insuranceProduct, productId, FOR_QUOTE);
    requireExisting(state, 'insurance product');
    const today = todayIn(state.timezone, at);
    const unborn = persons.findIndex(({ birthDate }) => birthDate > today);
    if (unborn >= 0)
      throw new Rejected('invalid', 'The birth date of an insured person must not be in the future.', {
        fields: [`persons/${unborn}/birth_date`],
      });
    const offer = offered(quoteInsurance(state, { validFrom, validTo, persons: persons.length, at }));
    const { name: productName, currency } = state;
    return { serviceType: 'insurance', productId, productName, currency, quantity: persons.length, persons, offer };
  };
