/**
 * Several bookings made as one, or none of them. No transaction spans their streams. First the places of all are held,
 * each for its future booking. Then one event, `TripBooked`, has the data of every booking: with it all are booked,
 * without it none. A crash before it leaves holds, which expire. After it, the policy on that event, or the same
 * request again, writes the missing bookings.
 */
import { booking, outstandingOf } from '../../domain/bookings/booking.ts';
import type { BookingTerms } from '../../domain/bookings/bookingEvents.ts';
import { holdEnd } from '../../domain/bookings/payingTime.ts';
import { type OpenTrip, type TripBooking, trip } from '../../domain/bookings/trip.ts';
import { cancellationPolicy } from '../../domain/catalog/cancellation.ts';
import { type Actor, existing, notFound, Rejected } from '../../domain/core/decider.ts';
import { addMs } from '../../domain/core/instants.ts';
import { derivedId } from '../../infra/ids.ts';
import { assertExpectedTotal } from '../core/expectedTotal.ts';
import { onFreshFacts, readingAgain } from '../core/freshFacts.ts';
import { type CommandContext, followUp, madeBefore } from '../core/handle.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import { timesOf } from './bookedTimes.ts';
import { type Agreement, agreeOn, type NewBooking } from './bookings.ts';
import { finishingEdits, withHold } from './holds.ts';
import { type Booked, loadBooking } from './loadBooking.ts';
import { promotionOf, type QuotedTerms } from './offer.ts';
import { bookingUses } from './promoUses.ts';
import { settledIfFree } from './settleFree.ts';
import { withinUnpaidLimit } from './unpaid.ts';

type Deps = Pick<PaymentDeps, 'aggregates' | 'settings' | 'log' | 'pool' | 'jobs'>;

export interface NewTrip {
  readonly items: readonly NewBooking[];
  readonly notes?: string | null;
  /** The price that the guest was shown for all items, in major units. */
  readonly expectedTotal?: number;
}

/** A trip with its bookings, in the order they were asked for. */
export interface BookedTrip {
  readonly tripId: string;
  readonly trip: OpenTrip;
  readonly bookings: readonly Booked[];
}

/** @throws Rejected `not_found` */
const loadTrip = async (deps: Pick<Deps, 'aggregates'>, tripId: string): Promise<OpenTrip> =>
  existing((await deps.aggregates.load(trip, tripId)).state, 'trip');

/** One requested booking and its quote. */
interface Item extends Agreement {
  /** Of what is held for it. */
  readonly context: CommandContext;
  readonly bookingId: string;
  readonly notes: string | null;
  readonly expectedTotal: number | undefined;
}

/** The same rejection with the index of its item; an index that is there already stays. */
const ofItem =
  (index: number) =>
  (error: unknown): never => {
    if (!(error instanceof Rejected) || 'index' in error.facts) throw error;
    throw error.within(`items/${index}`).with({ ...error.facts, index }, `Item ${index}: ${error.message}`);
  };

const agreeOnAll = async (
  deps: Deps,
  context: CommandContext,
  attempt: number,
  request: readonly NewBooking[],
): Promise<Item[]> => {
  const items: Item[] = [];
  for (const [index, item] of request.entries()) {
    const { notes = null, expectedTotal } = item;
    const own = followUp(context, `item ${index}`);
    const agreement = await agreeOn(deps, context, item).catch(ofItem(index));
    const bookingId = derivedId(own.commandId, 'booking');
    // A hold that is released is not placed again, so each attempt has its own.
    const held = attempt === 0 ? own : followUp(own, `attempt ${attempt}`);
    items.push({ ...agreement, context: held, bookingId, notes, expectedTotal });
  }
  const currencies = new Set(items.flatMap(({ options }) => options.map(({ currency }) => currency)));
  if (currencies.size > 1)
    throw new Rejected(
      'invalid',
      `All items of a trip must have the same currency. These have ${[...currencies].join(' and ')}.`,
      { fields: ['items'] },
    );
  return items;
};

/** The price of a trip, from the terms of its items. */
const priceOf = (terms: readonly QuotedTerms[]) => ({
  currency: terms[0]?.currency ?? '',
  totalMinor: terms.reduce((sum, { totalMinor }) => sum + totalMinor, 0),
  lines: terms.flatMap(({ lines }) => lines),
});

/** Refuses another price before anything is held, unless it depends on what is held. @throws Rejected `price_changed` */
const assertSurePrice = (expected: number | undefined, items: readonly Item[]): void => {
  const first = items.flatMap(({ options }) => options.slice(0, 1));
  const isSure = items.every(({ options }) => options.every(({ totalMinor }) => totalMinor === options[0]?.totalMinor));
  if (isSure) assertExpectedTotal(expected, priceOf(first));
};

/** Holds the places of every item, then runs `work`. Releases all of them if `work` was refused. */
const holdingAll = <T>(
  deps: Deps,
  items: readonly Item[],
  until: string,
  work: (held: readonly BookingTerms[]) => Promise<T>,
  held: readonly BookingTerms[] = [],
): Promise<T> => {
  const next = items[held.length];
  if (!next) return work(held);
  const { context, bookingId, options } = next;
  const request = { bookingId, userId: context.actor.id, options, until };
  const use = { itemId: bookingId, userId: context.actor.id, until, ...promotionOf(options) };
  return bookingUses
    .reserving(deps, context, use, () =>
      withHold(deps, context, request, (terms) => holdingAll(deps, items, until, work, [...held, terms])),
    )
    .catch(ofItem(held.length));
};

/** The data of the bookings. What a booking would refuse is refused here, before there is a trip. */
const termsOf = (
  { actor: { id: userId } }: CommandContext,
  items: readonly Item[],
  until: string,
  held: readonly BookingTerms[],
): TripBooking[] =>
  held.map((quoted, index) => {
    const { bookingId, ownerId, notes, guest, expectedTotal, confirmation, ...item } = items[index] as Item;
    const terms = {
      ...quoted,
      userId,
      sellerId: ownerId,
      notes,
      holdExpiresAt: holdEnd(quoted, until),
      cancellationPolicy: cancellationPolicy(item.cancellationPolicy),
      confirmation,
      guest,
    };
    try {
      assertExpectedTotal(expectedTotal, quoted);
      booking.decide({ type: 'CreateBooking', ...terms }, booking.initial);
    } catch (error) {
      ofItem(index)(error);
    }
    return { bookingId, terms };
  });

const begin = async (
  deps: Deps,
  context: CommandContext,
  tripId: string,
  { items: request, notes = null, expectedTotal }: NewTrip,
  attempt: number,
): Promise<OpenTrip> => {
  const items = await agreeOnAll(deps, context, attempt, request);
  assertSurePrice(expectedTotal, items);
  const until = addMs(context.at, deps.settings.holdTtlMs);
  const book = async (held: readonly BookingTerms[]): Promise<OpenTrip> => {
    const bookings = termsOf(context, items, until, held);
    const { lines, ...price } = priceOf(held);
    assertExpectedTotal(expectedTotal, { ...price, lines });
    const command = { type: 'BookTrip', userId: context.actor.id, notes, ...price, bookings } as const;
    return existing((await deps.aggregates.handle(trip, tripId, command, context)).state, 'trip');
  };
  const bookingIds = items.map(({ bookingId }) => bookingId);
  const times = items.flatMap(({ bookingId, options, allowOverlapping }, nth) =>
    timesOf(bookingId, options[0], { allowOverlapping, nth }),
  );
  return withinUnpaidLimit(deps, context, { bookedAs: tripId, bookingIds, until, times }, () =>
    holdingAll(deps, items, until, book),
  );
};

/** Writes the bookings of a trip; those that are there already stay as they are. */
export const writeBookings = async (
  deps: Pick<Deps, 'aggregates'>,
  context: CommandContext,
  { bookings }: Pick<OpenTrip, 'bookings'>,
): Promise<Booked[]> => {
  const booked: Booked[] = [];
  for (const { bookingId, terms } of bookings) {
    const command = { type: 'CreateBooking', ...terms } as const;
    await deps.aggregates.handle(booking, bookingId, command, followUp(context, bookingId));
    const made = { bookingId, booking: await loadBooking(deps, bookingId) };
    booked.push(await settledIfFree(deps, context, made));
  }
  return booked;
};

/**
 * Books everything for the actor, or nothing. Repeated with the same `context.commandId` it is the same trip.
 * @throws Rejected as `createBooking`, with the fact `index`: which item is refused; `invalid` for several currencies;
 * `price_changed` without `index` for the price of the whole
 */
export const bookTrip = async (deps: Deps, context: CommandContext, request: NewTrip): Promise<BookedTrip> => {
  const tripId = derivedId(context.commandId, 'trip');
  const state = await madeBefore(deps, trip, tripId, context);
  const again = (attempt: number) => (attempt === 0 ? deps : readingAgain(deps));
  const booked =
    state.status === 'none'
      ? await onFreshFacts(
          (attempt) => begin(again(attempt), context, tripId, request, attempt),
          finishingEdits(deps, context),
        )
      : state;
  return { tripId, trip: booked, bookings: await writeBookings(deps, context, booked) };
};

/**
 * The bookings of a trip that are not paid yet, or wait for the payment of a change, for one payment of all of them.
 * @throws Rejected `not_found` for those who did not book it, `invalid_transition` when nothing is left to pay
 */
export const unpaidOf = async (
  deps: Pick<Deps, 'aggregates'>,
  { id }: Actor,
  tripId: string,
): Promise<{ readonly kind: 'booking'; readonly id: string }[]> => {
  const { userId, bookings } = await loadTrip(deps, tripId);
  if (userId !== id) throw notFound('trip');
  const states = await Promise.all(bookings.map(({ bookingId }) => deps.aggregates.load(booking, bookingId)));
  const unpaid = bookings.filter((_, index) => {
    const state = states[index]?.state;
    const waiting = state && state.status !== 'none' ? outstandingOf(state) : null;
    return waiting !== null && waiting.amountMinor > 0;
  });
  if (unpaid.length === 0) throw new Rejected('invalid_transition', 'This trip has no unpaid bookings.');
  return unpaid.map(({ bookingId }) => ({ kind: 'booking', id: bookingId }));
};
