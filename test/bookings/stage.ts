/** A hotel with one kind of room on the real stores, a provider in memory, and workers that can be started and killed. */

import { randomUUID } from 'node:crypto';
import { cancelBooking, createBooking } from '../../commands/bookings/bookings.ts';
import { loadBooking } from '../../commands/bookings/loadBooking.ts';
import { holdExpiry } from '../../commands/bookings/policy.ts';
import { addListing } from '../../commands/catalog/listings.ts';
import { addRoom, priceNights } from '../../commands/catalog/rooms.ts';
import type { Aggregates } from '../../commands/core/handle.ts';
import { startWorker, type Worker } from '../../commands/core/worker.ts';
import { jobs, policies, policyConsumers } from '../../commands/modules.ts';
import { loadPayment } from '../../commands/payments/atProvider.ts';
import { receiveNotification } from '../../commands/payments/inbox.ts';
import { processPayment } from '../../commands/payments/payments.ts';
import { inventoryDemand } from '../../domain/catalog/bookableItem.ts';
import type { HotelDetails } from '../../domain/catalog/hotel.ts';
import { type Inventory, inventory } from '../../domain/catalog/inventory.ts';
import { listingKinds } from '../../domain/catalog/listings.ts';
import { addDays, todayIn } from '../../domain/core/dates.ts';
import { addMs, HOUR_MS, MINUTE_MS } from '../../domain/core/instants.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { consumerLags } from '../../eventstore/lag.ts';
import { hotelDetails, roomDetails } from '../catalog/catalogFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { changed, type Node, testDeps } from '../kit/deps.ts';
import { endsWithSpec } from '../kit/ending.ts';
import type { Stores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { type FakeProvider, fakeProvider } from '../payments/fakeProvider.ts';

export type { Node } from '../kit/deps.ts';

export const TIMEZONE = 'Europe/Moscow';
/** 2 rooms × 100.00 a night unless a spec says otherwise. */
const PRICE = 100;

export interface Settings {
  readonly units?: number;
  readonly holdTtlMs?: number;
  readonly paymentTtlMs?: number;
  readonly paymentCapture?: 'automatic' | 'manual';
  readonly disputeWindowMs?: number;
  readonly cancellationPolicy?: HotelDetails['cancellationPolicy'];
  readonly confirmation?: HotelDetails['confirmation'];
}

export const createStage = async (stores: Stores, settings: Settings = {}) => {
  // Longer than any spec takes, unless it is about the end of them.
  const { units = 2, holdTtlMs = 15 * MINUTE_MS, paymentTtlMs = 15 * MINUTE_MS, disputeWindowMs = 0 } = settings;
  const { cancellationPolicy = 'moderate', confirmation = 'instant', paymentCapture = 'automatic' } = settings;
  const provider: FakeProvider = fakeProvider();
  /** Takes payments when the settings say so. */
  const other: FakeProvider = fakeProvider('tbank');
  const workers: Worker[] = [];
  const stopWorkers = endsWithSpec(() => Promise.all(workers.map((worker) => worker.stop())));

  /** One process: a cache of its own over the shared stores. `counted`: stores that note what is asked of them. */
  const newNode = (counted: Partial<Pick<Stores, 'store' | 'pool'>> = {}): Node =>
    testDeps(
      { ...stores, ...counted },
      {
        paymentProviders: { default: provider, byName: new Map([provider, other].map((each) => [each.name, each])) },
        settings: { holdTtlMs, paymentTtlMs, paymentCapture, disputeWindowHours: disputeWindowMs / HOUR_MS },
      },
    );

  const node = newNode();
  const ownerId = randomUUID();
  const owner = () => contextOf(ownerId, 'hotelier');
  const today = todayIn(TIMEZONE, new Date().toISOString());
  const day = (n: number): string => addDays(today, n);
  const hotel = await addListing(node, owner(), listingKinds.hotel, {
    ownerId,
    timezone: TIMEZONE,
    currency: 'RUB',
    details: { ...hotelDetails, charges: [], cancellationPolicy, confirmation },
  });
  const { basePriceMinor, ...details } = roomDetails;
  const room = await addRoom(node, owner(), hotel.id, { ...details, units, pricePerNight: PRICE });
  await priceNights(node, owner(), room.id, [{ from: day(0), to: day(60), price: PRICE }]);
  /** Nights in the room, counted in days from today. */
  const stay = (from: number, to: number, guests: number) =>
    ({ type: 'hotel', itemId: room.id, checkIn: day(from), checkOut: day(to), guests }) as const;

  return {
    node,
    newNode,
    provider,
    other,
    ownerId,
    owner,
    hotelId: hotel.id,
    roomId: room.id,
    day,
    /** The policies and jobs of one process. */
    work: (deps: Node = node): Worker => {
      const worker = startWorker(deps, policies, jobs);
      workers.push(worker);
      return worker;
    },
    stay,
    /** Two nights a month ahead. */
    book: (userId: string = randomUUID(), deps: Node = node, context = contextOf(userId)) =>
      createBooking(deps, context, stay(30, 32, 2)),
    /** At the time at which it was booked: a short hold is not over then. */
    pay: async (bookingId: string, userId: string, method: 'card' | 'sbp' = 'card', deps: Node = node) => {
      const { holdExpiresAt } = await loadBooking(deps, bookingId);
      const booked = addMs(holdExpiresAt, -holdTtlMs);
      const context = contextOf(userId, 'tourist', booked);
      return processPayment(deps, context, { things: [{ kind: 'booking', id: bookingId }], method });
    },
    /** The provider reports, as often as it likes. */
    notify: (paymentId: string, event = `event-${paymentId}`, providerPaymentId = `fake-${paymentId}`) =>
      receiveNotification(node, contextOf('system'), 'fake', {
        headers: {},
        rawBody: Buffer.from(JSON.stringify({ event, id: providerPaymentId })),
        ip: null,
      }),
    inbox: async (): Promise<{ id: string; status: string; reason: string | null }[]> =>
      (await stores.pool.query('select id, status, reason from ops.webhook_inbox')).rows,
    /** Makes failed jobs of a kind due now; `attempts` were made already. One may have run again by then, and be done. */
    runNow: async (kind: string, attempts: number): Promise<void> => {
      const failed = async () => {
        const { rowCount } = await stores.pool.query(
          'update ops.jobs set run_at = now(), attempts = $2 where kind = $1 and last_error is not null',
          [kind, attempts],
        );
        const done = 'select 1 from ops.done_jobs where kind = $1 and last_error is not null';
        return rowCount || (await stores.pool.query(done, [kind])).rowCount;
      };
      await until(failed);
      await stores.pool.query(`select pg_notify('jobs', '')`);
    },
    /** Runs the job that ends the hold of a booking, as it runs at a time. @returns what the job returns */
    runHoldExpiry: async (bookingId: string, at: string) => {
      const { holdId, item } = await loadBooking(node, bookingId);
      const { unitId } = inventoryDemand(item);
      const context = contextOf('system', 'system', at);
      return holdExpiry.run({ id: holdId, data: { unitId, bookingId }, attempt: 1 }, { deps: node, context });
    },
    cancel: (bookingId: string, userId: string) => cancelBooking(node, contextOf(userId), bookingId, null),
    stock: async (): Promise<Inventory> => (await node.aggregates.load(inventory, room.id)).state,
    booking: (id: string) => loadBooking(node, id),
    payment: (id: string) => loadPayment(node, id),
    untilBooking: (id: string, status: string) =>
      until(async () => (await loadBooking(node, id)).status === status || undefined),
    /** Of single bookings and payments, without what people are told and what is always set. */
    jobs: async (): Promise<string[]> => {
      const theirs = `select kind from ops.jobs where kind not in ('reconciliation_daily', 'push_lane') and kind not like 'notification%' order by kind`;
      return (await stores.pool.query<{ kind: string }>(theirs)).rows.map((row) => row.kind);
    },
    /** Whether every policy has handled every event, and no job is due but e-mails, which no server takes here. */
    handledAll: async (): Promise<boolean> => {
      const lags = await consumerLags(stores, policyConsumers(1), 1);
      const { rowCount } = await stores.pool.query(
        `select 1 from ops.jobs where kind not in ('mail', 'push_lane') and (run_at <= now() or attempts > 0)`,
      );
      return lags.every(({ events }) => events === 0) && rowCount === 0;
    },
    /** Before the spec ends, with which it ends by itself. */
    stop: async () => {
      await stopWorkers();
      await stores.stop();
    },
  };
};
export type Stage = Awaited<ReturnType<typeof createStage>>;

/** A process in which others act just before `command` is first given to an aggregate. */
export const interruptedBefore = (node: Node, command: string, others: () => Promise<unknown>): Node => {
  let isDone = false;
  const aggregates: Aggregates = {
    load: (decider, id, options) => node.aggregates.load(decider, id, options),
    handle: async (decider, id, given, context) => {
      if (given.type === command && !isDone) {
        isDone = true;
        await others();
      }
      return node.aggregates.handle(decider, id, given, context);
    },
  };
  return changed(node, { aggregates });
};

/**
 * A process that dies before it gives `command` to an aggregate for the `nth` time: from then on nothing that it does
 * arrives anywhere. What it did before stays.
 */
export const dyingBefore = (node: Node, command: string, nth = 1): Node & { readonly died: () => boolean } => {
  let dead = false;
  let left = nth;
  const alive = <T>(work: () => Promise<T>): Promise<T> =>
    dead ? Promise.reject(new StoreUnavailable('this process is dead')) : work();
  const aggregates: Aggregates = {
    load: (decider, id, options) => alive(() => node.aggregates.load(decider, id, options)),
    handle: (decider, id, given, context) => {
      if ((given as { type?: string }).type === command) left -= 1;
      dead ||= left === 0;
      return alive(() => node.aggregates.handle(decider, id, given, context));
    },
  };
  return { ...changed(node, { aggregates }), died: () => dead };
};
