/** What became of bookings and when: the columns that numbers are made of. */

import { type Static, Type } from '@sinclair/typebox';
import { sql } from 'kysely';
import { analyticsPurpose } from '../../domain/analytics/event.ts';
import { BookingType } from '../../domain/catalog/bookableItem.ts';
import { rounded } from '../../domain/core/numbers.ts';
import { Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { keptBecause } from '../../infra/personalData.ts';
import { type ReadDb, tableOf } from '../engine/readDb.ts';
import { existing, readModel } from '../engine/readModel.ts';

const Row = Type.Object({
  id: Uuid,
  user_id: Uuid,
  /** The seller. */
  provider_id: Uuid,
  type: BookingType,
  created_at: Instant,
  paid_at: Nullable(Instant),
  /** Since then the seller was asked to confirm; null: never. */
  asked_at: Nullable(Instant),
  /** When the seller has confirmed or rejected it. */
  answered_at: Nullable(Instant),
  ended_at: Nullable(Instant),
  /** How it ended before its time. */
  ended: Nullable(OneOf(['cancelled', 'rejected', 'expired'] as const)),
});
type Row = Static<typeof Row>;

const ended = (row: Row | undefined, at: string, how: Row['ended']): Row => ({
  ...existing(row),
  ended_at: at,
  ended: how,
});
const asked = (row: Row, at: string): Row => ({ ...row, asked_at: at, answered_at: null });
/** An instant booking is confirmed without having been asked for. */
const answered = (row: Row, at: string): Row => (row.asked_at === null ? row : { ...row, answered_at: at });

export const bookingMilestones = readModel('booking_milestones', {
  version: 1,
  row: Row,
  key: 'id',
  personalData: {
    whose: 'user_id',
    why: analyticsPurpose,
    retention: { always: 'ids and times, of which numbers are counted' },
    others: { provider_id: keptBecause.soldBy },
    seenBy: ['admins'],
  },
  on: {
    BookingCreated: (_, { streamId, at, data }) => ({
      id: streamId,
      user_id: data.userId,
      provider_id: data.sellerId,
      type: data.item.type,
      created_at: at,
      paid_at: null,
      asked_at: null,
      answered_at: null,
      ended_at: null,
      ended: null,
    }),
    BookingPaid: (row, { at, data }) => {
      const paid = { ...existing(row), paid_at: at };
      return data.answerBy === undefined ? paid : asked(paid, at);
    },
    BookingRescheduled: (row, { at, data }) =>
      data.change?.answerBy === undefined ? existing(row) : asked(existing(row), at),
    BookingConfirmed: (row, { at }) => answered(existing(row), at),
    BookingRejected: (row, { at, data }) => {
      const rejected = ended(row, at, 'rejected');
      return data.by === 'provider' ? answered(rejected, at) : rejected;
    },
    BookingCancelled: (row, { at }) => ended(row, at, 'cancelled'),
    BookingExpired: (row, { at }) => ended(row, at, 'expired'),
  },
  indexes: [
    ...['created_at', 'paid_at', 'ended_at', 'asked_at'],
    ...['provider_id, created_at', 'provider_id, paid_at', 'provider_id, ended_at', 'provider_id, asked_at'],
    'user_id',
  ],
});

/** Instants; `to` is not included. Days are those of the time zone. */
export interface Period {
  readonly from: string;
  readonly to: string;
  /** IANA name. */
  readonly timezone: string;
}

/** Of all sellers, or of one. */
const soldBy = (sellerId: string | undefined) => (sellerId === undefined ? sql`true` : sql`provider_id = ${sellerId}`);

export const BookingsOfDay = Type.Object(
  {
    day: Type.String({ format: 'date' }),
    type: BookingType,
    booked: Type.Integer(),
    paid: Type.Integer(),
    cancelled: Type.Integer(),
    rejected: Type.Integer(),
    expired: Type.Integer(),
  },
  { $id: 'BookingsOfDay' },
);
export type BookingsOfDay = Static<typeof BookingsOfDay>;

/** How many bookings were made, paid and ended, by day and type. */
export const bookingsByDay = async (
  db: ReadDb,
  { from, to, timezone }: Period,
  sellerId?: string,
): Promise<BookingsOfDay[]> => {
  const table = tableOf(bookingMilestones);
  const happened = (column: string, what: ReturnType<typeof sql>) => sql`
    select (${sql.ref(column)} at time zone ${timezone})::date as day, type, ${what} as what from ${table}
    where ${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${to} and ${soldBy(sellerId)}`;
  const count = (what: string) => sql`count(*) filter (where what = ${what}) as ${sql.ref(what)}`;
  const { rows } = await sql<BookingsOfDay>`
    select day, type, ${sql.join(['booked', 'paid', 'cancelled', 'rejected', 'expired'].map(count))}
    from (${happened('created_at', sql`'booked'`)} union all ${happened('paid_at', sql`'paid'`)}
      union all ${happened('ended_at', sql.ref('ended'))}) as happened
    group by day, type order by day, type`.execute(db);
  return rows;
};

interface Conversions {
  readonly booked: number;
  readonly paid: number;
}

/** Of the bookings that were made in the period, how many were paid since. */
export const paidOfBooked = async (
  db: ReadDb,
  { from, to }: Omit<Period, 'timezone'>,
  sellerId?: string,
): Promise<Conversions> => {
  const { rows } = await sql<Conversions>`
    select count(*) as booked, count(paid_at) as paid from ${tableOf(bookingMilestones)}
    where created_at >= ${from} and created_at < ${to} and ${soldBy(sellerId)}`.execute(db);
  return rows[0] ?? { booked: 0, paid: 0 };
};

export const Answers = Type.Object(
  {
    asked: Type.Integer({ description: 'Bookings that the seller was asked to confirm.' }),
    answered: Type.Integer(),
    lapsed: Type.Integer({ description: 'Ended without an answer.' }),
    median_s: Nullable(Type.Number({ description: 'Seconds to the answer.' })),
    p90_s: Nullable(Type.Number()),
  },
  { $id: 'SellerAnswers' },
);
export type Answers = Static<typeof Answers>;

/** How sellers have answered what they were asked in the period. */
export const answersOf = async (
  db: ReadDb,
  { from, to }: Omit<Period, 'timezone'>,
  sellerId?: string,
): Promise<Answers> => {
  const within = (share: number) => sql`
    percentile_cont(${sql.lit(share)}) within group (order by extract(epoch from answered_at - asked_at))`;
  const { rows } = await sql<Answers>`
    select count(*) as asked, count(answered_at) as answered,
      count(*) filter (where answered_at is null and ended_at is not null) as lapsed,
      ${within(0.5)} as median_s, ${within(0.9)} as p90_s
    from ${tableOf(bookingMilestones)}
    where asked_at >= ${from} and asked_at < ${to} and ${soldBy(sellerId)}`.execute(db);
  const [found] = rows;
  if (!found) return { asked: 0, answered: 0, lapsed: 0, median_s: null, p90_s: null };
  return { ...found, median_s: rounded(found.median_s, 1), p90_s: rounded(found.p90_s, 1) };
};

export interface OwnBookings {
  readonly bookings: number;
  readonly cancelled: number;
}

/** The bookings that a person has paid, and those of them that were cancelled or rejected. */
export const bookingsOf = async (db: ReadDb, userId: string): Promise<OwnBookings> => {
  const { rows } = await sql<OwnBookings>`
    select count(*) as bookings, count(*) filter (where ended in ('cancelled', 'rejected')) as cancelled
    from ${tableOf(bookingMilestones)} where user_id = ${userId} and paid_at is not null`.execute(db);
  return rows[0] ?? { bookings: 0, cancelled: 0 };
};
