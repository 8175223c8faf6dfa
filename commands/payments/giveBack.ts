/** The money received for an item, and refunds that the system decides on: a cancellation, or money that came too late or twice. */
import { priceOf } from '../../domain/ledger/ledger.ts';
import { type OpenPayment, payment, type Received, refundableMinor } from '../../domain/payments/payment.ts';
import type { refundCauses } from '../../domain/payments/paymentEvents.ts';
import { freeParts } from '../../domain/payments/paymentState.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CoreDeps } from '../core/deps.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import type { PolicyContext } from '../core/jobs.ts';
import { type AskingDeps, askBeforeRefund, lookAt } from './paymentLook.ts';

type Ask<Deps> = (deps: Deps, context: CommandContext, paymentId: string) => Promise<OpenPayment>;

/** What was received for an item from the payments that have paid for it, and was not given back, in minor units. */
const received =
  <Deps>(ask: Ask<Deps>) =>
  async (deps: Deps, context: CommandContext, itemId: string, paymentIds: readonly string[]): Promise<number> => {
    const states = await Promise.all(paymentIds.map((id) => ask(deps, followUp(context, `ask about ${id}`), id)));
    return states.reduce((sum, state) => sum + refundableMinor(state, itemId), 0);
  };

/** The money received for an item, for a preview of what would go back. */
export const receivedMinor = received(lookAt);

const receivedNow = received(askBeforeRefund);

/** The money received for an item, to decide what goes back. The providers are asked: they may have given back some of it. */
export const receivedFor = async (
  deps: AskingDeps,
  context: CommandContext,
  itemId: string,
  paymentIds: readonly string[],
): Promise<Received> => ({ paymentIds, minor: await receivedNow(deps, context, itemId, paymentIds) });

interface GivenBack {
  readonly itemId: string;
  readonly cause: (typeof refundCauses)[number];
  /** What stays of the item's money, in minor units; nothing by default. */
  readonly keptMinor?: number;
  /** The rate of the commission on what stays; by default the commission returns only what the owner's part lacks. */
  readonly commissionBps?: number;
}

/**
 * Requests a refund of all that is left of an item's money beyond what stays. Of several payments the oldest keep what
 * stays.
 * @param paymentIds oldest first
 */
export const giveBack = async (
  { deps, context }: PolicyContext<Pick<CoreDeps, 'aggregates'>>,
  paymentIds: readonly string[],
  { itemId, cause, keptMinor = 0, commissionBps }: GivenBack,
): Promise<void> => {
  let keepMinor = keptMinor;
  let keptBeforeMinor = 0;
  for (const paymentId of paymentIds) {
    const { state } = await deps.aggregates.load(payment, paymentId);
    if (state.status !== 'succeeded') continue;
    const refund = {
      type: 'RefundRest',
      refundId: derivedId(context.commandId, 'refund', paymentId),
      itemId,
      keptMinor: keepMinor,
      cause,
      ...(commissionBps !== undefined && { commissionBps, keptBeforeMinor }),
    } as const;
    const after = await deps.aggregates.handle(payment, paymentId, refund, followUp(context, `refund ${paymentId}`));
    keepMinor = Math.max(0, keepMinor - refundableMinor(after.state, itemId));
    if (after.state.status !== 'none') keptBeforeMinor += priceOf(freeParts(after.state, itemId));
  }
};
