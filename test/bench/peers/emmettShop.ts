/**
 * A booking with Emmett on Postgres, behind Koa: the token verified by jose, a hold on the stream of the room, the booking
 * on a stream of its own, one inline projection, and the booking as the answer. No prices, no idempotency keys, no limits.
 */
import { createSecretKey, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CommandHandler, type Event, projections } from '@event-driven-io/emmett';
import { getPostgreSQLEventStore, pongoSingleStreamProjection } from '@event-driven-io/emmett-postgresql';
import { jwtVerify } from 'jose';
import Koa from 'koa';
import { koaBody } from 'koa-body';
import pg from 'pg';
import { serveProgram } from '../program.ts';

export interface ShopOptions {
  readonly databaseUrl: string;
  readonly jwtSecret: string;
}

type Stay = { roomId: string; checkIn: string; checkOut: string; guests: number };
type Body = { item_id: string; check_in: string; check_out: string; guests: number };
type HoldPlaced = Event<'HoldPlaced', Stay & { bookingId: string; userId: string; expiresAt: string }>;
type BookingCreated = Event<
  'BookingCreated',
  Stay & { bookingId: string; userId: string; reference: string; createdAt: string }
>;
type Inventory = { holds: Record<string, string> };
type Booking = BookingCreated['data'] & { status: string };

const UNITS = 1_000;
const HOLD_MS = 15 * 60_000;

const inventory = CommandHandler<Inventory, HoldPlaced>({
  initialState: () => ({ holds: {} }),
  evolve: (state, { data }) => ({ holds: { ...state.holds, [data.bookingId]: data.checkIn } }),
});
const booking = CommandHandler<Booking | null, BookingCreated>({
  initialState: () => null,
  evolve: (_, { data }) => ({ ...data, status: 'pending_payment' }),
});
const bookings = pongoSingleStreamProjection<Booking, BookingCreated>({
  collectionName: 'bookings',
  canHandle: ['BookingCreated'],
  evolve: (_: Booking | null, { data }: BookingCreated) => ({ ...data, status: 'pending_payment' }),
});

serveProgram(async ({ databaseUrl, jwtSecret }: ShopOptions) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
  const store = getPostgreSQLEventStore(databaseUrl, {
    projections: projections.inline([bookings]),
    connectionOptions: { pool },
  });
  await store.schema.migrate();
  const key = createSecretKey(Buffer.from(jwtSecret));
  const book = async (userId: string, { roomId, checkIn, checkOut, guests }: Stay): Promise<Booking | null> => {
    const [bookingId, now] = [randomUUID(), new Date()];
    const stay = { roomId, checkIn, checkOut, guests };
    const expiresAt = new Date(now.getTime() + HOLD_MS).toISOString();
    const place = ({ holds }: Inventory): HoldPlaced => {
      if (Object.values(holds).filter((date) => date === checkIn).length >= UNITS) throw new Error('sold out');
      return { type: 'HoldPlaced', data: { ...stay, bookingId, userId, expiresAt } };
    };
    await inventory(store, `inventory-${roomId}`, place, { retry: { onVersionConflict: 10 } });
    const create = (): BookingCreated => ({
      type: 'BookingCreated',
      data: { ...stay, bookingId, userId, reference: bookingId.slice(0, 8), createdAt: now.toISOString() },
    });
    return (await booking(store, `booking-${bookingId}`, create)).newState;
  };
  // The first event of a projection makes its table, which several at once cannot.
  await book('nobody', { roomId: 'none', checkIn: '2000-01-01', checkOut: '2000-01-02', guests: 1 });

  const koa = new Koa();
  koa.use(koaBody());
  koa.use(async (ctx) => {
    const token = (ctx.headers.authorization ?? '').slice('Bearer '.length);
    const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'] });
    const { item_id: roomId, check_in: checkIn, check_out: checkOut, guests } = ctx.request.body as Body;
    ctx.status = 201;
    ctx.body = await book(String(payload.sub), { roomId, checkIn, checkOut, guests });
  });
  const server = createServer(koa.callback());
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return async () => `http://127.0.0.1:${port}`;
});
