/** The payer's bank took back a part of the money of passes: as many as it paid for open no gate, until an admin decides. */
import type { Recorded } from '../../domain/core/decider.ts';
import type { EventOf } from '../../domain/modules.ts';
import { pass } from '../../domain/passes/pass.ts';
import { passesToBlock } from '../../domain/passes/passesToBlock.ts';
import { payment, refundableMinor } from '../../domain/payments/payment.ts';
import { metrics } from '../../infra/metrics.ts';
import type { CoreDeps } from '../core/deps.ts';
import { followUp } from '../core/handle.ts';
import type { PolicyContext } from '../core/jobs.ts';
import { loadPurchase } from '../purchases/purchases.ts';
import { closedDates } from './closures.ts';
import { divide, passIdOf } from './dividePurchase.ts';
import { refundIn } from './refunds.ts';

/**
 * What is about to go back for passes that were given back is taken first: nobody is paid it any more. For what is missing
 * beyond that, passes are blocked.
 */
export const blockUncovered = async (
  { streamId: paymentId, data }: Recorded<EventOf<'ChargedBack'>>,
  { deps, context }: PolicyContext<CoreDeps>,
): Promise<void> => {
  const { itemId, chargebackId, amountMinor } = data;
  const { state: paid } = await deps.aggregates.load(payment, paymentId);
  if (paid.status === 'none' || !paid.items.some(({ id, kind }) => id === itemId && kind === 'purchase')) return;
  const purchase = await loadPurchase(deps, itemId);
  if (purchase.paymentId !== paymentId) return;
  const passes = (await divide(deps, context, itemId, purchase)).map(({ pass: of }) => of);
  const returnedMinor = passes.map(refundIn(purchase)).reduce((sum, minor) => sum + minor, 0);
  const missingMinor = purchase.totalMinor - returnedMinor - refundableMinor(paid, itemId);
  const taken = { chargebackId, amountMinor, missingMinor };
  const chosen = passesToBlock(passes, taken, await closedDates(deps), context.at);
  for (const number of chosen) {
    const command = { type: 'BlockForChargeback', chargebackId } as const;
    await deps.aggregates.handle(pass, passIdOf(itemId, number), command, followUp(context, `block ${number}`));
  }
  if (chosen.length > 0) metrics.reviewNeeded.inc({ what: 'pass_chargeback' });
};
