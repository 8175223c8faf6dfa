/** One row an item and slot of which something is held: a departure, or a quarter of an hour of a table or vehicle. */
import { type Static, Type } from '@sinclair/typebox';
import { Instant, Uuid } from '../../domain/core/schema.ts';
import { readModel } from '../engine/readModel.ts';
import type { ReadDb } from '../modules.ts';
import { heldColumns, isNight, withHold, withoutHold } from './holds.ts';

const Row = Type.Object({ item_id: Uuid, slot: Instant, ...heldColumns });
export type SlotHoldRow = Static<typeof Row>;
type Key = Pick<SlotHoldRow, 'item_id' | 'slot'>;

const blank = (key: Key): SlotHoldRow => ({ ...key, holds: {}, taken: 0 });

const heldSlots = ({ streamId, data }: { streamId: string; data: { keys: readonly string[] } }): Key[] =>
  data.keys.filter((key) => !isNight(key)).map((key) => ({ item_id: streamId, slot: new Date(key).toISOString() }));

export const slotHolds = readModel('slot_holds', {
  version: 1,
  row: Row,
  key: ['item_id', 'slot'],
  on: {
    HoldPlaced: {
      keys: heldSlots,
      fold: (row, { data }, key) => ({ ...key, ...withHold(row ?? blank(key), data) }),
    },
    HoldReleased: {
      keys: heldSlots,
      fold: (row, { data }, key) => {
        const left = withoutHold(row ?? blank(key), data);
        return left.taken > 0 ? { ...key, ...left } : null;
      },
    },
  },
});

/** How many places of an item are taken, by slot; slots of which none are, are not there. */
export type TakenSlots = ReadonlyMap<string, number>;

/** What is taken of some items at the slots between two instants, both included; by item. */
export const takenSlots = async (
  db: ReadDb,
  items: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<(unitId: string) => TakenSlots> => {
  const rows =
    items.length === 0
      ? []
      : await db
          .selectFrom('slot_holds')
          .select(['item_id', 'slot', 'taken'])
          .where('item_id', 'in', items)
          .where('slot', '>=', from)
          .where('slot', '<=', to)
          .execute();
  const byItem = new Map<string, Map<string, number>>();
  for (const { item_id, slot, taken } of rows)
    byItem.set(item_id, (byItem.get(item_id) ?? new Map<string, number>()).set(slot, taken));
  return (unitId) => byItem.get(unitId) ?? new Map();
};
