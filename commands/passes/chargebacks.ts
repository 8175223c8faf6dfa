/**
 * The payer's bank took back a part of the money of passes: as many as it paid for open no gate, until an admin decides, or
 * the chargeback is won.
 */
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

/** The purchase of passes that an event of a chargeback is about, with its payment; undefined when it is about something else. */
const purchaseOf = async (
  { streamId: paymentId, data: { itemId } }: Recorded<EventOf<'ChargedBack' | 'ChargebackWon'>>,
  { deps, context }: PolicyContext<CoreDeps>,
) => {
  const { state: paid } = await deps.aggregates.load(payment, paymentId);
  if (paid.status === 'none' || !paid.items.some(({ id, kind }) => id === itemId && kind === 'purchase'))
    return undefined;
  const purchase = await loadPurchase(deps, itemId);
  if (purchase.paymentId !== paymentId) return undefined;
  const passes = (await divide(deps, context, itemId, purchase)).map(({ pass: of }) => of);
  return { paid, purchase, passes };
};

/** The passes that a won chargeback blocked open gates again, unless an admin or another chargeback blocks them, too. */
export const unblockWon = async (
  event: Recorded<EventOf<'ChargebackWon'>>,
  ctx: PolicyContext<CoreDeps>,
): Promise<void> => {
  const found = await purchaseOf(event, ctx);
  if (!found) return;
  const { itemId, chargebackId } = event.data;
  const open = Object.entries(found.paid.disputes).flatMap(([id, { isWon }]) => (isWon ? [] : [id]));
  for (const { number } of found.passes) {
    const context = followUp(ctx.context, `unblock ${number}`);
    const command = { type: 'UnblockForWonChargeback', chargebackId, open, at: context.at } as const;
    await ctx.deps.aggregates.handle(pass, passIdOf(itemId, number), command, context);
  }
};

/**
 * What is about to go back for passes that were given back is taken first: nobody is paid it any more. For what is missing
 * beyond that, passes are blocked.
 */
export const blockUncovered = async (
  event: Recorded<EventOf<'ChargedBack'>>,
  ctx: PolicyContext<CoreDeps>,
): Promise<void> => {
  const found = await purchaseOf(event, ctx);
  if (!found) return;
  const { paid, purchase, passes } = found;
  const { deps, context } = ctx;
  const { itemId, chargebackId, amountMinor } = event.data;
  const returnedMinor = passes.map(refundIn(purchase)).reduce((sum, minor) => sum + minor, 0);
  const missingMinor = purchase.totalMinor - returnedMinor - refundableMinor(paid, itemId);
  const taken = { chargebackId, amountMinor, missingMinor };
  const chosen = passesToBlock(passes, taken, await closedDates(deps), context.at);
  for (const number of chosen) {
    const command = { type: 'BlockForChargeback', chargebackId, at: context.at } as const;
    await deps.aggregates.handle(pass, passIdOf(itemId, number), command, followUp(context, `block ${number}`));
  }
  if (chosen.length > 0) metrics.reviewNeeded.inc({ what: 'pass_chargeback' });
};
