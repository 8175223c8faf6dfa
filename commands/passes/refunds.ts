/**
 * Passes that are given back. The pass is ended first, in its own stream: from then on it opens no gate. The refund is
 * fixed when no scan can come any more, and only then the money is requested.
 */
import { Rejected } from '../../domain/core/decider.ts';
import { lostDates, refundOf, validUntil } from '../../domain/passes/admission.ts';
import { type OpenPass, pass, unitsBack } from '../../domain/passes/pass.ts';
import { payment, refundableMinor } from '../../domain/payments/payment.ts';
import { type Purchase, purchase } from '../../domain/purchases/purchase.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CoreDeps } from '../core/deps.ts';
import { dryRun } from '../core/dryRun.ts';
import { onFreshFacts } from '../core/freshFacts.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { defineJob, type PolicyContext } from '../core/jobs.ts';
import { type AskingDeps, askBeforeRefund } from '../payments/paymentLook.ts';
import type { Parts } from '../purchases/purchaseParts.ts';
import { loadPurchase } from '../purchases/purchases.ts';
import { closedDates } from './closures.ts';
import { divide, loadPass, openPass, type PassOf, passesOf, passFor } from './dividePurchase.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;
type Ender = 'guest' | 'admin' | 'system';

/**
 * What the purchase of an ended pass returns for it: what was paid beyond the price of the passes that are kept. Purchases
 * without the price of each pass alone decide nothing: the pass returns its share.
 */
const returnToPurchase = async (deps: Deps, context: CommandContext, { pass: of }: PassOf): Promise<Purchase> => {
  const { purchaseId, number, ended, settled } = of;
  const { state } = await deps.aggregates.load(purchase, purchaseId);
  if (state.status === 'none' || !state.passTerms?.together || ended === null || settled !== null) return state;
  const units = unitsBack(of);
  const isTakenAway = ended.by !== 'guest' || lostDates(of, await closedDates(deps));
  const command = { type: 'ReturnPass', number, units, shareMinor: refundOf(of, units), isTakenAway } as const;
  return (await deps.aggregates.handle(purchase, purchaseId, command, followUp(context, `return ${number}`))).state;
};

/** What the purchase returns for a pass; undefined where it does not decide that. */
const returnedFor = ({ number }: OpenPass, of: Purchase) =>
  of.status === 'none' ? undefined : of.returned.find((returned) => returned.number === number);

/** What goes back for a pass of this purchase that was ended; scans that are not known yet can lower it. */
export const refundIn =
  (bought: Purchase) =>
  (of: OpenPass): number => {
    const { refundMinor } = of.settled ??
      returnedFor(of, bought) ?? { refundMinor: refundOf(of, of.ended?.units ?? 0) };
    return refundMinor + (of.cardReturned ? of.depositMinor : 0);
  };

/** A pass that was given back, and what goes back for it as far as is known. */
export interface PassBack extends PassOf {
  readonly units: number;
  readonly refundMinor: number;
}

/** Nobody has a card of a pass that was never issued: its deposit goes back with it. */
const end = async (
  deps: Deps,
  context: CommandContext,
  passId: string,
  why: { readonly by: Ender; readonly reason: string | null; readonly isPartOfPurchase?: boolean },
): Promise<PassBack> => {
  const command = { type: 'GiveBackPass', ...why, at: context.at } as const;
  const { state } = await deps.aggregates.handle(pass, passId, command, followUp(context, `end ${passId}`));
  const ended = openPass(passId, state);
  const bought = await returnToPurchase(deps, context, ended);
  // A code may have been issued until the end, but not after it.
  const hasCard = ended.pass.serial > 0 || ended.pass.depositMinor === 0 || why.by === 'system';
  const given = hasCard ? ended : await returnCard(deps, followUp(context, `card ${passId}`), passId);
  return { ...given, units: given.pass.ended?.units ?? 0, refundMinor: refundIn(bought)(given.pass) };
};

const roleOf = ({ actor }: CommandContext): 'guest' | 'admin' => (actor.role === 'admin' ? 'admin' : 'guest');

/**
 * Gives a pass of the actor back; admins any. Before its first day its price goes back, later that of unused days where
 * the tariff or an admin allows it. @throws Rejected `not_found`
 */
export const giveBackPass = async (
  deps: Deps,
  context: CommandContext,
  passId: string,
  reason: string | null,
): Promise<PassBack> => {
  await passFor(deps, context, passId);
  return end(deps, context, passId, { by: roleOf(context), reason });
};

/** What giving it back would do now. The pass itself is as it is. @throws Rejected `not_found` */
export const previewGiveBack = async (deps: Deps, context: CommandContext, passId: string): Promise<PassBack> => ({
  ...(await giveBackPass(dryRun(deps), context, passId, null)),
  ...(await passFor(deps, context, passId)),
});

/** The card came back: its deposit is refunded. @throws Rejected `not_found`, `invalid_transition` without a deposit */
export const returnCard = async (deps: Deps, context: CommandContext, passId: string): Promise<PassOf> =>
  openPass(passId, (await deps.aggregates.handle(pass, passId, { type: 'ReturnCard' }, context)).state);

/** @throws Rejected `not_found` */
export const blockPass = async (deps: Deps, context: CommandContext, passId: string, reason: string): Promise<PassOf> =>
  openPass(
    passId,
    (await deps.aggregates.handle(pass, passId, { type: 'BlockPass', reason, at: context.at }, context)).state,
  );

/** @throws Rejected `not_found` */
export const unblockPass = async (deps: Deps, context: CommandContext, passId: string): Promise<PassOf> =>
  openPass(
    passId,
    (await deps.aggregates.handle(pass, passId, { type: 'UnblockPass', at: context.at }, context)).state,
  );

/** What was fixed for a pass: scans cannot lower it any more. */
const fixedOf = ({ settled, cardReturned, depositMinor }: OpenPass): number =>
  (settled?.refundMinor ?? 0) + (cardReturned ? depositMinor : 0);

/** Ends all passes of a purchase that is cancelled. */
const endPasses: Parts['end'] = async (deps, context, { purchaseId, purchase, by, reason }) => {
  let returnedMinor = 0;
  for (const { passId } of await divide(deps, context, purchaseId, purchase))
    returnedMinor += (await end(deps, context, passId, { by, reason, isPartOfPurchase: true })).refundMinor;
  return { returnedMinor };
};

/** Closed days add to it. */
const lastDate: Parts['lastDate'] = async (deps, purchaseId, purchase) => {
  const [passes, closed] = await Promise.all([passesOf(deps, purchaseId, purchase), closedDates(deps)]);
  const dates = passes.flatMap(({ pass: of }) => (of.ended === null ? validUntil(of, closed) : []));
  return dates.toSorted().at(-1) ?? purchase.validTo;
};

const returnedMinor: Parts['returnedMinor'] = async (deps, purchaseId, purchase) =>
  (await passesOf(deps, purchaseId, purchase)).reduce((sum, { pass: of }) => sum + fixedOf(of), 0);

export const passParts: Parts = {
  end: endPasses,
  returnedMinor,
  mostDatesAdded: async (deps) => (await closedDates(deps)).length,
  lastDate,
  otherwise:
    'Money for ski passes goes back by what they have not been used for. Give a pass back (POST /api/v1/ski-pass/me/{id}/give-back), or cancel the purchase (POST /api/v1/purchases/{id}/cancel). Here you can refund only what was fixed by that.',
};

/** Ends the passes of a purchase whose money is back already: the payer's bank took it. */
export const endRefunded = async ({ deps, context }: PolicyContext<Deps>, purchaseId: string): Promise<void> => {
  for (const { passId } of await passesOf(deps, purchaseId, await loadPurchase(deps, purchaseId)))
    await end(deps, context, passId, { by: 'system', reason: null });
};

/**
 * Fixes the refund of a pass once it is due; what was given back at the provider is known then. The id is the pass's.
 */
export const passRefund = defineJob<object, Deps & AskingDeps>('pass_refund', async ({ id }, { deps, context }) => {
  const { purchaseId } = (await loadPass(deps, id)).pass;
  const { paymentId } = await loadPurchase(deps, purchaseId);
  if (paymentId !== null) await askBeforeRefund(deps, followUp(context, 'ask'), paymentId);
  const { state } = await onFreshFacts(async (attempt) => {
    const ended = await loadPass(deps, id);
    const bought = await returnToPurchase(deps, followUp(context, `returned ${attempt}`), ended);
    const returned = returnedFor(ended.pass, bought);
    const command = { type: 'SettleRefund', at: context.at, ...(returned && { returned }) } as const;
    return deps.aggregates.handle(pass, id, command, followUp(context, command.type));
  });
  const due = state.status === 'open' && state.settled === null && state.ended;
  return due ? { againAt: due.settlesAt } : undefined;
});

/**
 * Requests a refund for a pass from the payment of its purchase: at most what is left there of all that its passes have
 * fixed. An admin may have refunded a part of it before.
 */
export const refundPart = async (
  { deps, context }: PolicyContext<Deps>,
  passId: string,
  amountMinor: number,
): Promise<void> => {
  const { state } = await deps.aggregates.load(pass, passId);
  if (state.status === 'none' || amountMinor === 0) return;
  const itemId = state.purchaseId;
  const purchase = await loadPurchase(deps, itemId);
  const { paymentId, totalMinor } = purchase;
  if (paymentId === null) throw new Rejected('conflict', 'A pass was made of a purchase that is not paid.');
  const refundId = derivedId(context.commandId, 'refund');
  const { state: paid } = await deps.aggregates.load(payment, paymentId);
  const isRequested = paid.status !== 'none' && paid.refunds[refundId] !== undefined;
  const keptMinor = totalMinor - (await returnedMinor(deps, itemId, purchase));
  const left = Math.min(amountMinor, refundableMinor(paid, itemId) - keptMinor);
  if (isRequested || left <= 0) return;
  const what = { refundId, itemId, amountMinor: left, cause: 'cancelled', keptMinor, reservedMinor: 0 } as const;
  await deps.aggregates.handle(payment, paymentId, { type: 'RequestRefund', ...what }, followUp(context, 'refund'));
};
