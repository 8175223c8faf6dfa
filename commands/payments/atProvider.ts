/**
 * Calls to a payment's provider, and recording its replies. Only the provider decides the state of a payment. Every
 * call is safe to repeat: the payment accepts only what moves it forward.
 */

import { Rejected } from '../../domain/core/decider.ts';
import {
  isDead,
  type OpenPayment,
  openEscrow,
  type Payment,
  payment,
  paysFor,
  type Refund,
} from '../../domain/payments/payment.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import type { PaymentDeps } from './deps.ts';
import { payableKind } from './payable.ts';
import { tokenOf } from './paymentMethods.ts';
import { type PaymentProvider, ProviderError, type ProviderPayment, type ProviderRefund } from './port.ts';

type Deps = Pick<PaymentDeps, 'aggregates' | 'paymentProviders'>;

/** The payment, which must exist. @throws Rejected `not_found` */
export const opened = ({ state }: { readonly state: Payment }): OpenPayment => {
  if (state.status === 'none') throw new Rejected('not_found', 'This payment does not exist.');
  return state;
};

/** @throws Rejected `not_found` */
export const loadPayment = async (deps: Pick<Deps, 'aggregates'>, paymentId: string): Promise<OpenPayment> =>
  opened(await deps.aggregates.load(payment, paymentId));

/** @throws ProviderError `away` when it is not set up here (any more) */
export const providerOf = (deps: Deps, name: string): PaymentProvider => {
  const provider = deps.paymentProviders.byName.get(name);
  if (!provider) throw new ProviderError('away', `payment provider ${name} is not set up`);
  return provider;
};

/** The reason of a final failure, which repeating would not change; undefined when repeating may help. */
export const finalReason = (error: unknown): string | undefined => {
  if (error instanceof Rejected) return error.code;
  return error instanceof ProviderError && error.kind === 'refused' ? (error.reason ?? 'refused') : undefined;
};

/** The token of the payment's saved method; null without one; undefined when it was removed meanwhile. */
const savedToken = async (deps: Deps, { userId, paymentMethodId }: OpenPayment): Promise<string | null | undefined> => {
  if (paymentMethodId === null) return null;
  try {
    return (await tokenOf(deps, userId, paymentMethodId)).token;
  } catch (error) {
    if (error instanceof Rejected) return undefined;
    throw error;
  }
};

/** What the payer reads at the provider: the text of the kind, where all items are of one kind and it has a text. */
const describe = (deps: Pick<PaymentDeps, 'payables'>, paymentId: string, state: OpenPayment): string => {
  const [kind, another] = new Set(state.items.map((item) => item.kind));
  const text = kind !== undefined && another === undefined ? payableKind(deps, kind).describe(state) : undefined;
  return text ?? `Order ${paymentId}`;
};

/** Makes sure that the provider knows the payment. */
export const submitPayment = async (
  deps: Deps & Pick<PaymentDeps, 'payables'>,
  context: CommandContext,
  paymentId: string,
): Promise<OpenPayment> => {
  const state = await loadPayment(deps, paymentId);
  if (state.status !== 'pending') return state;
  const { amountMinor, currency, method, returnUrl, userId, capture } = state;
  const token = await savedToken(deps, state);
  if (token === undefined) return giveUp(deps, followUp(context, 'method gone'), paymentId, 'failed', 'method_removed');
  try {
    const answer = await providerOf(deps, state.provider).create({
      paymentId,
      amountMinor,
      currency,
      method,
      returnUrl,
      description: describe(deps, paymentId, state),
      idempotencyKey: paymentId,
      customerId: userId,
      capture,
      ...(token !== null && { token }),
    });
    return await apply(deps, followUp(context, 'submitted'), paymentId, answer);
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind === 'away') throw error;
    return giveUp(deps, followUp(context, 'refused'), paymentId, 'failed', error.reason ?? 'refused');
  }
};

const apply = async (
  deps: Deps,
  context: CommandContext,
  paymentId: string,
  answer: ProviderPayment,
): Promise<OpenPayment> =>
  opened(await deps.aggregates.handle(payment, paymentId, { type: 'ApplyProviderState', ...answer }, context));

const giveUp = async (
  deps: Deps,
  context: CommandContext,
  paymentId: string,
  status: 'failed' | 'cancelled' | 'expired',
  code: string,
): Promise<OpenPayment> =>
  opened(await deps.aggregates.handle(payment, paymentId, { type: 'GiveUp', status, code }, context));

/**
 * Asks the provider how far a payment and its refunds have come, and records it.
 * @throws Rejected `payment_mismatch` · ProviderError
 */
export const syncPayment = async (deps: Deps, context: CommandContext, paymentId: string): Promise<OpenPayment> => {
  const before = await loadPayment(deps, paymentId);
  if (before.providerPaymentId === null) return before;
  const answer = await providerOf(deps, before.provider).get(before.providerPaymentId);
  const after = await apply(deps, context, paymentId, answer);
  for (const [refundId, { status, providerRefundId }] of Object.entries(after.refunds))
    if (status !== 'succeeded' && status !== 'failed' && providerRefundId !== null)
      await submitRefund(deps, followUp(context, refundId), paymentId, refundId);
  return loadPayment(deps, paymentId);
};

/**
 * Whether the provider is processing money for an item, or has it. The provider is asked; when it does not answer, the
 * recorded state counts.
 */
export const isBeingPaid = async (
  deps: Deps & Pick<PaymentDeps, 'log'>,
  context: CommandContext,
  itemId: string,
  { openPayment }: { readonly openPayment: string | null },
): Promise<boolean> => {
  if (openPayment === null) return false;
  const { state } = await deps.aggregates.load(payment, openPayment);
  if (state.status === 'none' || !paysFor(state, itemId)) return false;
  const { status } = await syncPayment(deps, followUp(context, 'sync'), openPayment).catch(async (error: unknown) => {
    if (!(error instanceof ProviderError || error instanceof Rejected)) throw error;
    deps.log.warn({ err: error, payment: openPayment }, 'the provider did not tell the status of an open payment');
    return (await deps.aggregates.load(payment, openPayment)).state;
  });
  return status === 'processing' || status === 'authorized' || status === 'succeeded';
};

/** The answer to a change of a payment, or the payment's current state when the provider refuses the change. */
const orCurrentState = (provider: PaymentProvider, providerPaymentId: string, change: Promise<ProviderPayment>) =>
  change.catch((error: unknown) => {
    if (error instanceof ProviderError && error.kind === 'refused') return provider.get(providerPaymentId);
    throw error;
  });

/** Captures the reserved money of a payment. */
export const capturePayment = async (deps: Deps, context: CommandContext, paymentId: string): Promise<OpenPayment> => {
  const state = await loadPayment(deps, paymentId);
  if (state.status !== 'authorized' || state.providerPaymentId === null) return state;
  const { providerPaymentId } = state;
  const provider = providerOf(deps, state.provider);
  const answer = await orCurrentState(provider, providerPaymentId, provider.capture(providerPaymentId));
  return apply(deps, context, paymentId, answer);
};

/**
 * Cancels the escrow of an item: the money must leave escrow before it can be refunded or set off.
 * @throws ProviderError `away` while that takes its time
 */
export const cancelEscrowOf = async (
  deps: Deps,
  context: CommandContext,
  paymentId: string,
  itemId: string,
): Promise<void> => {
  const state = await loadPayment(deps, paymentId);
  const escrow = openEscrow(state, itemId);
  if (!escrow) return;
  const { escrowId, providerEscrowId } = escrow;
  const gateway = providerOf(deps, state.provider).escrow;
  const stillThere = new ProviderError('away', `the money is still in escrow ${escrowId}`, 'in_escrow');
  if (!gateway || providerEscrowId === null) throw stillThere;
  const answer = await gateway.cancelEscrow(providerEscrowId).catch((error: unknown) => {
    if (error instanceof ProviderError && error.kind === 'refused') return gateway.getEscrow(providerEscrowId);
    throw error;
  });
  const command = { type: 'ApplyEscrowState', itemId, escrowId, ...answer } as const;
  const { state: after } = await deps.aggregates.handle(payment, paymentId, command, followUp(context, 'escrow'));
  if (openEscrow(opened({ state: after }), itemId)) throw stillThere;
};

/**
 * Has the provider carry out a requested refund, or asks for its state. If the provider refuses it, fails, or does not
 * reply at the `last` attempt, the refund is left to an operator.
 * @throws ProviderError `away`
 */
export const submitRefund = async (
  deps: Deps,
  context: CommandContext,
  paymentId: string,
  refundId: string,
  last = false,
): Promise<Refund> => {
  const state = await loadPayment(deps, paymentId);
  const before = state.refunds[refundId];
  const { providerPaymentId, currency } = state;
  if (!before || providerPaymentId === null) throw new Rejected('not_found', 'This refund does not exist.');
  if (before.status === 'succeeded' || before.status === 'failed') return before;
  const provider = providerOf(deps, state.provider);
  const { itemId, amountMinor, providerRefundId } = before;
  const ask = async (): Promise<ProviderRefund> => {
    if (providerRefundId !== null) return provider.getRefund(providerRefundId);
    await cancelEscrowOf(deps, context, paymentId, itemId);
    return provider.refund({ refundId, providerPaymentId, amountMinor, currency, reason: `Refund of ${itemId}` });
  };
  const answer = await ask().catch((error: unknown) => {
    if (!(error instanceof ProviderError) || (error.kind === 'away' && !last)) throw error;
    return { status: 'manual_review', reason: error.reason ?? error.kind } as const;
  });
  const status = answer.status === 'failed' ? 'manual_review' : answer.status;
  const command = { type: 'ApplyRefundState', refundId, ...answer, status } as const;
  const { refunds } = opened(await deps.aggregates.handle(payment, paymentId, command, context));
  return refunds[refundId] ?? before;
};

/**
 * Ends a payment that should not be paid any more. One that the provider cannot cancel expires there. Money that
 * arrives later counts and is refunded.
 */
export const cancelPayment = async (
  deps: Deps,
  context: CommandContext,
  paymentId: string,
  code: string,
): Promise<OpenPayment> => {
  const state = await loadPayment(deps, paymentId);
  if (isDead(state.status) || state.status === 'succeeded') return state;
  if (state.providerPaymentId !== null) {
    const provider = providerOf(deps, state.provider);
    const { providerPaymentId } = state;
    const answer = await orCurrentState(provider, providerPaymentId, provider.cancel(providerPaymentId));
    const after = await apply(deps, context, paymentId, answer);
    if (isDead(after.status) || after.status === 'succeeded') return after;
  }
  return giveUp(deps, followUp(context, 'give up'), paymentId, 'cancelled', code);
};
