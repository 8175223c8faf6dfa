/**
 * What a payment provider can do, in words of no provider. Every call is safe to repeat: the ids we send are its
 * idempotency keys. Every call ends within its adapter's time limit, by answer or by `ProviderError`.
 */

/** How far a payment has come at its provider. `authorized`: money is reserved and waits for `capture`. */
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

/** A payment as its provider has it now: the only word that counts. */
export interface ProviderPayment {
  readonly providerId: string;
  /** Ours, as given to `create`. */
  readonly paymentId: string;
  readonly status: ProviderStatus;
  readonly amountMinor: number;
  readonly currency: string;
  /** Where the payer goes on; present while `requires_action`. */
  readonly redirectUrl?: string;
  /** Why it failed or was cancelled, in the provider's short code (`insufficient_funds`). */
  readonly reason?: string;
}

export interface ProviderRefund {
  readonly providerRefundId: string;
  readonly status: 'pending' | 'succeeded' | 'failed';
  readonly reason?: string;
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
}

export interface NewProviderRefund {
  /** Ours; the idempotency key. */
  readonly refundId: string;
  readonly providerId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly reason: string;
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
  get(providerId: string): Promise<ProviderPayment>;
  /** Takes what is `authorized`, whole. */
  capture(providerId: string): Promise<ProviderPayment>;
  /** Ends a payment that has taken no money; refused where the provider cannot, then it ends by itself. */
  cancel(providerId: string): Promise<ProviderPayment>;
  refund(refund: NewProviderRefund): Promise<ProviderRefund>;
  getRefund(providerRefundId: string): Promise<ProviderRefund>;
  /**
   * Says what a notification is about, once its signature, token or sender is proven. `eventKey` is the same for
   * every delivery of the same notification. `providerId` names the payment, for notifications about refunds too.
   * What else the body claims is not believed: `get` is asked.
   * @throws ProviderError `refused` when it does not come from the provider
   */
  verifyNotification(notification: Notification): { readonly eventKey: string; readonly providerId: string };
  /** What the provider wants to read back when a notification was taken. */
  readonly acknowledgement: string;
}

/**
 * Why a provider did not do it. `away`: no answer, a time limit, its 429 or 5xx: what was asked may or may not have
 * happened, repeat it. `refused`: its answer is no, and repeating will not change that.
 */
export class ProviderError extends Error {
  readonly kind: 'away' | 'refused';
  /** The provider's short code, when it gave one. */
  readonly reason: string | undefined;
  constructor(kind: 'away' | 'refused', message: string, reason?: string) {
    super(message);
    this.name = 'ProviderError';
    this.kind = kind;
    this.reason = reason;
  }
}

/** The providers this system was set up with. */
export interface PaymentProviders {
  /** Takes new payments. */
  readonly default: PaymentProvider;
  /** Each payment goes on with the one it began with. */
  readonly byName: ReadonlyMap<string, PaymentProvider>;
}
