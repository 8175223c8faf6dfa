/** The events of a booking, as they are stored. */
import { type Static, Type } from '@sinclair/typebox';
import { BookableItem } from '../catalog/bookableItem.ts';
import { CancellationPolicy, cancellers } from '../catalog/cancellation.ts';
import { Confirmation, reminders } from '../catalog/confirmation.ts';
import { PriceLine } from '../catalog/priceLine.ts';
import { Commission } from '../commissions/commission.ts';
import type { EventDeclarations, EventsOf } from '../core/decider.ts';
import { Currency, DateOnly, Instant, Minor, Nullable, OneOf, Personal, Uuid } from '../core/schema.ts';
import { Guest } from './guest.ts';

/** The terms of a booking. They change together or not at all. */
export const BookingTerms = Type.Object({
  item: BookableItem,
  guests: Type.Integer({ minimum: 1 }),
  /** The date it begins on, by the clocks of the place; of a table after midnight, the date of the evening. */
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

/** What a seller is told by SMS, each at most once for a booking. */
export const notices = ['paid', ...reminders] as const;
export type Notice = (typeof notices)[number];

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
      /** That of the listing. Absent before 0.2.0: the default of the kind. */
      confirmation: Type.Optional(Confirmation),
      guest: Type.Optional(Guest),
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
  BookingGuestChanged: { data: Type.Object({ userId, guest: Guest }), person: 'userId' },
  BookingNotesChanged: { data: Type.Object({ userId, notes: Notes }), person: 'userId' },
  /** No other payment can start until this one has ended. The hold is kept meanwhile. */
  BookingPaymentStarted: { data: Type.Object({ paymentId: Uuid, holdExpiresAt: Instant }) },
  BookingHoldExtended: { data: Type.Object({ holdExpiresAt: Instant }) },
  /** The payment ended without money. */
  BookingPaymentEnded: { data: Type.Object({ paymentId: Uuid }) },
  /**
   * Without a payment where the booking is free of charge. `answerBy`: until then the seller of a booking on request
   * has to answer. Absent before 0.2.0: until it starts.
   */
  BookingPaid: {
    data: Type.Object({ paymentId: Nullable(Uuid), amountMinor: Minor, answerBy: Type.Optional(Instant) }),
  },
  /** The seller is told by SMS after this event. */
  BookingSellerNotified: { data: Type.Object({ notice: OneOf(notices) }) },
  BookingConfirmed: { data: Type.Object({}) },
  BookingCompleted: { data: Type.Object({}) },
  /** It can be taken back until then. Absent before 0.2.0: until a day after the end. */
  BookingNoShowRecorded: { data: Type.Object({ withdrawableUntil: Type.Optional(Instant) }) },
  /** The guest came after all. */
  BookingNoShowWithdrawn: { data: Type.Object({}) },
  BookingExpired: { data: Type.Object({}) },
  BookingCancelled: { data: Ending, person: 'userId' },
  /** The seller rejected the booking. */
  BookingRejected: { data: Ending, person: 'userId' },
} as const satisfies EventDeclarations;
export type BookingEvent = EventsOf<typeof bookingEvents>;
