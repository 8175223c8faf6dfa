/**
 * Creating and changing bookings. The inventory is asked first. A hold that no booking refers to in the end is released
 * at once, or by its job if the process died before.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  assertAllowed,
  type Booking,
  booking,
  type OpenBooking,
  type Party,
  type Transition,
  transitions,
} from '../../domain/bookings/booking.ts';
import type { BookingTerms } from '../../domain/bookings/bookingEvents.ts';
import { holdEnd } from '../../domain/bookings/payingTime.ts';
import { inventoryDemand } from '../../domain/catalog/bookableItem.ts';
import { type CancellationQuote, cancellationPolicy, quoteCancellation } from '../../domain/catalog/cancellation.ts';
import { type Actor, Rejected } from '../../domain/core/decider.ts';
import { derivedId } from '../../infra/ids.ts';
import { assertExpectedTotal } from '../core/expectedTotal.ts';
import { onFreshFacts } from '../core/facts.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import { receivedFor } from '../payments/giveBack.ts';
import { type GuestInput, guestFields, guestOf } from './guests.ts';
import { withHold } from './holds.ts';
import { assertAnyExpected, type BookingRequest, quoteBooking, type RequestChange, requestAfter } from './quote.ts';
import { withinUnpaidLimit } from './unpaid.ts';

type Deps = Pick<PaymentDeps, 'aggregates' | 'settings' | 'log' | 'pool'>;

/** A booking and its id: what every command here returns. */
export interface Booked {
  readonly bookingId: string;
  readonly booking: OpenBooking;
}

export type NewBooking = BookingRequest &
  GuestInput & {
    readonly notes?: string | null;
    /** The price that the guest was shown, in major units. */
    readonly expectedTotal?: number;
  };

/** @throws Rejected `not_found` */
export const loadBooking = async (deps: Pick<Deps, 'aggregates'>, bookingId: string): Promise<OpenBooking> =>
  existing((await deps.aggregates.load(booking, bookingId)).state);

const existing = (state: Booking): OpenBooking => {
  if (state.status === 'none') throw new Rejected('not_found', 'This booking does not exist.');
  return state;
};

/**
 * The actor's role in a booking. If there are several, the one that is allowed to do this.
 * @throws Rejected `not_found` for those who have nothing to do with it
 */
export const partyOf = (state: OpenBooking, actor: Actor, to?: Transition): Party => {
  const parties: Party[] = [];
  if (actor.kind === 'user' && actor.id === state.userId) parties.push('guest');
  if (actor.kind === 'user' && actor.id === state.sellerId) parties.push('provider');
  if (actor.role === 'admin') parties.push('admin');
  const party = parties.find((each) => to && transitions[to].by.includes(each)) ?? parties[0];
  if (!party) throw new Rejected('not_found', 'This booking does not exist.');
  return party;
};

/**
 * Creates a booking for the actor. Repeated with the same `context.commandId` it is the same booking.
 * @throws Rejected `not_found`, `invalid`, `not_bookable`, `sold_out`, `price_changed`, `too_many_holds`; `forbidden` for
 * those who sell it themselves
 */
export const createBooking = async (deps: Deps, context: CommandContext, request: NewBooking): Promise<Booked> => {
  const bookingId = derivedId(context.commandId, 'booking');
  const { state: before } = await deps.aggregates.load(booking, bookingId);
  if (before.status !== 'none') return { bookingId, booking: before };

  const { notes = null, expectedTotal } = request;
  const [quote, guest] = await Promise.all([
    quoteBooking(deps, context.at, request),
    guestOf(deps, context.actor.id, request),
  ]);
  const { options, ownerId, confirmation, cancellationPolicy: policy } = quote;
  assertAnyExpected(expectedTotal, options);
  const until = new Date(Date.parse(context.at) + deps.settings.holdTtlMs).toISOString();
  const userId = context.actor.id;
  const create = async (terms: BookingTerms) => {
    assertExpectedTotal(expectedTotal, terms);
    return handled(deps, context, bookingId, {
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
  };
  return withinUnpaidLimit(deps, context, { bookedAs: bookingId, bookingIds: [bookingId], until }, () =>
    withHold(deps, context, { options, bookingId, userId, until }, create),
  );
};

export interface BookingChange extends RequestChange, GuestInput {
  readonly notes?: string | null;
}

/**
 * Changes dates or guests, at a new price and with a new hold, or not at all; and changes notes and the guest's details.
 * @throws Rejected as `createBooking`, and `invalid_transition`, `payment_open`, `hold_expired`
 */
export const updateBooking = async (
  deps: Deps,
  context: CommandContext,
  bookingId: string,
  { notes, guestName, guestPhone, arrivalTime, ...terms }: BookingChange,
): Promise<Booked> => {
  if (Object.values(terms).some((value) => value !== undefined))
    // A hold that is released is not placed again, so each attempt has its own.
    await onFreshFacts((attempt) =>
      reschedule(deps, attempt === 0 ? context : followUp(context, `attempt ${attempt}`), bookingId, terms),
    );
  if (notes !== undefined) {
    const by = partyOf(await loadBooking(deps, bookingId), context.actor, 'ChangeNotes');
    await deps.aggregates.handle(booking, bookingId, { type: 'ChangeNotes', by, notes }, followUp(context, 'notes'));
  }
  const guest = guestFields({ guestName, guestPhone, arrivalTime });
  if (Object.keys(guest).length > 0) {
    const by = partyOf(await loadBooking(deps, bookingId), context.actor, 'ChangeGuest');
    await deps.aggregates.handle(booking, bookingId, { type: 'ChangeGuest', by, guest }, followUp(context, 'guest'));
  }
  return { bookingId, booking: await loadBooking(deps, bookingId) };
};

const reschedule = async (
  deps: Deps,
  context: CommandContext,
  bookingId: string,
  change: RequestChange,
): Promise<void> => {
  const state = await loadBooking(deps, bookingId);
  const by = partyOf(state, context.actor, 'Reschedule');
  assertAllowed('Reschedule', state, by);
  const { options } = await quoteBooking(deps, context.at, requestAfter(state, change));
  const { holdId, guests } = state;
  const settle = (terms: BookingTerms) =>
    handled(deps, context, bookingId, {
      type: 'Reschedule',
      by,
      at: context.at,
      former: { holdId, guests },
      ...terms,
    });

  const places = inventoryDemand(state.item);
  const asItIs = options.find(({ item }) => isDeepStrictEqual(inventoryDemand(item), places));
  if (asItIs) await settle({ ...asItIs, holdId });
  else await withHold(deps, context, { options, bookingId, userId: state.userId, until: state.holdExpiresAt }, settle);
};

/** The penalty and refund if the actor cancelled now. @throws Rejected `not_found`, `invalid_transition` */
export const cancellationQuote = async (
  deps: Deps,
  { actor, at }: CommandContext,
  bookingId: string,
): Promise<CancellationQuote & { currency: string }> => {
  const state = await loadBooking(deps, bookingId);
  const by = partyOf(state, actor, 'Cancel');
  assertAllowed('Cancel', state, by);
  const { minor } = await receivedFor(deps, bookingId, state);
  return { ...quoteCancellation(state, minor, at, by), currency: state.currency };
};

/** The seller confirms the booking. An instant booking is confirmed by its payment: nothing changes. */
export const confirmBooking = async (deps: Deps, context: CommandContext, bookingId: string): Promise<Booked> => {
  const by = partyOf(await loadBooking(deps, bookingId), context.actor, 'Confirm');
  return handled(deps, context, bookingId, { type: 'Confirm', by });
};

/** The seller records a no-show, from the start of the booking on. */
export const markNoShow = async (deps: Deps, context: CommandContext, bookingId: string): Promise<Booked> => {
  const by = partyOf(await loadBooking(deps, bookingId), context.actor, 'MarkNoShow');
  return handled(deps, context, bookingId, { type: 'MarkNoShow', by, at: context.at });
};

/** The seller takes a no-show back, within a day: the guest came after all. */
export const withdrawNoShow = async (deps: Deps, context: CommandContext, bookingId: string): Promise<Booked> => {
  const by = partyOf(await loadBooking(deps, bookingId), context.actor, 'WithdrawNoShow');
  return handled(deps, context, bookingId, { type: 'WithdrawNoShow', by, at: context.at });
};

const end =
  (type: 'Cancel' | 'Reject') =>
  (deps: Deps, context: CommandContext, bookingId: string, reason: string | null): Promise<Booked> =>
    onFreshFacts(async () => {
      const state = await loadBooking(deps, bookingId);
      const by = partyOf(state, context.actor, type);
      const received = await receivedFor(deps, bookingId, state);
      return handled(deps, context, bookingId, { type, by, reason, at: context.at, received });
    });

/**
 * Cancels a booking. The refund is that of `cancellationQuote`; a cancellation by the seller or an admin refunds
 * everything.
 */
export const cancelBooking = end('Cancel');
/** The seller rejects the booking. Everything that was paid is refunded. */
export const rejectBooking = end('Reject');

const handled = async (
  deps: Deps,
  context: CommandContext,
  bookingId: string,
  command: Parameters<typeof booking.decide>[0],
): Promise<Booked> => {
  const { state } = await deps.aggregates.handle(booking, bookingId, command, context);
  return { bookingId, booking: existing(state) };
};
