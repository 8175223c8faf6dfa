/**
 * One payment at one provider, for one or several items, and its refunds. The provider's reports move it, only forward.
 * What happens to the money of each item is in `paymentMoney.ts` and `paymentEscrow.ts`.
 */
import type { Static } from '@sinclair/typebox';
import { type Decider, notFound, Rejected } from '../core/decider.ts';
import { captured } from '../ledger/ledger.ts';
import { chargedAgain, type DuplicateCommand, decideDuplicate, evolveDuplicate } from './duplicateCharges.ts';
import { decideEscrow, type EscrowCommand, evolveEscrow } from './paymentEscrow.ts';
import { type PaymentEvent, paymentEvents } from './paymentEvents.ts';
import { decideMoney, evolveMoney, type MoneyCommand } from './paymentMoney.ts';
import {
  itemOf,
  type OpenPayment,
  type Payment,
  type PaymentStatus,
  paidItem,
  partsOfAll,
  ranks,
} from './paymentState.ts';

export { openEscrow } from './paymentEscrow.ts';
export type { PaymentEvent, PaymentItem } from './paymentEvents.ts';
export {
  isDead,
  isReadFrom,
  type OpenPayment,
  type Payment,
  type PaymentStatus,
  paymentStatuses,
  paysFor,
  type Received,
  type Refund,
  type RefundStatus,
  refundableMinor,
  refundedMinor,
  refundStatuses,
} from './paymentState.ts';

type Created = Static<typeof paymentEvents.PaymentCreated.data>;

/** What the provider reports about a payment. */
interface ProviderState {
  readonly providerPaymentId: string;
  readonly status: PaymentStatus;
  readonly amountMinor: number;
  readonly currency: string;
  readonly redirectUrl?: string;
  readonly reason?: string;
  /** Total refunded of this payment, if the provider reports it. */
  readonly refundedMinor?: number;
}

export type PaymentCommand =
  | ({ readonly type: 'CreatePayment' } & Created)
  | ({ readonly type: 'ApplyProviderState' } & ProviderState)
  /** Stops waiting for the payment. Money that arrives later still counts. */
  | { readonly type: 'GiveUp'; readonly status: 'failed' | 'cancelled' | 'expired'; readonly code: string | null }
  /** The provider issued the closing receipt of an item. */
  | { readonly type: 'RecordClosingReceipt'; readonly itemId: string; readonly amountMinor: number }
  | MoneyCommand
  | EscrowCommand
  | DuplicateCommand;

const decide = (command: PaymentCommand, state: Payment): PaymentEvent[] => {
  if (command.type === 'CreatePayment') {
    const { type, ...data } = command;
    return state.status === 'none' ? create(data) : [];
  }
  if (state.status === 'none') throw notFound('payment');
  switch (command.type) {
    case 'ApplyProviderState':
      return applyProviderState(command, state);
    case 'GiveUp':
      return ranks[command.status] <= ranks[state.status] ? [] : [ended(command.status, command.code)];
    case 'RecordClosingReceipt': {
      const { itemId, amountMinor } = command;
      if (state.closedReceipts.includes(itemOf(state, itemId).id)) return [];
      return [{ type: 'ClosingReceiptIssued', data: { itemId, amountMinor, currency: state.currency } }];
    }
    case 'RequestRefund':
    case 'RefundRest':
    case 'RecordChargeback':
    case 'ApplyRefundState':
    case 'RetryRefund':
    case 'AttemptRefund':
    case 'ResolveRefund':
    case 'ReleaseShare':
      return decideMoney(command, state);
    case 'RequestEscrow':
    case 'ApplyEscrowState':
      return decideEscrow(command, state);
    case 'ApplyDuplicateReturn':
      return decideDuplicate(command, state);
  }
};

const create = (data: Created): PaymentEvent[] => {
  const sum = data.items.reduce((total, { amountMinor }) => total + amountMinor, 0);
  const isOnce = new Set(data.items.map(({ id }) => id)).size === data.items.length;
  const fits = data.items.every(
    ({ amountMinor, commissionMinor, promotionMinor = 0 }) =>
      amountMinor > 0 && commissionMinor <= amountMinor + promotionMinor,
  );
  if (!isOnce || !fits || sum !== data.amountMinor || sum <= 0)
    throw new Rejected(
      'invalid',
      'The items of a payment must differ, have positive amounts, and add up to the amount of the payment.',
    );
  return [{ type: 'PaymentCreated', data }];
};

const ended = (status: 'failed' | 'cancelled' | 'expired', code: string | null): PaymentEvent => {
  switch (status) {
    case 'failed':
      return { type: 'PaymentFailed', data: { code } };
    case 'cancelled':
      return { type: 'PaymentCancelled', data: { code } };
    case 'expired':
      return { type: 'PaymentExpired', data: { code } };
  }
};

/** Captured and fully refunded before we learned of either: a cancellation that arrived just after the payment. */
const isGivenBack = ({ status, amountMinor, refundedMinor }: ProviderState): boolean =>
  status === 'succeeded' && refundedMinor === amountMinor;

const applyProviderState = (answer: ProviderState, state: OpenPayment): PaymentEvent[] => {
  const reported: ProviderState = isGivenBack(answer)
    ? { ...answer, status: 'cancelled', reason: 'given_back' }
    : answer;
  // A provider may have created a payment twice because its first answer was lost. Nobody pays that one, and its end
  // does not end ours.
  const isOther = state.providerPaymentId !== null && state.providerPaymentId !== reported.providerPaymentId;
  if (isOther && state.status === 'succeeded' && answer.status === 'succeeded')
    return chargedAgain(answer, isGivenBack(answer), state);
  if (isOther && reported.status !== 'succeeded') return [];
  // Amounts are not compared for a state that changes nothing: after refunds a provider may report what is left.
  if (ranks[reported.status] <= ranks[state.status]) return [];
  if (reported.amountMinor !== state.amountMinor || reported.currency !== state.currency)
    throw new Rejected('payment_mismatch', 'The provider reports another amount than was requested.', {
      expected: { minor: state.amountMinor, currency: state.currency },
      found: { minor: reported.amountMinor, currency: reported.currency },
    });
  const { userId, provider, items, amountMinor, currency } = state;
  const { providerPaymentId } = reported;
  switch (reported.status) {
    case 'pending':
      return [];
    case 'requires_action':
      if (reported.redirectUrl === undefined) return [];
      return [
        { type: 'PaymentActionRequested', data: { userId, providerPaymentId, redirectUrl: reported.redirectUrl } },
      ];
    case 'processing':
      return [{ type: 'PaymentProcessingStarted', data: { providerPaymentId } }];
    case 'authorized':
      return [{ type: 'PaymentAuthorized', data: { providerPaymentId } }];
    case 'succeeded': {
      const postings = captured(
        provider,
        items.map((item) => paidItem(state, item)),
      );
      return [{ type: 'PaymentSucceeded', data: { providerPaymentId, amountMinor, currency, postings } }];
    }
    case 'failed':
    case 'cancelled':
    case 'expired':
      return [ended(reported.status, reported.reason ?? null)];
  }
};

const evolve = (state: Payment, event: PaymentEvent): Payment => {
  if (event.type === 'PaymentCreated') return { ...event.data, ...begun };
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'PaymentActionRequested': {
      const { providerPaymentId, redirectUrl } = event.data;
      return { ...state, status: 'requires_action', providerPaymentId, redirectUrl };
    }
    case 'PaymentProcessingStarted':
      return { ...state, status: 'processing', providerPaymentId: event.data.providerPaymentId };
    case 'PaymentAuthorized':
      return { ...state, status: 'authorized', providerPaymentId: event.data.providerPaymentId };
    case 'PaymentSucceeded': {
      const { providerPaymentId, amountMinor } = event.data;
      return { ...state, status: 'succeeded', providerPaymentId, capturedMinor: amountMinor, parts: partsOfAll(state) };
    }
    case 'PaymentFailed':
      return { ...state, status: 'failed' };
    case 'PaymentCancelled':
      return { ...state, status: 'cancelled' };
    case 'PaymentExpired':
      return { ...state, status: 'expired' };
    case 'RefundRequested':
    case 'RefundAttempted':
    case 'RefundSubmitted':
    case 'RefundSucceeded':
    case 'RefundFailed':
    case 'RefundReviewRequested':
    case 'RefundRetried':
    case 'ShareReleased':
    case 'ChargedBack':
      return evolveMoney(state, event);
    case 'EscrowRequested':
    case 'EscrowSubmitted':
    case 'EscrowHeld':
    case 'EscrowReleased':
    case 'EscrowCancelled':
      return evolveEscrow(state, event);
    case 'ClosingReceiptIssued':
      return { ...state, closedReceipts: [...state.closedReceipts, event.data.itemId] };
    case 'DuplicateChargeReceived':
    case 'DuplicateChargeReturned':
    case 'DuplicateChargeReviewRequested':
      return evolveDuplicate(state, event);
  }
};

const begun = {
  status: 'pending',
  providerPaymentId: null,
  redirectUrl: null,
  capturedMinor: 0,
  refunds: {},
  parts: {},
  released: [],
  escrows: {},
  chargebacks: [],
  closedReceipts: [],
  duplicates: {},
} as const;

export const payment: Decider<Payment, PaymentCommand, PaymentEvent> = {
  category: 'payment',
  events: paymentEvents,
  initial: { status: 'none' },
  decide,
  evolve,
};
