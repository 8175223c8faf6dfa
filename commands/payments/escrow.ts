/**
 * Escrow: where the provider has a nominal account and the owner has set a bank account, the owner's share waits there
 * from the payment on and is paid straight to the owner. A refund takes it back first (`atProvider.ts`); the rest is
 * then released through our own ledger.
 */

import { addMs, MINUTE_MS } from '../../domain/core/instants.ts';
import { payment } from '../../domain/payments/payment.ts';
import { openEscrow } from '../../domain/payments/paymentEscrow.ts';
import { type Escrow, itemOf, type OpenPayment, returningMinor } from '../../domain/payments/paymentState.ts';
import { derivedId } from '../../infra/ids.ts';
import { followUp } from '../core/handle.ts';
import { defineJob, type PolicyContext } from '../core/jobs.ts';
import { owedBy } from '../ledger/ownerAccounts.ts';
import { loadPayment } from './atProvider.ts';
import type { PaymentDeps } from './deps.ts';
import { cancelEscrowOf } from './escrowAtProvider.ts';
import { type PaidItemData, type PaidItemRef, paidItemJob, paidItemOf } from './paidItem.ts';
import { type EscrowGateway, type NominalAccount, ProviderError, type ProviderEscrow } from './paymentProvider.ts';
import { nominalAccountOf } from './paymentSettings.ts';

type Ctx = PolicyContext<PaymentDeps>;

/** How often the provider is asked about a pending escrow. */
const POLL_MS = MINUTE_MS;
const later = (at: string): { againAt: string } => ({ againAt: addMs(at, POLL_MS) });

const gatewayOf = ({ deps }: Ctx, { provider }: OpenPayment): EscrowGateway | undefined =>
  deps.paymentProviders.byName.get(provider)?.escrow;

const record = async (
  { deps, context }: Ctx,
  paymentId: string,
  about: { readonly itemId: string; readonly escrowId: string },
  answer: { readonly status: ProviderEscrow['status']; readonly providerEscrowId: string | null },
): Promise<void> => {
  const command = { type: 'ApplyEscrowState', ...about, ...answer } as const;
  await deps.aggregates.handle(payment, paymentId, command, followUp(context, answer.status));
};

/** Asks the provider to hold an item's share, until it holds or refuses it. */
export const escrowHold = defineJob<PaidItemData, PaymentDeps>('escrow_hold', async (job, ctx) => {
  const { deps, context } = ctx;
  const { itemId, paymentId } = paidItemOf(job);
  const before = await loadPayment(deps, paymentId);
  const ownerId = before.items.find(({ id }) => id === itemId)?.ownerId;
  const gateway = gatewayOf(ctx, before);
  const recipient = gateway && ownerId ? await nominalAccountOf(deps, ownerId) : null;
  const escrowId = derivedId('escrow', paymentId, itemId);
  if (gateway && recipient && !before.escrows[itemId]) {
    const request = { type: 'RequestEscrow', itemId, escrowId } as const;
    await deps.aggregates.handle(payment, paymentId, request, followUp(context, 'request'));
  }
  const state = await loadPayment(deps, paymentId);
  const escrow = state.escrows[itemId];
  if (escrow?.status !== 'requested') return undefined;
  const answer = await holdOrGetEscrow(state, escrow, gateway, recipient).catch((error: unknown) => {
    if (!(error instanceof ProviderError) || error.kind === 'away') throw error;
    deps.log.warn({ err: error, payment: paymentId, item: itemId }, 'the provider refused to keep a share in escrow');
    return notKept;
  });
  await record(ctx, paymentId, { itemId, escrowId }, answer);
  return answer.status === 'pending' ? later(context.at) : undefined;
});

const notKept = { status: 'cancelled', providerEscrowId: null } as const;

/**
 * Creates the escrow at the provider, once. After that it only reads its state, even if the owner's settings have
 * changed.
 */
const holdOrGetEscrow = async (
  { providerPaymentId, currency }: OpenPayment,
  { escrowId, providerEscrowId, amountMinor }: Escrow,
  gateway: EscrowGateway | undefined,
  recipient: NominalAccount | null,
): Promise<ProviderEscrow | typeof notKept> => {
  if (providerEscrowId === null) {
    if (!gateway || !recipient || providerPaymentId === null) return notKept;
    return gateway.hold({ escrowId, providerPaymentId, amountMinor, currency, recipient });
  }
  if (!gateway) throw new ProviderError('away', `escrow ${escrowId} is at a provider that is not set up`);
  return gateway.getEscrow(providerEscrowId);
};

/** Schedules the escrow of a paid item's share, if its provider offers escrow. */
export const holdInEscrow = async (
  ctx: Ctx,
  cause: { readonly correlationId: string },
  item: PaidItemRef,
): Promise<void> => {
  const { deps, context } = ctx;
  if (gatewayOf(ctx, await loadPayment(deps, item.paymentId)))
    await escrowHold.schedule(deps.jobs, cause, { id: paidItemJob(item), dueAt: context.at, data: { ...item } });
};

/**
 * Pays an item's escrow out to its owner, unless a refund of it is pending. When the owner owes money, the escrow is
 * cancelled instead: the share is then released through our ledger, where the debt is set off, and the rest is paid by a
 * payout.
 * @returns when to try again, while a refund is pending
 * @throws ProviderError also while it is not paid out yet, so that the job is repeated and in the end parked
 */
export const releaseEscrow = async (
  ctx: Ctx,
  paymentId: string,
  itemId: string,
): Promise<{ readonly againAt: string } | undefined> => {
  const { deps, context } = ctx;
  const state = await loadPayment(deps, paymentId);
  const escrow = openEscrow(state, itemId);
  if (!escrow) return undefined;
  const gateway = gatewayOf(ctx, state);
  const { escrowId, providerEscrowId } = escrow;
  if (returningMinor(state, itemId) > 0) return later(context.at);
  const notYet = new ProviderError('away', `escrow ${escrowId} is not paid out yet`);
  if (!gateway || providerEscrowId === null) throw notYet;
  const { ownerId } = itemOf(state, itemId);
  if (ownerId !== null && (await owedBy(deps, { ownerId, currency: state.currency })) > 0) {
    await cancelEscrowOf(deps, followUp(context, 'set off'), paymentId, itemId);
    return undefined;
  }
  const answer = await gateway.release(providerEscrowId);
  await record(ctx, paymentId, { itemId, escrowId }, answer);
  if (answer.status === 'pending' || answer.status === 'held') throw notYet;
  return undefined;
};
