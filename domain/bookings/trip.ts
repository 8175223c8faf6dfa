/**
 * Several bookings made as one. `TripBooked` is the moment at which all of them exist: their places are held before it,
 * and the bookings are written after it from its data, as often as necessary.
 */
import { type Static, Type } from '@sinclair/typebox';
import type { Decider, EventDeclarations, EventsOf } from '../core/decider.ts';
import { Currency, Minor, Nullable, Personal, Uuid } from '../core/schema.ts';
import { bookingEvents } from './bookingEvents.ts';

export const MAX_TRIP_ITEMS = 20;

const Booked = Type.Object({
  userId: Uuid,
  notes: Nullable(Personal(Type.String())),
  currency: Currency,
  totalMinor: Minor,
  /** What each booking is created with, in the order they were asked for. */
  bookings: Type.Array(Type.Object({ bookingId: Uuid, terms: bookingEvents.BookingCreated.data }), {
    minItems: 1,
    maxItems: MAX_TRIP_ITEMS,
  }),
});
type Booked = Static<typeof Booked>;
export type TripBooking = Booked['bookings'][number];

export const tripEvents = {
  TripBooked: { data: Booked, person: 'userId' },
} as const satisfies EventDeclarations;
export type TripEvent = EventsOf<typeof tripEvents>;

export interface OpenTrip extends Readonly<Booked> {
  readonly status: 'booked';
}
export type Trip = { readonly status: 'none' } | OpenTrip;
export type TripCommand = { readonly type: 'BookTrip' } & Booked;

const decide = ({ type, ...data }: TripCommand, state: Trip): TripEvent[] =>
  state.status === 'none' ? [{ type: 'TripBooked', data }] : [];

export const trip: Decider<Trip, TripCommand, TripEvent> = {
  category: 'trip',
  short: 'it is booked once',
  events: tripEvents,
  initial: { status: 'none' },
  decide,
  evolve: (_, { data }) => ({ ...data, status: 'booked' }),
};
