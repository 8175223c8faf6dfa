/** The events of a booking, as they are stored. */
import { type Static, Type } from '@sinclair/typebox';
import { BookableItem } from '../catalog/bookableItem.ts';
import { CancellationPolicy, cancellers } from '../catalog/cancellation.ts';
import { Confirmation, reminders } from '../catalog/confirmation.ts';
import { PriceLine } from '../catalog/priceLine.ts';
import { Commission } from '../commissions/commission.ts';
import type { EventDeclarations, EventsOf } from '../core/decider.ts';
import { Currency, DateOnly, Instant, Minor, Nullable, OneOf, Personal, Uuid } from '../core/schema.ts';
import { AppliedPromotion } from '../promotions/appliedPromotion.ts';
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
  /** IANA name: that of the listing. Absent in bookings of before, whose policies count hours. */
  timezone: Type.Optional(Type.String()),
  holdId: Uuid,
  currency: Currency,
  lines: Type.Array(PriceLine),
  totalMinor: Minor,
  commission: Commission,
  /** Absent: no promo code was used. It stays when the terms change. */
  promotion: Type.Optional(AppliedPromotion),
});
export type BookingTerms = Static<typeof BookingTerms>;

/** What a seller is told by SMS: each at most once for a booking, `changed` and the reminders once for each change. */
export const notices = ['paid', 'changed', ...reminders] as const;
export type Notice = (typeof notices)[number];

const Notes = Nullable(Personal(Type.String()));
const userId = Uuid;

/** Why a proposed change came to nothing. */
export const changeEnds = ['expired', 'withdrawn', 'replaced', 'unavailable', 'ended'] as const;

const Percent = Type.Integer({ minimum: 0, maximum: 100 });

/**
 * What a change of a paid booking costs, fixed when it was proposed. `penaltyPercent`: what cancelling cost at that time.
 * `penaltyMinor` is kept of a lower price, `refundMinor` goes back.
 */
const ChangeCosts = {
  by: OneOf(cancellers),
  penaltyPercent: Percent,
  penaltyMinor: Minor,
  refundMinor: Minor,
  /** A stay that had begun ends earlier. The price falls only by what the seller gives back. Absent: another change. */
  endsEarlier: Type.Optional(Type.Literal(true)),
};

/** Who ended the booking, the penalty, and the refund of the money received. */
const Ending = Type.Object({
  userId,
  by: OneOf(cancellers),
  reason: Nullable(Personal(Type.String())),
  penaltyPercent: Percent,
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
  /**
   * Other dates, unit or number of guests at a new price. The former hold is released unless it stays the same. With
   * `change` the booking was paid, and its new places are committed.
   */
  BookingRescheduled: {
    data: Type.Object({
      ...BookingTerms.properties,
      formerHoldId: Uuid,
      formerUnitId: Uuid,
      /** Absent: the hold ends when it did before. */
      holdExpiresAt: Type.Optional(Instant),
      change: Type.Optional(
        Type.Object({
          ...ChangeCosts,
          /** The payment of a higher price, and its amount; null: nothing was due. */
          paymentId: Nullable(Uuid),
          amountMinor: Minor,
          /** Only on request: until then the seller has to answer again. */
          answerBy: Type.Optional(Instant),
        }),
      ),
    }),
  },
  /**
   * A paid booking is to have these terms. Their places are held. `dueMinor` is to be paid first; where it is 0 the change
   * is made at once.
   */
  BookingChangeProposed: {
    data: Type.Object({ ...BookingTerms.properties, ...ChangeCosts, dueMinor: Minor, holdExpiresAt: Instant }),
  },
  /** The booking stays as it was. `paymentId`: the payment that was open for the change. */
  BookingChangeWithdrawn: {
    data: Type.Object({ holdId: Uuid, unitId: Uuid, paymentId: Nullable(Uuid), reason: OneOf(changeEnds) }),
  },
  BookingGuestChanged: { data: Type.Object({ userId, guest: Guest }), person: 'userId' },
  BookingNotesChanged: { data: Type.Object({ userId, notes: Notes }), person: 'userId' },
  /** No other payment can start until this one has ended. The hold, or that of the proposed change, is kept meanwhile. */
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
  /** After this event the seller is told: by a notification, and by SMS where they have a phone. */
  /** `sms`: whether an SMS is sent, too; false: the seller has no phone number. Absent from events of before. */
  BookingSellerNotified: { data: Type.Object({ notice: OneOf(notices), sms: Type.Optional(Type.Boolean()) }) },
  BookingConfirmed: { data: Type.Object({}) },
  BookingCompleted: { data: Type.Object({}) },
  /** Its places are free again. It can be taken back until then. Absent before 0.2.0: until a day after the end. */
  BookingNoShowRecorded: { data: Type.Object({ withdrawableUntil: Type.Optional(Instant) }) },
  /** The guest came after all. Its places were taken again with `holdId`. Absent before 0.2.0: it had kept them. */
  BookingNoShowWithdrawn: {
    data: Type.Object({ holdId: Type.Optional(Uuid), formerHoldId: Type.Optional(Uuid) }),
  },
  BookingExpired: { data: Type.Object({}) },
  BookingCancelled: { data: Ending, person: 'userId' },
  /** The seller rejected the booking. */
  BookingRejected: { data: Ending, person: 'userId' },
} as const satisfies EventDeclarations;
export type BookingEvent = EventsOf<typeof bookingEvents>;
