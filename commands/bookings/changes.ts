/**
 * Changes of dates, unit or guests. An unpaid booking changes at once. A paid one gets a proposed change with a second
 * hold; it is made at once when nothing is due, otherwise when the difference is paid.
 */

import { isDeepStrictEqual } from 'node:util';
import { assertAllowed, type OpenBooking, type Party } from '../../domain/bookings/booking.ts';
import type { BookingTerms } from '../../domain/bookings/bookingEvents.ts';
import { assertNotBegun, type ChangeQuote, quoteChange } from '../../domain/bookings/change.ts';
import { holdEnd } from '../../domain/bookings/payingTime.ts';
import { inventoryDemand } from '../../domain/catalog/bookableItem.ts';
import { type DatedPolicy, datedPolicy } from '../../domain/catalog/cancellation.ts';
import { commissionOf } from '../../domain/commissions/commission.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { addMs, hasCome } from '../../domain/core/instants.ts';
import { isDead, payment } from '../../domain/payments/payment.ts';
import { commissionBase } from '../../domain/promotions/appliedPromotion.ts';
import { type DryRun, dryRun } from '../core/dryRun.ts';
import { assertExpectedTotal } from '../core/expectedTotal.ts';
import { onFreshFacts, readingAgain } from '../core/freshFacts.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import { receivedFor } from '../payments/giveBack.ts';
import { lookAt } from '../payments/paymentLook.ts';
import { makeFreeChange } from './freeChanges.ts';
import { finishingEdits, withHold } from './holds.ts';
import { type Booked, handled, loadBooking, partyOf, withZone } from './loadBooking.ts';
import { withinNewTimes } from './newTimes.ts';
import type { QuotedTerms } from './offer.ts';
import { keptDiscountOf } from './promoUses.ts';
import { assertAnyExpected, quoteBooking, type RequestChange, requestAfter } from './quote.ts';
import { shortenedQuote, shortenStay, type TermsChange } from './shortenStay.ts';

type Deps = Pick<PaymentDeps, 'aggregates' | 'settings' | 'log'>;
type AskingDeps = Deps & Pick<PaymentDeps, 'paymentProviders' | 'pool' | 'now'> & DryRun;

/** What a change of a booking is, as it stands: once it has begun, its seller can shorten it. */
const changeOf = (state: OpenBooking, { actor, at }: Pick<CommandContext, 'actor' | 'at'>) => {
  if (state.status === 'pending_payment') return 'Reschedule';
  return hasCome(state.startsAt, at) && partyOf(state, actor, 'Shorten') !== 'guest' ? 'Shorten' : 'ProposeChange';
};

/**
 * Changes an unpaid booking, proposes the change of a paid one, or shortens a stay that has begun.
 * @throws Rejected as `createBooking`, and `invalid_transition`, `payment_open`, `hold_expired`, `refund_too_large`
 */
export const changeTerms = async (
  deps: AskingDeps,
  context: CommandContext,
  bookingId: string,
  change: TermsChange,
): Promise<void> => {
  await letGoOfEnded(deps, context, bookingId);
  // A hold that is released is not placed again, so each attempt has its own.
  return onFreshFacts(
    async (attempt) => {
      const own = attempt === 0 ? context : followUp(context, `attempt ${attempt}`);
      const now = attempt === 0 ? deps : readingAgain(deps);
      const state = await loadBooking(now, bookingId);
      const make = changers[changeOf(state, own)];
      await make(now, own, { bookingId, booking: state }, change);
    },
    finishingEdits(deps, context),
  );
};

/** A payment that is open here may have ended at its provider, and the notification of it was lost: the provider is asked. */
const letGoOfEnded = async (deps: AskingDeps, context: CommandContext, bookingId: string): Promise<void> => {
  const state = await loadBooking(deps, bookingId);
  const { openPayment: paymentId } = state;
  if (paymentId === null) return;
  partyOf(state, context.actor, changeOf(state, context));
  const known = await deps.aggregates.load(payment, paymentId);
  if (known.state.status === 'none') return;
  const asked = await lookAt(deps, followUp(context, 'look'), paymentId);
  if (!isDead(asked.status)) return;
  await handled(deps, followUp(context, 'end payment'), bookingId, { type: 'EndPayment', by: 'system', paymentId });
};

const reschedule = async (
  deps: AskingDeps,
  context: CommandContext,
  { bookingId, booking: state }: Booked,
  { expectedTotal, ...change }: TermsChange,
): Promise<void> => {
  const by = partyOf(state, context.actor, 'Reschedule');
  assertAllowed('Reschedule', state, by);
  refuseRefund(change);
  const { options } = await quoteBooking(
    deps,
    context.at,
    requestAfter(state, change),
    await keptDiscountOf(deps, state, by),
  );
  assertAnyExpected(expectedTotal, options);
  const { holdId, guests, userId, holdExpiresAt: until } = state;
  const settle = async (terms: BookingTerms) => {
    assertExpectedTotal(expectedTotal, terms);
    const former = { holdId, guests };
    await handled(deps, context, bookingId, { type: 'Reschedule', by, at: context.at, former, ...terms });
  };
  const asItIs = options.find((terms) => isSamePlaces(state, terms));
  if (asItIs) await settle({ ...asItIs, holdId });
  else
    await withinNewTimes(deps, context, { bookingId, booking: state }, { options, until }, () =>
      withHold(deps, context, { options, bookingId, userId, until }, settle),
    );
};

const isSamePlaces = ({ item }: Pick<BookingTerms, 'item'>, other: Pick<BookingTerms, 'item'>): boolean => {
  const { listingRevision: _, ...places } = inventoryDemand(item);
  const { listingRevision: __, ...others } = inventoryDemand(other.item);
  return isDeepStrictEqual(places, others);
};

/** The terms that a paid booking can change to, at its own commission; none when it has them already. */
const optionsFor = async (
  deps: Deps,
  at: string,
  { state, by }: { readonly state: OpenBooking; readonly by: Party },
  change: RequestChange,
): Promise<readonly QuotedTerms[]> => {
  const request = requestAfter(state, change);
  const { options } = await quoteBooking(deps, at, request, await keptDiscountOf(deps, state, by));
  if (options.some(({ currency }) => currency !== state.currency))
    throw new Rejected('not_bookable', `This is no longer sold in ${state.currency}. Cancel and book again.`, {
      reasons: ['currency'],
    });
  const asItIs = options.find((terms) => isSamePlaces(state, terms));
  if (asItIs && request.guests === state.guests) return [];
  const { commission: rate } = state;
  return (asItIs ? [asItIs] : options).map((terms) => ({
    ...terms,
    commission: commissionOf(commissionBase(terms), rate),
  }));
};

const propose = async (deps: AskingDeps, context: CommandContext, of: Booked, change: TermsChange): Promise<void> => {
  const terms = await proposeTerms(deps, context, of, change);
  if (terms) await makeFreeChange(deps, context, of.bookingId, terms);
};

/** @returns what is proposed; undefined where the booking has these terms */
const proposeTerms = async (
  deps: AskingDeps,
  context: CommandContext,
  { bookingId, booking: state }: Booked,
  { expectedTotal, ...change }: TermsChange,
): Promise<BookingTerms | undefined> => {
  const by = partyOf(state, context.actor, 'ProposeChange');
  assertAllowed('ProposeChange', state, by);
  const { at } = context;
  assertNotBegun(state, at);
  refuseRefund(change);
  const options = await optionsFor(deps, at, { state, by }, change);
  if (options.length === 0) {
    await handled(deps, context, bookingId, { type: 'WithdrawChange', by, reason: 'withdrawn' });
    return undefined;
  }
  const again = state.change?.by === by ? state.change.terms : undefined;
  // Asked for again, it keeps its hold and its price: nobody holds places for ever without paying.
  if (again && options.some((terms) => isSamePlaces(again, terms) && terms.guests === again.guests)) {
    assertExpectedTotal(expectedTotal, again);
    return again;
  }
  assertAnyExpected(expectedTotal, options);
  const { holdId, userId, paymentIds } = state;
  const until = holdEnd(state, addMs(at, deps.settings.holdTtlMs));
  const received = await receivedFor(deps, followUp(context, 'received'), bookingId, paymentIds);
  const proposing = async (terms: BookingTerms): Promise<BookingTerms> => {
    assertExpectedTotal(expectedTotal, terms);
    const facts = { former: { holdId }, received };
    const command = { type: 'ProposeChange', by, at, ...facts, holdExpiresAt: until, ...terms } as const;
    await handled(deps, context, bookingId, command);
    return terms;
  };
  return withinNewTimes(deps, context, { bookingId, booking: state }, { options, until }, () =>
    withHold(deps, context, { options, bookingId, userId, until }, proposing),
  );
};

/** @throws Rejected `invalid` */
const refuseRefund = ({ refund }: TermsChange): void => {
  if (refund !== undefined)
    throw new Rejected('invalid', 'Only a seller who shortens a stay that has begun sends refund. Leave it out.', {
      fields: ['refund'],
    });
};

const changers = { Reschedule: reschedule, ProposeChange: propose, Shorten: shortenStay };

/** The guest or an admin takes a proposed change back. Without one nothing changes. @throws Rejected `forbidden` */
export const withdrawProposal = async (deps: Deps, context: CommandContext, bookingId: string): Promise<Booked> => {
  const by = partyOf(await loadBooking(deps, bookingId), context.actor, 'WithdrawChange');
  return handled(deps, context, bookingId, { type: 'WithdrawChange', by, reason: 'withdrawn' });
};

export interface QuotedChange extends ChangeQuote, Pick<QuotedTerms, 'totalMinor' | 'currency' | 'lines'> {
  /** What cancelling costs after the change. */
  readonly cancellationPolicy: DatedPolicy;
}

/**
 * What a change would cost if it was made now. It is decided by the commands of the change; nothing is held.
 * @throws Rejected as `changeTerms`
 */
export const changeQuote = (
  deps: AskingDeps,
  context: CommandContext,
  bookingId: string,
  change: TermsChange,
): Promise<QuotedChange> =>
  onFreshFacts(async (attempt) => {
    const dry = dryRun(attempt === 0 ? deps : readingAgain(deps));
    const own = followUp(context, `attempt ${attempt}`);
    await letGoOfEnded(dry, own, bookingId);
    const state = await withZone(dry, await loadBooking(dry, bookingId));
    const type = changeOf(state, context);
    if (type === 'Shorten') return shorteningQuote(dry, own, { bookingId, booking: state }, change);
    refuseRefund(change);
    const isUnpaid = type === 'Reschedule';
    await (isUnpaid ? reschedule : proposeTerms)(dry, own, { bookingId, booking: state }, change);
    const after = await loadBooking(dry, bookingId);
    const { totalMinor, currency, lines, startsAt } = after.change?.terms ?? after;
    const cancellationPolicy = datedPolicy(state.cancellationPolicy, { ...state, startsAt });
    const price = { totalMinor, currency, lines, cancellationPolicy };
    if (isUnpaid) return { ...price, dueMinor: totalMinor, penaltyPercent: 0, penaltyMinor: 0, refundMinor: 0 };
    const asItIs = () => quoteChange(state, totalMinor, 0, context.at, partyOf(state, context.actor, 'ProposeChange'));
    const { dueMinor, penaltyPercent, penaltyMinor, refundMinor } = after.change ?? asItIs();
    return { ...price, dueMinor, penaltyPercent, penaltyMinor, refundMinor };
  });

const shorteningQuote = async (
  deps: AskingDeps,
  context: CommandContext,
  booked: Booked,
  change: TermsChange,
): Promise<QuotedChange> => {
  const state = booked.booking;
  const after = await shortenedQuote(deps, context, booked, change);
  const { totalMinor, currency, lines, refundMinor } = after ?? { ...state, refundMinor: 0 };
  const cancellationPolicy = datedPolicy(state.cancellationPolicy, state);
  const costs = { dueMinor: 0, penaltyPercent: 0, penaltyMinor: 0, refundMinor };
  return { totalMinor, currency, lines, cancellationPolicy, ...costs };
};
