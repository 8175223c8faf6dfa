/** Refunds that the system decides on: a cancellation, or money that came too late or twice. */
import { payment, refundableMinor } from '../../domain/payments/payment.ts';
import type { refundCauses } from '../../domain/payments/paymentEvents.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CoreDeps } from '../core/deps.ts';
import { followUp } from '../core/handle.ts';
import type { PolicyContext } from '../core/jobs.ts';

/** Requests a refund of `most` minor units of an item, or of what is left of it if that is less. */
export const giveBack = async (
  { deps, context }: PolicyContext<Pick<CoreDeps, 'aggregates'>>,
  paymentId: string,
  { itemId, most, cause }: { itemId: string; most: number; cause: (typeof refundCauses)[number] },
): Promise<void> => {
  const { state } = await deps.aggregates.load(payment, paymentId);
  const amountMinor = Math.min(most, refundableMinor(state, itemId));
  if (amountMinor <= 0) return;
  const refundId = derivedId(context.commandId, 'refund');
  const command = { type: 'RequestRefund', refundId, itemId, amountMinor, cause } as const;
  await deps.aggregates.handle(payment, paymentId, command, followUp(context, 'refund'));
};
