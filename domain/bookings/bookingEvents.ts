/** What can happen to a booking, as it is stored. */
import { type Static, Type } from '@sinclair/typebox';
import { datesBetween } from '../dates.ts';
import type { EventDeclarations, EventsOf } from '../decider.ts';
import { Currency, DateOnly, Instant, Minor, Nullable, OneOf, Personal, Uuid } from '../schema.ts';
import { CancellationPolicy, cancellers } from './cancellation.ts';
import { Commission } from './commission.ts';

export const bookingTypes = ['hotel', 'tour', 'restaurant', 'transfer', 'instructor'] as const;
export const BookingType = OneOf(bookingTypes);

/** Nights in one room of a kind. `itemId` is the room's. */
const HotelStay = Type.Object({
  type: Type.Literal('hotel'),
  hotelId: Uuid,
  itemId: Uuid,
  checkIn: DateOnly,
  checkOut: DateOnly,
});
/** What is booked. Each kind of booking is one more member. */
export const Subject = Type.Union([HotelStay]);
export type Subject = Static<typeof Subject>;

/** The places of its item's inventory that a subject takes. */
export const placesOf = (subject: Subject): { itemId: string; keys: string[]; quantity: number } => {
  switch (subject.type) {
    case 'hotel':
      return { itemId: subject.itemId, keys: datesBetween(subject.checkIn, subject.checkOut), quantity: 1 };
  }
};

export const PriceLine = Type.Union([
  Type.Object({ kind: Type.Literal('night'), date: DateOnly, amountMinor: Minor }),
  Type.Object({ kind: OneOf(['tax', 'fee'] as const), name: Type.String(), amountMinor: Minor }),
]);

/** What was agreed on: all of it changes together, or none. */
export const Deal = Type.Object({
  subject: Subject,
  guests: Type.Integer({ minimum: 1 }),
  /** First and last moment, for cancellation terms and completion. */
  startsAt: Instant,
  endsAt: Instant,
  holdId: Uuid,
  currency: Currency,
  lines: Type.Array(PriceLine),
  totalMinor: Minor,
  commission: Commission,
});
export type Deal = Static<typeof Deal>;

const Notes = Nullable(Personal(Type.String()));
const userId = Uuid;

/** Who ended it, what that costs the guest, and what goes back of the money received. */
const Ending = Type.Object({
  userId,
  by: OneOf(cancellers),
  reason: Nullable(Personal(Type.String())),
  penaltyPercent: Type.Integer({ minimum: 0, maximum: 100 }),
  penaltyMinor: Minor,
  refundMinor: Minor,
});

export const bookingEvents = {
  BookingCreated: {
    data: Type.Object({
      userId,
      providerId: Uuid,
      ...Deal.properties,
      notes: Notes,
      holdExpiresAt: Instant,
      cancellationPolicy: CancellationPolicy,
    }),
    person: 'userId',
  },
  /** Other dates or guests, priced anew; `formerHoldId` is given back unless it is still the hold. */
  BookingRescheduled: { data: Type.Object({ ...Deal.properties, formerHoldId: Uuid }) },
  BookingNotesChanged: { data: Type.Object({ userId, notes: Notes }), person: 'userId' },
  /** Until this payment has ended, no other can start. The hold is kept meanwhile. */
  BookingPaymentStarted: { data: Type.Object({ paymentId: Uuid, holdExpiresAt: Instant }) },
  BookingHoldExtended: { data: Type.Object({ holdExpiresAt: Instant }) },
  /** It brought no money. */
  BookingPaymentEnded: { data: Type.Object({ paymentId: Uuid }) },
  BookingPaid: { data: Type.Object({ paymentId: Uuid, amountMinor: Minor }) },
  BookingConfirmed: { data: Type.Object({}) },
  BookingCompleted: { data: Type.Object({}) },
  BookingNoShow: { data: Type.Object({}) },
  BookingExpired: { data: Type.Object({}) },
  BookingCancelled: { data: Ending, person: 'userId' },
  /** The provider does not take it. */
  BookingRejected: { data: Ending, person: 'userId' },
} as const satisfies EventDeclarations;
export type BookingEvent = EventsOf<typeof bookingEvents>;
