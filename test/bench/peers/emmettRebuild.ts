/** Emmett's rebuild of two projections from its store on Postgres: bookings, and what each room has held. */
import { randomUUID } from 'node:crypto';
import type { Event } from '@event-driven-io/emmett';
import {
  getPostgreSQLEventStore,
  pongoMultiStreamProjection,
  pongoSingleStreamProjection,
  rebuildPostgreSQLProjections,
} from '@event-driven-io/emmett-postgresql';
import pg from 'pg';
import { serveProgram } from '../program.ts';
import type { Work } from '../rounds.ts';

type Created = Event<
  'BookingCreated',
  { bookingId: string; roomId: string; userId: string; total: number; at: string }
>;
type Paid = Event<'BookingPaid', { bookingId: string; roomId: string; amount: number; at: string }>;
type Completed = Event<'BookingCompleted', { bookingId: string; roomId: string; at: string }>;
type BookingEvent = Created | Paid | Completed;
type Booking = { userId: string; roomId: string; total: number; status: string };
type Room = { bookings: number; earned: number };

const canHandle: BookingEvent['type'][] = ['BookingCreated', 'BookingPaid', 'BookingCompleted'];

const bookings = pongoSingleStreamProjection<Booking, BookingEvent>({
  collectionName: 'bookings',
  canHandle,
  evolve: (booking: Booking | null, { type, data }: BookingEvent): Booking | null => {
    if (type === 'BookingCreated')
      return { userId: data.userId, roomId: data.roomId, total: data.total, status: 'open' };
    return booking && { ...booking, status: type === 'BookingPaid' ? 'paid' : 'completed' };
  },
});
const rooms = pongoMultiStreamProjection<Room, BookingEvent>({
  collectionName: 'rooms',
  canHandle,
  getDocumentId: ({ data }) => data.roomId,
  evolve: (room: Room | null, { type, data }: BookingEvent): Room => ({
    bookings: (room?.bookings ?? 0) + (type === 'BookingCreated' ? 1 : 0),
    earned: (room?.earned ?? 0) + (type === 'BookingPaid' ? data.amount : 0),
  }),
});

const ROOMS = 500;
const PER_BOOKING = 3;
const PRICE = 100;
const READABLE_WITHIN_MS = 120_000;

/**
 * Waits until Emmett reads the newest event. It reads no event that is newer than the oldest open transaction of the whole
 * server, such as one of autovacuum; a later transaction does not hide it again.
 */
const untilReadable = async (pool: pg.Pool): Promise<void> => {
  const until = performance.now() + READABLE_WITHIN_MS;
  for (;;) {
    const { rows } = await pool.query<{ readable: boolean }>(
      `select max(transaction_id) < pg_snapshot_xmin(pg_current_snapshot()) as readable from emt_messages`,
    );
    if (rows[0]?.readable) return;
    if (performance.now() > until) throw new Error('a transaction was open in PostgreSQL for too long');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

/** What the rebuilt tables say of all bookings. */
const totals = async (pool: pg.Pool) => {
  const { rows } = await pool.query<{ completed: number; counted: number; earned: number }>(
    `select (select count(*)::integer from bookings where data->>'status' = 'completed') as completed,
       sum((data->>'bookings')::integer)::integer as counted, sum((data->>'earned')::integer)::integer as earned
     from rooms`,
  );
  return rows[0];
};

serveProgram(async ({ databaseUrl, events }: { databaseUrl: string; events: number }) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  const store = getPostgreSQLEventStore(databaseUrl, { connectionOptions: { pool } });
  await store.schema.migrate();
  const at = new Date().toISOString();
  const roomIds = Array.from({ length: ROOMS }, () => randomUUID());
  // One after the other: Emmett reads by transaction, but goes on by position, and so loses events whose transactions
  // overlapped.
  const expected = Math.ceil(events / PER_BOOKING);
  for (let n = 0; n < expected; n += 1) {
    const [bookingId, roomId] = [randomUUID(), roomIds[n % ROOMS] ?? ''];
    await store.appendToStream<BookingEvent>(`booking-${bookingId}`, [
      { type: 'BookingCreated', data: { bookingId, roomId, userId: randomUUID(), total: PRICE, at } },
      { type: 'BookingPaid', data: { bookingId, roomId, amount: PRICE, at } },
      { type: 'BookingCompleted', data: { bookingId, roomId, at } },
    ]);
  }
  await untilReadable(pool);
  return async (): Promise<Work> => {
    const begun = performance.now();
    const projections = [bookings, rooms];
    const consumer = rebuildPostgreSQLProjections<BookingEvent>({ connectionString: databaseUrl, projections });
    await consumer.start();
    await consumer.close();
    const seconds = (performance.now() - begun) / 1_000;
    const { completed, counted, earned } = (await totals(pool)) ?? {};
    if (completed !== expected || counted !== expected || earned !== expected * PRICE)
      throw new Error(
        `rebuilt ${completed} bookings, ${counted} of rooms that earned ${earned}; there are ${expected}`,
      );
    return { operations: expected * PER_BOOKING, seconds };
  };
});
