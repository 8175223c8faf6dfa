/** How many places of an inventory are taken, and who may still take some. */
import { Rejected } from '../core/decider.ts';
import { addMinutes, isAfter } from '../core/instants.ts';
import { type Hold, holdsAt, type Inventory, mostOf, type Placement } from './inventoryState.ts';
import { CELL_MINUTES } from './slots.ts';

export const isActive = (hold: Hold, at: string): boolean => hold.expiresAt === null || isAfter(hold.expiresAt, at);

/** What is held at `key` by holds that have expired and were not released yet. */
const expiredAt = (state: Inventory, key: string, at: string): number => {
  const bookings = new Set<string>();
  for (const id of state.unpaid) {
    const hold = state.holds.get(id);
    if (!hold || isActive(hold, at)) break; // those after it expire later
    if (hold.keys.includes(key)) bookings.add(hold.bookingId);
  }
  return [...bookings].reduce((sum, bookingId) => {
    const holds = holdsAt(state, bookingId, key);
    return sum + mostOf(holds) - mostOf(holds.filter((hold) => isActive(hold, at)));
  }, 0);
};

/** Places free at `key` as of `at`; negative when the capacity was lowered below what is sold. */
export const freeAt = (state: Inventory, key: string, at: string): number =>
  state.capacity - (state.taken.get(key) ?? 0) + expiredAt(state, key, at);

/** How many places other unpaid bookings of the user take at `key`. */
const unpaidAt = (state: Inventory, key: string, userId: string, bookingId: string, at: string): number => {
  const taken = new Map<string, number>();
  for (const id of state.unpaidOf.get(userId) ?? []) {
    const hold = state.holds.get(id);
    if (hold && hold.bookingId !== bookingId && hold.keys.includes(key) && isActive(hold, at))
      taken.set(hold.bookingId, Math.max(hold.quantity, taken.get(hold.bookingId) ?? 0));
  }
  return [...taken.values()].reduce((sum, quantity) => sum + quantity, 0);
};

/** @throws Rejected `too_many_holds` */
export const refuseIfTooMany = (
  state: Inventory,
  { bookingId, keys, quantity }: Placement,
  { userId, most }: { readonly userId: string; readonly most: number },
  at: string,
): void => {
  const over = keys.find((key) => {
    const unpaid = unpaidAt(state, key, userId, bookingId, at);
    return unpaid > 0 && unpaid + quantity > most;
  });
  if (over !== undefined)
    throw new Rejected(
      'too_many_holds',
      `Your unpaid bookings hold as many places on ${over} as one account can. Pay for one or cancel it first.`,
      { key: over },
    );
};

/** @throws Rejected `sold_out` */
export const refuseIfFull = (state: Inventory, { bookingId, keys, quantity }: Placement, at: string): void => {
  const full = keys.find((key) => {
    const own = mostOf(holdsAt(state, bookingId, key).filter((hold) => isActive(hold, at)));
    return own < quantity && freeAt(state, key, at) + own < quantity;
  });
  if (full !== undefined)
    throw new Rejected('sold_out', `Not enough places are free on ${full}. Choose another time or fewer guests.`, {
      key: full,
    });
};

/** Holds of one item that are not past. As a snapshot they take some 15 MB, and are read in less than a second. */
export const MOST_HOLDS = 100_000;

/** @throws Rejected `sold_out` */
export const refuseIfCrowded = ({ holds }: Inventory, { keys: [key = ''] }: Placement): void => {
  if (holds.size >= MOST_HOLDS)
    throw new Rejected('sold_out', `This has ${MOST_HOLDS} bookings ahead, as many as one item can have.`, { key });
};

/** A hold on past dates may have been forgotten: it is not placed again. @throws Rejected `hold_expired` */
export const refuseIfPast = ({ past }: Inventory, { keys }: Placement): void => {
  if (keys.every((key) => key < past))
    throw new Rejected('hold_expired', 'These dates have passed, and places on them can no longer be taken.');
};

/** Whether the stock has changed since something was quoted: the listing may not offer it any more. */
export const isOutdated = (state: Inventory, listingRevision: number | undefined): boolean =>
  listingRevision !== undefined && listingRevision < Math.max(state.listingRevision, state.soldFrom);

/** What was booked is not offered any more, and its hold was released. @throws Rejected `sold_out` */
export const refuseIfNoLongerSold = ({ soldFrom }: Inventory, listingRevision: number | undefined): void => {
  if ((listingRevision ?? soldFrom) < soldFrom)
    throw new Rejected('sold_out', 'The hold has expired, and what was booked is no longer offered. Book again.');
};

/** Slots that are held or booked and not over yet. A hold counts until it is released: it can still be extended. */
export interface BookingsAhead {
  readonly bookingIds: readonly string[];
  /** When the slots begin; ascending, each once. */
  readonly starts: readonly string[];
  /** When the last key is over. */
  readonly until: string;
}

/** The bookings ahead of slots that `goes` says; undefined: none. */
export const bookingsAhead = (
  state: Inventory,
  goes: (keys: readonly string[]) => boolean,
  at: string,
): BookingsAhead | undefined => {
  const endOf = ({ keys }: Hold): string => addMinutes(keys.at(-1) ?? at, CELL_MINUTES);
  const ahead = [...state.holds].map(([, hold]) => hold).filter((hold) => isAfter(endOf(hold), at) && goes(hold.keys));
  if (ahead.length === 0) return undefined;
  return {
    bookingIds: [...new Set(ahead.map(({ bookingId }) => bookingId))],
    starts: [...new Set(ahead.map(({ keys }) => keys[0] ?? ''))].sort(),
    until: ahead.map(endOf).sort().at(-1) ?? at,
  };
};
