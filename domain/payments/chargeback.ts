/**
 * Chargebacks: the payer's bank took the money of an item back. What is left of the item pays for it first. A requested one
 * keeps its money from refunds, so that chargebacks and refunds together never exceed what was paid. The money of one that
 * was won is where it was before, and can be refunded or paid out.
 */
import { Rejected } from '../core/decider.ts';
import type { ChargebackWish } from '../ledger/adjustment.ts';
import { account, chargebackReturned, type Parts, partsTaken, refunded } from '../ledger/ledger.ts';
import { assertNotInEscrow } from './paymentEscrow.ts';
import type { PaymentEvent } from './paymentEvents.ts';
import {
  assertPaid,
  chargebackDraw,
  type Dispute,
  itemOf,
  type OpenPayment,
  paidItem,
  partsLeft,
  without,
} from './paymentState.ts';

interface Chargeback {
  readonly chargebackId: string;
  readonly itemId: string;
  readonly amountMinor: number;
}
export type ChargebackCommand =
  | ({ readonly type: 'ReserveChargeback'; readonly wish: ChargebackWish } & Chargeback)
  | { readonly type: 'EndChargebackReservation'; readonly chargebackId: string }
  | ({ readonly type: 'RecordChargeback'; readonly keepsBooking?: true } & Chargeback)
  | { readonly type: 'RecordWonChargeback'; readonly chargebackId: string };
type Of<T extends ChargebackCommand['type']> = Extract<ChargebackCommand, { type: T }>;
type ChargebackEvent = Extract<PaymentEvent, { type: 'ChargedBack' | `Chargeback${string}` }>;

type Amount = Pick<Dispute, 'itemId' | 'amountMinor'>;

/** Chargebacks that were requested or posted, and not won, except one. */
const others = ({ disputes }: OpenPayment, chargebackId?: string): Amount[] =>
  Object.entries(disputes)
    .filter(([id, of]) => id !== chargebackId && !of.isWon)
    .map(([, of]) => of);

/** @throws Rejected `conflict` for more than is left of the item beside what was taken or is asked for */
const assertNotBeyond = (state: OpenPayment, { itemId, amountMinor }: Amount, taken: readonly Amount[]): void => {
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
  const { chargebackId, itemId, amountMinor, wish } = command;
  if (state.disputes[chargebackId]) return [];
  itemOf(state, itemId);
  assertPaid(state);
  const refunds = Object.values(state.refunds).filter(({ status }) => status !== 'failed');
  assertNotBeyond(state, command, [...others(state), ...refunds]);
  const { currency } = state;
  return [{ type: 'ChargebackReserved', data: { chargebackId, itemId, amountMinor, currency, wish } }];
};

export const endReservation = (
  { chargebackId }: Of<'EndChargebackReservation'>,
  { disputes }: OpenPayment,
): ChargebackEvent[] =>
  disputes[chargebackId]?.taken === null ? [{ type: 'ChargebackReservationEnded', data: { chargebackId } }] : [];

/** The money is gone already: what is being refunded meanwhile does not matter, but nothing is taken back twice. */
export const recordChargeback = (command: Of<'RecordChargeback'>, state: OpenPayment): ChargebackEvent[] => {
  const { chargebackId, itemId, amountMinor, keepsBooking } = command;
  if (state.chargebacks.includes(chargebackId)) return [];
  const item = paidItem(state, itemOf(state, itemId));
  assertPaid(state);
  assertNotBeyond(state, command, others(state, chargebackId));
  // Otherwise the owner would be paid there what has gone back to the payer.
  assertNotInEscrow(state, itemId);
  const { provider, currency } = state;
  const { draw, lossMinor } = chargebackDraw(state, itemId, amountMinor);
  const postings = refunded(provider, item, draw, lossMinor);
  const data = { chargebackId, itemId, amountMinor, currency, postings, ...(keepsBooking && { keepsBooking }) };
  return [{ type: 'ChargedBack', data }];
};

/** What was held is available if the owner's share was released meanwhile. */
const placeBack = ({ released }: OpenPayment, itemId: string, { heldMinor, availableMinor, ...parts }: Parts): Parts =>
  released.includes(itemId)
    ? { ...parts, heldMinor: 0, availableMinor: availableMinor + heldMinor }
    : { ...parts, heldMinor, availableMinor };

/** @throws Rejected `invalid_transition` unless the chargeback was posted */
export const recordWonChargeback = (
  { chargebackId }: Of<'RecordWonChargeback'>,
  state: OpenPayment,
): ChargebackEvent[] => {
  const dispute = state.disputes[chargebackId];
  if (!dispute?.taken)
    throw new Rejected('invalid_transition', 'Only a chargeback that was posted can be won. Reject one that was not.');
  if (dispute.isWon) return [];
  const { provider, currency } = state;
  const { itemId, amountMinor, taken } = dispute;
  const parts = placeBack(state, itemId, taken.draw);
  const postings = chargebackReturned(provider, paidItem(state, itemOf(state, itemId)), parts, taken.lossMinor);
  return [{ type: 'ChargebackWon', data: { chargebackId, itemId, amountMinor, currency, postings } }];
};

/** What the postings of a chargeback took of what was left of the item, and beyond it. */
const takenBy = (postings: Parameters<typeof partsTaken>[0]): Dispute['taken'] => ({
  draw: partsTaken(postings),
  lossMinor: postings.reduce((sum, of) => sum + (of.account === account.losses ? of.amountMinor : 0), 0),
});

export const evolveChargeback = (state: OpenPayment, event: ChargebackEvent): OpenPayment => {
  const { chargebackId } = event.data;
  switch (event.type) {
    case 'ChargebackReserved': {
      const { itemId, amountMinor } = event.data;
      return {
        ...state,
        disputes: { ...state.disputes, [chargebackId]: { itemId, amountMinor, taken: null, isWon: false } },
      };
    }
    case 'ChargebackReservationEnded': {
      const { [chargebackId]: _, ...disputes } = state.disputes;
      return { ...state, disputes };
    }
    case 'ChargedBack': {
      const { itemId, amountMinor, postings } = event.data;
      const parts = { ...state.parts, [itemId]: without(partsLeft(state, itemId), partsTaken(postings)) };
      const dispute = { itemId, amountMinor, taken: takenBy(postings), isWon: false };
      const disputes = { ...state.disputes, [chargebackId]: dispute };
      return { ...state, parts, disputes, chargebacks: [...state.chargebacks, chargebackId] };
    }
    case 'ChargebackWon': {
      const { itemId, postings } = event.data;
      const parts = { ...state.parts, [itemId]: without(partsLeft(state, itemId), partsTaken(postings)) };
      const dispute = state.disputes[chargebackId];
      return {
        ...state,
        parts,
        disputes: { ...state.disputes, ...(dispute && { [chargebackId]: { ...dispute, isWon: true } }) },
      };
    }
  }
};
