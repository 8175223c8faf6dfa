/** The events of a booking, as they are stored. */
import { type Static, Type } from '@sinclair/typebox';
import { BookableItem } from '../catalog/bookableItem.ts';
import { CancellationPolicy, cancellers } from '../catalog/cancellation.ts';
import { PriceLine } from '../catalog/priceLine.ts';
import { Commission } from '../commissions/commission.ts';
import type { EventDeclarations, EventsOf } from '../core/decider.ts';
import { Currency, DateOnly, Instant, Minor, Nullable, OneOf, Personal, Uuid } from '../core/schema.ts';

/** The terms of a booking. They change together or not at all. */
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

/** Who ended the booking, the penalty, and the refund of the money received. */
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
  /** Other dates, unit or number of guests at a new price. The former hold is released unless it stays the same. */
  BookingRescheduled: {
    data: Type.Object({
      ...BookingTerms.properties,
      formerHoldId: Uuid,
      formerUnitId: Uuid,
      /** Absent: the hold ends when it did before. */
      holdExpiresAt: Type.Optional(Instant),
    }),
  },
  BookingNotesChanged: { data: Type.Object({ userId, notes: Notes }), person: 'userId' },
  /** No other payment can start until this one has ended. The hold is kept meanwhile. */
  BookingPaymentStarted: { data: Type.Object({ paymentId: Uuid, holdExpiresAt: Instant }) },
  BookingHoldExtended: { data: Type.Object({ holdExpiresAt: Instant }) },
  /** The payment ended without money. */
  BookingPaymentEnded: { data: Type.Object({ paymentId: Uuid }) },
  /** Without a payment where the booking is free of charge. */
  BookingPaid: { data: Type.Object({ paymentId: Nullable(Uuid), amountMinor: Minor }) },
  BookingConfirmed: { data: Type.Object({}) },
  BookingCompleted: { data: Type.Object({}) },
  BookingNoShowRecorded: { data: Type.Object({}) },
  BookingExpired: { data: Type.Object({}) },
  BookingCancelled: { data: Ending, person: 'userId' },
  /** The seller rejected the booking. */
  BookingRejected: { data: Ending, person: 'userId' },
} as const satisfies EventDeclarations;
export type BookingEvent = EventsOf<typeof bookingEvents>;
