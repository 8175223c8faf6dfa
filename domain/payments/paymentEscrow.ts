/**
 * The owner's share of a payment item in escrow on the provider's nominal account: one escrow at a time for each item.
 */
import { notFound, Rejected } from '../core/decider.ts';
import { escrowCancelled, escrowHeld, escrowReleased } from '../ledger/ledger.ts';
import type { PaymentEvent } from './paymentEvents.ts';
import {
  assertPaid,
  type Escrow,
  freeMinor,
  itemOf,
  type OpenPayment,
  unreturnedMinor,
  withReleased,
} from './paymentState.ts';

export type EscrowCommand =
  /** The owner's part of the item is to wait at the provider; another can follow when this one was cancelled. */
  | { readonly type: 'RequestEscrow'; readonly itemId: string; readonly escrowId: string }
  /** What the provider says of it; `cancelled` also when it has never taken it on. */
  | {
      readonly type: 'ApplyEscrowState';
      readonly itemId: string;
      readonly escrowId: string;
      readonly status: 'pending' | 'held' | 'released' | 'cancelled';
      readonly providerEscrowId: string | null;
    };
type EscrowEvent = Extract<PaymentEvent, { type: `Escrow${string}` }>;

export const decideEscrow = (command: EscrowCommand, state: OpenPayment): EscrowEvent[] => {
  switch (command.type) {
    case 'RequestEscrow':
      return requestEscrow(command, state);
    case 'ApplyEscrowState':
      return applyEscrowState(command, state);
  }
};

/** The item's escrow that may hold money; undefined when there is none. */
export const openEscrow = ({ escrows }: OpenPayment, itemId: string): Escrow | undefined => {
  const escrow = escrows[itemId];
  return escrow?.status === 'requested' || escrow?.status === 'held' ? escrow : undefined;
};

/** @throws Rejected `invalid_transition` */
export const assertNotInEscrow = (state: OpenPayment, itemId: string): void => {
  const escrow = openEscrow(state, itemId);
  if (escrow)
    throw new Rejected('invalid_transition', 'This money is in escrow at the provider.', {
      escrow_id: escrow.escrowId,
    });
};

const requestEscrow = (
  { itemId, escrowId }: Extract<EscrowCommand, { type: 'RequestEscrow' }>,
  state: OpenPayment,
): EscrowEvent[] => {
  const { ownerId } = itemOf(state, itemId);
  assertPaid(state);
  if (state.escrows[itemId]?.escrowId === escrowId) return [];
  assertNotInEscrow(state, itemId);
  const amountMinor = freeMinor(state, itemId);
  // Stryker disable next-line ConditionalExpression: for the compiler, because without an owner no share is held
  if (ownerId === null) return [];
  if (amountMinor === 0 || state.released.includes(itemId)) return [];
  // The provider keeps only what was paid; the platform's contribution to a share comes from our bank.
  if (amountMinor > unreturnedMinor(state, itemId)) return [];
  return [{ type: 'EscrowRequested', data: { escrowId, itemId, ownerId, amountMinor, currency: state.currency } }];
};

const applyEscrowState = (
  { itemId, escrowId, status, providerEscrowId }: Extract<EscrowCommand, { type: 'ApplyEscrowState' }>,
  state: OpenPayment,
): EscrowEvent[] => {
  const { ownerId } = itemOf(state, itemId);
  const escrow = state.escrows[itemId];
  if (escrow?.escrowId !== escrowId) throw notFound('escrow');
  // Stryker disable next-line ConditionalExpression: for the compiler, because every escrow is of an owner's share
  if (ownerId === null) throw notFound('escrow');
  if (!openEscrow(state, itemId)) return [];
  const { provider, currency } = state;
  const { amountMinor } = escrow;
  const share = { escrowId, itemId, ownerId, amountMinor, currency };
  if (status === 'pending') {
    if (providerEscrowId === null || escrow.providerEscrowId !== null) return [];
    return [{ type: 'EscrowSubmitted', data: { ...share, providerEscrowId } }];
  }
  const about = { ...share, providerEscrowId };
  const held = { type: 'EscrowHeld', data: { ...about, postings: escrowHeld(provider, amountMinor, itemId) } } as const;
  const before = escrow.status === 'requested' ? [held] : [];
  switch (status) {
    case 'held':
      return before;
    case 'released': {
      const postings = escrowReleased(provider, ownerId, amountMinor, itemId);
      return [...before, { type: 'EscrowReleased', data: { ...about, postings } }];
    }
    case 'cancelled': {
      const postings = escrow.status === 'held' ? escrowCancelled(provider, amountMinor, itemId) : [];
      return [{ type: 'EscrowCancelled', data: { ...about, postings } }];
    }
  }
};

export const evolveEscrow = (state: OpenPayment, event: EscrowEvent): OpenPayment => {
  const { itemId, escrowId, amountMinor } = event.data;
  const become = (status: Escrow['status'], providerEscrowId: string | null): OpenPayment => {
    const escrow = { escrowId, amountMinor, status, providerEscrowId };
    return { ...state, escrows: { ...state.escrows, [itemId]: escrow } };
  };
  switch (event.type) {
    case 'EscrowRequested':
      return become('requested', null);
    case 'EscrowSubmitted':
      return become('requested', event.data.providerEscrowId);
    case 'EscrowHeld':
      return become('held', event.data.providerEscrowId);
    case 'EscrowReleased':
      return withReleased(become('released', event.data.providerEscrowId), itemId, amountMinor);
    case 'EscrowCancelled':
      return become('cancelled', event.data.providerEscrowId);
  }
};
