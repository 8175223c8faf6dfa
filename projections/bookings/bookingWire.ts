/** A booking in replies and realtime messages. */
import { type Static, Type } from '@sinclair/typebox';
import { isGuestSeen, NOBODY } from '../../domain/bookings/guest.ts';
import { daysBetween } from '../../domain/core/dates.ts';
import { toMajor } from '../../domain/core/money.ts';
import { DateOnly, Minor, Nullable, OneOf } from '../../domain/core/schema.ts';
import { titlesOf } from '../catalog/titles.ts';
import type { ReadDb } from '../engine/readDb.ts';
import { type Audience, SeenBy, showAll, showOne, type Viewer, wireFormWith } from '../engine/wire.ts';
import { BookingRow, guestColumns } from './bookingRow.ts';

const { price_lines: _, commission, ending, ...columns } = BookingRow.properties;

const Line = Type.Object({
  kind: OneOf(['night', 'tax', 'fee', 'item'] as const),
  /** Only for a night. */
  date: Type.Optional(DateOnly),
  /** For everything but a night. */
  name: Type.Optional(Type.String()),
  /** Only for an item: how many, and the price of one. */
  quantity: Type.Optional(Type.Integer()),
  unit: Type.Optional(Type.Number()),
  unit_minor: Type.Optional(Minor),
  amount: Type.Number(),
  amount_minor: Minor,
});

/** `…_minor` are in minor units, the fields of the same name without it in major units. */
export const Booking = Type.Object(
  {
    ...columns,
    price_lines: Type.Array(Line),
    total: Type.Number(),
    /** Only for stays. */
    nights: Nullable(Type.Integer()),
    /** The name of the hotel, tour, restaurant, transfer route or instructor. */
    title: Nullable(Type.String()),
    /** The name of the room, table or vehicle; null where the listing itself is counted. */
    unit_title: Nullable(Type.String()),
    /** How it was cancelled or rejected. */
    ending: Nullable(Type.Object({ ...ending.anyOf[0].properties, penalty: Type.Number(), refund: Type.Number() })),
    commission: SeenBy(
      ['seller', 'admin'],
      Type.Object({ ...commission.properties, commission: Type.Number(), provider: Type.Number() }),
      'How the total is divided between the platform and the seller.',
    ),
  },
  { $id: 'Booking' },
);
export type Booking = Static<typeof Booking>;

/** What the catalog calls the listing and the unit; null where it does not show them yet. */
type Titles = Pick<Booking, 'title' | 'unit_title'>;

const titlesOfBookings = async (db: ReadDb, rows: readonly BookingRow[]): Promise<(row: BookingRow) => Titles> => {
  const titles = await titlesOf(
    db,
    rows.flatMap(({ listing_id, unit_id }) => [listing_id, unit_id]),
  );
  return ({ listing_id, unit_id }) => ({
    title: titles.get(listing_id) ?? null,
    unit_title: unit_id === listing_id ? null : (titles.get(unit_id) ?? null),
  });
};

/** A seller does not keep seeing who came. */
const withoutFormerGuest = (form: Booking, audience: Audience, at: string): Booking => {
  const { status, ends_at: endsAt, updated_at: updatedAt } = form;
  return audience === 'seller' && !isGuestSeen({ status, endsAt, updatedAt }, at)
    ? { ...form, ...guestColumns(NOBODY) }
    : form;
};

export const bookingWire = wireFormWith({
  schema: Booking,
  overlay: titlesOfBookings,
  withhold: withoutFormerGuest,
  make: (row: BookingRow, titles): Booking => {
    const major = (minor: number) => toMajor(minor, row.currency);
    const { commission, ending } = row;
    return {
      ...row,
      ...titles,
      price_lines: row.price_lines.map((line) => ({
        ...line,
        amount: major(line.amount_minor),
        ...('unit_minor' in line && { unit: major(line.unit_minor) }),
      })),
      total: major(row.total_minor),
      nights: row.check_in && row.check_out ? daysBetween(row.check_in, row.check_out) : null,
      ending: ending && { ...ending, penalty: major(ending.penalty_minor), refund: major(ending.refund_minor) },
      commission: {
        ...commission,
        commission: major(commission.commission_minor),
        provider: major(commission.provider_minor),
      },
    };
  },
});

/** The audience of a booking that a person belongs to. */
const bookingAudience =
  ({ id, role }: Viewer) =>
  ({ provider_id }: Pick<BookingRow, 'provider_id'>): Audience => {
    if (role === 'admin') return 'admin';
    return provider_id === id ? 'seller' : 'guest';
  };

/** Bookings as this person sees them. */
export const showBookings = (db: ReadDb, rows: readonly BookingRow[], viewer: Viewer): Promise<Booking[]> =>
  showAll(db, bookingWire, rows, bookingAudience(viewer));

/** One booking as this person sees it. */
export const showBooking = (db: ReadDb, row: BookingRow, viewer: Viewer): Promise<Booking> =>
  showOne(db, bookingWire, row, bookingAudience(viewer)(row));
