/** What can happen to a booking, as it is stored. */
import { type Static, Type } from '@sinclair/typebox';
import { BookableItem } from '../catalog/bookableItem.ts';
import { CancellationPolicy, cancellers } from '../catalog/cancellation.ts';
import { PriceLine } from '../catalog/priceLine.ts';
import { Commission } from '../commissions/commission.ts';
import type { EventDeclarations, EventsOf } from '../core/decider.ts';
import { Currency, DateOnly, Instant, Minor, Nullable, OneOf, Personal, Uuid } from '../core/schema.ts';

/** What was agreed on: all of it changes together, or none. */
export const BookingTerms = Type.Object({
  item: BookableItem,
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
export type BookingTerms = Static<typeof BookingTerms>;

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
      sellerId: Uuid,
      ...BookingTerms.properties,
      notes: Notes,
      holdExpiresAt: Instant,
      cancellationPolicy: CancellationPolicy,
    }),
    person: 'userId',
  },
  /** Another time, place or number of guests, priced anew; the former hold is given back unless it is still the hold. */
  BookingRescheduled: { data: Type.Object({ ...BookingTerms.properties, formerHoldId: Uuid, formerUnitId: Uuid }) },
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
  BookingNoShowRecorded: { data: Type.Object({}) },
  BookingExpired: { data: Type.Object({}) },
  BookingCancelled: { data: Ending, person: 'userId' },
  /** The provider does not take it. */
  BookingRejected: { data: Ending, person: 'userId' },
} as const satisfies EventDeclarations;
export type BookingEvent = EventsOf<typeof bookingEvents>;
