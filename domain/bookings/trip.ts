/**
 * Several bookings made as one. A trip is the one moment at which all of them come to be: their places are held before
 * it, the bookings are written after it from what it says, however often that takes.
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
  events: tripEvents,
  initial: { status: 'none' },
  decide,
  evolve: (_, { data }) => ({ ...data, status: 'booked' }),
};
