/** The row of a booking, and how the terms of a booking become its columns. */
import { type Static, Type } from '@sinclair/typebox';
import { answerAwaitedBy } from '../../domain/bookings/answer.ts';
import { bookingStatuses, type OpenBooking } from '../../domain/bookings/booking.ts';
import type { BookingTerms } from '../../domain/bookings/bookingEvents.ts';
import type { Guest } from '../../domain/bookings/guest.ts';
import { referenceOf } from '../../domain/bookings/reference.ts';
import { BookingType, bookedItemId } from '../../domain/catalog/bookableItem.ts';
import { cancellers, DatedPolicy, datedPolicy } from '../../domain/catalog/cancellation.ts';
import { Confirmation } from '../../domain/catalog/confirmation.ts';
import { PriceLine } from '../../domain/catalog/priceLine.ts';
import { Commission } from '../../domain/commissions/commission.ts';
import { Currency, DateOnly, Instant, Minor, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { ShownPromotion, shownPromotion } from '../../domain/promotions/appliedPromotion.ts';
import { snakeSchema, toSnake } from '../../infra/naming.ts';

export const BookingStatus = OneOf(bookingStatuses);

const Terms = {
  type: BookingType,
  /** The catalog entry: the hotel, tour, restaurant, transfer route or instructor. */
  listing_id: Uuid,
  /** What the client booked: the room of a hotel, otherwise the listing. */
  item_id: Uuid,
  /** What the inventory counts: the room, table or vehicle; for tours and instructors the listing. */
  unit_id: Uuid,
  /** Only for stays. */
  check_in: Nullable(DateOnly),
  check_out: Nullable(DateOnly),
  /** Only for slots. */
  slot_start: Nullable(Instant),
  slot_end: Nullable(Instant),
  /** Only for tours, which count the seats of a departure. */
  seats: Nullable(Type.Integer()),
  guests: Type.Integer(),
  starts_on: DateOnly,
  starts_at: Instant,
  ends_at: Instant,
  /** IANA name: that of the place; null for bookings made before policies counted its days. */
  timezone: Nullable(Type.String()),
  currency: Currency,
  total_minor: Minor,
  price_lines: Type.Array(snakeSchema(PriceLine)),
  commission: snakeSchema(Commission),
  /** The discount of a promo code; null where none was used. */
  promotion: Nullable(snakeSchema(ShownPromotion)),
};

const Ending = Type.Object({
  by: OneOf(cancellers),
  reason: Nullable(Type.String()),
  penalty_percent: Type.Integer(),
  penalty_minor: Minor,
  refund_minor: Minor,
});

/** A change of a paid booking that waits for the payment of the difference. */
const Change = Type.Object({
  unit_id: Uuid,
  check_in: Nullable(DateOnly),
  check_out: Nullable(DateOnly),
  slot_start: Nullable(Instant),
  slot_end: Nullable(Instant),
  guests: Type.Integer(),
  starts_at: Instant,
  ends_at: Instant,
  price_lines: Type.Array(snakeSchema(PriceLine)),
  currency: Currency,
  /** The new price of the whole booking. */
  total_minor: Minor,
  /** What is still to be paid before the booking changes. */
  due_minor: Minor,
  /** The change is withdrawn if it is not paid until then. */
  expires_at: Instant,
});

export const BookingRow = Type.Object({
  id: Uuid,
  user_id: Uuid,
  /** The seller. */
  provider_id: Uuid,
  /** What people call it. */
  reference: Type.String({ pattern: '^[A-HJ-NP-Z2-9]{8}$', examples: ['K7QM2XWD'] }),
  status: BookingStatus,
  confirmation: Confirmation,
  /** Until then the seller has to answer; null while no answer is awaited. */
  answer_by: Nullable(Instant),
  ...Terms,
  notes: Nullable(Type.String()),
  guest_name: Nullable(Type.String()),
  guest_phone: Nullable(Type.String()),
  /** `HH:MM` by the clocks of the place. */
  arrival_time: Nullable(Type.String()),
  /** Until then the places are held for the payment; null once they are not held any more. */
  hold_expires_at: Nullable(Instant),
  cancellation_policy: snakeSchema(DatedPolicy),
  /** The payment that paid for it; null while it is not paid, and if it costs nothing. */
  payment_id: Nullable(Uuid),
  /** All payments that paid for it and its changes, oldest first. */
  payment_ids: Type.Array(Uuid),
  /** null while no change is proposed. */
  change: Nullable(Change),
  /** The payment that is in progress. */
  open_payment_id: Nullable(Uuid),
  /** How it was cancelled or rejected. */
  ending: Nullable(Ending),
  created_at: Instant,
  updated_at: Instant,
});
export type BookingRow = Static<typeof BookingRow>;

/** The terms of a booking as columns. */
export const termsColumns = ({ item, lines, holdId, promotion, timezone, ...terms }: BookingTerms) => ({
  type: item.type,
  listing_id: item.listingId,
  item_id: bookedItemId(item),
  unit_id: item.unitId,
  check_in: 'checkIn' in item ? item.checkIn : null,
  check_out: 'checkOut' in item ? item.checkOut : null,
  slot_start: 'slotStart' in item ? item.slotStart : null,
  slot_end: 'slotEnd' in item ? item.slotEnd : null,
  seats: 'seats' in item ? item.seats : null,
  ...toSnake(terms),
  timezone: timezone ?? null,
  price_lines: toSnake(lines),
  promotion: promotion ? toSnake(shownPromotion(promotion)) : null,
});

/** A proposed change as a column. */
export const changeColumn = (terms: BookingTerms, due_minor: number, expires_at: string): Static<typeof Change> => {
  const { unit_id, check_in, check_out, slot_start, slot_end, ...more } = termsColumns(terms);
  const { guests, starts_at, ends_at, price_lines, currency, total_minor } = more;
  const when = { check_in, check_out, slot_start, slot_end, guests, starts_at, ends_at };
  return { unit_id, ...when, price_lines, currency, total_minor, due_minor, expires_at };
};

export const guestColumns = ({ name, phone, arrivalTime }: Guest) => ({
  guest_name: name,
  guest_phone: phone,
  arrival_time: arrivalTime,
});

/** A booking as its columns, from its state on the write side. */
export const bookingColumns = (id: string, state: OpenBooking, created_at: string, updated_at: string): BookingRow => {
  const { userId, sellerId, status, notes, holdExpiresAt, cancellationPolicy, ...rest } = state;
  const { paymentIds, openPayment, keptFrom, ending, confirmation, guest, change, countsHours, ...more } = rest;
  const { answerBy, told, withdrawableUntil, supplements, floorPercent, keptMinor, ...terms } = more;
  const timezone = countsHours ? undefined : terms.timezone;
  return {
    id,
    user_id: userId,
    provider_id: sellerId,
    reference: referenceOf(id),
    status,
    confirmation,
    answer_by: answerAwaitedBy(state),
    ...termsColumns(terms),
    timezone: timezone ?? null,
    notes,
    ...guestColumns(guest),
    hold_expires_at: status === 'pending_payment' ? holdExpiresAt : null,
    cancellation_policy: toSnake(datedPolicy(cancellationPolicy, { startsAt: rest.startsAt, timezone })),
    payment_id: paymentIds[0] ?? null,
    payment_ids: [...paymentIds],
    change: change && changeColumn(change.terms, change.dueMinor, change.holdExpiresAt),
    open_payment_id: openPayment,
    ending: ending && toSnake(ending),
    created_at,
    updated_at,
  };
};
