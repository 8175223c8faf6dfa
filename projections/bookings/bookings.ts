/** Bookings, as guests and providers see them. */
import { Type } from '@sinclair/typebox';
import { booking, bookingStatuses, type OpenBooking } from '../../domain/bookings/booking.ts';
import type { BookingTerms } from '../../domain/bookings/bookingEvents.ts';
import { BookingType } from '../../domain/catalog/bookableItem.ts';
import { CancellationPolicy, cancellers } from '../../domain/catalog/cancellation.ts';
import { PriceLine } from '../../domain/catalog/priceLine.ts';
import { Commission } from '../../domain/commissions/commission.ts';
import { Currency, DateOnly, Instant, Minor, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { snakeSchema, toSnake } from '../../infra/naming.ts';
import { pageOf } from '../engine/paging.ts';
import { existing, type RowOf, readModel } from '../engine/readModel.ts';
import type { ReadDb } from '../modules.ts';

export const BookingStatus = OneOf(bookingStatuses);

const Agreed = {
  type: BookingType,
  /** In the catalog: the hotel, tour, restaurant, transfer route or instructor. */
  listing_id: Uuid,
  /** What of it is counted: the room, table or vehicle; otherwise the listing again. */
  item_id: Uuid,
  /** Where it is a stay. */
  check_in: Nullable(DateOnly),
  check_out: Nullable(DateOnly),
  /** Where it is a slot. */
  slot_start: Nullable(Instant),
  slot_end: Nullable(Instant),
  /** Where places on one departure are counted. */
  seats: Nullable(Type.Integer()),
  guests: Type.Integer(),
  starts_on: DateOnly,
  starts_at: Instant,
  ends_at: Instant,
  currency: Currency,
  total_minor: Minor,
  price_lines: Type.Array(snakeSchema(PriceLine)),
  commission: snakeSchema(Commission),
};

/** What was agreed on, as columns. */
const agreedColumns = ({ item, lines, holdId, ...terms }: BookingTerms) => ({
  type: item.type,
  listing_id: item.listingId,
  item_id: item.unitId,
  check_in: 'checkIn' in item ? item.checkIn : null,
  check_out: 'checkOut' in item ? item.checkOut : null,
  slot_start: 'slotStart' in item ? item.slotStart : null,
  slot_end: 'slotEnd' in item ? item.slotEnd : null,
  seats: 'seats' in item ? item.seats : null,
  ...toSnake(terms),
  price_lines: toSnake(lines),
});

/** A booking as its columns, from its state on the write side. */
export const bookingColumns = (id: string, state: OpenBooking, created_at: string, updated_at: string) => {
  const { userId, sellerId, status, notes, holdExpiresAt, cancellationPolicy, ...rest } = state;
  const { paymentId, openPayment, keptFrom, ending, ...terms } = rest;
  return {
    id,
    user_id: userId,
    provider_id: sellerId,
    status,
    ...agreedColumns(terms),
    notes,
    hold_expires_at: status === 'pending_payment' ? holdExpiresAt : null,
    cancellation_policy: toSnake(cancellationPolicy),
    payment_id: paymentId,
    open_payment_id: openPayment,
    ending: ending && toSnake(ending),
    created_at,
    updated_at,
  };
};

const Ending = Type.Object({
  by: OneOf(cancellers),
  reason: Nullable(Type.String()),
  penalty_percent: Type.Integer(),
  penalty_minor: Minor,
  refund_minor: Minor,
});

export const bookings = readModel('bookings', {
  version: 2,
  row: Type.Object({
    id: Uuid,
    user_id: Uuid,
    provider_id: Uuid,
    status: BookingStatus,
    ...Agreed,
    notes: Nullable(Type.String()),
    /** Until then the places are kept for the payment; null once that is over. */
    hold_expires_at: Nullable(Instant),
    cancellation_policy: snakeSchema(CancellationPolicy),
    /** The payment that paid for it; none where there was nothing to pay. */
    payment_id: Nullable(Uuid),
    /** The payment that is under way. */
    open_payment_id: Nullable(Uuid),
    /** How it was cancelled or rejected. */
    ending: Nullable(Ending),
    created_at: Instant,
    updated_at: Instant,
  }),
  key: 'id',
  on: {
    BookingCreated: (_, event) => {
      const state = booking.evolve(booking.initial, event);
      return bookingColumns(event.streamId, existing(state.status === 'none' ? undefined : state), event.at, event.at);
    },
    BookingRescheduled: (row, { at, data: { formerHoldId, formerUnitId, ...terms } }) => ({
      ...existing(row),
      ...agreedColumns(terms),
      updated_at: at,
    }),
    BookingNotesChanged: (row, { at, data }) => ({ ...existing(row), notes: data.notes, updated_at: at }),
    BookingPaymentStarted: (row, { at, data }) => ({
      ...existing(row),
      open_payment_id: data.paymentId,
      hold_expires_at: data.holdExpiresAt,
      updated_at: at,
    }),
    BookingHoldExtended: (row, { at, data }) => ({
      ...existing(row),
      hold_expires_at: data.holdExpiresAt,
      updated_at: at,
    }),
    BookingPaymentEnded: (row, { at }) => ({ ...existing(row), open_payment_id: null, updated_at: at }),
    BookingPaid: (row, { at, data }) => ({
      ...existing(row),
      status: 'paid' as const,
      payment_id: data.paymentId,
      open_payment_id: null,
      hold_expires_at: null,
      updated_at: at,
    }),
    BookingConfirmed: (row, { at }) => ({ ...existing(row), status: 'confirmed' as const, updated_at: at }),
    BookingCompleted: (row, { at }) => ({ ...existing(row), status: 'completed' as const, updated_at: at }),
    BookingNoShowRecorded: (row, { at }) => ({ ...existing(row), status: 'no_show' as const, updated_at: at }),
    BookingExpired: (row, { at }) => ({
      ...existing(row),
      status: 'expired' as const,
      hold_expires_at: null,
      updated_at: at,
    }),
    BookingCancelled: (row, { at, data: { userId, ...ending } }) => ({
      ...existing(row),
      status: 'cancelled' as const,
      hold_expires_at: null,
      ending: toSnake(ending),
      updated_at: at,
    }),
    BookingRejected: (row, { at, data: { userId, ...ending } }) => ({
      ...existing(row),
      status: 'rejected' as const,
      hold_expires_at: null,
      ending: toSnake(ending),
      updated_at: at,
    }),
  },
  indexes: ['user_id, created_at desc, id', 'provider_id, created_at desc, id'],
  tells: { user: ({ user_id }) => user_id, provider: ({ provider_id }) => provider_id },
});
export type BookingRow = RowOf<typeof bookings>;

/** A booking with the names of what is booked; null where the catalog does not show it yet, or where it is one thing. */
export type NamedBooking = BookingRow & { readonly title: string | null; readonly item_title: string | null };

const named = (db: ReadDb) =>
  db
    .selectFrom('bookings')
    .leftJoin('titles as listing', 'listing.id', 'bookings.listing_id')
    .leftJoin('titles as item', (on) =>
      on.onRef('item.id', '=', 'bookings.item_id').onRef('item.id', '!=', 'bookings.listing_id'),
    )
    .selectAll('bookings')
    .select(['listing.title as title', 'item.title as item_title']);

export const bookingById = (db: ReadDb, id: string): Promise<NamedBooking | undefined> =>
  named(db).where('bookings.id', '=', id).executeTakeFirst();

export const bookingsByIds = (db: ReadDb, ids: readonly string[]): Promise<NamedBooking[]> =>
  ids.length === 0 ? Promise.resolve([]) : named(db).where('bookings.id', 'in', ids).execute();

/** What only the read side knows of a booking; `created_at` is null where it is not shown yet. */
export const bookingSurroundings = (
  db: ReadDb,
  { id, listing_id, item_id }: Pick<BookingRow, 'id' | 'listing_id' | 'item_id'>,
) =>
  db
    .selectNoFrom((q) => [
      q.selectFrom('titles').select('title').where('id', '=', listing_id).as('title'),
      q.selectFrom('titles').select('title').where('id', '=', item_id).where('id', '!=', listing_id).as('item_title'),
      q.selectFrom('bookings').select('created_at').where('id', '=', id).as('created_at'),
    ])
    .executeTakeFirstOrThrow();

export interface BookingFilter {
  readonly userId?: string;
  readonly sellerId?: string;
  readonly type?: BookingRow['type'] | undefined;
  readonly status?: BookingRow['status'] | undefined;
  /** First and last date on which it begins, by the clocks of the place. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly page: number;
  readonly perPage: number;
}

/** Newest first. */
export const listBookings = async (
  db: ReadDb,
  { userId, sellerId, type, status, from, to, page, perPage }: BookingFilter,
): Promise<{ rows: NamedBooking[]; total: number }> => {
  const asked = { user_id: userId, provider_id: sellerId, type, 'bookings.status': status };
  const equal = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  const matching = named(db)
    .where((q) => q.and(equal))
    .$if(from !== undefined, (q) => q.where('starts_on', '>=', from ?? ''))
    .$if(to !== undefined, (q) => q.where('starts_on', '<=', to ?? ''));
  return pageOf(matching.orderBy('bookings.created_at', 'desc').orderBy('bookings.id'), { page, perPage });
};
