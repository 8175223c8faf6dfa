/** The money received for an item, and refunds that the system decides on: a cancellation, or money that came too late or twice. */
import { payment, type Received, refundableMinor } from '../../domain/payments/payment.ts';
import type { refundCauses } from '../../domain/payments/paymentEvents.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CoreDeps } from '../core/deps.ts';
import { followUp } from '../core/handle.ts';
import type { PolicyContext } from '../core/jobs.ts';

/** The money received for an item from the payment that has paid for it. */
export const receivedFor = async (
  { aggregates }: Pick<CoreDeps, 'aggregates'>,
  itemId: string,
  { paymentId }: Pick<Received, 'paymentId'>,
): Promise<Received> => {
  if (paymentId === null) return { paymentId, minor: 0 };
  return { paymentId, minor: refundableMinor((await aggregates.load(payment, paymentId)).state, itemId) };
};

interface GivenBack {
  readonly itemId: string;
  readonly cause: (typeof refundCauses)[number];
  /** What stays of the item's money, in minor units; nothing by default. */
  readonly keptMinor?: number;
}

/** Requests a refund of all that is left of an item's money beyond what stays. */
export const giveBack = async (
  { deps, context }: PolicyContext<Pick<CoreDeps, 'aggregates'>>,
  paymentId: string,
  { itemId, cause, keptMinor = 0 }: GivenBack,
): Promise<void> => {
  const { state } = await deps.aggregates.load(payment, paymentId);
  if (state.status !== 'succeeded') return;
  const refundId = derivedId(context.commandId, 'refund');
  const command = { type: 'RefundRest', refundId, itemId, keptMinor, cause } as const;
  await deps.aggregates.handle(payment, paymentId, command, followUp(context, 'refund'));
};
