/** Chargebacks: the payer's bank took the money of an item back. What is left of the item pays for it first. */
import { partsTaken, refunded } from '../ledger/ledger.ts';
import { assertNotInEscrow } from './paymentEscrow.ts';
import type { PaymentEvent } from './paymentEvents.ts';
import { assertPaid, chargebackDraw, itemOf, type OpenPayment, paidItem, partsLeft, without } from './paymentState.ts';

/** The money is gone already, so that it is never refused for its amount. */
export interface ChargebackCommand {
  readonly type: 'RecordChargeback';
  readonly chargebackId: string;
  readonly itemId: string;
  readonly amountMinor: number;
}
type ChargebackEvent = Extract<PaymentEvent, { type: 'ChargedBack' }>;

export const recordChargeback = (
  { chargebackId, itemId, amountMinor }: ChargebackCommand,
  state: OpenPayment,
): ChargebackEvent[] => {
  if (state.chargebacks.includes(chargebackId)) return [];
  const item = paidItem(state, itemOf(state, itemId));
  assertPaid(state);
  // Otherwise the owner would be paid there what has gone back to the payer.
  assertNotInEscrow(state, itemId);
  const { provider, currency } = state;
  const { draw, lossMinor } = chargebackDraw(state, itemId, amountMinor);
  const postings = refunded(provider, item, draw, lossMinor);
  return [{ type: 'ChargedBack', data: { chargebackId, itemId, amountMinor, currency, postings } }];
};

export const evolveChargeback = (state: OpenPayment, event: ChargebackEvent): OpenPayment => {
  const { chargebackId, itemId, postings } = event.data;
  const parts = { ...state.parts, [itemId]: without(partsLeft(state, itemId), partsTaken(postings)) };
  return { ...state, parts, chargebacks: [...state.chargebacks, chargebackId] };
};
