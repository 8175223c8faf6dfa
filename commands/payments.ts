/**
 * Paying for bookings, and giving money back. The booking decides that one payment at a time is under way, so that
 * nobody pays twice.
 */
import { assertAllowed, booking, type OpenBooking } from '../domain/bookings/booking.ts';
import { placesOf } from '../domain/bookings/bookingEvents.ts';
import { inventory } from '../domain/bookings/inventory.ts';
import { isDead, type OpenPayment, payment, refundableMinor } from '../domain/bookings/payment.ts';
import { Rejected } from '../domain/decider.ts';
import { toMinor } from '../domain/money.ts';
import { derivedId } from '../ops/base/ids.ts';
import { loadBooking, partyOf } from './bookings.ts';
import type { CommandDeps } from './deps.ts';
import { type CommandContext, followUp } from './handle.ts';
import { cancelPayment, loadPayment, opened, submitPayment } from './payments/atProvider.ts';
import type { PaymentMethod } from './payments/port.ts';
import { checkReturnUrl } from './payments/returnUrl.ts';

type Deps = Pick<CommandDeps, 'aggregates' | 'settings' | 'log' | 'paymentProviders'>;

export interface Paid {
  readonly paymentId: string;
  readonly payment: OpenPayment;
}

export interface NewPayment {
  readonly bookingId: string;
  readonly method: PaymentMethod;
  /** Major units. If given it must be the whole price. */
  readonly amount?: number;
  /** Where the payer comes back to; one of the allowed origins. */
  readonly returnUrl?: string;
}

/**
 * Starts paying for a booking, or goes on with the payment that is under way. Another method replaces one that the payer
 * has not acted on yet.
 * @throws Rejected `not_found`, `invalid`, `invalid_transition`, `sold_out` · ProviderError `away`: ask again
 */
export const processPayment = async (deps: Deps, context: CommandContext, wanted: NewPayment): Promise<Paid> => {
  const returnUrl = checkReturnUrl(deps.settings, wanted.returnUrl);
  const state = await loadBooking(deps, wanted.bookingId);
  if (state.userId !== context.actor.id) throw new Rejected('not_found', 'There is no such booking.');
  assertAllowed('StartPayment', state, partyOf(state, context.actor, 'StartPayment'));
  if (wanted.amount !== undefined && toMinor(wanted.amount, state.currency) !== state.totalMinor)
    throw new Rejected('invalid', 'A booking is paid whole: leave the amount out or send its total.', {
      total_minor: state.totalMinor,
    });

  const paymentId = derivedId(context.commandId, 'payment');
  const open = state.openPayment;
  if (open !== null && open !== paymentId) {
    const goesOn = await goOnWith(deps, context, wanted, state, open, returnUrl);
    if (goesOn) return goesOn;
  }
  return begin(deps, context, wanted, state, paymentId, returnUrl);
};

/** The payment under way, if it will do; otherwise it is over and a new one can begin. */
const goOnWith = async (
  deps: Deps,
  context: CommandContext,
  wanted: NewPayment,
  state: OpenBooking,
  paymentId: string,
  returnUrl: string,
): Promise<Paid | undefined> => {
  const found = (await deps.aggregates.load(payment, paymentId)).state;
  if (found.status === 'none') return begin(deps, context, wanted, state, paymentId, returnUrl);
  const untouched = found.status === 'pending' || found.status === 'requires_action';
  if (untouched && found.method !== wanted.method)
    await cancelPayment(deps, followUp(context, 'replace'), paymentId, 'replaced');
  const current = await submitPayment(deps, context, paymentId);
  if (!isDead(current.status)) return { paymentId, payment: current };
  await deps.aggregates.handle(
    booking,
    wanted.bookingId,
    { type: 'EndPayment', by: 'system', paymentId },
    followUp(context, 'end'),
  );
  return undefined;
};

/** Hold kept, booking told, payment recorded, provider asked: each step may be repeated. */
const begin = async (
  deps: Deps,
  context: CommandContext,
  { bookingId, method }: NewPayment,
  state: OpenBooking,
  paymentId: string,
  returnUrl: string,
): Promise<Paid> => {
  const { aggregates, settings } = deps;
  const { at } = context;
  const holdExpiresAt = new Date(Date.parse(at) + settings.holdTtlMs).toISOString();
  const { holdId, userId, providerId: ownerId, totalMinor: amountMinor, currency } = state;
  const { itemId } = placesOf(state.subject);
  await aggregates.handle(
    inventory,
    itemId,
    { type: 'ExtendHold', holdId, expiresAt: holdExpiresAt, at },
    followUp(context, 'extend'),
  );
  const start = { type: 'StartPayment', by: 'guest', paymentId, holdExpiresAt } as const;
  await aggregates.handle(booking, bookingId, start, followUp(context, 'start'));
  const create = {
    type: 'CreatePayment',
    bookingId,
    userId,
    ownerId,
    method,
    amountMinor,
    currency,
    provider: deps.paymentProviders.default.name,
    reason: 'default',
    returnUrl,
  } as const;
  await aggregates.handle(payment, paymentId, create, followUp(context, 'create'));
  return { paymentId, payment: await submitPayment(deps, context, paymentId) };
};

export interface WantedRefund {
  readonly paymentId: string;
  /** Major units; all that is left unless told. */
  readonly amount?: number;
}

/**
 * The owner, or an admin, gives money back. The provider is asked in the background.
 * @throws Rejected `not_found`, `invalid_transition`, `refund_too_large`
 */
export const refundPayment = async (
  deps: Deps,
  context: CommandContext,
  { paymentId, amount }: WantedRefund,
): Promise<Paid & { readonly refundId: string }> => {
  const state = await loadPayment(deps, paymentId);
  const { actor } = context;
  if (state.ownerId !== actor.id && actor.role !== 'admin')
    throw new Rejected('not_found', 'There is no such payment.');
  const refundId = derivedId(context.commandId, 'refund');
  const command = {
    type: 'RequestRefund',
    refundId,
    amountMinor: amount === undefined ? refundableMinor(state) : toMinor(amount, state.currency),
    cause: 'requested',
  } as const;
  return { paymentId, refundId, payment: opened(await deps.aggregates.handle(payment, paymentId, command, context)) };
};
