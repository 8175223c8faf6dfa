/**
 * One payment at one provider, for one or several items, and its refunds. The provider's reports move it, only forward.
 * What happens to the money of each item is in `paymentMoney.ts` and `paymentEscrow.ts`.
 */
import type { Static } from '@sinclair/typebox';
import { type Decider, Rejected, requireExisting } from '../core/decider.ts';
import { type DuplicateCommand, decideDuplicate, evolveDuplicate } from './duplicateCharges.ts';
import { decideEscrow, type EscrowCommand, evolveEscrow } from './paymentEscrow.ts';
import { type PaymentEvent, paymentEvents } from './paymentEvents.ts';
import { acceptMismatch, evolveMismatch, mismatchFound } from './paymentMismatch.ts';
import { decideMoney, evolveMoney, type MoneyCommand } from './paymentMoney.ts';
import { itemOf, type Mismatch, type Payment, partsOfAll, ranks } from './paymentState.ts';
import { ended, type ProviderReport, reportedStatus } from './providerReport.ts';
import { recordMadeThere, reportedMoney } from './reportedMoney.ts';

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

export type PaymentCommand =
  | ({ readonly type: 'CreatePayment' } & Created)
  | ({ readonly type: 'ApplyProviderState' } & ProviderReport)
  /** Stops waiting for the payment. Money that arrives later still counts. */
  | { readonly type: 'GiveUp'; readonly status: 'failed' | 'cancelled' | 'expired'; readonly code: string | null }
  /** The provider issued the closing receipt of an item. */
  | { readonly type: 'RecordClosingReceipt'; readonly itemId: string; readonly amountMinor: number }
  /** The provider cannot be asked about a captured payment: it does not know it. */
  | ({ readonly type: 'ReportMismatch' } & Pick<Mismatch, 'kind' | 'ours' | 'theirs'>)
  /** An operator has looked at a mismatch, and both records may stay as they are. */
  | { readonly type: 'AcceptMismatch' }
  /** An operator has seen a refund at the provider that its report does not say enough about. */
  | {
      readonly type: 'RecordRefundMadeThere';
      readonly refundId: string;
      readonly itemId: string;
      readonly amountMinor: number;
    }
  | MoneyCommand
  | EscrowCommand
  | DuplicateCommand;

const decide = (command: PaymentCommand, state: Payment): PaymentEvent[] => {
  if (command.type === 'CreatePayment') {
    const { type, ...data } = command;
    return state.status === 'none' ? create(data) : [];
  }
  requireExisting(state, 'payment');
  switch (command.type) {
    case 'ApplyProviderState': {
      const moved = reportedStatus(command, state);
      const after = moved.reduce(evolve, state);
      requireExisting(after, 'payment');
      return [...moved, ...reportedMoney(command, after)];
    }
    case 'ReportMismatch':
      return state.status === 'succeeded' ? mismatchFound(state, command) : [];
    case 'AcceptMismatch':
      return acceptMismatch(state);
    case 'RecordRefundMadeThere':
      return recordMadeThere(command, state);
    case 'GiveUp':
      return ranks[command.status] <= ranks[state.status] ? [] : [ended(command.status, command.code)];
    case 'RecordClosingReceipt': {
      const { itemId, amountMinor } = command;
      if (state.closedReceipts.includes(itemOf(state, itemId).id)) return [];
      return [{ type: 'ClosingReceiptIssued', data: { itemId, amountMinor, currency: state.currency } }];
    }
    case 'RequestRefund':
    case 'RefundRest':
    case 'ReserveChargeback':
    case 'EndChargebackReservation':
    case 'RecordChargeback':
    case 'RecordWonChargeback':
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
      { fields: ['booking_id', 'trip_id', 'purchase_id'] },
    );
  return [{ type: 'PaymentCreated', data }];
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
    case 'ChargebackReserved':
    case 'ChargebackReservationEnded':
    case 'ChargedBack':
    case 'ChargebackWon':
      return evolveMoney(state, event);
    case 'EscrowRequested':
    case 'EscrowSubmitted':
    case 'EscrowHeld':
    case 'EscrowReleased':
    case 'EscrowCancelled':
      return evolveEscrow(state, event);
    case 'ClosingReceiptIssued':
      return { ...state, closedReceipts: [...state.closedReceipts, event.data.itemId] };
    case 'PaymentMismatchFound':
    case 'PaymentMismatchEnded':
      return evolveMismatch(state, event);
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
  disputes: {},
  closedReceipts: [],
  duplicates: {},
  mismatch: null,
} as const;

export const payment: Decider<Payment, PaymentCommand, PaymentEvent> = {
  category: 'payment',
  short: 'a payment ends',
  events: paymentEvents,
  initial: { status: 'none' },
  decide,
  evolve,
};
