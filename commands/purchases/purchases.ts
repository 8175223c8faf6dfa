/** Buying what the resort itself sells: ski passes and insurance. Nothing is held; the price is kept until it expires. */

import { todayIn } from '../../domain/core/dates.ts';
import { type Actor, Rejected } from '../../domain/core/decider.ts';
import { payment, refundableMinor } from '../../domain/payments/payment.ts';
import {
  insuranceProduct,
  type ProductOffer,
  type ProductQuote,
  type ProductReason,
  quoteInsurance,
  quotePasses,
  skiPassTariff,
} from '../../domain/purchases/product.ts';
import { type InsuredPerson, type OpenPurchase, type Purchase, purchase } from '../../domain/purchases/purchase.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CommandDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';

type Deps = Pick<CommandDeps, 'aggregates' | 'settings'>;

/** A purchase and its id: what every command here returns. */
export interface Purchased {
  readonly purchaseId: string;
  readonly purchase: OpenPurchase;
}

/** Dates are `YYYY-MM-DD` by the resort's clocks, the last one included. */
export type WantedPurchase =
  | {
      readonly serviceType: 'ski_pass';
      readonly productId: string;
      readonly validFrom: string;
      readonly quantity: number;
    }
  | {
      readonly serviceType: 'insurance';
      readonly productId: string;
      readonly validFrom: string;
      readonly validTo: string;
      readonly persons: readonly InsuredPerson[];
    };

const notThere = () => new Rejected('not_found', 'There is no such purchase.');
const existing = (state: Purchase): OpenPurchase => {
  if (state.status === 'none') throw notThere();
  return state;
};

/** @throws Rejected `not_found` */
export const loadPurchase = async (deps: Pick<Deps, 'aggregates'>, purchaseId: string): Promise<OpenPurchase> =>
  existing((await deps.aggregates.load(purchase, purchaseId)).state);

/** Why this money can't pay for it any more; undefined when it can. */
export const unfitPayment = (
  { status, paymentId, totalMinor }: OpenPurchase,
  amountMinor: number,
): 'double_payment' | 'late_payment' | undefined => {
  if (paymentId !== null) return 'double_payment';
  return status === 'pending_payment' && amountMinor === totalMinor ? undefined : 'late_payment';
};

/** What is wrong with the request itself; the other reasons are the resort's and may pass. */
const FAULTS: readonly ProductReason[] = ['past', 'too_far', 'too_long'];

const offered = ({ offer, reasons }: ProductQuote): ProductOffer => {
  if (offer) return offer;
  const code = reasons.some((reason) => FAULTS.includes(reason)) ? 'invalid' : 'not_bookable';
  throw new Rejected(code, `This is not possible: ${reasons.join(', ')}.`, { reasons });
};

/** What it is sold for today. @throws Rejected `not_found`, `invalid`, `not_bookable` */
const agree = async ({ aggregates }: Deps, at: string, wanted: WantedPurchase) => {
  const { productId, validFrom } = wanted;
  switch (wanted.serviceType) {
    case 'ski_pass': {
      const { quantity } = wanted;
      const { state } = await aggregates.load(skiPassTariff, productId);
      if (state.status === 'none') throw new Rejected('not_found', 'There is no such ski pass tariff.');
      return { product: state, quantity, persons: [], ...offered(quotePasses(state, { validFrom, quantity, at })) };
    }
    case 'insurance': {
      const { validTo, persons } = wanted;
      if (validTo < validFrom) throw new Rejected('invalid', 'valid_to must not be earlier than valid_from.');
      const { state } = await aggregates.load(insuranceProduct, productId);
      if (state.status === 'none') throw new Rejected('not_found', 'There is no such insurance.');
      if (persons.some(({ birthDate }) => birthDate > todayIn(state.timezone, at)))
        throw new Rejected('invalid', 'Nobody is insured before being born.');
      const quantity = persons.length;
      const quote = quoteInsurance(state, { validFrom, validTo, persons: quantity, at });
      return { product: state, quantity, persons: [...persons], ...offered(quote) };
    }
  }
};

/**
 * Makes a purchase for the one who asks, to be paid before it expires. Repeated with the same `context.commandId` it is
 * the same purchase.
 * @throws Rejected `not_found`, `invalid`, `not_bookable`
 */
export const makePurchase = async (deps: Deps, context: CommandContext, wanted: WantedPurchase): Promise<Purchased> => {
  const purchaseId = derivedId(context.commandId, 'purchase');
  const { state: before } = await deps.aggregates.load(purchase, purchaseId);
  if (before.status !== 'none') return { purchaseId, purchase: before };

  const { product, lines, ...agreed } = await agree(deps, context.at, wanted);
  const { state } = await deps.aggregates.handle(
    purchase,
    purchaseId,
    {
      type: 'MakePurchase',
      userId: context.actor.id,
      serviceType: wanted.serviceType,
      productId: wanted.productId,
      productName: product.name,
      currency: product.currency,
      ...agreed,
      lines: [...lines],
      expiresAt: new Date(Date.parse(context.at) + deps.settings.holdTtlMs).toISOString(),
    },
    context,
  );
  return { purchaseId, purchase: existing(state) };
};

/** Who someone is to a purchase. @throws Rejected `not_found` for those who have nothing to do with it */
const partyOf = ({ userId }: OpenPurchase, { kind, id, role }: Actor): 'guest' | 'admin' => {
  if (kind === 'user' && id === userId) return 'guest';
  if (role === 'admin') return 'admin';
  throw notThere();
};

const receivedMinor = async (
  { aggregates }: Deps,
  purchaseId: string,
  { paymentId }: OpenPurchase,
): Promise<number> => {
  if (paymentId === null) return 0;
  return refundableMinor((await aggregates.load(payment, paymentId)).state, purchaseId);
};

/**
 * Ends a purchase. Before its first day everything that was paid goes back; after that nothing, unless an admin does it.
 * @throws Rejected `not_found`, `invalid_transition`
 */
export const cancelPurchase = async (
  deps: Deps,
  context: CommandContext,
  purchaseId: string,
  reason: string | null,
): Promise<Purchased> => {
  const found = await loadPurchase(deps, purchaseId);
  const by = partyOf(found, context.actor);
  const received = await receivedMinor(deps, purchaseId, found);
  const command = { type: 'Cancel', by, reason, receivedMinor: received, at: context.at } as const;
  const { state } = await deps.aggregates.handle(purchase, purchaseId, command, context);
  return { purchaseId, purchase: existing(state) };
};
