/** Bookings as guests, sellers and admins see them. */
import { sql } from 'kysely';
import { answerAwaitedBy } from '../../domain/bookings/answer.ts';
import { booking } from '../../domain/bookings/booking.ts';
import { typedReference } from '../../domain/bookings/reference.ts';
import { toSnake } from '../../infra/naming.ts';
import { providerChannel, userChannel } from '../accounts/channels.ts';
import { type Page, pageOf } from '../engine/paging.ts';
import { type ReadDb, tables } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';
import { BookingRow, bookingColumns, guestColumns, termsColumns } from './bookingRow.ts';
import { bookingWire } from './bookingWire.ts';

const paidRow = (row: BookingRow, answerBy: string | null): BookingRow => {
  const { confirmation, starts_at: startsAt } = row;
  return { ...row, status: 'paid', answer_by: answerAwaitedBy({ status: 'paid', confirmation, startsAt, answerBy }) };
};

export const bookings = readModel('bookings', {
  version: 4,
  row: BookingRow,
  wire: bookingWire,
  key: 'id',
  personal: { of: 'user_id', texts: ['notes', 'guest_name', 'guest_phone', 'arrival_time', 'ending.reason'] },
  on: {
    BookingCreated: (_, event) => {
      const state = booking.evolve(booking.initial, event);
      return bookingColumns(event.streamId, existing(state.status === 'none' ? undefined : state), event.at, event.at);
    },
    BookingRescheduled: (row, { at, data: { formerHoldId, formerUnitId, holdExpiresAt, ...terms } }) => ({
      ...existing(row),
      ...termsColumns(terms),
      ...(holdExpiresAt !== undefined && { hold_expires_at: holdExpiresAt }),
      updated_at: at,
    }),
    BookingGuestChanged: (row, { at, data }) => ({ ...existing(row), ...guestColumns(data.guest), updated_at: at }),
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
      ...paidRow(existing(row), data.answerBy ?? null),
      payment_id: data.paymentId,
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
  indexes: ['user_id, created_at desc, id', 'provider_id, created_at desc, id', 'reference'],
  publishTo: [
    { channel: userChannel, idOf: ({ user_id }) => user_id, audience: 'guest' },
    { channel: providerChannel, idOf: ({ provider_id }) => provider_id, audience: 'seller' },
  ],
});

const all = (db: ReadDb) => tables(db, bookings).selectFrom('bookings').selectAll();

export const bookingById = (db: ReadDb, id: string): Promise<BookingRow | undefined> =>
  all(db).where('id', '=', id).executeTakeFirst();

export const bookingsByIds = (db: ReadDb, ids: readonly string[]): Promise<BookingRow[]> =>
  ids.length === 0 ? Promise.resolve([]) : all(db).where('id', 'in', ids).execute();

export interface BookingFilter {
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
  readonly page: number;
  readonly perPage: number;
}

const covers = (date: string) => sql<boolean>`(starts_on = ${date} or (check_in <= ${date} and check_out > ${date}))`;

/** Newest first. */
export const listBookings = (
  db: ReadDb,
  { userId, sellerId, type, status, reference: typed, date, from, to, ...paging }: BookingFilter,
): Promise<Page<BookingRow>> => {
  const reference = typed === undefined ? undefined : typedReference(typed);
  const asked = { user_id: userId, provider_id: sellerId, type, status, reference };
  const equal = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  const matching = all(db)
    .where((q) => q.and(equal))
    .$if(date !== undefined, (q) => q.where(covers(date ?? '')))
    .$if(from !== undefined, (q) => q.where('starts_on', '>=', from ?? ''))
    .$if(to !== undefined, (q) => q.where('starts_on', '<=', to ?? ''));
  return pageOf(matching.orderBy('created_at', 'desc').orderBy('id'), paging);
};
