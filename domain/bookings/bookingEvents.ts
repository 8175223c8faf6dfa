/** What can happen to a booking, as it is stored. */
import { type Static, Type } from '@sinclair/typebox';
import { CancellationPolicy, cancellers } from '../catalog/cancellation.ts';
import { cellsBetween } from '../catalog/slots.ts';
import { Commission } from '../commissions/commission.ts';
import { datesBetween } from '../core/dates.ts';
import type { EventDeclarations, EventsOf } from '../core/decider.ts';
import { Currency, DateOnly, Instant, Minor, Nullable, OneOf, Personal, Uuid } from '../core/schema.ts';

export const bookingTypes = ['hotel', 'tour', 'restaurant', 'transfer', 'instructor'] as const;
export const BookingType = OneOf(bookingTypes);

/** `itemId` is what the inventory counts; `listingId` is what it belongs to in the catalog, or the same again. */
const Item = { listingId: Uuid, itemId: Uuid };
const Slot = { slotStart: Instant, slotEnd: Instant };
/** What is booked. Each kind of booking is a member. */
export const Subject = Type.Union([
  /** Nights in one room of a kind: the item is the room, its listing the hotel. */
  Type.Object({ type: Type.Literal('hotel'), ...Item, checkIn: DateOnly, checkOut: DateOnly }),
  /** Seats on one departure. */
  Type.Object({ type: Type.Literal('tour'), ...Item, ...Slot, seats: Type.Integer({ minimum: 1 }) }),
  /** One table of a kind. */
  Type.Object({ type: Type.Literal('restaurant'), ...Item, ...Slot }),
  /** One vehicle of a kind, which is back for the next party at `busyUntil`. */
  Type.Object({ type: Type.Literal('transfer'), ...Item, ...Slot, busyUntil: Instant }),
  Type.Object({ type: Type.Literal('instructor'), ...Item, ...Slot }),
]);
export type Subject = Static<typeof Subject>;

/** The places of its item's inventory that a subject takes. */
export const placesOf = (subject: Subject): { itemId: string; keys: string[]; quantity: number } => {
  const { itemId } = subject;
  switch (subject.type) {
    case 'hotel':
      return { itemId, keys: datesBetween(subject.checkIn, subject.checkOut), quantity: 1 };
    case 'tour':
      return { itemId, keys: [subject.slotStart], quantity: subject.seats };
    case 'restaurant':
    case 'instructor':
      return { itemId, keys: cellsBetween(subject.slotStart, subject.slotEnd), quantity: 1 };
    case 'transfer':
      return { itemId, keys: cellsBetween(subject.slotStart, subject.busyUntil), quantity: 1 };
  }
};

export const PriceLine = Type.Union([
  Type.Object({ kind: Type.Literal('night'), date: DateOnly, amountMinor: Minor }),
  Type.Object({ kind: OneOf(['tax', 'fee'] as const), name: Type.String(), amountMinor: Minor }),
  Type.Object({
    kind: Type.Literal('item'),
    name: Type.String(),
    quantity: Type.Integer({ minimum: 1 }),
    unitMinor: Minor,
    amountMinor: Minor,
  }),
]);

/** What was agreed on: all of it changes together, or none. */
export const Deal = Type.Object({
  subject: Subject,
  guests: Type.Integer({ minimum: 1 }),
  /** The date it begins on, by the clocks of the place. */
  startsOn: DateOnly,
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
  /** Another time, place or number of guests, priced anew; the former hold is given back unless it is still the hold. */
  BookingRescheduled: { data: Type.Object({ ...Deal.properties, formerHoldId: Uuid, formerItemId: Uuid }) },
  BookingNotesChanged: { data: Type.Object({ userId, notes: Notes }), person: 'userId' },
  /** Until this payment has ended, no other can start. The hold is kept meanwhile. */
  BookingPaymentStarted: { data: Type.Object({ paymentId: Uuid, holdExpiresAt: Instant }) },
  BookingHoldExtended: { data: Type.Object({ holdExpiresAt: Instant }) },
  /** It brought no money. */
  BookingPaymentEnded: { data: Type.Object({ paymentId: Uuid }) },
  /** Without a payment where there was nothing to pay. */
  BookingPaid: { data: Type.Object({ paymentId: Nullable(Uuid), amountMinor: Minor }) },
  BookingConfirmed: { data: Type.Object({}) },
  BookingCompleted: { data: Type.Object({}) },
  BookingNoShow: { data: Type.Object({}) },
  BookingExpired: { data: Type.Object({}) },
  BookingCancelled: { data: Ending, person: 'userId' },
  /** The provider does not take it. */
  BookingRejected: { data: Ending, person: 'userId' },
} as const satisfies EventDeclarations;
export type BookingEvent = EventsOf<typeof bookingEvents>;
