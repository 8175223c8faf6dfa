/** A booking in replies and realtime messages. */
import { type Static, Type } from '@sinclair/typebox';
import { isGuestSeen, NOBODY } from '../../domain/bookings/guest.ts';
import { daysBetween } from '../../domain/core/dates.ts';
import { toMajor } from '../../domain/core/money.ts';
import { Nullable } from '../../domain/core/schema.ts';
import type { JsonText } from '../../infra/jsonText.ts';
import { linesOf, PriceLines } from '../catalog/priceLines.ts';
import { titlesById } from '../catalog/titles.ts';
import type { ReadDb } from '../engine/readDb.ts';
import { formsOf } from '../engine/replies.ts';
import { type Audience, SeenBy, type Viewer, wireFormWith } from '../engine/wire.ts';
import { BookingRow, guestColumns } from './bookingRow.ts';

const { price_lines: _, commission, ending, change, promotion, ...columns } = BookingRow.properties;

/** `…_minor` are in minor units, the fields of the same name without it in major units. */
export const Booking = Type.Object(
  {
    ...columns,
    price_lines: PriceLines,
    total: Type.Number(),
    /** Only for stays. */
    nights: Nullable(Type.Integer()),
    /** The name of the hotel, tour, restaurant, transfer route or instructor. */
    title: Nullable(Type.String()),
    /** The name of the room, table or vehicle; null where the listing itself is counted. */
    unit_title: Nullable(Type.String()),
    /** How it was cancelled or rejected. */
    ending: Nullable(Type.Object({ ...ending.anyOf[0].properties, penalty: Type.Number(), refund: Type.Number() })),
    /** The discount of a promo code; null where none was used. */
    promotion: Nullable(Type.Object({ ...promotion.anyOf[0].properties, discount: Type.Number() })),
    /** Waits for the payment of the difference; null while none is proposed. */
    change: Nullable(
      Type.Object({
        ...change.anyOf[0].properties,
        price_lines: PriceLines,
        total: Type.Number(),
        due: Type.Number(),
      }),
    ),
    commission: SeenBy(
      ['seller', 'admin'],
      Type.Object({ ...commission.properties, commission: Type.Number(), provider: Type.Number() }),
      'How the price is divided between the platform and the seller: the total, or the price before a discount that the platform bears.',
    ),
  },
  { $id: 'Booking' },
);
export type Booking = Static<typeof Booking>;

/** The columns that say who came. */
const guestNames = ['guest_name', 'guest_phone', 'arrival_time'] as const;

/** Who comes, as an audience sees it at an instant: a seller does not keep seeing who came. */
export const seenGuest = (
  row: Pick<BookingRow, 'status' | 'ends_at' | 'updated_at' | (typeof guestNames)[number]>,
  audience: Audience,
  at: string,
) => {
  const { status, ends_at: endsAt, updated_at: updatedAt, guest_name, guest_phone, arrival_time } = row;
  return audience === 'seller' && !isGuestSeen({ status, endsAt, updatedAt }, at)
    ? guestColumns(NOBODY)
    : { guest_name, guest_phone, arrival_time };
};

/** The columns that the overlay of a booking is made of. */
export const overlayColumns = ['listing_id', 'unit_id', 'status', 'ends_at', 'updated_at', ...guestNames] as const;
export const bookingWire = wireFormWith({
  schema: Booking,
  make: (row: BookingRow) => {
    const major = (minor: number) => toMajor(minor, row.currency);
    const { commission, ending, change, promotion } = row;
    return {
      ...row,
      price_lines: linesOf(row),
      total: major(row.total_minor),
      nights: row.check_in && row.check_out ? daysBetween(row.check_in, row.check_out) : null,
      change: change && {
        ...change,
        price_lines: linesOf(change),
        total: major(change.total_minor),
        due: major(change.due_minor),
      },
      promotion: promotion && { ...promotion, discount: major(promotion.discount_minor) },
      ending: ending && { ...ending, penalty: major(ending.penalty_minor), refund: major(ending.refund_minor) },
      commission: {
        ...commission,
        commission: major(commission.commission_minor),
        provider: major(commission.provider_minor),
      },
    };
  },
  overlay: {
    fields: ['title', 'unit_title', ...guestNames],
    needs: overlayColumns,
    // Null where the catalog does not show the listing or the unit yet.
    read: async (db, rows) => {
      const titles = await titlesById(
        db,
        rows.flatMap(({ listing_id, unit_id }) => [listing_id, unit_id]),
      );
      return (row, audience, at) => ({
        title: titles.get(row.listing_id)?.title ?? null,
        unit_title: row.unit_id === row.listing_id ? null : (titles.get(row.unit_id)?.title ?? null),
        ...seenGuest(row, audience, at),
      });
    },
  },
});

/** The audience of a booking that a person belongs to. */
export const bookingAudience =
  ({ id, role }: Viewer) =>
  ({ provider_id }: Pick<BookingRow, 'provider_id'>): Audience => {
    if (role === 'admin') return 'admin';
    return provider_id === id ? 'seller' : 'guest';
  };

/** A booking that a command has just changed, as this person sees it. */
export const showBooking = async (db: ReadDb, row: BookingRow, viewer: Viewer): Promise<JsonText<Booking>> => {
  const audience = bookingAudience(viewer)(row);
  const formFor = await formsOf(db, { wire: bookingWire }, [row], [audience]);
  return formFor(row, audience) as JsonText<Booking>;
};
