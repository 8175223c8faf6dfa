/** Chargebacks: the payer's bank took the money back. Two admins decide to post one; what was released becomes a debt. */

import { type Recorded, Rejected } from '../../domain/core/decider.ts';
import { adjustment } from '../../domain/ledger/adjustment.ts';
import type { EventOf } from '../../domain/modules.ts';
import { payment } from '../../domain/payments/payment.ts';
import { sentMinor } from '../core/amounts.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { defineJob, type PolicyContext } from '../core/jobs.ts';
import { type Adjusting, adjustmentIdOf, requestAdjustmentFor } from '../ledger/adjustments.ts';
import { loadPayment } from './atProvider.ts';
import type { PaymentDeps } from './deps.ts';
import { cancelEscrowOf } from './escrowAtProvider.ts';

export interface ChargebackRequest {
  readonly paymentId: string;
  /** May be left out when the payment has one item. */
  readonly itemId?: string;
  /** Major units; by default the whole amount of the item. */
  readonly amount?: number;
  readonly reason: string;
}

/**
 * An admin requests that a chargeback of an item is posted.
 * @throws Rejected `not_found`, `invalid`, `invalid_transition`; `conflict` for more than was paid, less what went back
 */
export const requestChargeback = async (
  deps: Pick<PaymentDeps, 'aggregates'>,
  context: CommandContext,
  { paymentId, itemId, amount, reason }: ChargebackRequest,
): Promise<Adjusting> => {
  const { items, currency, status } = await loadPayment(deps, paymentId);
  const [item, another] = items.filter(({ id }) => itemId === undefined || id === itemId);
  if (!item) throw new Rejected('not_found', 'This payment has no such item.');
  if (another) throw new Rejected('invalid', 'The payment has several items. Send item_id.', { fields: ['item_id'] });
  if (status !== 'succeeded')
    throw new Rejected('invalid_transition', `This payment has the status ${status}: no money was captured.`);
  const amountMinor = amount === undefined ? item.amountMinor : sentMinor('amount', amount, currency);
  if (amountMinor > item.amountMinor)
    throw new Rejected('invalid', 'A chargeback cannot be higher than the amount of its item.', { fields: ['amount'] });
  if (amountMinor <= 0) throw new Rejected('invalid', 'The amount must be positive.', { fields: ['amount'] });
  const chargebackId = adjustmentIdOf(context);
  const reserve = { type: 'ReserveChargeback', chargebackId, itemId: item.id, amountMinor } as const;
  await deps.aggregates.handle(payment, paymentId, reserve, followUp(context, 'reserve'));
  return requestAdjustmentFor(deps, context, { paymentId, itemId: item.id, amountMinor, currency, reason });
};

/** The money of a chargeback that was rejected can be refunded again. */
export const freeReserved = async (
  { streamId: chargebackId }: Recorded<EventOf<'AdjustmentRejected'>>,
  { deps, context }: PolicyContext<PaymentDeps>,
): Promise<void> => {
  const { state } = await deps.aggregates.load(adjustment, chargebackId);
  if (state.status === 'none' || state.kind !== 'chargeback') return;
  const command = { type: 'EndChargebackReservation', chargebackId } as const;
  await deps.aggregates.handle(payment, state.paymentId, command, context);
};

/** Posts an approved chargeback. Money in escrow leaves it first. The job's id is the adjustment's. */
export const chargeback = defineJob<object, PaymentDeps>('chargeback', async ({ id }, { deps, context }) => {
  const { state } = await deps.aggregates.load(adjustment, id);
  if (state.status !== 'approved' || state.kind !== 'chargeback') return undefined;
  const { paymentId, itemId, amountMinor } = state;
  await cancelEscrowOf(deps, followUp(context, 'escrow'), paymentId, itemId);
  const command = { type: 'RecordChargeback', chargebackId: id, itemId, amountMinor } as const;
  await deps.aggregates.handle(payment, paymentId, command, context);
  return undefined;
});

export const postChargeback = async (
  { streamId: id, meta }: Recorded<EventOf<'AdjustmentApproved'>>,
  { deps }: PolicyContext<PaymentDeps>,
): Promise<void> => {
  const { state } = await deps.aggregates.load(adjustment, id);
  if (state.status !== 'none' && state.kind === 'chargeback')
    await chargeback.schedule(deps.jobs, meta, { id, dueAt: deps.now(), data: {} });
};
