/** Starts payments for one or several items. */

import { changedNothing, existing, notFound, Rejected } from '../../domain/core/decider.ts';
import { isDead, type OpenPayment, payment, paysFor } from '../../domain/payments/payment.ts';
import { derivedId } from '../../infra/ids.ts';
import { sentMinor } from '../core/amounts.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { checkReturnUrl } from '../core/returnUrl.ts';
import { cancelPayment, loadPayment, providerOf } from './atProvider.ts';
import type { PaymentDeps } from './deps.ts';
import { findPayable, type Payable, type Payees, payableKind } from './payables.ts';
import { lookAt } from './paymentLook.ts';
import { tokenOf } from './paymentMethods.ts';
import type { PaymentMethod } from './paymentProvider.ts';
import { providerFor, takes } from './paymentSettings.ts';
import { hasReceipts, receiptOfPayment } from './receipts.ts';
import { submitPayment } from './submitPayment.ts';

type Deps = Pick<PaymentDeps, 'aggregates' | 'settings' | 'log' | 'paymentProviders' | 'payables' | 'pool' | 'now'>;

export interface Paid {
  readonly paymentId: string;
  readonly payment: OpenPayment;
}

export interface NewPayment extends Payees {
  /** May be absent with a saved method. */
  readonly method?: PaymentMethod;
  /** A saved method of the payer's. */
  readonly paymentMethodId?: string;
  /** Major units. If given it must be the whole price. */
  readonly amount?: number;
  /** Where the payer comes back to; one of the allowed origins. */
  readonly returnUrl?: string;
}

/** What is paid for, and how. */
interface Order extends Pick<OpenPayment, 'items' | 'serviceType' | 'tripId' | 'method' | 'paymentMethodId'> {
  readonly things: readonly Payable[];
  readonly amountMinor: number;
  readonly currency: string;
  readonly returnUrl: string;
  /** The provider of the saved method, if one is used. */
  readonly savedWith: string | null;
}

/**
 * Starts a payment, or returns the open payment for the same items. Another method replaces one that the payer has not
 * acted on yet.
 * @throws Rejected `not_found`, `invalid`, `invalid_transition`, `conflict`, `payment_open`, `sold_out` · ProviderError
 * `away`: ask again
 */
export const processPayment = async (deps: Deps, context: CommandContext, request: NewPayment): Promise<Paid> => {
  const order = await orderOf(deps, context, request);
  const paymentId = derivedId(context.commandId, 'payment');
  const underWay = new Set(order.things.flatMap(({ openPayment }) => openPayment ?? []));
  underWay.delete(paymentId);
  for (const open of underWay) {
    const goesOn = await goOnWith(deps, context, order, open);
    if (goesOn) return goesOn;
  }
  return begin(deps, context, order, paymentId);
};

const orderOf = async (deps: Deps, context: CommandContext, request: NewPayment): Promise<Order> => {
  const returnUrl = checkReturnUrl(deps.settings, request.returnUrl);
  const things = await Promise.all(request.things.map((thing) => findPayable(deps, context.actor, thing)));
  const [currency, another] = new Set(things.map((thing) => thing.currency));
  if (currency === undefined || another !== undefined)
    throw new Rejected('invalid', 'All items of a payment must have the same currency.', { fields: ['trip_id'] });
  const items = things.map(({ item }) => item);
  const amountMinor = items.reduce((sum, item) => sum + item.amountMinor, 0);
  if (
    request.amount !== undefined &&
    sentMinor('amount', request.amount, currency, Number.MAX_SAFE_INTEGER) !== amountMinor
  )
    throw new Rejected('invalid', 'Partial payments are not possible. Leave the amount out or send the total.', {
      fields: ['amount'],
      total_minor: amountMinor,
      currency,
    });
  const serviceType = things.find((thing) => thing.serviceType !== null)?.serviceType ?? null;
  const { tripId = null } = request;
  const how = await howToPay(deps, context, request);
  if (how.savedWith !== null && !takes(providerOf(deps, how.savedWith), currency))
    throw new Rejected('invalid', `This saved payment method cannot be charged in ${currency}. Choose another one.`, {
      fields: ['payment_method_id'],
    });
  return { things, items, serviceType, tripId, ...how, amountMinor, currency, returnUrl };
};

/** @throws Rejected `invalid`, and what a saved method that is not the payer's or not to be used leads to */
export const howToPay = async (
  deps: Deps,
  { actor }: CommandContext,
  { method, paymentMethodId }: Pick<NewPayment, 'method' | 'paymentMethodId'>,
): Promise<Pick<Order, 'method' | 'paymentMethodId' | 'savedWith'>> => {
  if (paymentMethodId === undefined) {
    if (method === undefined)
      throw new Rejected('invalid', 'Send method or payment_method_id.', { fields: ['method', 'payment_method_id'] });
    return { method, paymentMethodId: null, savedWith: null };
  }
  const saved = await tokenOf(deps, actor.id, paymentMethodId);
  if (method !== undefined && method !== saved.method)
    throw new Rejected(
      'invalid',
      `The saved payment method is of another type: ${saved.method}. Leave the method out.`,
      { fields: ['method'] },
    );
  return { method: saved.method, paymentMethodId, savedWith: saved.provider };
};

const isForSame = (found: OpenPayment, { items }: Order): boolean =>
  found.items.length === items.length && items.every(({ id }) => found.items.some((item) => item.id === id));

/**
 * The open payment, if it fits; otherwise it is ended, and a new one can start. An item may name a payment that was
 * made without it: its own attempt broke off before the payment was made. It is no longer open for that item.
 */
const goOnWith = async (
  deps: Deps,
  context: CommandContext,
  order: Order,
  paymentId: string,
): Promise<Paid | undefined> => {
  const found = (await deps.aggregates.load(payment, paymentId)).state;
  if (found.status === 'none') return begin(deps, context, order, paymentId);
  const named = order.things.filter(({ openPayment }) => openPayment === paymentId);
  const unpaid = named.filter(({ item }) => !paysFor(found, item.id));
  await endAll(deps, context, unpaid, paymentId);
  if (unpaid.length === named.length) return undefined;
  const isUntouched = found.status === 'pending' || found.status === 'requires_action';
  const isAlike = found.method === order.method && found.paymentMethodId === order.paymentMethodId;
  if (isUntouched && !(isAlike && isForSame(found, order)))
    await cancelPayment(deps, followUp(context, 'replace'), paymentId, 'replaced');
  await submitPayment(deps, context, paymentId, { again: true });
  const current = await lookAt(deps, followUp(context, 'look'), paymentId);
  if (!isDead(current.status)) {
    if (isForSame(current, order)) return { paymentId, payment: current };
    throw alreadyOpen(paymentId);
  }
  await endAll(deps, context, order.things, paymentId);
  return undefined;
};

const alreadyOpen = (paymentId: string) =>
  new Rejected('payment_open', 'Another payment for one of these items is open. Finish or cancel it first.', {
    payment_id: paymentId,
  });

const endAll = async (
  deps: Deps,
  context: CommandContext,
  things: readonly Payable[],
  paymentId: string,
): Promise<void> => {
  for (const { item } of things)
    await payableKind(deps, item.kind).end(followUp(context, `end ${item.id}`), paymentId, item.id);
};

/** A saved method can only be charged by its own provider; otherwise the settings choose. */
const choose = async (deps: Deps, { items, savedWith, currency }: Order) => {
  const owners = items.flatMap(({ ownerId }) => ownerId ?? []);
  if (savedWith === null) return providerFor(deps, owners, currency);
  return { provider: providerOf(deps, savedWith), reason: 'method' } as const;
};

/**
 * Reserves the items, records the payment and calls the provider. Each step is safe to repeat. After a crash in
 * between, the items name a payment that does not exist yet, and the next attempt creates that payment. If an attempt
 * for other items was faster, the payment is for those.
 */
const begin = async (deps: Deps, context: CommandContext, order: Order, paymentId: string): Promise<Paid> => {
  const { things, savedWith, ...terms } = order;
  const hasReceipt = hasReceipts(deps, order.currency);
  // Before anything is reserved: it says what is missing for the receipt.
  if (hasReceipt) await receiptOfPayment(deps, { ...order, userId: context.actor.id });
  const started: Payable[] = [];
  for (const thing of things) {
    await thing.start(followUp(context, thing.item.id), paymentId).catch(async (error: unknown) => {
      if (changedNothing(error)) await endAll(deps, context, started, paymentId);
      throw error;
    });
    started.push(thing);
  }
  const { provider, reason } = await choose(deps, order);
  const create = {
    type: 'CreatePayment',
    ...terms,
    userId: context.actor.id,
    provider: provider.name,
    reason,
    capture: deps.settings.paymentCapture,
    createdAt: context.at,
    ...(hasReceipt && { hasReceipt }),
  } as const;
  const made = existing(
    (await deps.aggregates.handle(payment, paymentId, create, followUp(context, 'create'))).state,
    'payment',
  );
  if (!isForSame(made, order)) {
    const unpaid = things.filter(({ item }) => !paysFor(made, item.id));
    await endAll(deps, context, unpaid, paymentId);
    throw alreadyOpen(paymentId);
  }
  return { paymentId, payment: await submitPayment(deps, context, paymentId) };
};

/**
 * The payer cancels a pending payment.
 * @throws Rejected `not_found`, `invalid_transition` when the money has been taken · ProviderError `away`
 */
export const cancelOwnPayment = async (deps: Deps, context: CommandContext, paymentId: string): Promise<Paid> => {
  const { userId } = await loadPayment(deps, paymentId);
  if (userId !== context.actor.id) throw notFound('payment');
  const after = await cancelPayment(deps, context, paymentId, 'cancelled_by_payer');
  if (!isDead(after.status))
    throw new Rejected(
      'invalid_transition',
      'This payment has succeeded and cannot be cancelled. Request a refund instead.',
    );
  return { paymentId, payment: after };
};
