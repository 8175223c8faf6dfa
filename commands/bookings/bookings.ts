/**
 * Creating and changing bookings. The inventory is asked first. A hold that no booking refers to in the end is released
 * at once, or by its job if the process died before.
 */
import { assertAllowed, assertNotOwn, booking } from '../../domain/bookings/booking.ts';
import type { BookingTerms } from '../../domain/bookings/bookingEvents.ts';
import type { Guest } from '../../domain/bookings/guest.ts';
import { holdEnd } from '../../domain/bookings/payingTime.ts';
import {
  type CancellationQuote,
  cancellationPolicy,
  type DatedPolicy,
  datedPolicy,
  penaltyUntil,
  quoteCancellation,
} from '../../domain/catalog/cancellation.ts';
import { addMs } from '../../domain/core/instants.ts';
import { derivedId } from '../../infra/ids.ts';
import { type DryRun, dryRun } from '../core/dryRun.ts';
import { assertExpectedTotal } from '../core/expectedTotal.ts';
import { onFreshFacts, readingAgain } from '../core/freshFacts.ts';
import { type CommandContext, followUp, madeBefore } from '../core/handle.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import { receivedFor, receivedMinor } from '../payments/giveBack.ts';
import { timesOf } from './bookedTimes.ts';
import { changeTerms } from './changes.ts';
import { type GuestInput, guestFields, guestOf } from './guests.ts';
import { finishingEdits, withHold } from './holds.ts';
import { type Booked, handled, loadBooking, partyOf, withZone } from './loadBooking.ts';
import { promotionOf } from './offer.ts';
import { bookingUses, newDiscount } from './promoUses.ts';
import { assertAnyExpected, type BookingRequest, type Quote, quoteBooking } from './quote.ts';
import { settledIfFree } from './settleFree.ts';
import type { TermsChange } from './shortenStay.ts';
import { noLongerBooked, withinUnpaidLimit } from './unpaid.ts';

type Deps = Pick<PaymentDeps, 'aggregates' | 'settings' | 'log' | 'pool' | 'jobs'> & DryRun;
type AskingDeps = Deps & Pick<PaymentDeps, 'paymentProviders' | 'now'>;

export type NewBooking = BookingRequest &
  GuestInput & {
    readonly notes?: string | null;
    /** A promo code, as it was typed. */
    readonly promo?: string;
    /** The price that the guest was shown, in major units. */
    readonly expectedTotal?: number;
  };

/**
 * What a new booking would cost and how it would be sold. Nothing is held, and no use of the promo code is reserved.
 * @throws Rejected as `quoteBooking`
 */
const quoteNewBooking = async (
  deps: Pick<Deps, 'aggregates'>,
  at: string,
  request: Pick<NewBooking, 'promo'> & BookingRequest,
): Promise<Quote> => quoteBooking(deps, at, request, await newDiscount(deps, request.promo));

/** What the guest and the seller agree on. */
export interface Agreement extends Quote {
  readonly guest: Guest;
}

/**
 * Quotes a booking for the actor. What it would refuse in the end is refused here, before it takes the last place or the
 * last use of a promo code from somebody else for a moment.
 * @throws Rejected as `createBooking`
 */
export const agreeOn = async (
  deps: Pick<Deps, 'aggregates'>,
  { actor, at }: CommandContext,
  request: NewBooking,
): Promise<Agreement> => {
  const [quote, guest] = await Promise.all([quoteNewBooking(deps, at, request), guestOf(deps, actor.id, request)]);
  assertNotOwn(actor.id, quote.ownerId);
  assertAnyExpected(request.expectedTotal, quote.options);
  return { ...quote, guest };
};

/**
 * What a booking by the actor would be now: the first option whose places are free, with the discount of a promo code that
 * they can still use. It is decided by the commands of the booking; nothing is held, reserved or counted.
 * @throws Rejected as `createBooking`
 */
export const previewBooking = (
  deps: Deps,
  context: CommandContext,
  request: NewBooking,
): Promise<{ readonly terms: BookingTerms; readonly cancellationPolicy: DatedPolicy }> =>
  onFreshFacts(async (attempt) => {
    const dry = dryRun(attempt === 0 ? deps : readingAgain(deps));
    const own = followUp(context, `attempt ${attempt}`);
    const { booking: terms } = await book(dry, context, own, derivedId(context.commandId, 'booking'), request);
    return { terms, cancellationPolicy: datedPolicy(terms.cancellationPolicy, terms) };
  });

/**
 * Creates a booking for the actor. Repeated with the same `context.commandId` it is the same booking.
 * @throws Rejected `not_found`, `invalid`, `not_bookable`, `sold_out`, `price_changed`, `promo_refused`, `too_many_holds`; `forbidden` for
 * those who sell it themselves
 */
export const createBooking = async (deps: Deps, context: CommandContext, request: NewBooking): Promise<Booked> => {
  const bookingId = derivedId(context.commandId, 'booking');
  const before = await madeBefore(deps, booking, bookingId, context);
  if (before.status !== 'none') return settledIfFree(deps, context, { bookingId, booking: before });

  // A hold that is released is not placed again, so each attempt has its own.
  const made = await onFreshFacts(
    (attempt) =>
      attempt === 0
        ? book(deps, context, context, bookingId, request)
        : book(readingAgain(deps), context, followUp(context, `attempt ${attempt}`), bookingId, request),
    finishingEdits(deps, context),
  );
  return settledIfFree(deps, context, made);
};

/** @param attempt holds the places; `context` makes the booking */
const book = async (
  deps: Deps,
  context: CommandContext,
  attempt: CommandContext,
  bookingId: string,
  request: NewBooking,
): Promise<Booked> => {
  const { notes = null, expectedTotal } = request;
  const agreed = await agreeOn(deps, context, request);
  const { options, ownerId, confirmation, cancellationPolicy: policy, guest } = agreed;
  const times = timesOf(bookingId, options[0], agreed);
  const until = addMs(context.at, deps.settings.holdTtlMs);
  const userId = context.actor.id;
  const create = async (terms: BookingTerms) => {
    assertExpectedTotal(expectedTotal, terms);
    const made = await handled(deps, context, bookingId, {
      type: 'CreateBooking',
      ...terms,
      userId,
      sellerId: ownerId,
      notes,
      holdExpiresAt: holdEnd(terms, until),
      cancellationPolicy: cancellationPolicy(policy),
      confirmation,
      guest,
    });
    return context.isFirstAttempt ? { ...made, createdAt: context.at } : made;
  };
  return withinUnpaidLimit(deps, context, { bookedAs: bookingId, bookingIds: [bookingId], until, times }, () =>
    bookingUses.reserving(deps, attempt, { itemId: bookingId, userId, until, ...promotionOf(options) }, () =>
      withHold(deps, attempt, { options, bookingId, userId, until }, create),
    ),
  );
};

export interface BookingChange extends TermsChange, GuestInput {
  readonly notes?: string | null;
}

/**
 * Changes dates or guests, at a new price and with a new hold, or not at all; and changes notes and the guest's details.
 * A paid booking that gets more expensive changes when the difference is paid.
 * @throws Rejected as `createBooking`, and `invalid_transition`, `payment_open`, `hold_expired`
 */
export const updateBooking = async (
  deps: AskingDeps,
  context: CommandContext,
  bookingId: string,
  { notes, guestName, guestPhone, arrivalTime, ...terms }: BookingChange,
): Promise<Booked> => {
  if (Object.values(terms).some((value) => value !== undefined)) await changeTerms(deps, context, bookingId, terms);
  if (notes !== undefined) {
    const by = partyOf(await loadBooking(deps, bookingId), context.actor, 'ChangeNotes');
    await deps.aggregates.handle(booking, bookingId, { type: 'ChangeNotes', by, notes }, followUp(context, 'notes'));
  }
  const guest = guestFields({ guestName, guestPhone, arrivalTime });
  if (Object.keys(guest).length > 0) {
    const by = partyOf(await loadBooking(deps, bookingId), context.actor, 'ChangeGuest');
    await deps.aggregates.handle(booking, bookingId, { type: 'ChangeGuest', by, guest }, followUp(context, 'guest'));
  }
  return settledIfFree(deps, context, { bookingId, booking: await loadBooking(deps, bookingId) });
};

/**
 * The penalty and refund if the actor cancelled now, and until when the penalty is not higher; null: it never gets higher. The providers are asked: some of the money may have been given back
 * there.
 * @throws Rejected `not_found`, `invalid_transition`
 */
export const cancellationQuote = async (
  deps: AskingDeps,
  context: CommandContext,
  bookingId: string,
): Promise<CancellationQuote & { currency: string; until: string | null }> => {
  const { actor, at } = context;
  const state = await withZone(deps, await loadBooking(deps, bookingId));
  const by = partyOf(state, actor, 'Cancel');
  assertAllowed('Cancel', state, by);
  const minor = await receivedMinor(deps, context, bookingId, state.paymentIds);
  const until = by === 'guest' ? penaltyUntil(state.cancellationPolicy, state, at) : null;
  return { ...quoteCancellation(state, minor, at, by), currency: state.currency, until };
};

/** The seller confirms the booking. An instant booking is confirmed by its payment: nothing changes. */
export const confirmBooking = async (deps: Deps, context: CommandContext, bookingId: string): Promise<Booked> => {
  const by = partyOf(await loadBooking(deps, bookingId), context.actor, 'Confirm');
  return handled(deps, context, bookingId, { type: 'Confirm', by });
};

/** What the guest could not book because of the booking can be booked when this returns. */
const end =
  (type: 'Cancel' | 'Reject') =>
  async (deps: AskingDeps, context: CommandContext, bookingId: string, reason: string | null): Promise<Booked> => {
    const ended = await onFreshFacts(async (attempt) => {
      const state = await withZone(deps, await loadBooking(deps, bookingId));
      const { timezone } = state;
      const by = partyOf(state, context.actor, type);
      const asking = followUp(context, `attempt ${attempt}`);
      const received = await receivedFor(deps, asking, bookingId, state.paymentIds);
      return handled(deps, context, bookingId, { type, by, reason, at: context.at, received, timezone });
    });
    await noLongerBooked(deps, [bookingId]);
    const use = { deps, context: followUp(context, 'promo use') };
    await bookingUses.giveBack(use, bookingId, ended.booking, { evenTaken: ended.booking.ending?.by !== 'guest' });
    return ended;
  };

/**
 * Cancels a booking. The refund is that of `cancellationQuote`; a cancellation by the seller or an admin refunds
 * everything.
 */
export const cancelBooking = end('Cancel');
/** The seller rejects the booking. Everything that was paid is refunded. */
export const rejectBooking = end('Reject');
