/**
 * Second charges of a payment: the provider has taken the money twice, under another id of its own. Nothing is paid with
 * it, and the whole charge goes back to the payer.
 */
import { Rejected } from '../core/decider.ts';
import { duplicateReceived, duplicateReturned } from '../ledger/ledger.ts';
import type { PaymentEvent } from './paymentEvents.ts';
import type { DuplicateCharge, OpenPayment } from './paymentState.ts';

export type DuplicateCommand =
  /** What became of its return: `returned` by the provider, or as an operator found it. */
  {
    readonly type: 'ApplyDuplicateReturn';
    readonly providerPaymentId: string;
    readonly status: 'returned' | 'manual_review';
    readonly code: string | null;
  };
export type DuplicateEvent = Extract<PaymentEvent, { type: `DuplicateCharge${string}` }>;

/** What a provider reports about another charge of a payment that has succeeded. */
export const chargedAgain = (
  charge: { readonly providerPaymentId: string; readonly amountMinor: number; readonly currency: string },
  isGivenBack: boolean,
  state: OpenPayment,
): DuplicateEvent[] => {
  const { providerPaymentId, amountMinor, currency } = charge;
  const known = state.duplicates[providerPaymentId];
  if (known) return isGivenBack ? returned(providerPaymentId, known, state) : [];
  if (isGivenBack || amountMinor <= 0) return [];
  const postings = duplicateReceived(state.provider, amountMinor);
  return [{ type: 'DuplicateChargeReceived', data: { providerPaymentId, amountMinor, currency, postings } }];
};

const returned = (
  providerPaymentId: string,
  { status, amountMinor, currency }: DuplicateCharge,
  { provider }: OpenPayment,
): DuplicateEvent[] => {
  if (status === 'returned') return [];
  const postings = duplicateReturned(provider, amountMinor);
  return [{ type: 'DuplicateChargeReturned', data: { providerPaymentId, amountMinor, currency, postings } }];
};

export const decideDuplicate = (
  { providerPaymentId, status, code }: DuplicateCommand,
  state: OpenPayment,
): DuplicateEvent[] => {
  const known = state.duplicates[providerPaymentId];
  if (!known) throw new Rejected('not_found', 'This payment has no such second charge.');
  if (status === 'returned') return returned(providerPaymentId, known, state);
  if (known.status !== 'pending') return [];
  return [{ type: 'DuplicateChargeReviewRequested', data: { providerPaymentId, code } }];
};

export const evolveDuplicate = (state: OpenPayment, event: DuplicateEvent): OpenPayment => {
  const { providerPaymentId } = event.data;
  const become = (charge: DuplicateCharge): OpenPayment => ({
    ...state,
    duplicates: { ...state.duplicates, [providerPaymentId]: charge },
  });
  const before = state.duplicates[providerPaymentId];
  switch (event.type) {
    case 'DuplicateChargeReceived': {
      const { amountMinor, currency } = event.data;
      return become({ amountMinor, currency, status: 'pending' });
    }
    case 'DuplicateChargeReturned':
      return before ? become({ ...before, status: 'returned' }) : state;
    case 'DuplicateChargeReviewRequested':
      return before ? become({ ...before, status: 'manual_review' }) : state;
  }
};
