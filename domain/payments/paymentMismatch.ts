/**
 * A difference between a captured payment and its provider's record that no event of ours can make true: it waits for a
 * person, and no share of the payment is released until then.
 */
import { Rejected } from '../core/decider.ts';
import type { PaymentEvent } from './paymentEvents.ts';
import type { Mismatch, OpenPayment } from './paymentState.ts';

export type MismatchEvent = Extract<PaymentEvent, { type: `PaymentMismatch${string}` }>;
export type Difference = Pick<Mismatch, 'kind' | 'ours' | 'theirs'>;

/** The provider's record differs; again and again the same difference is recorded once, also when it was accepted. */
export const mismatchFound = ({ mismatch }: OpenPayment, { kind, ours, theirs }: Difference): MismatchEvent[] => {
  if (mismatch?.kind === kind && mismatch.ours === ours && mismatch.theirs === theirs) return [];
  return [{ type: 'PaymentMismatchFound', data: { kind, ours, theirs } }];
};

/** The provider's record agrees with ours. */
export const mismatchEnded = ({ mismatch }: OpenPayment): MismatchEvent[] =>
  mismatch === null ? [] : [{ type: 'PaymentMismatchEnded', data: {} }];

/** An operator has looked: both records may stay as they are. */
export const acceptMismatch = ({ mismatch }: OpenPayment): MismatchEvent[] => {
  if (mismatch === null) throw new Rejected('not_found', 'This payment agrees with its provider.');
  return mismatch.isAccepted ? [] : [{ type: 'PaymentMismatchEnded', data: { isAccepted: true } }];
};

/** Whether the payment differs from its provider's record, and nobody has accepted it. */
export const isInDispute = ({ mismatch }: OpenPayment): boolean => mismatch?.isAccepted === false;

/** @throws Rejected `payment_mismatch` */
export const assertAgrees = (state: OpenPayment): void => {
  const { mismatch } = state;
  if (mismatch?.isAccepted !== false) return;
  const { kind, ours, theirs } = mismatch;
  throw new Rejected(
    'payment_mismatch',
    'The payment differs from its record at the payment provider. An admin must look at it first.',
    { kind, ours, theirs },
  );
};

export const evolveMismatch = (state: OpenPayment, event: MismatchEvent): OpenPayment => {
  switch (event.type) {
    case 'PaymentMismatchFound':
      return { ...state, mismatch: { ...event.data, isAccepted: false } };
    case 'PaymentMismatchEnded':
      return {
        ...state,
        mismatch: event.data.isAccepted && state.mismatch ? { ...state.mismatch, isAccepted: true } : null,
      };
  }
};
