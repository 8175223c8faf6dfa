/**
 * Edits of listings of all five kinds, interleaved with bookings, changes, cancellations, expiry and late payments on
 * aggregates in memory. Any process can die before any append, and quotes are as old as the first one. Whatever happens,
 * no table, vehicle, guide, instructor or room is sold twice, and nothing that has bookings ahead vanishes.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createBooking } from '../../commands/bookings/bookings.ts';
import { changeTerms } from '../../commands/bookings/changes.ts';
import { commitPlaces } from '../../commands/bookings/places.ts';
import type { BookingRequest } from '../../commands/bookings/quote.ts';
import { addListing, changeListing, type Identified } from '../../commands/catalog/listings.ts';
import { addRoom, changeRoom, priceNights } from '../../commands/catalog/rooms.ts';
import { stockJob } from '../../commands/catalog/stock.ts';
import type { Aggregates, CommandContext } from '../../commands/core/handle.ts';
import type { JobSink } from '../../commands/core/jobChanges.ts';
import type { Loaded } from '../../commands/core/stateReader.ts';
import { booking, type OpenBooking } from '../../domain/bookings/booking.ts';
import { inventory } from '../../domain/catalog/inventory.ts';
import type { OpenListing } from '../../domain/catalog/listing.ts';
import { type ListingKind, listingKinds } from '../../domain/catalog/listings.ts';
import { room } from '../../domain/catalog/room.ts';
import { WEEKDAYS } from '../../domain/core/dates.ts';
import { changedNothing, Rejected, streamName } from '../../domain/core/decider.ts';
import { StoreUnavailable } from '../../eventstore/client/index.ts';
import { contextOf } from '../kit/context.ts';
import { type MemoryAggregates, memoryAggregates } from '../kit/memoryAggregates.ts';
import { hotelDetails, roomDetails } from './catalogFixtures.ts';
import { instructorDetails, restaurantDetails, tourDetails, transferDetails } from './listingFixtures.ts';

// Others act between attempts in any case.
vi.mock('../../infra/retry.ts', async (original) => ({ ...(await original()), sleep: async () => undefined }));

const OWNER = randomUUID();
const AT = '2026-12-01T08:00:00.000Z';
const DAY = '2026-12-18';
const fixed = { ownerId: OWNER, timezone: 'Europe/Moscow', currency: 'RUB' };
const weekly = (from: string, to: string) => [{ weekdays: [...WEEKDAYS], from, to }];
const owner = (): CommandContext => contextOf(OWNER, 'admin', AT);
const guest = (): CommandContext => contextOf(randomUUID(), 'tourist', AT);

const jobs = new Map<string, unknown>();
const sink: JobSink = {
  add: (change) => void ('data' in change ? jobs.set(change.id, JSON.parse(change.data)) : jobs.delete(change.id)),
};
let memory: MemoryAggregates;
let turn: () => Promise<void>;
beforeEach(() => {
  jobs.clear();
  turn = async () => undefined;
  memory = memoryAggregates(() => turn());
});

/** A process that dies before its append number `dies`, and that quotes from what it has once read, unless told to read again. */
const startProcess = (dies: number | null = null, read = new Map<string, Loaded<unknown>>()) => {
  let left = dies ?? Number.POSITIVE_INFINITY;
  const alive = (): void => {
    if (left < 0) throw new StoreUnavailable('this process is dead');
  };
  const aggregates: Aggregates = {
    load: async (decider, id, options) => {
      alive();
      const stream = streamName(decider.category, id);
      const known = options?.maxAgeMs === undefined ? undefined : read.get(stream);
      const loaded =
        (known as Awaited<ReturnType<typeof memory.load<never, never, never>>>) ?? (await memory.load(decider, id));
      read.set(stream, loaded);
      return loaded;
    },
    handle: async (decider, id, command, context) => {
      left -= 1;
      alive();
      return memory.handle(decider, id, command, context);
    },
  };
  const settings = { rateLimits: 0, holdTtlMs: 900_000, paymentTtlMs: 900_000 };
  const log = { warn: () => undefined };
  return { aggregates, pool: sink, jobs: sink, now: () => AT, log, settings } as never as Parameters<
    typeof createBooking
  >[0] &
    Parameters<typeof changeTerms>[0] &
    Parameters<typeof addRoom>[0];
};

type Any = Identified<OpenListing<Record<string, unknown>>>;
interface World {
  readonly id: string;
  readonly request: (how: number) => BookingRequest;
  readonly edit: (deps: ReturnType<typeof startProcess>, how: number) => Promise<unknown>;
  /** What a hold takes: the same for all that one table, guide or person can serve only once. */
  readonly thing: (unitId: string, key: string) => string;
  /** How many there are of it, at most. */
  readonly most: (thing: string) => number;
  /** Whether the listing, as it is now, offers what a hold has. */
  readonly offers: (unitId: string, keys: readonly string[]) => boolean;
}

const stateOf = (kind: ListingKind<never>, id: string): Any => ({
  ...(memory.stateOf(kind.decider, id) as never as Any),
  id,
});

/** The names of all parts that a listing ever had. */
const names = new Map<string, string>();
const worldOf = async (
  kind: ListingKind<never>,
  details: object,
  edits: (now: Any, how: number) => object,
  rest: Omit<World, 'id' | 'edit' | 'request' | 'offers'> & {
    readonly request: (id: string, how: number) => BookingRequest;
  },
): Promise<World> => {
  const deps = startProcess();
  const { id } = await addListing(deps, owner(), kind, { ...fixed, details: details as never });
  const now = () => stateOf(kind, id);
  const remember = () => {
    for (const part of (kind.parts ? now()[kind.parts] : []) as readonly { id: string; name: string }[])
      names.set(part.id, part.name);
  };
  remember();
  return {
    ...rest,
    id,
    request: (how) => rest.request(id, how),
    edit: async (process, how) => {
      const change = edits(now(), how) as object;
      try {
        return await changeListing(process, owner(), kind, id, change as never);
      } finally {
        remember();
      }
    },
    offers: (unitId, keys) => {
      const isListed = kind.stockOf(id, now() as never).some((stock) => stock.unitId === unitId);
      return isListed && (kind.times?.include(now() as never, keys) ?? true);
    },
  };
};

/** Edits of a list of parts: sent as it is, without ids, without some, with other units, or made whole again. */
const partEdits =
  (list: string, whole: readonly { readonly name: string; readonly units: number }[], hours: readonly object[]) =>
  (now: Any, how: number): object => {
    const parts = now[list] as never as { id: string; name: string; units: number }[];
    const withoutIds = parts.map(({ id: _, ...part }) => part);
    const again = whole.map((part) => ({
      ...part,
      ...parts.find(({ name }) => name === part.name),
      units: part.units,
    }));
    const lists = [withoutIds, again, parts.slice(1), parts.map((part) => ({ ...part, units: how % 2 })), again];
    if (how === 5) return { status: 'closed' };
    if (how > 5) return { details: hours[how % hours.length], status: 'published' };
    return { details: { [list]: lists[how] }, status: 'published' };
  };

const tables = [
  { name: 'Window', seats: 2, units: 1 },
  { name: 'Barrel', seats: 4, units: 2 },
];
const vehicles = transferDetails.vehicles.map(({ id: _, ...vehicle }, n) => ({ ...vehicle, units: n + 1 }));
const time = (clock: string) => `${DAY}T${clock}:00+03:00`;
const named = { thing: (unitId: string, key: string) => `${names.get(unitId)} ${key}` };

const worlds: Record<string, () => Promise<World>> = {
  restaurant: () =>
    worldOf(
      listingKinds.restaurant as never,
      { ...restaurantDetails, tables },
      partEdits('tables', tables, [
        { openingHours: weekly('12:00', '18:00') },
        { openingHours: weekly('12:00', '23:00') },
      ]),
      {
        ...named,
        most: (thing) => (thing.startsWith('Window') ? 1 : 2),
        request: (itemId, how) => ({
          ...{ type: 'restaurant', itemId, guests: 2 },
          slotStart: time(how % 2 === 0 ? '18:00' : '19:00'),
        }),
      },
    ),
  transfer: () =>
    worldOf(
      listingKinds.transfer as never,
      { ...transferDetails, vehicles },
      partEdits('vehicles', vehicles, [
        { serviceHours: weekly('06:00', '18:00') },
        { serviceHours: weekly('06:00', '24:00') },
      ]),
      {
        ...named,
        most: (thing) => (thing.startsWith('Sedan') ? 1 : 2),
        request: (itemId, how) => ({
          ...{ type: 'transfer', itemId, guests: 2 },
          slotStart: time(how % 2 === 0 ? '18:15' : '19:00'),
        }),
      },
    ),
  tour: () => {
    const departing = (clock: string) => [
      { from: '2026-12-01', to: '2027-03-31', weekdays: [...WEEKDAYS], time: clock },
    ];
    return worldOf(
      listingKinds.tour as never,
      { ...tourDetails, seats: 4, schedule: departing('10:00') },
      (_, how) => {
        if (how === 5) return { details: { closedDates: [DAY] } };
        if (how === 6) return { details: { closedDates: [], seats: 2 } };
        return { details: { schedule: departing(how % 2 === 0 ? '10:00' : '10:15'), seats: 4 } };
      },
      {
        thing: (_, key) => key.slice(0, 10),
        most: () => 4,
        request: (itemId, how) => ({
          ...{ type: 'tour', itemId, guests: 2 },
          slotStart: time(how % 2 === 0 ? '10:00' : '10:15'),
        }),
      },
    );
  },
  instructor: () =>
    worldOf(
      listingKinds.instructor as never,
      instructorDetails,
      (_, how) => ({
        details: { workingHours: weekly('09:00', how % 2 === 0 ? '12:00' : '16:00'), maxGroup: 1 + how },
      }),
      {
        thing: (_, key) => key,
        most: () => 1,
        request: (itemId, how) => ({
          ...{ type: 'instructor', itemId, guests: 1 },
          ...{ slotStart: time(how % 2 === 0 ? '13:00' : '14:00'), slotEnd: time('15:00') },
        }),
      },
    ),
  hotel: async () => {
    const deps = startProcess();
    const { id: hotelId } = await addListing(deps, owner(), listingKinds.hotel, { ...fixed, details: hotelDetails });
    const { basePriceMinor: _, ...details } = { ...roomDetails, units: 2 };
    const { id } = await addRoom(deps, owner(), hotelId, { ...details, pricePerNight: 100 });
    await priceNights(deps, owner(), id, [{ from: DAY, to: '2026-12-21', price: 100 }]);
    return {
      id,
      request: (how) => ({
        ...{ type: 'hotel', itemId: id, guests: 2, checkOut: '2026-12-20' },
        checkIn: how % 2 === 0 ? DAY : '2026-12-19',
      }),
      edit: (process, how) =>
        how === 5
          ? changeListing(process, owner(), listingKinds.hotel, hotelId, { status: 'closed' })
          : changeRoom(process, owner(), id, { units: how % 3 }),
      thing: (_unit, key) => key,
      most: () => 2,
      offers: () => memory.stateOf(room, id).hotelId === hotelId,
    };
  },
};

interface Act {
  readonly what: 'edit' | 'book' | 'move' | 'release' | 'pay late';
  readonly how: number;
  readonly which: number;
  readonly dies: number | null;
}
const act: fc.Arbitrary<Act> = fc.record({
  what: fc.constantFrom('edit', 'edit', 'edit', 'book', 'book', 'book', 'move', 'release', 'pay late'),
  how: fc.nat(7),
  which: fc.nat(4),
  dies: fc.oneof({ arbitrary: fc.constant(null), weight: 3 }, { arbitrary: fc.nat(4), weight: 1 }),
});

/** All that anybody holds, by what it takes. */
const heldOf = ({ thing }: World, units: Iterable<string>): Map<string, number> => {
  const held = new Map<string, number>();
  for (const unitId of units) {
    for (const [key, taken] of memory.stateOf(inventory, unitId).taken)
      held.set(thing(unitId, key), (held.get(thing(unitId, key)) ?? 0) + taken);
  }
  return held;
};

const expectAllIsWell = (world: World, units: ReadonlySet<string>): void => {
  for (const [thing, held] of heldOf(world, units)) expect(held, thing).toBeLessThanOrEqual(world.most(thing));
  for (const unitId of units)
    for (const [, { keys }] of memory.stateOf(inventory, unitId).holds)
      expect(world.offers(unitId, keys), `what is booked is still offered: ${unitId} at ${keys}`).toBe(true);
};

const perform = async (world: World, booked: { id: string }[], units: Set<string>, { what, how, which, dies }: Act) => {
  const process = startProcess(dies, what === 'book' ? quoting : new Map());
  const of = booked[which % Math.max(1, booked.length)];
  const terms = of && (memory.stateOf(booking, of.id) as OpenBooking);
  const release = (holdId: string, unitId: string, context: CommandContext) =>
    process.aggregates.handle(inventory, unitId, { type: 'ReleaseHold', holdId, reason: 'expired' }, context);
  if (what === 'edit') await world.edit(process, how);
  if (what === 'book') {
    const { bookingId, booking: made } = await createBooking(process, guest(), world.request(how));
    booked.push({ id: bookingId });
    units.add(made.item.unitId);
  }
  if (!of || !terms) return;
  const { item, holdId, userId } = terms;
  const context = contextOf(userId, 'tourist', AT);
  if (what === 'move') {
    const { itemId: _, type: __, ...change } = world.request(how);
    await changeTerms(process, context, of.id, change);
    const moved = memory.stateOf(booking, of.id) as OpenBooking;
    units.add(moved.item.unitId);
    if (moved.holdId !== holdId) await release(holdId, item.unitId, context);
  }
  if (what === 'release') await release(holdId, item.unitId, context);
  if (what === 'pay late') await commitPlaces(process, context, of.id, terms);
};
/** What the process that takes bookings has read: as old as it can be. */
let quoting: Map<string, Loaded<unknown>>;

const runJobs = async () => {
  for (const [id, data] of [...jobs])
    await stockJob.run({ id, data: data as never, attempt: 1 }, { deps: startProcess(), context: owner() });
};

describe.each(Object.keys(worlds))('edits of a listing with bookings: %s', (kind) => {
  it('never sell anything twice, and drop nothing that is booked, however they interleave and whatever dies', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.array(act, { maxLength: 5 }), { maxLength: 4 }),
        async (scheduler, actors) => {
          jobs.clear();
          turn = async () => undefined;
          memory = memoryAggregates(() => turn());
          quoting = new Map();
          const world = await worlds[kind]!();
          const booked: { id: string }[] = [];
          const units = new Set<string>([world.id]);
          turn = scheduler.scheduleFunction(async () => undefined);
          const acting = actors.map(async (acts) => {
            for (const each of acts)
              await perform(world, booked, units, each).catch((error: unknown) => {
                if (!changedNothing(error) && !(error instanceof StoreUnavailable)) throw error;
              });
          });
          await scheduler.waitFor(Promise.all(acting));
          turn = async () => undefined;
          for (const unitId of names.keys()) units.add(unitId);
          expectAllIsWell(world, units);
          // Who died in the middle of an edit hinders nobody from booking, also before its job is due.
          for (const how of [0, 1])
            await perform(world, booked, units, { what: 'book', how, which: 0, dies: null }).catch((error: unknown) => {
              if (!(error instanceof Rejected)) throw error;
            });
          expectAllIsWell(world, units);
          await runJobs();
          expectAllIsWell(world, units);
        },
      ),
      { numRuns: 40 },
    );
  });
});
