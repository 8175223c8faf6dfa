/**
 * Booking and what its parties do with it. The item's inventory is asked first; a hold that no booking refers to in the
 * end is released at once, or by its timer if we did not live to do it.
 */
import {
  assertAllowed,
  type Booking,
  booking,
  type OpenBooking,
  type Party,
  type Transition,
  transitions,
} from '../domain/bookings/booking.ts';
import { type Deal, placesOf } from '../domain/bookings/bookingEvents.ts';
import { type CancellationQuote, cancellationPolicy, quoteCancellation } from '../domain/bookings/cancellation.ts';
import { inventory } from '../domain/bookings/inventory.ts';
import { payment, refundableMinor } from '../domain/bookings/payment.ts';
import { type Actor, Rejected } from '../domain/decider.ts';
import { StoreUnavailable } from '../eventstore/client.ts';
import { derivedId } from '../ops/base/ids.ts';
import { agree, type WantedStay } from './bookings/stays.ts';
import type { CommandDeps } from './deps.ts';
import { type CommandContext, followUp } from './handle.ts';

type Deps = Pick<CommandDeps, 'aggregates' | 'settings' | 'log'>;

/** A booking and its id: what every command here returns. */
export interface Booked {
  readonly bookingId: string;
  readonly booking: OpenBooking;
}

export interface NewBooking extends WantedStay {
  readonly notes?: string | null;
}

/** @throws Rejected `not_found` */
export const loadBooking = async (deps: Pick<Deps, 'aggregates'>, bookingId: string): Promise<OpenBooking> =>
  existing((await deps.aggregates.load(booking, bookingId)).state);

const existing = (state: Booking): OpenBooking => {
  if (state.status === 'none') throw new Rejected('not_found', 'There is no such booking.');
  return state;
};

/**
 * Who someone is to a booking: where they are several things, the one that may do this.
 * @throws Rejected `not_found` for those who have nothing to do with it
 */
export const partyOf = (state: OpenBooking, actor: Actor, to?: Transition): Party => {
  const parties: Party[] = [];
  if (actor.kind === 'user' && actor.id === state.userId) parties.push('guest');
  if (actor.kind === 'user' && actor.id === state.providerId) parties.push('provider');
  if (actor.role === 'admin') parties.push('admin');
  const party = parties.find((each) => to && transitions[to].by.includes(each)) ?? parties[0];
  if (!party) throw new Rejected('not_found', 'There is no such booking.');
  return party;
};

/** Holds the places, runs `work` with the hold, and gives them back if the answer was no. */
const withHold = async <T>(
  deps: Deps,
  context: CommandContext,
  hold: { deal: Omit<Deal, 'holdId'>; bookingId: string; expiresAt: string },
  work: (holdId: string) => Promise<T>,
): Promise<T> => {
  const { itemId, ...places } = placesOf(hold.deal.subject);
  const { bookingId, expiresAt } = hold;
  const { at } = context;
  const holdId = derivedId(context.commandId, 'hold');
  const place = { type: 'PlaceHold', holdId, bookingId, ...places, expiresAt, at } as const;
  await deps.aggregates.handle(inventory, itemId, place, followUp(context, 'hold'));
  try {
    return await work(holdId);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error; // it may have happened: the hold's timer will see
    const release = { type: 'ReleaseHold', holdId, reason: 'refused' } as const;
    await deps.aggregates.handle(inventory, itemId, release, followUp(context, 'release')).catch((err: unknown) => {
      deps.log.warn({ err, holdId }, 'a refused hold is left to its timer');
    });
    throw error;
  }
};

/**
 * Books nights in a room for the one who asks. Repeated with the same `context.commandId` it is the same booking.
 * @throws Rejected `not_found`, `invalid`, `not_bookable`, `sold_out`
 */
export const createBooking = async (deps: Deps, context: CommandContext, wanted: NewBooking): Promise<Booked> => {
  const bookingId = derivedId(context.commandId, 'booking');
  const { state: before } = await deps.aggregates.load(booking, bookingId);
  if (before.status !== 'none') return { bookingId, booking: before };

  const { deal, hotel: ofHotel } = await agree(deps, context.at, wanted);
  const expiresAt = new Date(Date.parse(context.at) + deps.settings.holdTtlMs).toISOString();
  return withHold(deps, context, { deal, bookingId, expiresAt }, async (holdId) => {
    const command = {
      type: 'CreateBooking',
      ...deal,
      holdId,
      userId: context.actor.id,
      providerId: ofHotel.ownerId,
      notes: wanted.notes ?? null,
      holdExpiresAt: expiresAt,
      cancellationPolicy: cancellationPolicy(ofHotel.cancellationPolicy),
    } as const;
    const { state } = await deps.aggregates.handle(booking, bookingId, command, context);
    return { bookingId, booking: existing(state) };
  });
};

export interface BookingChange {
  readonly checkIn?: string;
  readonly checkOut?: string;
  readonly guests?: number;
  readonly notes?: string | null;
}

/**
 * Other dates or guests, held anew and priced anew, or nothing of it; other notes.
 * @throws Rejected as `createBooking`, and `invalid_transition`, `payment_open`, `hold_expired`
 */
export const updateBooking = async (
  deps: Deps,
  context: CommandContext,
  bookingId: string,
  { notes, ...stay }: BookingChange,
): Promise<Booked> => {
  const state = await loadBooking(deps, bookingId);
  if (Object.values(stay).some((value) => value !== undefined)) await reschedule(deps, context, bookingId, state, stay);
  if (notes !== undefined) {
    const by = partyOf(state, context.actor, 'ChangeNotes');
    await deps.aggregates.handle(booking, bookingId, { type: 'ChangeNotes', by, notes }, followUp(context, 'notes'));
  }
  return { bookingId, booking: await loadBooking(deps, bookingId) };
};

const reschedule = async (
  deps: Deps,
  context: CommandContext,
  bookingId: string,
  state: OpenBooking,
  change: Omit<BookingChange, 'notes'>,
): Promise<void> => {
  const by = partyOf(state, context.actor, 'Reschedule');
  assertAllowed('Reschedule', state, by);
  const { itemId, checkIn, checkOut } = state.subject;
  const wanted = {
    itemId,
    checkIn: change.checkIn ?? checkIn,
    checkOut: change.checkOut ?? checkOut,
    guests: change.guests ?? state.guests,
  };
  const { deal } = await agree(deps, context.at, wanted);
  const settle = (holdId: string) =>
    deps.aggregates.handle(booking, bookingId, { type: 'Reschedule', by, at: context.at, ...deal, holdId }, context);

  if (wanted.checkIn === checkIn && wanted.checkOut === checkOut) await settle(state.holdId);
  else await withHold(deps, context, { deal, bookingId, expiresAt: state.holdExpiresAt }, settle);
};

/** What was paid for a booking and has not been given back. */
const receivedMinor = async (deps: Deps, { paymentId }: OpenBooking): Promise<number> =>
  paymentId === null ? 0 : refundableMinor((await deps.aggregates.load(payment, paymentId)).state);

/** What cancelling now would cost the one who asks. @throws Rejected `not_found`, `invalid_transition` */
export const cancellationQuote = async (
  deps: Deps,
  { actor, at }: CommandContext,
  bookingId: string,
): Promise<CancellationQuote & { currency: string }> => {
  const state = await loadBooking(deps, bookingId);
  const by = partyOf(state, actor, 'Cancel');
  assertAllowed('Cancel', state, by);
  return { ...quoteCancellation(state, await receivedMinor(deps, state), at, by), currency: state.currency };
};

/** The provider takes the booking. */
export const confirmBooking = async (deps: Deps, context: CommandContext, bookingId: string): Promise<Booked> => {
  const by = partyOf(await loadBooking(deps, bookingId), context.actor, 'Confirm');
  return handled(deps, context, bookingId, { type: 'Confirm', by });
};

const end =
  (type: 'Cancel' | 'Reject') =>
  async (deps: Deps, context: CommandContext, bookingId: string, reason: string | null): Promise<Booked> => {
    const state = await loadBooking(deps, bookingId);
    const by = partyOf(state, context.actor, type);
    const received = await receivedMinor(deps, state);
    return handled(deps, context, bookingId, { type, by, reason, at: context.at, receivedMinor: received });
  };

/** Ends a booking; the money goes back as `cancellationQuote` says. By its provider or an admin: all of it. */
export const cancelBooking = end('Cancel');
/** The provider does not take the booking: all that was paid goes back. */
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
