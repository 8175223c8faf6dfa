/** Bookings as guests, sellers and admins see them. */

import { sql } from 'kysely';
import { answerAwaitedBy } from '../../domain/bookings/answer.ts';
import { booking } from '../../domain/bookings/booking.ts';
import { bookingsPurpose } from '../../domain/bookings/index.ts';
import { typedReference } from '../../domain/bookings/reference.ts';
import { datedPolicy } from '../../domain/catalog/cancellation.ts';
import { MAX_NIGHTS } from '../../domain/catalog/stayRules.ts';
import type { EventOf } from '../../domain/modules.ts';
import type { JsonText } from '../../infra/jsonText.ts';
import { toCamel, toSnake } from '../../infra/naming.ts';
import { forTheBooks, keptBecause } from '../../infra/personalData.ts';
import { providerChannel, userChannel } from '../accounts/channels.ts';
import { type Page, type Paging, pageStatement } from '../engine/paging.ts';
import { isAnyOf, type ReadDb, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';
import { type Found, foundAsReplies, storedText } from '../engine/replies.ts';
import { statement } from '../engine/statements.ts';
import type { Audience, Viewer } from '../engine/wire.ts';
import { BookingRow, bookingColumns, changeColumn, guestColumns, termsColumns } from './bookingRow.ts';
import { type Booking, bookingAudience, bookingWire, overlayColumns } from './bookingWire.ts';

const paidRow = (row: BookingRow, answerBy: string | null): BookingRow => {
  const { confirmation, starts_at: startsAt } = row;
  return { ...row, status: 'paid', answer_by: answerAwaitedBy({ status: 'paid', confirmation, startsAt, answerBy }) };
};

const withPayment = ({ payment_ids }: BookingRow, paymentId: string | null) => {
  const all = paymentId === null ? payment_ids : [...payment_ids, paymentId];
  return { payment_id: all[0] ?? null, payment_ids: all };
};

/** The hold of the proposed change, or of the booking, lasts until then. */
const heldUntil = (row: BookingRow, until: string): BookingRow =>
  row.change === null ? { ...row, hold_expires_at: until } : { ...row, change: { ...row.change, expires_at: until } };

const rescheduledRow = (
  row: BookingRow,
  { formerHoldId, formerUnitId, holdExpiresAt, change, ...terms }: EventOf<'BookingRescheduled'>['data'],
  updated_at: string,
): BookingRow => {
  const { timezone } = row;
  const start = { startsAt: terms.startsAt, timezone: timezone ?? undefined };
  const cancellation_policy = toSnake(datedPolicy(toCamel(row.cancellation_policy), start));
  const after = { ...row, ...termsColumns(terms), timezone, cancellation_policy, updated_at };
  if (change === undefined) return { ...after, ...(holdExpiresAt !== undefined && { hold_expires_at: holdExpiresAt }) };
  const { answerBy, paymentId } = change;
  const asked = answerBy === undefined ? after : paidRow(after, answerBy);
  return { ...asked, ...withPayment(row, paymentId), open_payment_id: null, change: null };
};

export const bookings = readModel('bookings', {
  version: 10,
  row: BookingRow,
  wire: bookingWire,
  storesWire: true,
  key: 'id',
  personalData: {
    whose: 'user_id',
    texts: ['notes', 'guest_name', 'guest_phone', 'arrival_time', 'ending.reason'],
    others: { provider_id: keptBecause.soldBy },
    why: bookingsPurpose,
    retention: forTheBooks,
  },
  on: {
    BookingCreated: {
      fold: (_, event) => {
        const state = booking.evolve(booking.initial, event);
        return bookingColumns(
          event.streamId,
          existing(state.status === 'none' ? undefined : state),
          event.at,
          event.at,
        );
      },
      makesRow: true,
    },
    BookingRescheduled: (row, { at, data }) => rescheduledRow(existing(row), data, at),
    BookingChangeProposed: (row, { at, data }) => {
      const { by, penaltyPercent, penaltyMinor, refundMinor, endsEarlier, dueMinor, holdExpiresAt, ...terms } = data;
      return { ...existing(row), change: changeColumn(terms, dueMinor, holdExpiresAt), updated_at: at };
    },
    BookingChangeWithdrawn: (row, { at }) => ({
      ...existing(row),
      change: null,
      open_payment_id: null,
      updated_at: at,
    }),
    BookingGuestChanged: (row, { at, data }) => ({ ...existing(row), ...guestColumns(data.guest), updated_at: at }),
    BookingNotesChanged: (row, { at, data }) => ({ ...existing(row), notes: data.notes, updated_at: at }),
    BookingPaymentStarted: (row, { at, data }) => ({
      ...existing(row),
      ...heldUntil(existing(row), data.holdExpiresAt),
      open_payment_id: data.paymentId,
      updated_at: at,
    }),
    BookingHoldExtended: (row, { at, data }) => ({
      ...heldUntil(existing(row), data.holdExpiresAt),
      updated_at: at,
    }),
    BookingPaymentEnded: (row, { at }) => ({ ...existing(row), open_payment_id: null, updated_at: at }),
    BookingPaid: (row, { at, data }) => ({
      ...paidRow(existing(row), data.answerBy ?? null),
      ...withPayment(existing(row), data.paymentId),
      open_payment_id: null,
      hold_expires_at: null,
      updated_at: at,
    }),
    BookingConfirmed: (row, { at }) => ({
      ...existing(row),
      status: 'confirmed' as const,
      answer_by: null,
      updated_at: at,
    }),
    BookingCompleted: (row, { at }) => ({ ...existing(row), status: 'completed' as const, updated_at: at }),
    BookingNoShowRecorded: (row, { at }) => ({ ...existing(row), status: 'no_show' as const, updated_at: at }),
    BookingNoShowWithdrawn: (row, { at }) => ({ ...existing(row), status: 'confirmed' as const, updated_at: at }),
    BookingExpired: (row, { at }) => ({
      ...existing(row),
      status: 'expired' as const,
      hold_expires_at: null,
      updated_at: at,
    }),
    BookingCancelled: (row, { at, data: { userId, ...ending } }) => ({
      ...existing(row),
      status: 'cancelled' as const,
      answer_by: null,
      hold_expires_at: null,
      ending: toSnake(ending),
      updated_at: at,
    }),
    BookingRejected: (row, { at, data: { userId, ...ending } }) => ({
      ...existing(row),
      status: 'rejected' as const,
      answer_by: null,
      hold_expires_at: null,
      ending: toSnake(ending),
      updated_at: at,
    }),
  },
  indexes: [
    'created_at desc, id',
    'status, created_at desc, id',
    'starts_on',
    'user_id, created_at desc, id',
    'provider_id, created_at desc, id',
    'provider_id, status, created_at desc, id',
    'provider_id, starts_on',
    'reference',
  ],
  publishTo: [
    { channel: userChannel, idsOf: ({ user_id }) => [user_id], audience: 'guest' },
    { channel: providerChannel, idsOf: ({ provider_id }) => [provider_id], audience: 'seller' },
  ],
});

const from = (db: ReadDb) => tables(db, bookings).selectFrom('bookings');

/** Bookings that hold places and are not over at `at`, a page in the order of their ids. */
export const bookingsAhead = (
  db: ReadDb,
  { at, after, limit }: { readonly at: string; readonly after: string | null; readonly limit: number },
) =>
  from(db)
    .select(['id', 'type', 'listing_id', 'unit_id', 'slot_start', 'slot_end'])
    .where('status', 'in', ['pending_payment', 'paid', 'confirmed'])
    .where('ends_at', '>', at)
    .$if(after !== null, (query) => query.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(limit)
    .execute();

/** When a booking was made; undefined when the read side does not show it yet. */
export const bookingCreatedAt = async (db: ReadDb, id: string): Promise<string | undefined> =>
  (await from(db).select('created_at').where('id', '=', id).executeTakeFirst())?.created_at;

/** Whether one of two people has booked with the other. */
export const haveBooked = async (db: ReadDb, one: string, other: string): Promise<boolean> => {
  const found = await from(db)
    .select('id')
    .where(({ or, and, eb }) =>
      or([
        and([eb('user_id', '=', one), eb('provider_id', '=', other)]),
        and([eb('user_id', '=', other), eb('provider_id', '=', one)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
};

/** The stored form of a booking for a person. */
const textFor = (viewerId: string, { isAdmin }: { readonly isAdmin: boolean }) => {
  const [guest, seller, admin] = [
    storedText(bookings, 'guest'),
    storedText(bookings, 'seller'),
    storedText(bookings, 'admin'),
  ];
  const text = isAdmin
    ? admin
    : sql<string | null>`case when provider_id = ${viewerId} then ${seller} else ${guest} end`;
  return text.as('wire');
};
const shownColumns = ['id', 'provider_id', ...overlayColumns] as const;
const needed = [...shownColumns, 'user_id', 'total_minor'] as const;

/** Bookings that were found for a person, as this person sees them. */
const shownTo = (db: ReadDb, viewer: Viewer, found: readonly ShownBooking[]): Promise<JsonText<Booking>[]> =>
  foundAsReplies(db, bookings, found, bookingAudience(viewer));
type ShownBooking = Pick<BookingRow, (typeof shownColumns)[number]> & Found;
type FoundBooking = Pick<BookingRow, (typeof needed)[number]> & Found;

const mayRead = (booking: FoundBooking, { id, role }: Viewer): boolean =>
  booking.user_id === id || booking.provider_id === id || role === 'admin';

const bookingById = statement((db, { id, viewerId }: { id: string; viewerId: string }, seen: { isAdmin: boolean }) =>
  from(db).select(needed).select(textFor(viewerId, seen)).where('id', '=', id),
);

/** A booking as this person sees it; undefined when they may not. */
export const bookingFor = async (db: ReadDb, viewer: Viewer, id: string): Promise<JsonText<Booking> | undefined> => {
  const [found] = await bookingById(db, { id, viewerId: viewer.id }, { isAdmin: viewer.role === 'admin' });
  if (!found || !mayRead(found, viewer)) return undefined;
  return (await shownTo(db, viewer, [found]))[0];
};

/** A booking beside what a trip sums up of it. */
export interface BookingInTrip extends Pick<BookingRow, 'id' | 'status' | 'total_minor' | 'change'> {
  readonly shown: JsonText<Booking>;
}

/** Those of these bookings that are shown already, for one audience. */
export const bookingsInTrips = async (
  db: ReadDb,
  ids: readonly string[],
  audience: Audience,
): Promise<BookingInTrip[]> => {
  if (ids.length === 0) return [];
  const text = storedText(bookings, audience).as('wire');
  const found = await from(db).select(needed).select('change').select(text).where(isAnyOf('id', ids)).execute();
  const shown = await foundAsReplies<Booking, FoundBooking>(db, bookings, found, () => audience);
  return found.map(({ wire: _, ...booking }, n) => ({ ...booking, shown: shown[n] as JsonText<Booking> }));
};

export interface BookingFilter extends Paging {
  readonly userId?: string;
  readonly sellerId?: string;
  readonly type?: BookingRow['type'] | undefined;
  readonly status?: BookingRow['status'] | undefined;
  /** As people type it. Different bookings may share one. */
  readonly reference?: string | undefined;
  /** The stay covers this date (its nights, not the day of departure), or the slot starts on it. In local time. */
  readonly date?: string | undefined;
  /** First and last date on which it starts, in the local time of the place. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** It looks at those alone that begin in the longest stay before. */
const covers = (date: string) =>
  sql<boolean>`(starts_on between ${date}::date - ${sql.lit(MAX_NIGHTS)} and ${date}
    and (starts_on = ${date} or (check_in <= ${date} and check_out > ${date})))`;

type Asked = Omit<BookingFilter, keyof Paging> & { readonly viewerId: string };

const newestBookings = pageStatement(
  (db, asked: Asked, seen: { readonly isAdmin: boolean }) => {
    const { viewerId, userId, sellerId, date, from: first, to: last, ...others } = asked;
    const equal = { user_id: userId, provider_id: sellerId, ...others };
    const given = Object.entries(equal).filter(([, value]) => value !== undefined);
    return from(db)
      .select(shownColumns)
      .select(textFor(viewerId, seen))
      .where((q) => q.and(Object.fromEntries(given)))
      .$if(date !== undefined, (q) => q.where(covers(date ?? '')))
      .$if(first !== undefined, (q) => q.where('starts_on', '>=', first ?? ''))
      .$if(last !== undefined, (q) => q.where('starts_on', '<=', last ?? ''))
      .orderBy('created_at', 'desc')
      .orderBy('id');
  },
  { isPlannedOnce: true },
);

/** Newest first, as this person sees them. */
export const listBookings = async (
  db: ReadDb,
  viewer: Viewer,
  { page, perPage, reference, ...filter }: BookingFilter,
): Promise<Page<JsonText<Booking>>> => {
  const typed = reference === undefined ? undefined : typedReference(reference);
  const asked = { ...filter, reference: typed, viewerId: viewer.id };
  const { rows, total } = await newestBookings(db, asked, { isAdmin: viewer.role === 'admin' }, { page, perPage });
  return { rows: await shownTo(db, viewer, rows), total };
};
