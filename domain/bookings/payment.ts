/** One payment with one provider, and what is given back of it. The provider's word moves it, only ever forward. */
import type { Static } from '@sinclair/typebox';
import { type Decider, Rejected } from '../decider.ts';
import { type PaymentEvent, paymentEvents, type refundCauses } from './paymentEvents.ts';

export { type PaymentEvent, paymentEvents } from './paymentEvents.ts';

/** States by rank: what the provider says of a lower rank has been overtaken. Money taken beats every other end. */
const ranks = {
  pending: 0,
  requires_action: 1,
  processing: 2,
  authorized: 3,
  failed: 4,
  cancelled: 4,
  expired: 4,
  succeeded: 5,
} as const;
export type PaymentStatus = keyof typeof ranks;
export const paymentStatuses = Object.keys(ranks) as readonly PaymentStatus[];

/** True when it has ended without money. */
export const isDead = (status: PaymentStatus): boolean => ranks[status] === ranks.failed;

export const refundStatuses = ['pending', 'succeeded', 'failed', 'manual_review'] as const;
export type RefundStatus = (typeof refundStatuses)[number];

export interface Refund {
  readonly amountMinor: number;
  readonly status: RefundStatus;
  readonly providerRefundId: string | null;
}

export interface OpenPayment extends Readonly<Static<typeof paymentEvents.PaymentCreated.data>> {
  readonly status: PaymentStatus;
  readonly providerId: string | null;
  readonly redirectUrl: string | null;
  readonly capturedMinor: number;
  /** By id. */
  readonly refunds: Readonly<Record<string, Refund>>;
}
export type Payment = { readonly status: 'none' } | OpenPayment;

/** What its provider says about a payment. */
export interface ProviderState {
  readonly providerId: string;
  readonly status: PaymentStatus;
  readonly amountMinor: number;
  readonly currency: string;
  readonly redirectUrl?: string;
  readonly reason?: string;
}

export type PaymentCommand =
  | ({ readonly type: 'CreatePayment' } & Static<typeof paymentEvents.PaymentCreated.data>)
  | ({ readonly type: 'ApplyProviderState' } & ProviderState)
  /** We stop waiting for it. Should money come all the same, that is still believed. */
  | { readonly type: 'GiveUp'; readonly status: 'failed' | 'cancelled' | 'expired'; readonly code: string | null }
  | {
      readonly type: 'RequestRefund';
      readonly refundId: string;
      readonly amountMinor: number;
      readonly cause: (typeof refundCauses)[number];
    }
  | {
      readonly type: 'ApplyRefundState';
      readonly refundId: string;
      readonly status: RefundStatus;
      readonly providerRefundId?: string;
      readonly reason?: string;
    };

/** What was captured and has not been given back, or is not on its way back. */
export const refundableMinor = (payment: Payment): number =>
  payment.status === 'none'
    ? 0
    : Object.values(payment.refunds).reduce(
        (left, refund) => left - (refund.status === 'failed' ? 0 : refund.amountMinor),
        payment.capturedMinor,
      );

const decide = (command: PaymentCommand, state: Payment): PaymentEvent[] => {
  if (command.type === 'CreatePayment') {
    const { type, ...data } = command;
    return state.status === 'none' ? [{ type: 'PaymentCreated', data }] : [];
  }
  if (state.status === 'none') throw new Rejected('not_found', 'There is no such payment.');
  switch (command.type) {
    case 'ApplyProviderState':
      return applyProviderState(command, state);
    case 'GiveUp': {
      const { status, code } = command;
      if (ranks[status] <= ranks[state.status]) return [];
      return [ended(status, state.bookingId, code)];
    }
    case 'RequestRefund':
      return requestRefund(command, state);
    case 'ApplyRefundState':
      return applyRefundState(command, state);
  }
};

const ended = (status: 'failed' | 'cancelled' | 'expired', bookingId: string, code: string | null): PaymentEvent => {
  const data = { bookingId, code };
  switch (status) {
    case 'failed':
      return { type: 'PaymentFailed', data };
    case 'cancelled':
      return { type: 'PaymentCancelled', data };
    case 'expired':
      return { type: 'PaymentExpired', data };
  }
};

const applyProviderState = (said: ProviderState, state: OpenPayment): PaymentEvent[] => {
  if (said.amountMinor !== state.amountMinor || said.currency !== state.currency)
    throw new Rejected('payment_mismatch', 'The provider speaks of another amount than was asked for.', {
      expected: { minor: state.amountMinor, currency: state.currency },
      found: { minor: said.amountMinor, currency: said.currency },
    });
  if (ranks[said.status] <= ranks[state.status]) return [];
  const { bookingId, userId, amountMinor, currency } = state;
  const { providerId } = said;
  switch (said.status) {
    case 'pending':
      return [];
    case 'requires_action':
      if (said.redirectUrl === undefined) return [];
      return [{ type: 'PaymentRequiresAction', data: { userId, providerId, redirectUrl: said.redirectUrl } }];
    case 'processing':
      return [{ type: 'PaymentProcessing', data: { providerId } }];
    case 'authorized':
      return [{ type: 'PaymentAuthorized', data: { providerId } }];
    case 'succeeded':
      return [{ type: 'PaymentSucceeded', data: { bookingId, providerId, amountMinor, currency } }];
    case 'failed':
    case 'cancelled':
    case 'expired':
      return [ended(said.status, bookingId, said.reason ?? null)];
  }
};

const requestRefund = (
  { refundId, amountMinor, cause }: Extract<PaymentCommand, { type: 'RequestRefund' }>,
  state: OpenPayment,
): PaymentEvent[] => {
  if (state.refunds[refundId]) return [];
  if (state.status !== 'succeeded')
    throw new Rejected('invalid_transition', `A payment that is ${state.status} has no money to give back.`);
  const left = refundableMinor(state);
  if (amountMinor <= 0) throw new Rejected('invalid', 'A refund is more than nothing.');
  if (amountMinor > left)
    throw new Rejected('refund_too_large', 'That is more than is left of this payment.', { refundable_minor: left });
  const { bookingId, currency } = state;
  return [{ type: 'RefundRequested', data: { refundId, bookingId, amountMinor, currency, cause } }];
};

const applyRefundState = (
  { refundId, status, providerRefundId, reason }: Extract<PaymentCommand, { type: 'ApplyRefundState' }>,
  state: OpenPayment,
): PaymentEvent[] => {
  const refund = state.refunds[refundId];
  if (!refund) throw new Rejected('not_found', 'There is no such refund.');
  if (refund.status === 'succeeded' || refund.status === 'failed') return [];
  const submitted: PaymentEvent[] =
    providerRefundId !== undefined && refund.providerRefundId === null
      ? [{ type: 'RefundSubmitted', data: { refundId, providerRefundId } }]
      : [];
  const code = reason ?? null;
  switch (status) {
    case 'pending':
      return submitted;
    case 'succeeded': {
      const { amountMinor } = refund;
      return [...submitted, { type: 'RefundSucceeded', data: { refundId, bookingId: state.bookingId, amountMinor } }];
    }
    case 'failed':
      return [...submitted, { type: 'RefundFailed', data: { refundId, code } }];
    case 'manual_review':
      return refund.status === status
        ? submitted
        : [...submitted, { type: 'RefundNeedsReview', data: { refundId, code } }];
  }
};

const evolve = (state: Payment, event: PaymentEvent): Payment => {
  if (event.type === 'PaymentCreated')
    return { ...event.data, status: 'pending', providerId: null, redirectUrl: null, capturedMinor: 0, refunds: {} };
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'PaymentRequiresAction': {
      const { providerId, redirectUrl } = event.data;
      return { ...state, status: 'requires_action', providerId, redirectUrl };
    }
    case 'PaymentProcessing':
      return { ...state, status: 'processing', providerId: event.data.providerId };
    case 'PaymentAuthorized':
      return { ...state, status: 'authorized', providerId: event.data.providerId };
    case 'PaymentSucceeded': {
      const { providerId, amountMinor } = event.data;
      return { ...state, status: 'succeeded', providerId, capturedMinor: amountMinor };
    }
    case 'PaymentFailed':
      return { ...state, status: 'failed' };
    case 'PaymentCancelled':
      return { ...state, status: 'cancelled' };
    case 'PaymentExpired':
      return { ...state, status: 'expired' };
    case 'RefundRequested': {
      const { refundId, amountMinor } = event.data;
      return withRefund(state, refundId, { amountMinor, status: 'pending', providerRefundId: null });
    }
    case 'RefundSubmitted':
      return changeRefund(state, event.data.refundId, { providerRefundId: event.data.providerRefundId });
    case 'RefundSucceeded':
      return changeRefund(state, event.data.refundId, { status: 'succeeded' });
    case 'RefundFailed':
      return changeRefund(state, event.data.refundId, { status: 'failed' });
    case 'RefundNeedsReview':
      return changeRefund(state, event.data.refundId, { status: 'manual_review' });
  }
};

const withRefund = (state: OpenPayment, refundId: string, refund: Refund): OpenPayment => ({
  ...state,
  refunds: { ...state.refunds, [refundId]: refund },
});
const changeRefund = (state: OpenPayment, refundId: string, change: Partial<Refund>): OpenPayment => {
  const refund = state.refunds[refundId];
  return refund ? withRefund(state, refundId, { ...refund, ...change }) : state;
};

export const payment: Decider<Payment, PaymentCommand, PaymentEvent> = {
  category: 'payment',
  events: paymentEvents,
  initial: { status: 'none' },
  decide,
  evolve,
};
