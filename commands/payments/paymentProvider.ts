/**
 * The port to a payment provider, in neutral terms. Every call is safe to repeat: our ids are its idempotency keys.
 * Every call ends within the adapter's time limit, with a reply or a `ProviderError`.
 */

import { OutsideFault } from '../../infra/outsideFault.ts';
import type { ClosingReceipt, Receipt } from './fiscalReceipt.ts';

/** The status of a payment at its provider. `authorized`: money is reserved and waits for `capture`. */
export type ProviderStatus =
  | 'pending'
  | 'requires_action'
  | 'processing'
  | 'authorized'
  | 'succeeded'
  | 'failed'
  | 'cancelled'
  | 'expired';

export type PaymentMethod = 'card' | 'sbp' | 'wallet';

/** A payment as its provider reports it: the only source of its state. */
export interface ProviderPayment {
  readonly providerPaymentId: string;
  /** Ours, as given to `create`. */
  readonly paymentId: string;
  readonly status: ProviderStatus;
  readonly amountMinor: number;
  readonly currency: string;
  /** Where the payer continues; present while `requires_action`. */
  readonly redirectUrl?: string;
  /** Why it failed or was cancelled, in the provider's short code (`insufficient_funds`). */
  readonly reason?: string;
  /** Total refunded of this payment; absent if the provider does not report it. */
  readonly refundedMinor?: number;
  /** Something was refunded, but not all, and the provider does not say how much. */
  readonly isPartlyRefunded?: true;
}

export interface ProviderRefund {
  readonly providerRefundId: string;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly reason?: string;
  /** What is left of the payment after it, where the provider says so. */
  readonly leftMinor?: number;
}

/** A refund in the provider's list, whoever made it. */
export interface ProviderRefundEntry extends Pick<ProviderRefund, 'providerRefundId' | 'status'> {
  readonly amountMinor: number;
  /** What `refund` was given as `refundId`; absent: it was not made by us. */
  readonly refundId?: string;
}

/** `unknown`: the provider cannot tell whether a repeated refund was made. `failed`: it certainly was not. */
export interface ReviewedRefund {
  readonly status: 'unknown' | 'failed';
  readonly reason: string;
}

export interface NewProviderPayment {
  readonly paymentId: string;
  readonly amountMinor: number;
  /** ISO 4217. */
  readonly currency: string;
  /** Shown to the payer; holds no personal data. */
  readonly description: string;
  /** Where the payer comes back to. */
  readonly returnUrl: string;
  readonly method: PaymentMethod;
  readonly idempotencyKey: string;
  /** Ours: whose payment it is. */
  readonly customerId: string;
  /** `manual`: the money is reserved first and waits for `capture`, where the provider has two stages. */
  readonly capture: 'automatic' | 'manual';
  /** Absent: no fiscal receipt is issued. */
  readonly receipt?: Receipt;
  /** A saved method's token: no page, no entering. The provider may still ask for 3-D Secure. */
  readonly token?: string;
}

/** A payment method that a payer saved with the provider. */
export interface ProviderMethod {
  /** The provider's id of the saving itself, to ask about it. */
  readonly providerMethodId: string;
  readonly status: 'pending' | 'requires_action' | 'active' | 'failed';
  /** Where the payer confirms it; present while `requires_action`. */
  readonly redirectUrl?: string;
  /** The token that later payments use; present once `active`. A secret: with our key it is enough to charge. */
  readonly token?: string;
  readonly brand?: string;
  readonly last4?: string;
  /** `MM/YY`. */
  readonly exp?: string;
  readonly reason?: string;
}

export interface NewProviderMethod {
  /** Ours; the idempotency key. */
  readonly methodId: string;
  /** Ours: whose method it is. */
  readonly customerId: string;
  readonly method: PaymentMethod;
  readonly returnUrl: string;
}

/** Saving ways to pay. */
export interface Tokenisation {
  /** What it can save; by default cards only. */
  readonly methods?: readonly PaymentMethod[];
  /** false: it has no way to delete what it saved. What we forget the id of cannot be charged any more. */
  readonly deletes?: false;
  tokenise(method: NewProviderMethod): Promise<ProviderMethod>;
  getMethod(method: { readonly providerMethodId: string; readonly customerId: string }): Promise<ProviderMethod>;
  /** Safe to repeat: one that is gone already is removed. */
  removeMethod(method: {
    readonly providerMethodId: string;
    readonly customerId: string;
    readonly token: string;
  }): Promise<void>;
}

/** Where an owner's money goes: an account in a Russian bank. */
export interface NominalAccount {
  readonly bik: string;
  readonly number: string;
  readonly holder: string;
}

export interface NewEscrow {
  /** Ours; the idempotency key. */
  readonly escrowId: string;
  /** The provider's id of the payment that the money came with. */
  readonly providerPaymentId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly recipient: NominalAccount;
}

export interface ProviderEscrow {
  readonly providerEscrowId: string;
  readonly status: 'pending' | 'held' | 'released' | 'cancelled';
}

/** Money held on the provider's nominal account. */
export interface EscrowGateway {
  hold(escrow: NewEscrow): Promise<ProviderEscrow>;
  getEscrow(providerEscrowId: string): Promise<ProviderEscrow>;
  /** To the recipient. */
  release(providerEscrowId: string): Promise<ProviderEscrow>;
  /** Moves it back to the payment, from which it can be refunded. */
  cancelEscrow(providerEscrowId: string): Promise<ProviderEscrow>;
}

export interface NewProviderRefund {
  /** Ours; the idempotency key. */
  readonly refundId: string;
  readonly providerPaymentId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly reason: string;
  /** When it was sent before, if it may have been, RFC 3339. */
  readonly sentAt?: string;
  /** Absent: no fiscal receipt is issued. */
  readonly receipt?: Receipt;
  /** What was refunded of the payment before this one; by default nothing. */
  readonly refundedMinor?: number;
}

/** A refund of ours that the provider has made. */
export interface MadeRefund {
  readonly providerRefundId: string;
  readonly amountMinor: number;
}

export interface Notification {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly rawBody: Buffer;
  readonly ip: string | null;
}

export interface PaymentProvider {
  /** The `:provider` of the webhook address, and what is recorded on the payment. */
  readonly name: string;
  create(payment: NewProviderPayment): Promise<ProviderPayment>;
  get(providerPaymentId: string): Promise<ProviderPayment>;
  /**
   * Looks for a payment by our id, because the answer to `create` was lost; undefined when the provider has none.
   * @param since when we created it; it is not older at the provider
   */
  find(paymentId: string, since: string): Promise<ProviderPayment | undefined>;
  /** Captures the whole amount that is `authorized`. */
  capture(providerPaymentId: string): Promise<ProviderPayment>;
  /** Ends a payment that has taken no money. Some providers refuse this; the payment then expires by itself. */
  cancel(providerPaymentId: string): Promise<ProviderPayment>;
  refund(refund: NewProviderRefund): Promise<ProviderRefund | ReviewedRefund>;
  /** It may carry out a repeated refund twice: only one of a payment's refunds may be under way. */
  readonly oneRefundAtATime?: true;
  getRefund(providerRefundId: string): Promise<ProviderRefund>;
  /** All refunds of a payment. Absent: the provider cannot list them. */
  refundsOf?(providerPaymentId: string): Promise<readonly ProviderRefundEntry[]>;
  /**
   * How much is left of a partly refunded payment, where its report does not say it: asked by naming a refund of ours
   * that was made. Undefined: it cannot be asked about this payment. Absent: the report says it.
   */
  leftAfter?(refund: MadeRefund): Promise<number | undefined>;
  /** Issues the second receipt of a prepayment. Absent: the provider cannot. */
  closeReceipt?(closing: ClosingReceipt): Promise<void>;
  /**
   * Verifies a notification and says what it is about. `eventKey` is the same for every delivery of one notification.
   * `providerPaymentId` names the payment, also for refunds; with the subject `method` it is the `providerMethodId`.
   * Nothing else in the body is trusted; call `get` for the state.
   * @throws ProviderError `refused` when it does not come from the provider
   */
  verifyNotification(notification: Notification): {
    readonly eventKey: string;
    readonly providerPaymentId: string;
    /** By default `payment`. */
    readonly subject?: 'payment' | 'method';
  };
  /** The only currencies it takes. Absent: any. */
  readonly currencies?: readonly string[];
  /** What the provider wants to read back when a notification was taken. */
  readonly acknowledgement: string;
  /** Absent: the provider cannot save methods. */
  readonly tokenisation?: Tokenisation;
  /** Absent: the money waits in our own ledger instead. */
  readonly escrow?: EscrowGateway;
}

/**
 * Why a call to a provider failed. `away`: no reply, a timeout, its 429 or 5xx. The request may have been carried out;
 * repeat it. `refused`: the reply is no, and repeating will not change that.
 */
export class ProviderError extends OutsideFault {
  readonly kind: 'away' | 'refused';
  /** The provider's short code, when it gave one. */
  readonly reason: string | undefined;
  constructor(kind: 'away' | 'refused', message: string, reason?: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ProviderError';
    this.kind = kind;
    this.reason = reason;
  }
}

/** The providers this system was set up with. */
export interface PaymentProviders {
  /** Takes new payments. */
  readonly default: PaymentProvider;
  /** Each payment stays with the provider that it started with. */
  readonly byName: ReadonlyMap<string, PaymentProvider>;
}
