/** The state of an inventory. What a hold costs does not depend on how many others there are. */
import { ImmutableMap } from '../core/immutableMap.ts';

export interface Placement {
  readonly holdId: string;
  /** Of the listing or room that it was quoted from; absent in bookings of before 0.2.0. */
  readonly listingRevision?: number;
  readonly bookingId: string;
  readonly keys: readonly string[];
  readonly quantity: number;
}

export interface Hold extends Omit<Placement, 'holdId' | 'listingRevision'> {
  /** null: committed. */
  readonly expiresAt: string | null;
  /** Whose unpaid hold it is; absent before 0.2.0, and where a paid booking takes its places again. */
  readonly userId?: string;
}

type Ids = ImmutableMap<readonly string[]>;

export interface Inventory {
  readonly capacity: number;
  /** The newest revision of the listing or room that `capacity` is known to follow; -1: none. */
  readonly listingRevision: number;
  /** What was quoted from an older revision than this can no longer be booked; 0: nothing was ever withdrawn. */
  readonly soldFrom: number;
  readonly holds: ImmutableMap<Hold>;
  /** How many places are taken at each key, also by holds that have expired and were not released yet. */
  readonly taken: ImmutableMap<number>;
  /** Ids of the holds of each booking. */
  readonly ofBooking: Ids;
  /** Ids of the unpaid holds of each account. */
  readonly unpaidOf: Ids;
  /** Ids of all unpaid holds, as they expire. */
  readonly unpaid: readonly string[];
  /** Keys before this date are past in every time zone. Their holds were removed from the state. */
  readonly past: string;
}

export const initial: Inventory = {
  capacity: 0,
  listingRevision: -1,
  soldFrom: 0,
  holds: ImmutableMap.empty(),
  taken: ImmutableMap.empty(),
  ofBooking: ImmutableMap.empty(),
  unpaidOf: ImmutableMap.empty(),
  unpaid: [],
  past: '',
};

const withId = (ids: Ids, of: string, id: string): Ids => ids.set(of, [...(ids.get(of) ?? []), id]);
const withoutId = (ids: Ids, of: string, id: string): Ids => {
  const others = (ids.get(of) ?? []).filter((other) => other !== id);
  return others.length > 0 ? ids.set(of, others) : ids.delete(of);
};

const expiry = (hold: Hold | undefined): number => Date.parse(hold?.expiresAt ?? '');

const asUnpaid = (state: Inventory, id: string, hold: Hold): Inventory => {
  if (hold.expiresAt === null) return state;
  const { unpaid, holds, unpaidOf } = state;
  const before = unpaid.findLastIndex((other) => expiry(holds.get(other)) <= expiry(hold));
  return {
    ...state,
    unpaid: unpaid.toSpliced(before + 1, 0, id),
    unpaidOf: hold.userId === undefined ? unpaidOf : withId(unpaidOf, hold.userId, id),
  };
};

const notUnpaid = (state: Inventory, id: string, hold: Hold): Inventory => {
  if (hold.expiresAt === null) return state;
  const { unpaid, unpaidOf } = state;
  return {
    ...state,
    unpaid: unpaid.toSpliced(unpaid.indexOf(id), 1),
    unpaidOf: hold.userId === undefined ? unpaidOf : withoutId(unpaidOf, hold.userId, id),
  };
};

/** The holds of a booking that have a place at a key. */
export const holdsAt = ({ ofBooking, holds }: Inventory, bookingId: string, key: string): Hold[] =>
  (ofBooking.get(bookingId) ?? []).flatMap((id) => {
    const hold = holds.get(id);
    return hold?.keys.includes(key) ? [hold] : [];
  });

/** What a booking takes by some of its holds at the same key: they share their places. */
export const mostOf = (holds: readonly Hold[]): number =>
  holds.reduce((most, hold) => Math.max(most, hold.quantity), 0);

/** How many places the hold takes at a key beside the other holds of its booking in the state. */
const further = (state: Inventory, hold: Hold, key: string): number =>
  Math.max(0, hold.quantity - mostOf(holdsAt(state, hold.bookingId, key)));

export const withHold = (before: Inventory, id: string, hold: Hold): Inventory => {
  const state = withoutHold(before, id);
  const taken = hold.keys.reduce(
    (sums, key) => sums.set(key, (sums.get(key) ?? 0) + further(state, hold, key)),
    state.taken,
  );
  const ofBooking = withId(state.ofBooking, hold.bookingId, id);
  return asUnpaid({ ...state, holds: state.holds.set(id, hold), taken, ofBooking }, id, hold);
};

export const withExpiry = (state: Inventory, id: string, expiresAt: string | null): Inventory => {
  const before = state.holds.get(id);
  if (!before) return state;
  const { userId, ...paid } = before;
  const hold = expiresAt === null ? { ...paid, expiresAt } : { ...before, expiresAt };
  return asUnpaid({ ...notUnpaid(state, id, before), holds: state.holds.set(id, hold) }, id, hold);
};

export const withoutHold = (before: Inventory, id: string): Inventory => {
  const hold = before.holds.get(id);
  if (!hold) return before;
  const ofBooking = withoutId(before.ofBooking, hold.bookingId, id);
  const state = { ...notUnpaid(before, id, hold), holds: before.holds.delete(id), ofBooking };
  const taken = hold.keys.reduce((sums, key) => {
    const left = (sums.get(key) ?? 0) - further(state, hold, key);
    return left > 0 ? sums.set(key, left) : sums.delete(key);
  }, before.taken);
  return { ...state, taken };
};

const idsBy = (holds: readonly (readonly [string, Hold])[], of: (hold: Hold) => string | undefined) => {
  const ids = new Map<string, string[]>();
  for (const [id, hold] of holds) {
    const owner = of(hold);
    if (owner !== undefined) ids.set(owner, [...(ids.get(owner) ?? []), id]);
  }
  return ids;
};

/** A state of these holds at once: the same as of one after the other, and quicker for thousands. */
export const withHolds = (
  state: Pick<Inventory, 'capacity' | 'listingRevision' | 'soldFrom' | 'past'>,
  entries: readonly (readonly [string, Hold])[],
): Inventory => {
  const holds = new Map(entries);
  const ofBooking = idsBy(entries, ({ bookingId }) => bookingId);
  const taken = new Map<string, number>();
  for (const ids of ofBooking.values()) {
    const most = new Map<string, number>();
    for (const { keys, quantity } of ids.flatMap((id) => holds.get(id) ?? []))
      for (const key of keys) most.set(key, Math.max(quantity, most.get(key) ?? 0));
    for (const [key, quantity] of most) taken.set(key, quantity + (taken.get(key) ?? 0));
  }
  const unpaid = entries.filter(([, { expiresAt }]) => expiresAt !== null);
  return {
    ...state,
    holds: ImmutableMap.from(entries),
    taken: ImmutableMap.from(taken),
    ofBooking: ImmutableMap.from(ofBooking),
    unpaidOf: ImmutableMap.from(idsBy(unpaid, ({ userId }) => userId)),
    unpaid: unpaid.toSorted(([, a], [, b]) => expiry(a) - expiry(b)).map(([id]) => id),
  };
};
