/**
 * Asking a provider how far a payment has come: after a notification, when somebody waits for it, by jobs, and by the
 * reconciliation. Every answer is compared with what we believe.
 */
import { Rejected } from '../../domain/core/decider.ts';
import { type OpenPayment, payment, paysFor } from '../../domain/payments/payment.ts';
import { openEscrow } from '../../domain/payments/paymentEscrow.ts';
import { refundedMinor } from '../../domain/payments/paymentState.ts';
import type { ListedRefund } from '../../domain/payments/providerReport.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { apply, applyRefund, attemptId, finalReason, loadPayment, lookUp, providerOf } from './atProvider.ts';
import type { PaymentDeps } from './deps.ts';
import { cancelEscrowOf } from './escrowAtProvider.ts';
import { type PaymentProvider, ProviderError, type ProviderRefundEntry } from './paymentProvider.ts';

type Deps = Pick<PaymentDeps, 'aggregates' | 'paymentProviders'>;

/**
 * Asks the provider how far a payment and its refunds have come, and records it.
 * @throws Rejected `payment_mismatch` · ProviderError
 */
export const syncPayment = async (deps: Deps, context: CommandContext, paymentId: string): Promise<OpenPayment> => {
  const before = await lookUp(deps, context, paymentId, await loadPayment(deps, paymentId));
  for (const [refundId, { status, providerRefundId }] of Object.entries(before.refunds))
    if (status !== 'succeeded' && status !== 'failed' && providerRefundId !== null)
      await askAboutRefund(deps, followUp(context, refundId), before, { paymentId, refundId, providerRefundId });
  if (before.providerPaymentId === null) return before;
  const ask = (step: string) => askOnce(deps, followUp(context, step), paymentId, before.providerPaymentId ?? '');
  const after = await ask('asked');
  const escrows = after.mismatch?.kind === 'refunds' ? after.items.filter(({ id }) => openEscrow(after, id)) : [];
  if (escrows.length === 0) return after;
  // What was refunded there is taken from the shares, which must leave escrow first.
  for (const { id } of escrows) await cancelEscrowOf(deps, followUp(context, `escrow ${id}`), paymentId, id);
  return ask('asked without escrow');
};

/** One question about a payment, and about its refunds where the provider lists them and one of ours may be among them. */
const askOnce = async (
  deps: Deps,
  context: CommandContext,
  paymentId: string,
  providerPaymentId: string,
): Promise<OpenPayment> => {
  const state = await loadPayment(deps, paymentId);
  const provider = providerOf(deps, state.provider);
  const believed = { status: state.status, refundedMinor: refundedMinor(state) };
  const answer = await provider.get(providerPaymentId);
  if (answer.isPartlyRefunded) {
    const total = await totalRefunded(provider, state);
    const known = total === undefined ? answer : { ...answer, refundedMinor: total };
    return apply(deps, context, paymentId, known, { believed });
  }
  const isExplained = answer.refundedMinor === undefined || answer.refundedMinor === believed.refundedMinor;
  if (isExplained || !provider.refundsOf) return apply(deps, context, paymentId, answer, { believed });
  const entries = await provider.refundsOf(providerPaymentId);
  // Read after the list: what was sent by then is recorded.
  const now = await loadPayment(deps, paymentId);
  const refunds = entries.map((entry) => listed(now, entry));
  const made = refunds.filter(({ status }) => status === 'succeeded');
  const total = made.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  return apply(deps, context, paymentId, { ...answer, refundedMinor: total }, { believed, refunds });
};

/** Asked with the newest refund of ours that was made; undefined without one, or where the provider cannot tell. */
const totalRefunded = async (
  provider: PaymentProvider,
  { refunds, capturedMinor }: OpenPayment,
): Promise<number | undefined> => {
  const made = Object.values(refunds).findLast((each) => each.status === 'succeeded' && each.providerRefundId !== null);
  if (!made?.providerRefundId) return undefined;
  const { providerRefundId, amountMinor } = made;
  const left = await provider.leftAfter?.({ providerRefundId, amountMinor });
  return left === undefined ? undefined : capturedMinor - left;
};

/** Each attempt of a refund of ours has a key of its own. */
const listed = (
  { refunds }: OpenPayment,
  { refundId: key, providerRefundId, status, amountMinor }: ProviderRefundEntry,
): ListedRefund => {
  const about = { providerRefundId, status, amountMinor };
  for (const [refundId, refund] of Object.entries(refunds))
    for (let attempt = 1; attempt <= refund.attempt; attempt += 1)
      if (attemptId(refundId, attempt) === key) return { ...about, refundId, attempt };
  return { ...about, refundId: null, attempt: 1 };
};

/** What became of a refund that the provider has taken on. */
const askAboutRefund = async (
  deps: Deps,
  context: CommandContext,
  { provider, refunds }: OpenPayment,
  { paymentId, refundId, providerRefundId }: { paymentId: string; refundId: string; providerRefundId: string },
): Promise<void> => {
  const answer = await providerOf(deps, provider)
    .getRefund(providerRefundId)
    .catch((error: unknown) => {
      const reason = finalReason(error);
      if (reason === undefined) throw error;
      return { status: 'unknown', reason } as const;
    });
  await applyRefund(deps, context, paymentId, { refundId, attempt: refunds[refundId]?.attempt ?? 1 }, answer);
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
