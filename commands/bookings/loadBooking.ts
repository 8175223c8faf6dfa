/** Reading a booking on the write side, and who somebody is in it. */
import { booking, type OpenBooking, type Party, type Transition, transitions } from '../../domain/bookings/booking.ts';
import { inZone } from '../../domain/bookings/bookingState.ts';
import { type Actor, existing, notFound } from '../../domain/core/decider.ts';
import type { CommandContext } from '../core/handle.ts';
import type { PaymentDeps } from '../payments/deps.ts';
import { freePlaces, freePlacesOfEnded } from './freePlaces.ts';
import { offeredItem } from './offeredItem.ts';

type Deps = Pick<PaymentDeps, 'aggregates'>;

/** A booking and its id: what every command here returns. */
export interface Booked {
  readonly bookingId: string;
  readonly booking: OpenBooking;
  /** Only where the command has surely made it itself, and not found it. */
  readonly createdAt?: string;
}

/** @throws Rejected `not_found` */
export const loadBooking = async ({ aggregates }: Deps, bookingId: string): Promise<OpenBooking> =>
  existing((await aggregates.load(booking, bookingId)).state, 'booking');

/** A booking with the time zone of its place, also one of before that does not say it: the zone of a listing never changes. */
export const withZone = async (deps: Deps, state: OpenBooking): Promise<OpenBooking> =>
  state.timezone === undefined ? inZone(state, (await offeredItem(deps, state.item)).timezone) : state;

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
  if (!party) throw notFound('booking');
  return party;
};

/** Gives a command to a booking, and frees the places that it gives up. */
export const handled = async (
  deps: Deps,
  context: CommandContext,
  bookingId: string,
  command: Parameters<typeof booking.decide>[0],
): Promise<Booked> => {
  const { state, events } = await deps.aggregates.handle(booking, bookingId, command, context);
  const after = existing(state, 'booking');
  if (events.length > 0) await freePlaces(deps, context, events, after);
  else await freePlacesOfEnded(deps, context, after);
  return { bookingId, booking: after };
};
