/**
 * Calls to a payment's provider, and recording its replies. Only the provider decides the state of a payment. Every
 * call is safe to repeat: the payment accepts only what moves it forward.
 */

import { existing, Rejected } from '../../domain/core/decider.ts';
import { addMs, DAY_MS } from '../../domain/core/instants.ts';
import { isDead, type OpenPayment, payment } from '../../domain/payments/payment.ts';
import type { ProviderReport } from '../../domain/payments/providerReport.ts';
import { derivedId } from '../../infra/ids.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import type { PaymentDeps } from './deps.ts';
import {
  type PaymentProvider,
  ProviderError,
  type ProviderPayment,
  type ProviderRefund,
  type ReviewedRefund,
} from './paymentProvider.ts';

/** How long ago a payment of an earlier release can have been created. */
const SEARCHED_MS = 30 * DAY_MS;

type Deps = Pick<PaymentDeps, 'aggregates' | 'paymentProviders'>;

/** @throws Rejected `not_found` */
export const loadPayment = async (deps: Pick<Deps, 'aggregates'>, paymentId: string): Promise<OpenPayment> =>
  existing((await deps.aggregates.load(payment, paymentId)).state, 'payment');

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

/**
 * Records what the provider reports: all of its answers about payments come here. Money that is reserved for a payment
 * which has ended is let go.
 */
export const apply = async (
  deps: Deps,
  context: CommandContext,
  paymentId: string,
  answer: ProviderPayment,
  asked: Pick<ProviderReport, 'believed' | 'refunds'> = {},
): Promise<OpenPayment> => {
  const foundRefundIds = await newRefundIds(deps, paymentId, answer);
  const command = { type: 'ApplyProviderState', ...answer, ...asked, foundRefundIds } as const;
  const after = existing((await deps.aggregates.handle(payment, paymentId, command, context)).state, 'payment');
  if (answer.status === 'authorized' && isOver(after, answer)) {
    const { providerPaymentId } = answer;
    const provider = providerOf(deps, after.provider);
    await orCurrentState(provider, providerPaymentId, provider.cancel(providerPaymentId));
  }
  return after;
};

/** Whether nothing will be captured of what is reserved: the payment has ended, or was paid with another charge. */
const isOver = ({ status, providerPaymentId }: OpenPayment, reserved: ProviderPayment): boolean =>
  isDead(status) || (status === 'succeeded' && providerPaymentId !== reserved.providerPaymentId);

/** Ids for refunds that were made at the provider: the same for every report of the same total. */
const newRefundIds = async (
  deps: Pick<Deps, 'aggregates'>,
  paymentId: string,
  { refundedMinor: total = 0 }: ProviderPayment,
): Promise<Record<string, string>> => {
  if (total === 0) return {};
  const { items } = await loadPayment(deps, paymentId);
  const idOf = (itemId: string) => derivedId('refund made at the provider', paymentId, itemId, total);
  return Object.fromEntries(items.map(({ id }) => [id, idOf(id)]));
};

export const giveUp = async (
  deps: Deps,
  context: CommandContext,
  paymentId: string,
  status: 'failed' | 'cancelled' | 'expired',
  code: string,
): Promise<OpenPayment> =>
  existing(
    (await deps.aggregates.handle(payment, paymentId, { type: 'GiveUp', status, code }, context)).state,
    'payment',
  );

/**
 * Looks for a payment at the provider by our id, when the answer to its creation was lost. Only a saved method can have
 * been charged then: nobody has the address of the page. @throws ProviderError
 */
export const lookUp = async (
  deps: Deps,
  context: CommandContext,
  paymentId: string,
  state: OpenPayment,
): Promise<OpenPayment> => {
  if (state.providerPaymentId !== null || state.paymentMethodId === null) return state;
  // Payments from before 0.2.0 do not say when they were created.
  const since = state.createdAt ?? addMs(context.at, -SEARCHED_MS);
  const found = await providerOf(deps, state.provider).find(paymentId, since);
  return found ? apply(deps, followUp(context, 'found'), paymentId, found) : state;
};

/** What the provider knows an attempt of a refund by. A new attempt is a refund of its own for it. */
export const attemptId = (refundId: string, attempt: number): string =>
  attempt === 1 ? refundId : derivedId(refundId, 'attempt', attempt);

/** Records what the provider reports about an attempt of a refund. What it did not make is left to an operator. */
export const applyRefund = async (
  deps: Pick<Deps, 'aggregates'>,
  context: CommandContext,
  paymentId: string,
  about: { readonly refundId: string; readonly attempt: number },
  answer: ProviderRefund | ReviewedRefund,
): Promise<OpenPayment> => {
  const { status } = answer;
  const reviewed = status === 'failed' || status === 'unknown';
  const outcome = reviewed ? ({ status: 'manual_review', hasFailed: status === 'failed' } as const) : { status };
  const command = { type: 'ApplyRefundState', ...about, ...answer, ...outcome } as const;
  return existing((await deps.aggregates.handle(payment, paymentId, command, context)).state, 'payment');
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
 * Ends a payment that should not be paid any more. One that the provider cannot cancel expires there. Money that
 * arrives later counts and is refunded.
 */
export const cancelPayment = async (
  deps: Deps,
  context: CommandContext,
  paymentId: string,
  code: string,
): Promise<OpenPayment> => {
  const state = await lookUp(deps, context, paymentId, await loadPayment(deps, paymentId));
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
