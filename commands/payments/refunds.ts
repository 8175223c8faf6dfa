/**
 * Refunds that people request, and what they take of money that was released to an owner. That part is reserved on the
 * owner's account before the refund is requested, so that no payout takes the same money. An owner can refund only what
 * is there; an admin and the system can refund more, and the owner owes it.
 */

import { changedNothing, existing, notFound, type Recorded, Rejected } from '../../domain/core/decider.ts';
import { addMs, MINUTE_MS } from '../../domain/core/instants.ts';
import type { EventOf } from '../../domain/modules.ts';
import { type OpenPayment, payment, refundableMinor } from '../../domain/payments/payment.ts';
import { drawOf, itemOf, nextDraw } from '../../domain/payments/paymentState.ts';
import { derivedId } from '../../infra/ids.ts';
import { sentMinor } from '../core/amounts.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { defineJob, type PolicyContext } from '../core/jobs.ts';
import { commandOwnerAccount, recordChanges } from '../ledger/ownerAccounts.ts';
import { loadPayment } from './atProvider.ts';
import type { PaymentDeps } from './deps.ts';
import { payableKind } from './payables.ts';
import { type AskingDeps, askBeforeRefund } from './paymentLook.ts';
import type { Paid } from './payments.ts';

type Deps = Pick<PaymentDeps, 'aggregates'>;
type RefundingDeps = AskingDeps & Pick<PaymentDeps, 'payables'>;
type Ctx = PolicyContext<PaymentDeps>;

/** How long a reservation waits for its refund to be requested. A request takes seconds. */
const REQUESTED_WITHIN_MS = 10 * MINUTE_MS;

export interface RefundRequest {
  readonly paymentId: string;
  /** May be left out when only one item is possible. */
  readonly itemId?: string;
  /** Major units; by default all that is left of the item. */
  readonly amount?: number;
}

export interface Refunding extends Paid {
  readonly refundId: string;
}

/** A refund of an owner's item. */
interface OwnersRefund {
  readonly paymentId: string;
  readonly refundId: string;
  readonly ownerId: string;
  readonly currency: string;
}

const reserve = (
  deps: Deps,
  context: CommandContext,
  refund: OwnersRefund,
  { amountMinor, overdraw }: { readonly amountMinor: number; readonly overdraw: boolean },
) =>
  commandOwnerAccount(deps, followUp(context, 'reserve'), refund, {
    type: 'ReserveRefund',
    ...refund,
    amountMinor,
    overdraw,
  });

const endReservation = (deps: Deps, context: CommandContext, refund: OwnersRefund) =>
  commandOwnerAccount(deps, followUp(context, 'end reservation'), refund, { type: 'EndRefundReservation', ...refund });

/**
 * The owner of an item, or an admin, requests a refund. A job asks the provider.
 * @throws Rejected `not_found`, `invalid`, `invalid_transition`; `refund_too_large`, also for more than the module that
 * sold the item has decided to return; `balance_too_low` when an owner refunds released money that is not available any
 * more
 * @throws Contended when other refunds were faster
 */
export const refundPayment = async (
  deps: RefundingDeps,
  context: CommandContext,
  { paymentId, itemId, amount }: RefundRequest,
): Promise<Refunding> => {
  const { actor } = context;
  const { items } = await loadPayment(deps, paymentId);
  const owned = items.filter(({ ownerId }) => ownerId === actor.id || actor.role === 'admin');
  const [item, another] = owned.filter(({ id }) => itemId === undefined || id === itemId);
  if (!item) throw notFound('payment');
  if (another)
    throw new Rejected('invalid', 'The payment has several items. Send item_id.', {
      fields: ['item_id'],
      items: owned.map(({ id }) => id),
    });
  const state = await askBeforeRefund(deps, followUp(context, 'ask'), paymentId);
  const refundId = derivedId(context.commandId, 'refund');
  const { ownerId } = item;
  const { currency } = state;
  const limit = await payableKind(deps, item.kind).refundLimit?.(paymentId, item);
  const keptMinor = limit ? Math.max(0, item.amountMinor - limit.minor) : 0;
  const leftMinor = Math.max(0, refundableMinor(state, item.id) - keptMinor);
  const amountMinor = amount === undefined ? leftMinor : sentMinor('amount', amount, currency);
  const isTooMuch = amountMinor > leftMinor || leftMinor === 0;
  if (limit && isTooMuch && state.status === 'succeeded' && !state.refunds[refundId])
    throw new Rejected('refund_too_large', limit.otherwise, { refundable_minor: leftMinor, currency });
  const taken = takenOfReleased(state, { refundId, itemId: item.id, amountMinor });
  const reserved = taken > 0 && ownerId !== null ? { paymentId, refundId, ownerId, currency } : undefined;
  if (reserved) await reserve(deps, context, reserved, { amountMinor: taken, overdraw: actor.role === 'admin' });
  const command = {
    type: 'RequestRefund',
    refundId,
    itemId: item.id,
    amountMinor,
    cause: 'requested',
    keptMinor,
    reservedMinor: taken,
  } as const;
  const outcome = await deps.aggregates.handle(payment, paymentId, command, context).catch(async (error: unknown) => {
    if (changedNothing(error) && reserved) await endReservation(deps, context, reserved);
    throw error;
  });
  return { paymentId, refundId, payment: existing(outcome.state, 'payment') };
};

/** How much a new refund takes of what was released to the owner; 0 for one that will be refused. */
const takenOfReleased = (
  state: OpenPayment,
  { refundId, itemId, amountMinor }: { refundId: string; itemId: string; amountMinor: number },
): number => {
  if (state.refunds[refundId]) return drawOf(state, refundId).availableMinor;
  const fits = amountMinor > 0 && amountMinor <= refundableMinor(state, itemId);
  return fits ? nextDraw(state, itemId, amountMinor).availableMinor : 0;
};

/** Reserves what a requested refund takes of released money, whoever requested it. It is already decided. */
export const reserveRefund = async ({ deps, context }: Ctx, paymentId: string, refundId: string): Promise<void> => {
  const state = await loadPayment(deps, paymentId);
  const amountMinor = drawOf(state, refundId).availableMinor;
  const refund = ownersRefund(state, paymentId, refundId);
  if (amountMinor > 0 && refund) await reserve(deps, context, refund, { amountMinor, overdraw: true });
};

const ownersRefund = (state: OpenPayment, paymentId: string, refundId: string): OwnersRefund | undefined => {
  const itemId = state.refunds[refundId]?.itemId;
  const ownerId = itemId === undefined ? null : itemOf(state, itemId).ownerId;
  return ownerId === null ? undefined : { paymentId, refundId, ownerId, currency: state.currency };
};

/** Ends the reservation of a refund that has ended; first its debit is recorded, so that the money is never free. */
export const settleReservation = async (
  event: Recorded<EventOf<'RefundSucceeded' | 'RefundFailed'>>,
  ctx: Ctx,
): Promise<void> => {
  const { deps, context } = ctx;
  const { streamId: paymentId, data } = event;
  const refund = ownersRefund(await loadPayment(deps, paymentId), paymentId, data.refundId);
  if (!refund) return;
  if ('postings' in data) await recordChanges({ id: event.id, at: event.at, data }, ctx);
  await endReservation(deps, context, refund);
};

/** Ends a reservation whose refund was never requested: the process died in between. The job's id is the refund's. */
export const refundReservation = defineJob<Omit<OwnersRefund, 'refundId'>, PaymentDeps>(
  'refund_reservation',
  async ({ id: refundId, data }, { deps, context }) => {
    const { refunds } = await loadPayment(deps, data.paymentId);
    if (!refunds[refundId]) await endReservation(deps, context, { ...data, refundId });
    return undefined;
  },
);

export const watchReservation = async (
  { at, meta, data }: Recorded<EventOf<'RefundReserved'>>,
  { deps }: Ctx,
): Promise<void> => {
  const { refundId: id, paymentId, ownerId, currency } = data;
  const dueAt = addMs(at, REQUESTED_WITHIN_MS);
  await refundReservation.schedule(deps.jobs, meta, { id, dueAt, data: { paymentId, ownerId, currency } });
};

/**
 * An operator resolves a refund in review: the provider is asked again, or the operator knows the outcome.
 * @throws Rejected `not_found`, `invalid_transition`
 */
export const reviewRefund = async (
  deps: Deps,
  context: CommandContext,
  { paymentId, refundId, outcome }: { paymentId: string; refundId: string; outcome: 'retry' | 'succeeded' | 'failed' },
): Promise<Refunding> => {
  const command =
    outcome === 'retry'
      ? ({ type: 'RetryRefund', refundId } as const)
      : ({ type: 'ResolveRefund', refundId, status: outcome } as const);
  return {
    paymentId,
    refundId,
    payment: existing((await deps.aggregates.handle(payment, paymentId, command, context)).state, 'payment'),
  };
};
