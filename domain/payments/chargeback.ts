/**
 * Chargebacks: the payer's bank took the money of an item back. What is left of the item pays for it first. A requested one
 * keeps its money from refunds, so that chargebacks and refunds together never exceed what was paid.
 */
import { Rejected } from '../core/decider.ts';
import { partsTaken, refunded } from '../ledger/ledger.ts';
import { assertNotInEscrow } from './paymentEscrow.ts';
import type { PaymentEvent } from './paymentEvents.ts';
import { assertPaid, chargebackDraw, itemOf, type OpenPayment, paidItem, partsLeft, without } from './paymentState.ts';

interface Chargeback {
  readonly chargebackId: string;
  readonly itemId: string;
  readonly amountMinor: number;
}
export type ChargebackCommand =
  | ({ readonly type: 'ReserveChargeback' } & Chargeback)
  | { readonly type: 'EndChargebackReservation'; readonly chargebackId: string }
  | ({ readonly type: 'RecordChargeback' } & Chargeback);
type Of<T extends ChargebackCommand['type']> = Extract<ChargebackCommand, { type: T }>;
type ChargebackEvent = Extract<PaymentEvent, { type: 'ChargedBack' | `Chargeback${string}` }>;

/** @throws Rejected `conflict` for more than is left of the item beside what was taken or is asked for */
const assertNotBeyond = (
  state: OpenPayment,
  { itemId, amountMinor }: Chargeback,
  taken: readonly { readonly itemId: string; readonly amountMinor: number }[],
): void => {
  const takenMinor = taken.reduce((sum, of) => sum + (of.itemId === itemId ? of.amountMinor : 0), 0);
  const leftMinor = Math.max(0, itemOf(state, itemId).amountMinor - takenMinor);
  if (amountMinor <= leftMinor) return;
  throw new Rejected(
    'conflict',
    'Refunds and chargebacks together cannot exceed what was paid for the item. Send a lower amount, or look which of them was told twice.',
    { left_minor: leftMinor, currency: state.currency },
  );
};

export const reserveChargeback = (command: Of<'ReserveChargeback'>, state: OpenPayment): ChargebackEvent[] => {
  const { chargebackId, itemId, amountMinor } = command;
  if (state.disputes[chargebackId]) return [];
  itemOf(state, itemId);
  assertPaid(state);
  const refunds = Object.values(state.refunds).filter(({ status }) => status !== 'failed');
  assertNotBeyond(state, command, [...Object.values(state.disputes), ...refunds]);
  const { currency } = state;
  return [{ type: 'ChargebackReserved', data: { chargebackId, itemId, amountMinor, currency } }];
};

export const endReservation = (
  { chargebackId }: Of<'EndChargebackReservation'>,
  { disputes }: OpenPayment,
): ChargebackEvent[] =>
  disputes[chargebackId]?.isPosted === false ? [{ type: 'ChargebackReservationEnded', data: { chargebackId } }] : [];

/** The money is gone already: what is being refunded meanwhile does not matter, but nothing is taken back twice. */
export const recordChargeback = (command: Of<'RecordChargeback'>, state: OpenPayment): ChargebackEvent[] => {
  const { chargebackId, itemId, amountMinor } = command;
  if (state.chargebacks.includes(chargebackId)) return [];
  const item = paidItem(state, itemOf(state, itemId));
  assertPaid(state);
  const others = Object.entries(state.disputes).filter(([id]) => id !== chargebackId);
  assertNotBeyond(
    state,
    command,
    others.map(([, of]) => of),
  );
  // Otherwise the owner would be paid there what has gone back to the payer.
  assertNotInEscrow(state, itemId);
  const { provider, currency } = state;
  const { draw, lossMinor } = chargebackDraw(state, itemId, amountMinor);
  const postings = refunded(provider, item, draw, lossMinor);
  return [{ type: 'ChargedBack', data: { chargebackId, itemId, amountMinor, currency, postings } }];
};

export const evolveChargeback = (state: OpenPayment, event: ChargebackEvent): OpenPayment => {
  const { chargebackId } = event.data;
  switch (event.type) {
    case 'ChargebackReserved': {
      const { itemId, amountMinor } = event.data;
      return { ...state, disputes: { ...state.disputes, [chargebackId]: { itemId, amountMinor, isPosted: false } } };
    }
    case 'ChargebackReservationEnded': {
      const { [chargebackId]: _, ...disputes } = state.disputes;
      return { ...state, disputes };
    }
    case 'ChargedBack': {
      const { itemId, amountMinor, postings } = event.data;
      const parts = { ...state.parts, [itemId]: without(partsLeft(state, itemId), partsTaken(postings)) };
      const disputes = { ...state.disputes, [chargebackId]: { itemId, amountMinor, isPosted: true } };
      return { ...state, parts, disputes, chargebacks: [...state.chargebacks, chargebackId] };
    }
  }
};
