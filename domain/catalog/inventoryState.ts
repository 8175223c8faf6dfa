/** The state of an inventory, and how it is kept as a snapshot. */
import { type Static, Type } from '@sinclair/typebox';
import { snapshot } from '../core/decider.ts';
import { ImmutableMap } from '../core/immutableMap.ts';
import { Nullable } from '../core/schema.ts';

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
  /** Who holds it; absent before 0.2.0, and where a paid booking has taken its places again. */
  readonly userId?: string;
}

export interface Inventory {
  readonly capacity: number;
  /** The newest revision of the listing or room that `capacity` is known to follow; -1: none. */
  readonly listingRevision: number;
  /** What was quoted from an older revision than this can no longer be booked; 0: nothing was ever withdrawn. */
  readonly soldFrom: number;
  readonly holds: ImmutableMap<Hold>;
  /** Ids of the holds at each key. */
  readonly at: ImmutableMap<readonly string[]>;
  /** Keys before this date are past in every time zone. Their holds were removed from the state. */
  readonly past: string;
}

export const initial: Inventory = {
  capacity: 0,
  listingRevision: -1,
  soldFrom: 0,
  holds: ImmutableMap.empty(),
  at: ImmutableMap.empty(),
  past: '',
};

const PackedHold = Type.Object({
  id: Type.String(),
  booking: Type.String(),
  keys: Type.Array(Type.String()),
  quantity: Type.Integer(),
  until: Nullable(Type.String()),
  user: Type.Optional(Type.String()),
});
const Packed = Type.Object({
  capacity: Type.Integer(),
  listingRevision: Type.Integer(),
  soldFrom: Type.Integer(),
  past: Type.String(),
  holds: Type.Array(PackedHold),
});

const pack = ({ holds, capacity, listingRevision, soldFrom, past }: Inventory): Static<typeof Packed> => ({
  capacity,
  listingRevision,
  soldFrom,
  past,
  holds: [...holds].map(([id, { bookingId, keys, quantity, expiresAt, userId }]) => ({
    id,
    booking: bookingId,
    keys: [...keys],
    quantity,
    until: expiresAt,
    ...(userId !== undefined && { user: userId }),
  })),
});

/** A state of these holds. The holds at each key follow from them. */
export const withHolds = (
  state: Omit<Inventory, 'holds' | 'at'>,
  holds: readonly (readonly [string, Hold])[],
): Inventory => {
  const at = new Map<string, string[]>();
  for (const [id, { keys }] of holds)
    for (const key of keys) {
      const ids = at.get(key);
      if (ids) ids.push(id);
      else at.set(key, [id]);
    }
  return { ...state, holds: ImmutableMap.from(holds), at: ImmutableMap.from(at) };
};

const unpack = ({ holds, ...state }: Static<typeof Packed>): Inventory =>
  withHolds(
    state,
    holds.map(({ id, booking, keys, quantity, until, user }) => [
      id,
      { bookingId: booking, keys, quantity, expiresAt: until, ...(user !== undefined && { userId: user }) },
    ]),
  );

export const inventorySnapshot = snapshot({ version: 2, packed: Packed, pack, unpack });
