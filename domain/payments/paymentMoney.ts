/**
 * What happens to the money of each item of a payment: it is refunded to the payer, or released to the owner. Postings
 * are made when money has moved; requested refunds are only reserved until then.
 */
import { Contended, notFound, Rejected } from '../core/decider.ts';
import { dividedAt } from '../core/money.ts';
import { partsTaken, payersMinor, priceOf, refunded, released } from '../ledger/ledger.ts';
import {
  type ChargebackCommand,
  endReservation,
  evolveChargeback,
  recordChargeback,
  recordWonChargeback,
  reserveChargeback,
} from './chargeback.ts';
import { assertNotInEscrow } from './paymentEscrow.ts';
import type { PaymentEvent, refundCauses } from './paymentEvents.ts';
import { assertAgrees, isInDispute } from './paymentMismatch.ts';
import {
  assertPaid,
  drawOf,
  freeMinor,
  freeParts,
  itemOf,
  nextDraw,
  type OpenPayment,
  paidItem,
  partsLeft,
  type Refund,
  type RefundStatus,
  refundableMinor,
  withContribution,
  without,
  withReleased,
} from './paymentState.ts';

export type MoneyCommand =
  | {
      readonly type: 'RequestRefund';
      readonly refundId: string;
      readonly itemId: string;
      readonly amountMinor: number;
      readonly cause: (typeof refundCauses)[number];
      /** The rate of the commission that stays; by default the commission returns only what the owner's part lacks. */
      readonly commissionBps?: number;
      /** The price that stays of what older payments paid of the item, for the commission on all of it. Absent: 0. */
      readonly keptBeforeMinor?: number;
      /** What must stay of the item; nothing by default. */
      readonly keptMinor?: number;
      /** What the owner's account has reserved for it. If given, it takes no more than this of what was released. */
      readonly reservedMinor?: number;
    }
  /** Refunds all that is left of the item, except `keptMinor`. */
  | {
      readonly type: 'RefundRest';
      readonly refundId: string;
      readonly itemId: string;
      readonly keptMinor: number;
      readonly cause: (typeof refundCauses)[number];
      readonly commissionBps?: number;
      readonly keptBeforeMinor?: number;
    }
  | {
      readonly type: 'ApplyRefundState';
      readonly refundId: string;
      readonly status: RefundStatus;
      readonly providerRefundId?: string;
      readonly reason?: string;
      /** Which attempt it is about; by default the current one. */
      readonly attempt?: number;
      /** With `manual_review`: it is certain that the refund was not made. */
      readonly hasFailed?: boolean;
    }
  /** Before it is sent to a provider that may carry out a repeated request twice. */
  | { readonly type: 'AttemptRefund'; readonly refundId: string; readonly attempt: number; readonly at: string }
  /** For a refund after an operator's review. */
  | { readonly type: 'RetryRefund'; readonly refundId: string }
  /** An operator records how a refund in review ended. */
  | { readonly type: 'ResolveRefund'; readonly refundId: string; readonly status: 'succeeded' | 'failed' }
  | ChargebackCommand
  /** The dispute window of the item is over. */
  | { readonly type: 'ReleaseShare'; readonly itemId: string };
type Of<T extends MoneyCommand['type']> = Extract<MoneyCommand, { type: T }>;
export type MoneyEvent = Extract<
  PaymentEvent,
  { type: `Refund${string}` | 'ShareReleased' | 'ChargedBack' | `Chargeback${string}` }
>;

export const decideMoney = (command: MoneyCommand, state: OpenPayment): MoneyEvent[] => {
  switch (command.type) {
    case 'RequestRefund':
      return requestRefund(command, state);
    case 'RefundRest': {
      const amountMinor = refundableMinor(state, command.itemId) - command.keptMinor;
      return amountMinor <= 0 ? [] : requestRefund({ ...command, type: 'RequestRefund', amountMinor }, state);
    }
    case 'ApplyRefundState':
      return applyRefundState(command, state);
    case 'RetryRefund': {
      const { refundId } = command;
      const { status, itemId, attempt, isKnownToHaveFailed } = refundOf(state, refundId);
      if (status !== 'manual_review') return [];
      // The provider may still carry out an attempt whose outcome is unknown, so that it keeps its key.
      const next = isKnownToHaveFailed ? { attempt: attempt + 1 } : {};
      return [{ type: 'RefundRetried', data: { refundId, itemId, ...next } }];
    }
    case 'AttemptRefund':
      return attemptRefund(command, state);
    case 'ResolveRefund':
      return resolveRefund(command, state);
    case 'ReserveChargeback':
      return reserveChargeback(command, state);
    case 'EndChargebackReservation':
      return endReservation(command, state);
    case 'RecordChargeback':
      return recordChargeback(command, state);
    case 'RecordWonChargeback':
      return recordWonChargeback(command, state);
    case 'ReleaseShare':
      return state.released.includes(command.itemId) ? [] : releaseShare(state, command.itemId);
  }
};

const refundOf = ({ refunds }: OpenPayment, refundId: string): Refund => {
  const found = refunds[refundId];
  if (!found) throw notFound('refund');
  return found;
};

/** Whether a refund was sent to the provider and may be carried out from now on. */
const isUnderWay = ({ status, sentAt, isKnownToHaveFailed }: Refund): boolean =>
  sentAt !== null && (status === 'pending' || (status === 'manual_review' && !isKnownToHaveFailed));

/** One at a time, so that the state of the payment at the provider shows what became of it. */
const attemptRefund = ({ refundId, attempt, at }: Of<'AttemptRefund'>, state: OpenPayment): MoneyEvent[] => {
  const refund = refundOf(state, refundId);
  if (refund.status !== 'pending' || refund.attempt !== attempt || refund.sentAt !== null) return [];
  if (Object.values(state.refunds).some(isUnderWay))
    throw new Rejected('conflict', 'Another refund of this payment is under way. Try again later.');
  return [{ type: 'RefundAttempted', data: { refundId, attempt, at } }];
};

/**
 * How much of the commission a refund returns, so that what stays is the commission on the price that stays. Returns that
 * were rounded one by one would not add up to it.
 */
const commissionBack = (
  { itemId, amountMinor, commissionBps: rateBps, keptBeforeMinor = 0 }: Of<'RequestRefund'>,
  state: OpenPayment,
): { readonly commissionMinor?: number } => {
  if (rateBps === undefined) return {};
  const takenMinor = withContribution(state, itemId, amountMinor);
  const left = freeParts(state, itemId);
  const on = (priceMinor: number): number => dividedAt(priceMinor, rateBps)[0];
  const staysMinor = on(keptBeforeMinor + priceOf(left) - takenMinor) - on(keptBeforeMinor);
  return { commissionMinor: Math.max(0, Math.min(takenMinor, left.platformMinor - staysMinor)) };
};

const requestRefund = (command: Of<'RequestRefund'>, state: OpenPayment): MoneyEvent[] => {
  const { refundId, itemId, amountMinor, cause, keptMinor = 0, reservedMinor = Number.POSITIVE_INFINITY } = command;
  if (state.refunds[refundId]) return [];
  itemOf(state, itemId);
  assertPaid(state);
  const left = refundableMinor(state, itemId) - keptMinor;
  const { currency } = state;
  const rest = { refundable_minor: left, currency };
  if (left <= 0) throw new Rejected('refund_too_large', 'Nothing is left to refund: it has gone back already.', rest);
  if (amountMinor <= 0) throw new Rejected('invalid', 'The refund amount must be positive.', { fields: ['amount'] });
  if (amountMinor > left)
    throw new Rejected('refund_too_large', 'The amount is higher than what can still be refunded.', rest);
  if (nextDraw(state, itemId, amountMinor).availableMinor > reservedMinor) throw new Contended();
  const returned = commissionBack(command, state);
  const requested: MoneyEvent = {
    type: 'RefundRequested',
    data: { refundId, itemId, amountMinor, currency, cause, ...returned },
  };
  // What went back at the provider is not known, so that the rest is not known either. Nothing is sent until a person has
  // looked, unless one has said how much.
  if (cause === 'requested' || state.mismatch?.kind !== 'refunds' || !isInDispute(state)) return [requested];
  const code = 'payment_mismatch';
  return [requested, { type: 'RefundReviewRequested', data: { refundId, itemId, code, outcome: 'failed' } }];
};

export const applyRefundState = (
  { refundId, status, providerRefundId, reason, attempt, hasFailed }: Of<'ApplyRefundState'>,
  state: OpenPayment,
): MoneyEvent[] => {
  const refund = refundOf(state, refundId);
  if (refund.status === 'succeeded' || refund.status === 'failed') return [];
  if (attempt !== undefined && attempt !== refund.attempt) return [];
  const submitted: MoneyEvent[] =
    providerRefundId !== undefined && refund.providerRefundId === null
      ? [{ type: 'RefundSubmitted', data: { refundId, providerRefundId } }]
      : [];
  const { itemId, amountMinor } = refund;
  const code = reason ?? null;
  switch (status) {
    case 'pending':
      return submitted;
    case 'succeeded': {
      const { provider, currency } = state;
      const draw = drawOf(state, refundId);
      const lossMinor = amountMinor - payersMinor(draw);
      const postings = refunded(provider, paidItem(state, itemOf(state, itemId)), draw, lossMinor);
      return [...submitted, { type: 'RefundSucceeded', data: { refundId, itemId, amountMinor, currency, postings } }];
    }
    case 'failed': {
      const failed: MoneyEvent = { type: 'RefundFailed', data: { refundId, itemId, code } };
      const after = evolveMoney(state, failed);
      // What was set apart for it follows what has been released already.
      const freed = state.released.includes(itemId) && freeMinor(after, itemId) > 0 ? releaseShare(after, itemId) : [];
      return [...submitted, failed, ...freed];
    }
    case 'manual_review':
      return refund.status === status && !(hasFailed && !refund.isKnownToHaveFailed)
        ? submitted
        : [...submitted, { type: 'RefundReviewRequested', data: { refundId, itemId, code, ...review(hasFailed) } }];
  }
};

const review = (hasFailed: boolean | undefined) =>
  hasFailed === undefined ? {} : ({ outcome: hasFailed ? 'failed' : 'unknown' } as const);

const resolveRefund = ({ refundId, status }: Of<'ResolveRefund'>, state: OpenPayment): MoneyEvent[] => {
  const { status: before, itemId, amountMinor } = refundOf(state, refundId);
  if (before === status) return [];
  if (before !== 'manual_review')
    throw new Rejected(
      'invalid_transition',
      `Only a refund with the status manual_review can be resolved or retried. This one has the status ${before}.`,
    );
  // Otherwise the owner would be paid there what has gone back to the payer.
  if (status === 'succeeded') assertNotInEscrow(state, itemId);
  if (status === 'succeeded' && payersMinor(drawOf(state, refundId)) < amountMinor)
    throw new Rejected(
      'invalid_transition',
      'Less is left of the item than this refund: other refunds have returned the money. Resolve it as failed.',
    );
  return applyRefundState({ type: 'ApplyRefundState', refundId, status, reason: 'by_hand' }, state);
};

const releaseShare = (state: OpenPayment, itemId: string): MoneyEvent[] => {
  const { ownerId } = itemOf(state, itemId);
  assertPaid(state);
  if (ownerId === null) return [];
  assertAgrees(state);
  assertNotInEscrow(state, itemId);
  const amountMinor = freeMinor(state, itemId);
  const postings = released(ownerId, amountMinor, itemId);
  return [{ type: 'ShareReleased', data: { itemId, ownerId, amountMinor, currency: state.currency, postings } }];
};

export const evolveMoney = (state: OpenPayment, event: MoneyEvent): OpenPayment => {
  switch (event.type) {
    case 'RefundRequested': {
      const { refundId, itemId, amountMinor, commissionMinor = 0 } = event.data;
      const refund: Refund = { itemId, amountMinor, commissionMinor, status: 'pending', ...unsent };
      return { ...state, refunds: { ...state.refunds, [refundId]: refund } };
    }
    case 'RefundAttempted':
      return withRefund(state, event.data.refundId, { sentAt: event.data.at });
    case 'RefundSubmitted':
      return withRefund(state, event.data.refundId, { providerRefundId: event.data.providerRefundId });
    case 'RefundSucceeded': {
      const { refundId, itemId, postings } = event.data;
      const parts = { ...state.parts, [itemId]: without(partsLeft(state, itemId), partsTaken(postings)) };
      return withRefund({ ...state, parts }, refundId, { status: 'succeeded' });
    }
    case 'RefundFailed':
      return withRefund(state, event.data.refundId, { status: 'failed' });
    case 'RefundReviewRequested':
      return withRefund(state, event.data.refundId, {
        status: 'manual_review',
        isKnownToHaveFailed: event.data.outcome === 'failed',
      });
    case 'RefundRetried': {
      const { refundId, attempt } = event.data;
      return withRefund(state, refundId, { status: 'pending', ...(attempt !== undefined && { ...unsent, attempt }) });
    }
    case 'ChargebackReserved':
    case 'ChargebackReservationEnded':
    case 'ChargedBack':
    case 'ChargebackWon':
      return evolveChargeback(state, event);
    case 'ShareReleased':
      return withReleased(state, event.data.itemId, event.data.amountMinor);
  }
};

const unsent = { providerRefundId: null, attempt: 1, sentAt: null, isKnownToHaveFailed: false } as const;

const withRefund = (state: OpenPayment, refundId: string, change: Partial<Refund>): OpenPayment => {
  const refund = state.refunds[refundId];
  return refund ? { ...state, refunds: { ...state.refunds, [refundId]: { ...refund, ...change } } } : state;
};
