/** How the state of an inventory is kept as a snapshot: a hold takes some 100 bytes. */
import { type Static, Type } from '@sinclair/typebox';
import { addDays } from '../core/dates.ts';
import { snapshot } from '../core/decider.ts';
import { addMinutes } from '../core/instants.ts';
import { Nullable } from '../core/schema.ts';
import { type Inventory, withHolds } from './inventoryState.ts';
import { CELL_MINUTES } from './slots.ts';

/** Keys that follow each other are kept as the first and their number; others one by one. */
const PackedKeys = Type.Union([
  Type.Tuple([Type.String(), Type.Integer({ minimum: 1, maximum: 100_000 })]),
  Type.Array(Type.String()),
]);
const nextKey = (key: string): string =>
  key.length === 'YYYY-MM-DD'.length ? addDays(key, 1) : addMinutes(key, CELL_MINUTES);

const packKeys = (keys: readonly string[]): Static<typeof PackedKeys> => {
  const [first] = keys;
  const follow = keys.every((key, n) => n === 0 || key === nextKey(keys[n - 1] ?? ''));
  return first !== undefined && follow ? [first, keys.length] : [...keys];
};

const unpackKeys = ([first, count, ...others]: Static<typeof PackedKeys>): string[] => {
  if (typeof count !== 'number')
    return [first, count, ...others].flatMap((key) => (key === undefined ? [] : [key as string]));
  const keys = first === undefined ? [] : [first];
  while (keys.length < count) keys.push(nextKey(keys.at(-1) ?? ''));
  return keys;
};

/** Id, booking, keys, quantity, until when, and whose: without the names of the fields, because there are thousands. */
const PackedHold = Type.Tuple([
  Type.String(),
  Type.String(),
  PackedKeys,
  Type.Integer(),
  Nullable(Type.String()),
  Nullable(Type.String()),
]);
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
  holds: [...holds].map(([id, { bookingId, keys, quantity, expiresAt, userId }]) => [
    id,
    bookingId,
    packKeys(keys),
    quantity,
    expiresAt,
    userId ?? null,
  ]),
});

const unpack = ({ holds, ...state }: Static<typeof Packed>): Inventory =>
  withHolds(
    state,
    holds.map(([id, bookingId, keys, quantity, expiresAt, userId]) => [
      id,
      { bookingId, keys: unpackKeys(keys), quantity, expiresAt, ...(userId !== null && { userId }) },
    ]),
  );

export const inventorySnapshot = snapshot({ version: 3, packed: Packed, pack, unpack });
