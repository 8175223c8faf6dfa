/** What is held, one row for each unit and slot: a departure, or a quarter of an hour of a table or vehicle. */
import { type Static, Type } from '@sinclair/typebox';
import { Instant, Uuid } from '../../domain/core/schema.ts';
import { isAnyOf, type ReadDb, tables } from '../engine/readDb.ts';
import { readModel } from '../engine/readModel.ts';
import { heldColumns, isNight, withHold, withoutHold } from './holds.ts';

const Row = Type.Object({ unit_id: Uuid, slot: Instant, ...heldColumns });
export type SlotHoldRow = Static<typeof Row>;
type Key = Pick<SlotHoldRow, 'unit_id' | 'slot'>;

const blank = (key: Key): SlotHoldRow => ({ ...key, holds: {}, taken: 0 });

const heldSlots = ({ streamId, data }: { streamId: string; data: { keys: readonly string[] } }): Key[] =>
  data.keys.filter((key) => !isNight(key)).map((key) => ({ unit_id: streamId, slot: new Date(key).toISOString() }));

export const slotHolds = readModel('slot_holds', {
  version: 2,
  row: Row,
  key: ['unit_id', 'slot'],
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

/** How many places of a unit are taken, by slot. Slots with none taken are missing. */
export type TakenSlots = ReadonlyMap<string, number>;

/** The taken places of some units at the slots between two instants, both included; by unit. */
export const takenSlots = async (
  db: ReadDb,
  units: readonly string[],
  { from, to }: { readonly from: string; readonly to: string },
): Promise<(unitId: string) => TakenSlots> => {
  const rows =
    units.length === 0
      ? []
      : await tables(db, slotHolds)
          .selectFrom('slot_holds')
          .select(['unit_id', 'slot', 'taken'])
          .where(isAnyOf('unit_id', units))
          .where('slot', '>=', from)
          .where('slot', '<=', to)
          .execute();
  const byUnit = new Map<string, Map<string, number>>();
  for (const { unit_id, slot, taken } of rows)
    byUnit.set(unit_id, (byUnit.get(unit_id) ?? new Map<string, number>()).set(slot, taken));
  return (unitId) => byUnit.get(unitId) ?? new Map();
};
