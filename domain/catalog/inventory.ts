/**
 * The inventory of one unit: a capacity for every key (a night, a departure or a quarter of an hour), and the holds
 * that use it. The stream's expected revision makes overbooking impossible. Several holds of one booking share their
 * places: at each key the booking uses the maximum of its holds. So a booking moves to other dates by placing a second
 * hold and then releasing the first, and it always has one.
 */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, Outdated, Rejected } from '../core/decider.ts';
import { addMs, DAY_MS } from '../core/instants.ts';
import { Instant, OneOf, Uuid } from '../core/schema.ts';
import {
  bookingsAhead,
  isActive,
  isOutdated,
  refuseIfCrowded,
  refuseIfFull,
  refuseIfNoLongerSold,
  refuseIfPast,
  refuseIfTooMany,
} from './inventoryPlaces.ts';
import { inventorySnapshot } from './inventorySnapshot.ts';
import {
  holdsAt,
  type Inventory,
  initial,
  type Placement,
  withExpiry,
  withHold,
  withHolds,
  withoutHold,
} from './inventoryState.ts';

export { freeAt } from './inventoryPlaces.ts';
export type { Inventory } from './inventoryState.ts';

/** Nights as `YYYY-MM-DD`, slots as instants; ascending, so that the first full one can be named. */
const Keys = Type.Array(Type.String({ minLength: 10 }), { minItems: 1, uniqueItems: true });
const Quantity = Type.Integer({ minimum: 1 });
const Places = { holdId: Uuid, bookingId: Uuid, keys: Keys, quantity: Quantity };
/**
 * How many places are taken after this, by key: of the keys where the booking has another hold, because what both of them
 * hold counts once. At others `quantity` more or less are taken. Absent before 0.2.0, where such keys counted twice.
 */
const Taken = Type.Optional(Type.Record(Type.String(), Type.Integer({ minimum: 0 })));

/** Why a hold was released. */
const ReleaseReason = OneOf(['expired', 'refused', 'replaced', 'cancelled', 'rejected', 'no_show'] as const);
export type ReleaseReason = Static<typeof ReleaseReason>;

const inventoryEvents = {
  /**
   * `listingRevision`: of the listing or room that says so. `soldFrom`: what was sold until then is withdrawn, all of it
   * or some of its times; only what a listing of this revision or a later one offers can be booked.
   */
  CapacitySet: {
    data: Type.Object({
      capacity: Type.Integer({ minimum: 0 }),
      listingRevision: Type.Optional(Type.Integer({ minimum: 0 })),
      soldFrom: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
  },
  /** `userId`: who holds it; absent before 0.2.0, and where a paid booking takes its places again. */
  HoldPlaced: { data: Type.Object({ ...Places, expiresAt: Instant, userId: Type.Optional(Uuid), taken: Taken }) },
  HoldExtended: { data: Type.Object({ holdId: Uuid, bookingId: Uuid, expiresAt: Instant }) },
  /** The hold is paid and no longer expires. */
  HoldCommitted: { data: Type.Object(Places) },
  /** The places of a held or committed hold are free again. */
  HoldReleased: { data: Type.Object({ ...Places, reason: ReleaseReason, taken: Taken }) },
} as const satisfies EventDeclarations;
export type InventoryEvent = EventsOf<typeof inventoryEvents>;

export type InventoryCommand =
  /**
   * With the revision of the listing or room that says so, an older one is ignored. A newer one is recorded also with
   * the same capacity, so that those in between are ignored.
   */
  | { readonly type: 'SetCapacity'; readonly capacity: number; readonly listingRevision?: number }
  /**
   * Before a listing stops offering all of the unit or some of its times: refused while they have bookings ahead.
   * `goes`: whether it would no longer offer the keys of a hold. `capacity`: what is left. `listingRevision`: of the
   * listing that the change is made from. What was offered until then cannot be booked any more.
   */
  | {
      readonly type: 'Withdraw';
      readonly capacity: number;
      readonly listingRevision: number;
      readonly goes: (keys: readonly string[]) => boolean;
      readonly at: string;
    }
  /** @throws Outdated where the stock has changed since it was quoted: quote again */
  | ({
      readonly type: 'PlaceHold';
      readonly expiresAt: string;
      readonly at: string;
      readonly userId?: string;
      /** A booking that was made before takes its places again. It keeps its terms, whatever is offered now. */
      readonly again?: boolean;
      /** The share of the capacity that the user's unpaid bookings may take together. One alone may take any. */
      readonly mostPercent?: number;
    } & Placement)
  /** A hold is only ever extended. One that has expired but was not released takes its places again. */
  | { readonly type: 'ExtendHold'; readonly holdId: string; readonly expiresAt: string; readonly at: string }
  /** Commits the places. If the hold has expired or was released, it takes them again where they are free. */
  | ({ readonly type: 'CommitHold'; readonly at: string } & Placement)
  | { readonly type: 'ReleaseHold'; readonly holdId: string; readonly reason: ReleaseReason }
  /** Releases the hold if it is due and nothing has been paid. */
  | { readonly type: 'ExpireHold'; readonly holdId: string; readonly at: string };

const decide = (command: InventoryCommand, state: Inventory): InventoryEvent[] => {
  switch (command.type) {
    case 'SetCapacity': {
      const { type, ...data } = command;
      const { capacity, listingRevision = null } = data;
      const isNews = listingRevision === null ? capacity !== state.capacity : listingRevision > state.listingRevision;
      return isNews ? [{ type: 'CapacitySet', data }] : [];
    }
    case 'Withdraw':
      return withdraw(command, state);
    case 'PlaceHold': {
      const { type, at, expiresAt, userId, mostPercent, again = false, listingRevision, ...placement } = command;
      if (state.holds.get(placement.holdId)) return [];
      refuseIfCrowded(forgetPast(state, expiresAt), placement);
      refuseIfPast(state, placement);
      if (again) refuseIfNoLongerSold(state, listingRevision);
      else if (isOutdated(state, listingRevision)) throw new Outdated();
      refuseIfFull(state, placement, at);
      if (userId !== undefined && mostPercent !== undefined)
        refuseIfTooMany(state, placement, { userId, most: Math.floor((state.capacity * mostPercent) / 100) }, at);
      const data = { ...placement, keys: [...placement.keys], expiresAt, ...(userId !== undefined && { userId }) };
      return [placed(state, data)];
    }
    case 'ExtendHold': {
      const { holdId, expiresAt, at } = command;
      const hold = state.holds.get(holdId);
      if (!hold) throw new Rejected('hold_expired', 'The hold on these places has expired. Book again.');
      if (!isActive(hold, at)) refuseIfFull(state, { holdId, ...hold }, at);
      if (hold.expiresAt === null || Date.parse(hold.expiresAt) >= Date.parse(expiresAt)) return [];
      return [{ type: 'HoldExtended', data: { holdId, bookingId: hold.bookingId, expiresAt } }];
    }
    case 'CommitHold': {
      const { type, at, listingRevision, ...placement } = command;
      const hold = state.holds.get(placement.holdId);
      if (hold?.expiresAt === null) return [];
      if (!hold) {
        refuseIfPast(state, placement);
        refuseIfNoLongerSold(state, listingRevision);
      }
      if (!hold || !isActive(hold, at)) refuseIfFull(state, placement, at);
      const { holdId, bookingId } = placement;
      const { keys, quantity } = hold ?? placement; // a hold may be of less than is asked for: of what was not over
      const data = { holdId, bookingId, keys: [...keys], quantity };
      const committed: InventoryEvent = { type: 'HoldCommitted', data };
      return hold ? [committed] : [placed(state, { ...data, expiresAt: at }), committed];
    }
    case 'ReleaseHold':
      return released(state, command.holdId, command.reason);
    case 'ExpireHold': {
      const hold = state.holds.get(command.holdId);
      return hold && !isActive(hold, command.at) ? released(state, command.holdId, 'expired') : [];
    }
  }
};

const withdraw = (
  { capacity, listingRevision, goes, at }: Extract<InventoryCommand, { type: 'Withdraw' }>,
  state: Inventory,
): InventoryEvent[] => {
  if (listingRevision < state.listingRevision) throw new Outdated();
  if (bookingsAhead(state, goes, at))
    throw new Rejected('bookings_ahead', 'This has bookings ahead. Keep it until then, or end them first.');
  const soldFrom = listingRevision + 1;
  if (capacity === state.capacity && soldFrom <= state.soldFrom) return [];
  return [{ type: 'CapacitySet', data: { capacity, listingRevision, soldFrom } }];
};

const released = (state: Inventory, holdId: string, reason: ReleaseReason): InventoryEvent[] => {
  const hold = state.holds.get(holdId);
  if (!hold) return [];
  const { bookingId, keys, quantity } = hold;
  const data = { holdId, bookingId, keys: [...keys], quantity, reason };
  return [withTaken(state, { type: 'HoldReleased', data })];
};

type EventOf<T extends InventoryEvent['type']> = Extract<InventoryEvent, { type: T }>;

const placed = (state: Inventory, data: EventOf<'HoldPlaced'>['data']): InventoryEvent =>
  withTaken(state, { type: 'HoldPlaced', data });

/** The event with the counts that `Taken` says. Of keys that are past, what is taken is not known any more. */
const withTaken = (state: Inventory, event: EventOf<'HoldPlaced'> | EventOf<'HoldReleased'>): InventoryEvent => {
  const { holdId, bookingId, keys } = event.data;
  const after = evolve(state, event);
  const others = withoutHold(state, holdId);
  const shared = keys.filter((key) => key >= after.past && holdsAt(others, bookingId, key).length > 0);
  if (shared.length === 0) return event;
  const taken = Object.fromEntries(shared.map((key) => [key, after.taken.get(key) ?? 0]));
  return { ...event, data: { ...event.data, taken } } as InventoryEvent;
};

const evolve = (state: Inventory, event: InventoryEvent): Inventory => {
  switch (event.type) {
    case 'CapacitySet':
      return { ...state, ...event.data };
    case 'HoldPlaced': {
      const { holdId, taken: _, ...hold } = event.data;
      return withHold(forgetPast(state, hold.expiresAt), holdId, hold);
    }
    case 'HoldExtended':
      return withExpiry(state, event.data.holdId, event.data.expiresAt);
    case 'HoldCommitted':
      return withExpiry(state, event.data.holdId, null);
    case 'HoldReleased':
      return withoutHold(state, event.data.holdId);
  }
};

/**
 * A hold lasts at most a day and time zones differ by up to 26 hours, so everything this long before the end of a new
 * hold is past.
 */
const SURELY_PAST_MS = 3 * DAY_MS;

/**
 * Keeps the state small: once for each day of the log, holds that ended before are removed. A date sorts before its
 * instants.
 */
const forgetPast = (state: Inventory, newHoldExpiresAt: string): Inventory => {
  const past = addMs(newHoldExpiresAt, -SURELY_PAST_MS).slice(0, 10);
  if (past <= state.past) return state;
  const left = [...state.holds].filter(([, hold]) => hold.keys.some((key) => key >= past));
  return left.length === state.holds.size ? { ...state, past } : withHolds({ ...state, past }, left);
};

/** The stream's id is the item's: a room, a tour, a table, a vehicle, an instructor. */
export const inventory: Decider<Inventory, InventoryCommand, InventoryEvent> = {
  category: 'inventory',
  events: inventoryEvents,
  initial,
  decide,
  evolve,
  snapshot: inventorySnapshot,
};
