/** A purchase as something to pay for: nothing is held, the price is kept until the purchase expires. */
import { type Actor, notFound } from '../../domain/core/decider.ts';
import type { PaymentItem } from '../../domain/payments/payment.ts';
import { partsLeft } from '../../domain/payments/paymentState.ts';
import { contributionTo } from '../../domain/promotions/appliedPromotion.ts';
import { assertPurchaseAllows, type OpenPurchase, purchase } from '../../domain/purchases/purchase.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { loadPayment } from '../payments/atProvider.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import { giveBack } from '../payments/giveBack.ts';
import { keptUntil } from '../payments/keptUntil.ts';
import type { Payable, PayableDeclaration, RefundLimit } from '../payments/payables.ts';
import { purchaseUses } from './promoUses.ts';
import type { PurchasePartsPort } from './purchaseParts.ts';
import { loadPurchase } from './purchases.ts';

type Deps = PaymentDeps & PurchasePartsPort;

const commandPurchase = (
  { aggregates }: Pick<PaymentDeps, 'aggregates'>,
  context: CommandContext,
  id: string,
  command: Parameters<typeof purchase.decide>[0],
) => aggregates.handle(purchase, id, command, followUp(context, command.type));

/** @throws Rejected `not_found` unless the actor made the purchase, `invalid_transition` */
const find = async (deps: PaymentDeps, actor: Actor, purchaseId: string): Promise<Payable> => {
  const state = await loadPurchase(deps, purchaseId);
  if (state.userId !== actor.id) throw notFound('purchase');
  assertPurchaseAllows('StartPayment', state);
  const { totalMinor, currency, serviceType, openPayment } = state;
  const promotionMinor = contributionTo(state);
  const price = { amountMinor: totalMinor, commissionMinor: 0, ...(promotionMinor > 0 && { promotionMinor }) };
  return {
    item: { kind: 'purchase', id: purchaseId, ownerId: null, ...price },
    currency,
    serviceType,
    openPayment,
    start: async (context, paymentId) => {
      const { at } = context;
      const expiresAt = keptUntil(state.keptFrom, at, deps.settings) ?? state.expiresAt;
      const start = { type: 'StartPayment', paymentId, at, expiresAt } as const;
      await deps.aggregates.handle(purchase, purchaseId, start, followUp(context, 'start'));
    },
  };
};

/** Why this money cannot pay for the purchase; undefined when it can. */
const unfit = (
  { status, paymentId, totalMinor }: OpenPurchase,
  amountMinor: number,
): 'double_payment' | 'late_payment' | undefined => {
  if (paymentId !== null) return 'double_payment';
  return status === 'pending_payment' && amountMinor === totalMinor ? undefined : 'late_payment';
};

/**
 * Takes the use of the promo code, then marks the purchase as paid; or refunds money that cannot pay for it. If the purchase
 * changes in between, the command is refused and the event is handled again on its new state.
 */
const settle = async (
  deps: PaymentDeps,
  context: CommandContext,
  paymentId: string,
  { id, amountMinor }: PaymentItem,
): Promise<void> => {
  const state = await loadPurchase(deps, id);
  if (state.paymentId === paymentId) return;
  const cause =
    unfit(state, amountMinor) ?? ((await purchaseUses.take(deps, context, id, state)) ? null : 'late_payment');
  if (cause) await giveBack({ deps, context }, [paymentId], { itemId: id, cause });
  else await commandPurchase(deps, context, id, { type: 'MarkPaid', paymentId, amountMinor });
};

/** Whether the money pays for the purchase, or will: once it does not, it never does. */
const paysForIt = (state: OpenPurchase, paymentId: string, amountMinor: number): boolean =>
  state.paymentId === paymentId || unfit(state, amountMinor) === undefined;

/** Of a divided purchase, its parts decide what goes back. Money that came twice or too late is not theirs. */
const refundLimit = async (
  deps: Deps,
  paymentId: string,
  { id, amountMinor }: PaymentItem,
): Promise<RefundLimit | undefined> => {
  const state = await loadPurchase(deps, id);
  const parts = deps.purchaseParts[state.serviceType];
  if (!parts || !paysForIt(state, paymentId, amountMinor)) return undefined;
  return { minor: await parts.returnedMinor(deps, id, state), otherwise: parts.otherwise };
};

/** A purchase whose whole price was refunded is no longer valid. */
const refunded = async (
  deps: PaymentDeps,
  context: CommandContext,
  paymentId: string,
  { id }: PaymentItem,
): Promise<void> => {
  if ((await loadPurchase(deps, id)).paymentId !== paymentId) return;
  const { heldMinor, availableMinor, platformMinor } = partsLeft(await loadPayment(deps, paymentId), id);
  if (heldMinor + availableMinor + platformMinor === 0)
    await commandPurchase(deps, context, id, { type: 'MarkRefunded' });
};

export const purchasePayable: PayableDeclaration<Deps> = {
  kind: 'purchase',
  fields: ['purchase_id'],
  bind: (deps) => ({
    payees: async (_actor, _field, id) => ({ things: [{ kind: 'purchase', id }] }),
    find: (actor, id) => find(deps, actor, id),
    end: async (context, paymentId, id) => {
      await commandPurchase(deps, context, id, { type: 'EndPayment', paymentId });
    },
    keep: async (_context, paymentId, { id, amountMinor }) =>
      paysForIt(await loadPurchase(deps, id), paymentId, amountMinor),
    refundLimit: (paymentId, item) => refundLimit(deps, paymentId, item),
    settle: (context, paymentId, item) => settle(deps, context, paymentId, item),
    refunded: (context, paymentId, item) => refunded(deps, context, paymentId, item),
    describe: () => undefined,
  }),
};
