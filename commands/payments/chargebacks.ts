/**
 * Chargebacks: the payer's bank took the money back, or has given it back after all. Two admins decide to post either; what
 * was released becomes a debt.
 */

import { type Recorded, Rejected } from '../../domain/core/decider.ts';
import { adjustment } from '../../domain/ledger/adjustment.ts';
import type { EventOf } from '../../domain/modules.ts';
import { payment } from '../../domain/payments/payment.ts';
import { sentMinor } from '../core/amounts.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { defineJob, type PolicyContext } from '../core/jobs.ts';
import { type Adjusting, adjustmentIdOf, loadAdjustment, requestChargebackAs } from '../ledger/adjustments.ts';
import { loadPayment } from './atProvider.ts';
import type { PaymentDeps } from './deps.ts';
import { cancelEscrowOf } from './escrowAtProvider.ts';

type Deps = Pick<PaymentDeps, 'aggregates'>;

export interface ChargebackRequest {
  readonly paymentId: string;
  /** May be left out when the payment has one item. */
  readonly itemId?: string;
  /** Major units; by default the whole amount of the item. */
  readonly amount?: number;
  readonly reason: string;
  /** The booking stays without the money. */
  readonly keepsBooking?: boolean;
}

/**
 * An admin requests that a chargeback of an item is posted. Its money is reserved at the payment first; if the process dies
 * then, the reservation is enough to request it (`requestReserved`).
 * @throws Rejected `not_found`, `invalid`, `invalid_transition`; `conflict` for more than was paid, less what went back
 */
export const requestChargeback = async (
  deps: Deps,
  context: CommandContext,
  { paymentId, itemId, amount, reason, keepsBooking }: ChargebackRequest,
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
  const wish = { requestedBy: context.actor.id, reason, ...(keepsBooking && { keepsBooking }) } as const;
  const about = { itemId: item.id, amountMinor };
  const reserve = { type: 'ReserveChargeback', chargebackId, ...about, wish } as const;
  await deps.aggregates.handle(payment, paymentId, reserve, followUp(context, 'reserve'));
  const request = { type: 'RequestChargeback', paymentId, ...about, currency, ...wish } as const;
  return requestChargebackAs(deps, context, chargebackId, request);
};

/** A chargeback whose money is reserved is requested, also if the process died that wanted to. */
export const requestReserved = async (
  { streamId: paymentId, data }: Recorded<EventOf<'ChargebackReserved'>>,
  { deps, context }: PolicyContext<PaymentDeps>,
): Promise<void> => {
  const { chargebackId, wish, ...about } = data;
  if (wish === undefined) return;
  const request = { type: 'RequestChargeback', paymentId, ...about, ...wish } as const;
  await requestChargebackAs(deps, context, chargebackId, request);
};

/**
 * An admin requests to record that the bank has given the money of a posted chargeback back.
 * @throws Rejected `not_found`; `invalid_transition` unless it was posted; `conflict` if that is recorded already
 */
export const requestWonChargeback = async (
  deps: Deps,
  context: CommandContext,
  chargebackId: string,
  reason: string,
): Promise<Adjusting> => {
  const won = await loadAdjustment(deps, chargebackId);
  if (won.kind !== 'chargeback') throw new Rejected('not_found', 'There is no chargeback with this id.');
  const { paymentId, itemId, amountMinor, currency } = won;
  const dispute = (await loadPayment(deps, paymentId)).disputes[chargebackId];
  if (!dispute?.taken)
    throw new Rejected('invalid_transition', 'This chargeback is not posted. Reject it, if it is still requested.');
  const adjustmentId = adjustmentIdOf(context);
  const { state: before } = await deps.aggregates.load(adjustment, adjustmentId);
  if (dispute.isWon && before.status === 'none')
    throw new Rejected('conflict', 'It is recorded already that this chargeback was won.');
  const about = { chargebackId, paymentId, itemId, amountMinor, currency };
  const request = { type: 'RequestChargebackWon', ...about, requestedBy: context.actor.id, reason } as const;
  return requestChargebackAs(deps, context, adjustmentId, request);
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

/** Posts an approved chargeback, or that it was won. Money in escrow leaves it first. The job's id is the adjustment's. */
export const chargeback = defineJob<object, PaymentDeps>('chargeback', async ({ id }, { deps, context }) => {
  const { state } = await deps.aggregates.load(adjustment, id);
  if (state.status !== 'approved' || state.kind === 'correction') return undefined;
  const { paymentId } = state;
  if (state.kind === 'chargeback_won') {
    const command = { type: 'RecordWonChargeback', chargebackId: state.chargebackId } as const;
    await deps.aggregates.handle(payment, paymentId, command, context);
    return undefined;
  }
  const { itemId, amountMinor, keepsBooking } = state;
  await cancelEscrowOf(deps, followUp(context, 'escrow'), paymentId, itemId);
  const terms = { chargebackId: id, itemId, amountMinor, ...(keepsBooking && { keepsBooking }) };
  await deps.aggregates.handle(payment, paymentId, { type: 'RecordChargeback', ...terms }, context);
  return undefined;
});

export const postChargeback = async (
  { streamId: id, meta }: Recorded<EventOf<'AdjustmentApproved'>>,
  { deps }: PolicyContext<PaymentDeps>,
): Promise<void> => {
  const { state } = await deps.aggregates.load(adjustment, id);
  if (state.status !== 'none' && state.kind !== 'correction')
    await chargeback.schedule(deps.jobs, meta, { id, dueAt: deps.now(), data: {} });
};
